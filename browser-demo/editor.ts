import { element } from './dom.ts'
import { LINE, PADDING } from './text.ts'

/** A line that has a finding. */
export interface Mark {
  readonly line: number
  readonly severity: string
}

/**
 * The source pane: a plain textarea, so that Tab leaves it and every platform's own keys, undo and input methods work.
 * The gutter draws only the lines in view, which keeps documents of many thousand lines as quick as short ones.
 */
export class Editor {
  readonly area = element<HTMLTextAreaElement>('source')
  readonly #gutter = element('editor').querySelector('.gutter') as HTMLElement
  readonly #bands = element('editor').querySelector('.bands') as HTMLElement
  #lines = 1
  #marks = new Map<number, string>()
  #scheduled = false

  constructor() {
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

  /** Shows the marks; to be called after each change of the text. The worst finding of a line wins. */
  update(marks: readonly Mark[]): void {
    this.#lines = countLines(this.area.value)
    this.#marks = new Map()
    for (const { line, severity } of marks) {
      if (severity === 'error' || !this.#marks.has(line)) this.#marks.set(line, severity)
    }
    this.#schedule()
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
