// One style for YAML. Comments, order, anchors, quotes and numbers stay; a result that would parse to a different
// document is discarded.
import { isSeq, type Pair, parseDocument, type Scalar, type ScalarTag, type Tags, visit } from 'yaml'
import { stringifyString } from 'yaml/util'
import { sameBytes } from '../../text/bytes.ts'
import type { formatJson } from '../fmt.ts'
import type { Document } from '../parse.ts'
import { parseYaml } from './parse.ts'

/** The line length for folded blocks; nothing else is folded. */
const COLUMNS = 80

/** Formatting a result again may change it once more; after a few rounds it is stable. */
const MOST_ROUNDS = 4

/**
 * A YAML document in this style: two spaces, and a single blank line where there were several.
 * Undefined when the result would not be the same document: the yaml package cannot rule that out, and sorting may move
 * an alias before its anchor.
 *
 * @example
 * new TextDecoder().decode(formatYaml(parseYaml('a:   1 # one\nb: { c: "x" }').document))
 * // 'a: 1 # one\nb: {c: "x"}\n'
 */
export function formatYaml(document: Document, options: formatJson.Options = {}): Uint8Array<ArrayBuffer> | undefined {
  let text = new TextDecoder().decode(document.lines.bytes).replaceAll('\r\n', '\n')
  try {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const next = write(text, options)
      if (next === text) break
      text = next
    }
  } catch {
    // The package reads some anchors that it refuses to write.
    return undefined
  }
  const bytes = new TextEncoder().encode(text)
  const again = parseYaml(bytes).document
  return again !== undefined && sameBytes(again.canonical, document.canonical) ? bytes : undefined
}

function write(text: string, { sort = false }: formatJson.Options): string {
  const document = parseDocument(text, {
    schema: 'core',
    customTags: asWritten,
    uniqueKeys: false,
    resolveKnownTags: false,
    keepSourceTokens: true,
  })
  // The dash of an empty item would be followed by a space.
  visit(document, {
    Scalar: (_, node, path) => {
      if (node.source === '' && node.value === null && isSeq(path.at(-1))) node.source = 'null'
    },
  })
  if (sort) visit(document, { Map: (_, map) => void map.items.sort(byName) })
  // Reading the result again detects aliases that come before their anchors.
  return document.toString({ lineWidth: 0, flowCollectionPadding: false, verifyAliasOrder: false })
}

/** Writes scalars other than strings as they were read: `1.10`, `0x1F`, more digits than a double holds. */
function asWritten(tags: Tags): Tags {
  return tags.map((tag) => {
    if (typeof tag === 'string' || tag.collection !== undefined) return tag
    if (tag.tag === 'tag:yaml.org,2002:str') return { ...tag, stringify: writeString }
    return { ...tag, stringify: ({ source }) => source ?? '' } satisfies ScalarTag
  })
}

/**
 * Keeps one-line quoted strings as they are, so that escapes stay escapes, such as one for a bidirectional control
 * character.
 */
const writeString: NonNullable<ScalarTag['stringify']> = (item, context, onComment, onChompKeep) => {
  const { source = '' } = ((item as Scalar).srcToken ?? {}) as { readonly source?: string }
  if (item.type?.startsWith('QUOTE_') === true && /^(["']).*\1$/.test(source)) return source
  const lineWidth = item.type === 'BLOCK_FOLDED' ? COLUMNS : 0
  const options = { ...context.options, lineWidth }
  return stringifyString(item as Parameters<typeof stringifyString>[0], { ...context, options }, onComment, onChompKeep)
}

/** In parsed documents, names are strings. */
function byName(a: Pair, b: Pair): number {
  return String(a.key) < String(b.key) ? -1 : 1
}
