import type { Diagnostic, Severity } from '../bindings/document/types.ts'
import { element } from './dom.ts'
import type { Surface } from './surface.ts'
import { LINE, PADDING, type Place, revealInArea } from './text.ts'

/**
 * A plain textarea: Tab leaves it, and the keys, undo and input methods of every platform work. The gutter draws only
 * the visible lines, so that documents of many thousand lines are as fast as short ones.
 */
export class PlainEditor implements Surface {
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
  mark(diagnostics: readonly Diagnostic[]): void {
    this.#lines = countLines(this.area.value)
    this.#marks = new Map()
    for (const { severity, source } of diagnostics) {
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
