import type { Difference } from '../bindings/document/difference.ts'
import type { Document } from '../bindings/document/index.ts'
import type { SourceRange } from '../bindings/document/types.ts'
import { button, count, element, make, plural } from './dom.ts'
import { endOf, revealInArea } from './editor.ts'
import * as engine from './engine.ts'
import { tally } from './views/findings.ts'

const PAUSE_MS = 150
const SHOWN_BYTES = 40

type Reveal = (range: SourceRange) => void

export interface Comparison {
  /** Compares again; call it when the first document changes. */
  again(): void
  /** Compares with another text. */
  with(text: string): void
  /** True for elements in the box of the second document. */
  isAt(target: EventTarget | null): boolean
}

/**
 * Sets up the section that compares with a second document. `document` returns the first one, or undefined while it is
 * unreadable; `reveal` shows a place in it.
 */
export function setUpCompare(document: () => Document | undefined, reveal: Reveal): Comparison {
  const other = element<HTMLTextAreaElement>('other')
  let waiting: ReturnType<typeof setTimeout> | undefined
  const later = () => {
    clearTimeout(waiting)
    waiting = setTimeout(() => {
      element('comparison').replaceChildren(...compare(document(), other.value, reveal))
    }, PAUSE_MS)
  }
  other.addEventListener('input', later)
  return {
    again: () => {
      if (other.value !== '') later()
    },
    with: (text) => {
      other.value = text
      other.dispatchEvent(new Event('input'))
    },
    isAt: (target) => target === other,
  }
}

function compare(left: Document | undefined, text: string, reveal: Reveal): (Node | string)[] {
  if (text === '') return []
  const { document: right, diagnostics } = engine.examine(text)
  if (right === undefined) {
    const [first] = diagnostics
    return [`The other document: ${tally(diagnostics)}, line ${first?.source.line}. ${first?.detail}`]
  }
  if (left === undefined) return ['The document above has no canonical form to compare with.']
  const found = engine.firstDifference(left, right)
  if (found !== undefined) return describe(left, right, found, reveal)
  const size = plural(left.canonical.length, 'byte')
  return [make('span', 'good', '✓ '), `Equal: the canonical forms are the same ${size}.`]
}

function describe(
  left: Document,
  right: Document,
  { canonicalOffset, pointer, only, a, b }: Difference,
  reveal: Reveal,
): (Node | string)[] {
  const what = { a: 'Only this document has', b: 'Only the other document has' }
  const where =
    pointer === '' ? 'The documents differ' : `${only === undefined ? 'They differ at' : what[only]} ${pointer}`
  const revealOther: Reveal = (range) => revealInArea(element<HTMLTextAreaElement>('other'), range, endOf(range))
  return [
    `${where}; the canonical forms from byte ${count(canonicalOffset + 1)} on.`,
    side('This document', left, canonicalOffset, a, reveal),
    side('The other', right, canonicalOffset, b, revealOther),
  ]
}

function side(name: string, document: Document, offset: number, at: SourceRange, reveal: Reveal): HTMLElement {
  const node = make('span', 'side', `${name}, `)
  const go = button(`line ${at.line}, column ${at.column}`, () => reveal(at))
  node.append(go, ' ', make('code', '', canonicalExcerpt(document.canonical, offset)))
  return node
}

/** The canonical bytes from an offset on, shortened. An offset inside a character shows the whole character. */
function canonicalExcerpt(bytes: Uint8Array, offset: number): string {
  if (offset >= bytes.length) return '(nothing more)'
  let start = offset
  while (start > 0 && (bytes[start]! & 0xc0) === 0x80) start--
  const end = start + SHOWN_BYTES
  const text = new TextDecoder().decode(bytes.subarray(start, end))
  return end < bytes.length ? `${text.replace(/\ufffd+$/, '')}…` : text
}
