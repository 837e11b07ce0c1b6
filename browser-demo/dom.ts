import type { Diagnostic } from '../bindings/document/types.ts'
import { visibleText } from '../bindings/text/hidden.ts'

/** The element with this id; index.html has every id that the page's code asks for. */
export function element<E extends HTMLElement>(id: string): E {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`index.html has no #${id}`)
  return found as E
}

/** A new element with a class and content; text is only ever set as text, so no document can become markup. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className = '',
  content: string | readonly (string | Node)[] = '',
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag)
  if (className !== '') node.className = className
  node.append(...[content].flat().map((part) => (typeof part === 'string' ? visibleText(part) : part)))
  return node
}

/** A new button; `press` runs when it is pressed. */
export function button(text: string, press: () => void, className = ''): HTMLButtonElement {
  const node = make('button', className, text)
  node.type = 'button'
  node.addEventListener('click', press)
  return node
}

/** Opens a dialog for files by a button. The same file can be chosen again, after a change on disk. */
export function onPick(opener: string, input: string, take: (files: File[]) => void): void {
  const picker = element<HTMLInputElement>(input)
  element(opener).addEventListener('click', () => picker.click())
  picker.addEventListener('change', () => {
    const files = [...(picker.files ?? [])]
    picker.value = ''
    take(files)
  })
}

/** A closed part, whose content is made when the reader opens it. */
export function foldedPart(title: string, fill: () => readonly Node[]): HTMLDetailsElement {
  const details = make('details', 'stack', [make('summary', '', title)])
  details.addEventListener('toggle', () => details.append(...fill()), { once: true })
  return details
}

/** Content that scrolls must be reachable by keyboard (WCAG 2.1.1). */
export function scrollable<E extends HTMLElement>(frame: E, label?: string): E {
  frame.tabIndex = 0
  if (label === undefined) return frame
  frame.setAttribute('role', 'group')
  frame.setAttribute('aria-label', label)
  return frame
}

/** A part under a heading. */
export const titled = (title: string, ...nodes: readonly Node[]) =>
  make('section', 'stack', [make('h4', '', title), ...nodes])

/** The first line of an item. */
export const headline = (...parts: readonly Node[]) => make('div', 'headline', parts)

/** A list of lines, each a text. */
export function lineList(texts: readonly string[]): HTMLElement {
  const items = texts.map((text) => make('li', '', text))
  return make('ul', 'lines', items)
}

/** Says how many are not shown, if any. */
export const restText = (rest: number, noun: string) => (rest > 0 ? `and ${plural(rest, `more ${noun}`)}` : '')

export const restNote = (rest: number, noun: string): Node[] =>
  rest > 0 ? [make('p', 'hint', restText(rest, noun))] : []

/** The first letter of a word. Fingerprints, addresses and names of members do not match. */
const FIRST_LETTER = /^[a-z](?=[a-z-]*(?:[ ,.;]|: |$))/

/** A paragraph of a message, as a sentence: text between backticks becomes code. */
export function paragraph(className: string, text: string): HTMLParagraphElement {
  return make('p', className, withCode(text.replace(FIRST_LETTER, (letter) => letter.toUpperCase())))
}

/** A finding in one line, for the result of an action. */
export function remark({ severity, detail, code }: Diagnostic, words = detail): HTMLParagraphElement {
  const [tone, sign] = severity === 'error' ? ['bad', '✕'] : ['care', '!']
  return paragraph(tone, `${sign} ${words} (${code})`)
}

/** Converts names and tokens between backticks in messages into code elements. */
export function withCode(text: string): (string | Node)[] {
  const parts = text.split('`')
  if (parts.length % 2 === 0) return [visibleText(text)]
  return parts.map((part, i) => (i % 2 === 0 ? visibleText(part) : make('code', '', part)))
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
  return scrollable(make('div', 'wide', [node]), label)
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

/** Shows a message for a while; it replaces the last one. A message with an action stays next to later ones without. */
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
