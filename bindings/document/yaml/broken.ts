// Locates an offset in broken YAML, using the concrete syntax tree, which exists even when no document can be built.
import type { CST } from 'yaml'
import { formatPointer } from '../../text/members.ts'

type Item = CST.CollectionItem

/** The pointer of the innermost value that contains an offset; a name belongs to its member's value. */
export function pointerWithin(tree: CST.Token | undefined, offset: number): string {
  const path: (string | number)[] = []
  for (let token = tree; token !== undefined && token !== null; ) {
    if (token.type !== 'block-map' && token.type !== 'block-seq' && token.type !== 'flow-collection') break
    const items = token.items as readonly Item[]
    const index = items.findLastIndex((item) => startOf(item) <= offset)
    const item = items[index]
    if (item === undefined || endsBefore(item.value ?? item.key, offset)) break
    const named = item.sep !== undefined || token.type === 'block-map'
    // A pair within a list is a mapping with one member.
    if (token.type === 'block-seq' || (token.type === 'flow-collection' && token.start.source === '[')) {
      path.push(items.slice(0, index).filter(isValue).length)
    }
    if (named) {
      const name = textOf(item.key)
      if (name === undefined) break
      path.push(name)
    }
    token = item.value
  }
  return formatPointer(path)
}

function startOf({ start, key, sep, value }: Item): number {
  return (start[0] ?? key ?? sep?.[0] ?? value)?.offset ?? Number.POSITIVE_INFINITY
}

/** True when a scalar ends before an offset. An unclosed quoted string ends at the end of the document. */
function endsBefore(token: CST.Token | null | undefined, offset: number): boolean {
  if (token === null || token === undefined) return false
  if (token.type === 'scalar' || token.type === 'alias') return token.offset + token.source.length <= offset
  return /^(?:single|double)-quoted/.test(token.type) && token.offset + (token as CST.FlowScalar).source.length < offset
}

/** False for items that are only comments and line ends. */
function isValue({ start, key, sep, value }: Item): boolean {
  return (
    Boolean(key ?? sep ?? value) || start.some(({ type }) => type === 'seq-item-ind' || type === 'explicit-key-ind')
  )
}

function textOf(token: CST.Token | null | undefined): string | undefined {
  if (token?.type === 'scalar') return token.source
  if (token?.type === 'single-quoted-scalar') return token.source.slice(1, -1).replaceAll("''", "'")
  if (token?.type !== 'double-quoted-scalar') return undefined
  try {
    return JSON.parse(token.source) as string
  } catch {
    return undefined
  }
}
