// One style for YAML. Comments, order, anchors, quotes and numbers stay; a result that would read as another document is
// withheld.
import { isSeq, type Pair, parseDocument, type Scalar, type ScalarTag, type Tags, visit } from 'yaml'
import { stringifyString } from 'yaml/util'
import { sameBytes } from '../../text/bytes.ts'
import type { Document } from '../document.ts'
import type { FormatOptions } from '../fmt.ts'
import { parseYaml } from './parse.ts'

/** Folded blocks are folded here; nothing else is. */
const COLUMNS = 80

/** The package's style is not always a fixed point at once: a second or third time it is. */
const MOST_ROUNDS = 4

/**
 * A YAML document in the one style: two spaces, a blank line where there were some. Undefined when the result would not
 * be the same document, which the yaml package's way of writing cannot rule out, nor can sorting where aliases come to stand
 * before their anchors.
 *
 * @example
 * new TextDecoder().decode(formatYaml(parseYaml('a:   1 # one\nb: { c: "x" }').document))
 * // 'a: 1 # one\nb: {c: "x"}\n'
 */
export function formatYaml(document: Document, options: FormatOptions = {}): Uint8Array<ArrayBuffer> | undefined {
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

function write(text: string, { sort = false }: FormatOptions): string {
  const document = parseDocument(text, {
    schema: 'core',
    customTags: asWritten,
    uniqueKeys: false,
    resolveKnownTags: false,
    keepSourceTokens: true,
  })
  // The dash of an empty item would have a space behind it.
  visit(document, {
    Scalar: (_, node, path) => {
      if (node.source === '' && node.value === null && isSeq(path.at(-1))) node.source = 'null'
    },
  })
  if (sort) visit(document, { Map: (_, map) => void map.items.sort(byName) })
  // Aliases that come before their anchors are found when the result is read again.
  return document.toString({ lineWidth: 0, flowCollectionPadding: false, verifyAliasOrder: false })
}

/** Scalars other than strings are written as they were read: `1.10`, `0x1F`, digits beyond what a double holds. */
function asWritten(tags: Tags): Tags {
  return tags.map((tag) => {
    if (typeof tag === 'string' || tag.collection !== undefined) return tag
    if (tag.tag === 'tag:yaml.org,2002:str') return { ...tag, stringify: writeString }
    return { ...tag, stringify: ({ source }) => source ?? '' } satisfies ScalarTag
  })
}

/** Quoted strings of one line stay as they are: what an escape hides, such as a character that turns the direction of writing, stays hidden. */
const writeString: NonNullable<ScalarTag['stringify']> = (item, context, onComment, onChompKeep) => {
  const { source = '' } = ((item as Scalar).srcToken ?? {}) as { readonly source?: string }
  if (item.type?.startsWith('QUOTE_') === true && /^(["']).*\1$/.test(source)) return source
  const lineWidth = item.type === 'BLOCK_FOLDED' ? COLUMNS : 0
  const options = { ...context.options, lineWidth }
  return stringifyString(item as Parameters<typeof stringifyString>[0], { ...context, options }, onComment, onChompKeep)
}

/** Names of documents that were read are strings. */
function byName(a: Pair, b: Pair): number {
  return String(a.key) < String(b.key) ? -1 : 1
}
