import { type Difference, type Document, firstDifference, type SourceRange } from '../bindings/document/index.ts'
import { count, element, make, plural } from './dom.ts'
import { examine } from './examine.ts'
import { tally } from './findings.ts'
import { reveal } from './text.ts'

const PAUSE_MS = 150
const SHOWN_BYTES = 40

/**
 * The section that compares with a second document. `document` gives the first one, undefined while it cannot be
 * read. The function that comes back is to be called when that changes.
 */
export function setUpCompare(document: () => Document | undefined): () => void {
  const other = element<HTMLTextAreaElement>('other')
  let waiting: ReturnType<typeof setTimeout> | undefined
  const later = () => {
    clearTimeout(waiting)
    waiting = setTimeout(() => show(document(), other.value), PAUSE_MS)
  }
  other.addEventListener('input', later)
  return () => {
    if (other.value !== '') later()
  }
}

function show(left: Document | undefined, text: string): void {
  element('comparison').replaceChildren(...compare(left, text))
}

function compare(left: Document | undefined, text: string): (Node | string)[] {
  if (text === '') return []
  const { document: right, diagnostics } = examine(text)
  if (right === undefined) {
    const [first] = diagnostics
    return [`The other document: ${tally(diagnostics)}, line ${first?.source.line}. ${first?.detail}`]
  }
  if (left === undefined) return ['The document above has no canonical form to compare with.']
  const found = firstDifference(left, right)
  if (found !== undefined) return describe(left, right, found)
  const size = plural(left.canonical.length, 'byte')
  return [make('span', 'good', '✓ '), `The same: both canonical forms are the same ${size}.`]
}

function describe(
  left: Document,
  right: Document,
  { canonicalOffset, pointer, only, a, b }: Difference,
): (Node | string)[] {
  const what = { a: 'Only this document has', b: 'Only the other document has' }
  const where =
    pointer === '' ? 'The documents differ' : `${only === undefined ? 'They differ at' : what[only]} ${pointer}`
  return [
    `${where}; the canonical forms from byte ${count(canonicalOffset + 1)} on.`,
    side('This document', left, canonicalOffset, a, element<HTMLTextAreaElement>('source')),
    side('The other', right, canonicalOffset, b, element<HTMLTextAreaElement>('other')),
  ]
}

function side(
  name: string,
  document: Document,
  offset: number,
  at: SourceRange,
  area: HTMLTextAreaElement,
): HTMLElement {
  const { line, column, endLine, endColumn } = at
  const node = make('span', 'side', `${name}, `)
  const go = make('button', '', `line ${line}, column ${column}`) as HTMLButtonElement
  go.type = 'button'
  go.addEventListener('click', () => reveal(area, at, { line: endLine, column: endColumn }))
  node.append(go, ' ', make('code', '', canonicalExcerpt(document.canonical, offset)))
  return node
}

/** The canonical bytes from an offset on, cut short; a byte inside of a character is shown with the whole of it. */
function canonicalExcerpt(bytes: Uint8Array, offset: number): string {
  if (offset >= bytes.length) return '(nothing more)'
  let start = offset
  while (start > 0 && (bytes[start]! & 0xc0) === 0x80) start--
  const end = start + SHOWN_BYTES
  const text = new TextDecoder().decode(bytes.subarray(start, end))
  return end < bytes.length ? `${text.replace(/\ufffd+$/, '')}…` : text
}
