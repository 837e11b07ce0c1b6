import type { Severity } from '../bindings/document/types.ts'
import { element } from './dom.ts'
import type { Examination } from './examine.ts'
import { load, save } from './saved.ts'

/**
 * The source pane: the plain text area of the page until CodeMirror is loaded. The text area stays if CodeMirror is
 * unavailable or the reader does not want it.
 */
export class Editor implements Surface {
  readonly #plain: PlainEditor
  readonly #changed: () => void
  readonly #toggle = element<HTMLButtonElement>('plain')
  #surface: Surface
  /** The number of the last choice; earlier ones are dropped. */
  #choices = 0
  /** CodeMirror, once the reader has chosen it. */
  #rich: Promise<Surface> | undefined

  /** @param changed called after each change by the reader. */
  constructor(changed: () => void) {
    this.#changed = changed
    this.#plain = new PlainEditor(changed)
    this.#surface = this.#plain
    this.#toggle.addEventListener('click', () => this.#use(this.#surface === this.#plain ? 'rich' : 'plain'))
    if (load('blazon.editor') !== 'plain') void this.#show('rich')
  }

  get text(): string {
    return this.#surface.text
  }

  set text(text: string) {
    this.#surface.text = text
  }

  get selection(): readonly [from: number, to: number] {
    return this.#surface.selection
  }

  set selection(selection: readonly [from: number, to: number]) {
    this.#surface.selection = selection
  }

  mark(examination: Examination | undefined): void {
    this.#surface.mark(examination)
  }

  reveal(start: Place, end: Place): void {
    this.#surface.reveal(start, end)
  }

  replace(from: number, to: number, text: string): void {
    this.#surface.replace(from, to, text)
  }

  focus(): void {
    this.#surface.focus()
  }

  async #use(kind: 'plain' | 'rich'): Promise<void> {
    save('blazon.editor', kind === 'plain' ? kind : undefined)
    await this.#show(kind)
  }

  async #show(kind: 'plain' | 'rich'): Promise<void> {
    const mine = ++this.#choices
    const surface = kind === 'plain' ? this.#plain : await this.#loaded()
    // The reader chose the other editor while this one loaded.
    if (mine !== this.#choices) return
    this.#toggle.textContent = surface === this.#plain ? 'Full editor' : 'Plain text area'
    if (surface === this.#surface) return
    const hadFocus = this.#plain.area === document.activeElement
    const { text, selection } = this.#surface
    surface.text = text
    this.#surface = surface
    element('editor').dataset['kind'] = surface === this.#plain ? 'plain' : 'rich'
    surface.selection = selection
    if (hadFocus) surface.focus()
    element('editor').dispatchEvent(new Event('swapped'))
  }

  /** CodeMirror, or the plain editor if CodeMirror is unavailable. */
  async #loaded(): Promise<Surface> {
    this.#rich ??= import('./codemirror.ts').then(({ createEditor }) => createEditor(element('rich'), this.#changed))
    try {
      return await this.#rich
    } catch {
      this.#rich = undefined
      return this.#plain
    }
  }
}

/**
 * A plain textarea: Tab leaves it, and the keys, undo and input methods of every platform work. The gutter draws only
 * the visible lines, so that documents of many thousand lines are as fast as short ones.
 */
class PlainEditor implements Surface {
  readonly area = element<HTMLTextAreaElement>('source')
  readonly #gutter = element('editor').querySelector('.gutter') as HTMLElement
  readonly #bands = element('editor').querySelector('.bands') as HTMLElement
  #lines = 1
  #marks = new Map<number, Severity>()
  #scheduled = false

