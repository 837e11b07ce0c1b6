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

/** Long enough that a screen reader is not interrupted at every keystroke. */
const QUIET_MS = 700
const TOAST_MS = 6000
/** Keyboard users need time to reach the button. */
const ACTION_MS = 20_000

/** The button of a message. */
interface Action {
  readonly label: string
  readonly run: () => void
  /** Called when the message disappears and its button was not pressed. */
  readonly gone?: () => void
}

let speaking: ReturnType<typeof setTimeout> | undefined
let gone: (() => void) | undefined

/** Announces `text` to screen readers once typing pauses; a later text replaces it. */
export function announce(text: string): void {
  clearTimeout(speaking)
  speaking = setTimeout(() => {
    element('announcer').textContent = text
  }, QUIET_MS)
}

/** Shows a message for a while; it replaces the last one. A message with an action stays above later ones without. */
export function toast(text: string, action?: Action): void {
  const offer = element('offer')
  const note = element('note')
  hide(note)
  if (action !== undefined) {
    hide(offer)
    const button = offer.querySelector('button')!
    button.textContent = action.label
    gone = action.gone
    button.onclick = () => {
      gone = undefined
      hide(offer)
      action.run()
    }
  }
  const box = action === undefined ? note : offer
  box.querySelector('span')!.textContent = visibleText(text)
  box.hidden = false
  // Screen readers announce changes only of elements that were visible before; the box was hidden.
  element('said').textContent = visibleText(text)
  hideLater(box, action === undefined ? TOAST_MS : ACTION_MS)
}

const hiding = new Map<HTMLElement, ReturnType<typeof setTimeout>>()

function hideLater(box: HTMLElement, pause: number): void {
  const again = () => {
    // A reader who points at it, or has the focus in it, still needs it.
    if (box.matches(':hover, :focus-within')) hideLater(box, pause)
    else hide(box)
  }
  hiding.set(box, setTimeout(again, pause))
}

function hide(box: HTMLElement): void {
  clearTimeout(hiding.get(box))
  box.hidden = true
  if (box !== element('offer')) return
  // The action may hold a large document; free it.
  box.querySelector('button')!.onclick = null
  const left = gone
  gone = undefined
  left?.()
}

/** Copies text and shows a message. False if the browser refuses; the message then says what to do. */
export async function copyText(text: string, done: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    toast(done)
    return true
  } catch {
    toast('This browser does not let the page copy. Select the text and copy it by hand.')
    return false
  }
}
