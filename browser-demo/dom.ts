import type { Diagnostic } from '../bindings/document/types.ts'
import { visibleText } from '../bindings/text/hidden.ts'

/** The element with this id; index.html has every id that the page's code asks for. */
export function element<E extends HTMLElement>(id: string): E {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`index.html has no #${id}`)
  return found as E
}

/** A new element with a class and text; text is only ever set as text, so no document can become markup. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className = '',
  text = '',
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag)
  if (className !== '') node.className = className
  node.textContent = visibleText(text)
  return node
}

/** A new button; `press` runs when it is pressed. */
export function button(text: string, press: () => void, className = ''): HTMLButtonElement {
  const node = make('button', className, text)
  node.type = 'button'
  node.addEventListener('click', press)
  return node
}

/** The first letter of a word. Fingerprints, addresses and names of members do not match. */
const FIRST_LETTER = /^[a-z](?=[a-z-]*(?:[ ,.;]|: |$))/

/** A paragraph of a message, as a sentence: text between backticks becomes code. */
export function paragraph(className: string, text: string): HTMLParagraphElement {
  const node = make('p', className)
  node.append(...withCode(text.replace(FIRST_LETTER, (letter) => letter.toUpperCase())))
  return node
}

/** A finding in one line, for the result of an action. */
export function remark({ severity, detail, code }: Diagnostic, words = detail): HTMLParagraphElement {
  const [tone, sign] = severity === 'error' ? ['bad', '✕'] : ['care', '!']
  return paragraph(tone, `${sign} ${words} (${code})`)
}

/** Converts names and tokens between backticks in messages into code elements. */
export function withCode(text: string): Node[] {
  const parts = text.split('`')
  if (parts.length % 2 === 0) return [document.createTextNode(visibleText(text))]
  return parts.map((part, i) => (i % 2 === 0 ? document.createTextNode(visibleText(part)) : make('code', '', part)))
}

/** The cells of a row, or the heading of the rows that follow. */
export type Row = readonly (string | Node)[] | string

/** A table in a frame that scrolls when the table is too wide. */
export function table(label: string, heads: readonly string[], rows: readonly Row[]): HTMLElement {
  const node = make('table')
  const head = node.createTHead().insertRow()
  for (const title of heads) {
    const cell = make('th', '', title)
    cell.scope = 'col'
    head.append(cell)
  }
  const body = node.createTBody()
  for (const row of rows) {
    const line = body.insertRow()
    if (typeof row !== 'string')
      for (const cell of row) line.insertCell().append(typeof cell === 'string' ? visibleText(cell) : cell)
    else {
      const heading = make('th', 'group', row)
      heading.scope = 'colgroup'
      heading.colSpan = heads.length
      line.append(heading)
    }
  }
  const frame = make('div', 'wide')
  // Scrollable content must be reachable by keyboard (WCAG 2.1.1).
  frame.tabIndex = 0
  frame.setAttribute('role', 'group')
  frame.setAttribute('aria-label', label)
  frame.append(node)
  return frame
}

/** Text shortened to a length, never inside a surrogate pair. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  return `${text.slice(0, /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length)}…`
}

/** A number with separators, such as `1,048,576`. */
export function count(n: number): string {
  return n.toLocaleString('en-US')
}

/** A number and its noun: `1 byte`, `2 bytes`. */
export function plural(n: number, noun: string): string {
  return `${count(n)} ${noun}${n === 1 ? '' : 's'}`
}