  constructor(changed: () => void) {
    this.area.addEventListener('input', changed)
    this.area.addEventListener('scroll', () => this.#schedule())
    new ResizeObserver(() => this.#schedule()).observe(this.area)
  }

  get text(): string {
    return this.area.value
  }

  set text(text: string) {
    this.area.value = text
    this.area.setSelectionRange(0, 0)
    this.area.scrollTo(0, 0)
  }

  get selection(): readonly [from: number, to: number] {
    return [this.area.selectionStart, this.area.selectionEnd]
  }

  set selection([from, to]: readonly [from: number, to: number]) {
    this.area.setSelectionRange(from, to)
    this.area.scrollTop = (countLines(this.area.value.slice(0, from)) - 1) * LINE - this.area.clientHeight / 3
  }

  /** A line is marked with its worst finding. */
  mark(examination: Examination | undefined): void {
    this.#lines = countLines(this.area.value)
    this.#marks = new Map()
    for (const { severity, source } of examination?.diagnostics ?? []) {
      if (severity === 'error' || !this.#marks.has(source.line)) this.#marks.set(source.line, severity)
    }
    this.#schedule()
  }

  reveal(start: Place, end: Place): void {
    revealInArea(this.area, start, end)
  }

  replace(from: number, to: number, text: string): void {
    this.area.focus()
    this.area.setSelectionRange(from, to)
    // Only this way to change a text area can be undone. Browsers that lack it leave the text unchanged.
    const done = text === '' ? document.execCommand('delete') : document.execCommand('insertText', false, text)
    if (done) return
    this.area.setRangeText(text, from, to, 'end')
    this.area.dispatchEvent(new Event('input'))
  }

  focus(): void {
    this.area.focus()
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    requestAnimationFrame(() => {
      this.#scheduled = false
      this.#draw()
    })
  }

  #draw(): void {
    const { scrollTop, clientHeight } = this.area
    const first = Math.max(1, Math.floor((scrollTop - PADDING) / LINE) + 1)
    const last = Math.min(this.#lines, first + Math.ceil(clientHeight / LINE) + 1)
    const numbers: HTMLElement[] = []
    const bands: HTMLElement[] = []
    for (let line = first; line <= last; line++) {
      const severity = this.#marks.get(line)
      const top = `${PADDING + (line - 1) * LINE - scrollTop}px`
      numbers.push(row(String(line), top, severity))
      if (severity !== undefined) bands.push(row('', top, severity))
    }
    this.#gutter.style.width = `${String(this.#lines).length + 4}ch`
    this.#gutter.replaceChildren(...numbers)
    this.#bands.replaceChildren(...bands)
  }
}

function row(text: string, top: string, severity: string | undefined): HTMLElement {
  const node = document.createElement('span')
  node.textContent = text
  node.style.top = top
  if (severity !== undefined) node.dataset['severity'] = severity
  return node
}

function countLines(text: string): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/** An editor of the document: the plain text area, or CodeMirror once it is loaded. */
export interface Surface {
  /** The whole text; setting it scrolls to the top. */
  text: string
  /** Offsets in the text, in UTF-16 units; setting them scrolls them into view. */
  selection: readonly [from: number, to: number]
  /** Marks the places of the findings. */
  mark(examination: Examination | undefined): void
  /** Selects from `start` to `end`, scrolls there and takes the focus. */
  reveal(start: Place, end: Place): void
  /** Replaces a part of the text in a single undo step. */
  replace(from: number, to: number, text: string): void
  focus(): void
}

/** A place in a text: lines and columns from 1, columns in UTF-16 units. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** The end of a range, as a place. */
export function endOf({ endLine, endColumn }: { readonly endLine: number; readonly endColumn: number }): Place {
  return { line: endLine, column: endColumn }
}

/** The padding of the text areas and the height of a line, in pixels, as style.css sets them. */
const PADDING = 12
const LINE = 20

/** One line of a text whose line ends are all `\n`, like the value of a textarea. */
export function lineOf(text: string, line: number): string {
  const start = offsetOf(text, { line, column: 1 })
  const end = text.indexOf('\n', start)
  return text.slice(start, end < 0 ? text.length : end)
}

/** The offset of a place in such a text. */
function offsetOf(text: string, { line, column }: Place): number {
  let start = 0
  for (let n = 1; n < line; n++) {
    const end = text.indexOf('\n', start)
    if (end < 0) break
    start = end + 1
  }
  return Math.min(start + column - 1, text.length)
}

/** Selects from `start` to `end` and scrolls there: browsers scroll only to selections made with the keyboard. */
export function revealInArea(area: HTMLTextAreaElement, start: Place, end: Place): void {
  const from = offsetOf(area.value, start)
  area.focus()
  area.setSelectionRange(from, Math.max(from, offsetOf(area.value, end)))
  area.scrollTop = (start.line - 1) * LINE - area.clientHeight / 3
  area.scrollLeft = Math.max(0, start.column * characterWidth(area) - area.clientWidth * 0.7)
}

function characterWidth(area: HTMLTextAreaElement): number {
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) return LINE / 2
  context.font = getComputedStyle(area).font
  return context.measureText('0').width
}
