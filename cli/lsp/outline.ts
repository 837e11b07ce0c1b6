// The outline of a document, and what can be folded.
import type { Document } from '../../bindings/document/parse.ts'
import { ARRAY, NUMBER, OBJECT, STRING } from '../../bindings/document/tape.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { rangeOfBytes } from './diagnostics.ts'
import type { Range, Text } from './text.ts'

/** SymbolKind of LSP 3.17. */
const KINDS: Readonly<Record<number, number>> = { [OBJECT]: 19, [ARRAY]: 18, [STRING]: 15, [NUMBER]: 16 }
const BOOLEAN = 17
const MOST_SYMBOLS = 5000
const DEEPEST = 32
const LONGEST = 80
/** The members by which people know an element, the first that it has. */
const LABELS = ['name', 'id', 'title', 'url', 'uri', 'type']

interface OutlineSymbol {
  readonly name: string
  readonly kind: number
  readonly range: Range
  readonly selectionRange: Range
  readonly children?: readonly OutlineSymbol[]
}

/** The symbols of a document: members and elements, as deep as they are nested. */
export function symbolsOf({ tape, lines }: Document, text: Text): readonly OutlineSymbol[] {
  let left = MOST_SYMBOLS
  const label = (value: number, index: number): string => {
    const named = LABELS.map((name) => tape.find([name], value)).find(
      (entry) => entry >= 0 && tape.kind(entry) === STRING,
    )
    return named === undefined ? String(index) : tape.text(named)
  }
  const range = (from: number, to: number) => rangeOfBytes(text, lines, tape.placeStart(from), tape.placeEnd(to))
  const below = (container: number, depth: number): readonly OutlineSymbol[] => {
    const isObject = tape.kind(container) === OBJECT
    if ((!isObject && tape.kind(container) !== ARRAY) || depth > DEEPEST) return []
    return tape.children(container).flatMap((child, index): OutlineSymbol[] => {
      const value = isObject ? child + 1 : child
      const isElement = !isObject && (tape.kind(value) === OBJECT || tape.kind(value) === ARRAY)
      if ((!isObject && !isElement) || left-- <= 0) return []
      const children = below(value, depth + 1)
      return [
        {
          name: visible((isObject ? tape.text(child) : label(value, index)).slice(0, LONGEST)) || '(empty)',
          kind: KINDS[tape.kind(value)] ?? BOOLEAN,
          range: range(child, value),
          selectionRange: range(child, isObject ? child : value),
          ...(children.length > 0 && { children }),
        },
      ]
    })
  }
  return below(0, 0)
}

/** The lines between which an editor may fold: values over several lines. */
export function foldsOf(symbols: readonly OutlineSymbol[]): object[] {
  return symbols.flatMap(({ range: { start, end }, children = [] }) => {
    const endLine = end.character === 0 ? end.line - 1 : end.line
    const own = endLine > start.line ? [{ startLine: start.line, endLine }] : []
    return [...own, ...foldsOf(children)]
  })
}
