// The steps of a run as a list of which only the visible part exists, so that 100,000 steps scroll smoothly.
import { durationText, type TimelineStep } from '../../bindings/runs/timeline.ts'
import { count, cut, make } from '../dom.ts'

/** Height of a row in pixels; room.css has the same. */
const ROW = 32
/** Rows above and below the visible ones. */
const SPARE = 8
/** Browsers limit the height of an element. */
const MOST_HEIGHT = 8_000_000
const PAGE_ROWS = 10

const VERDICTS = {
  allow: ['good', '✓ allow'],
  deny: ['bad', '✕ deny'],
  escalate: ['care', '! escalate'],
  invalid: ['bad', '✕ invalid verdict'],
  hidden: ['care', '? hidden verdict'],
} as const

export class StepsList {
  readonly #frame: HTMLElement
  readonly #inner: HTMLElement
  readonly #choose: (row: TimelineStep) => void
  #rows: readonly TimelineStep[] = []
  #chosen = -1
  /** The rows that exist in the page. */
  #drawn = ''

  constructor(frame: HTMLElement, choose: (row: TimelineStep) => void) {
    this.#frame = frame
    this.#inner = frame.firstElementChild as HTMLElement
    this.#choose = choose
    frame.addEventListener('scroll', () => this.#draw(), { passive: true })
    frame.addEventListener('keydown', (event) => this.#onKey(event))
    frame.addEventListener('click', ({ target }) => {
      const item = (target as Element).closest<HTMLElement>('[role="option"]')
      if (item !== null) this.#select(Number(item.dataset['position']))
    })
    new ResizeObserver(() => this.#draw()).observe(frame)
  }

  show(rows: readonly TimelineStep[]): void {
    this.#rows = rows
    this.#chosen = -1
    this.#drawn = ''
    this.#inner.style.height = `${Math.min(rows.length * ROW, MOST_HEIGHT)}px`
    this.#frame.scrollTop = 0
    this.#draw()
    if (rows.length > 0) this.#select(0)
  }

  /** How far the list would scroll with rows of their full height, and how far its element scrolls. */
  get #ways() {
    const { clientHeight } = this.#frame
    return { whole: this.#rows.length * ROW - clientHeight, drawn: this.#inner.clientHeight - clientHeight }
  }

  /** The first visible row. It follows from the share that is scrolled: very long lists are higher than elements may be. */
  get #first(): number {
    const { whole, drawn } = this.#ways
    const { scrollTop } = this.#frame
    return drawn <= 0 ? 0 : Math.floor(((scrollTop / drawn) * whole) / ROW)
  }

  #draw(): void {
    const visible = Math.ceil(this.#frame.clientHeight / ROW)
    const from = Math.max(0, this.#first - SPARE)
    const to = Math.min(this.#rows.length, this.#first + visible + SPARE)
    const drawn = `${from} ${to} ${this.#chosen} ${this.#frame.scrollTop}`
    if (drawn === this.#drawn) return
    this.#drawn = drawn
    const top = this.#frame.scrollTop - (this.#first - from) * ROW
    const items = this.#rows.slice(from, to).map((row, i) => this.#item(row, from + i, top + i * ROW))
    this.#inner.replaceChildren(...items)
    if (this.#chosen < from || this.#chosen >= to) this.#frame.removeAttribute('aria-activedescendant')
    else this.#frame.setAttribute('aria-activedescendant', `run-row-${this.#chosen}`)
  }

  #item({ index, depth, type, name, after, took, state, verdict }: TimelineStep, position: number, top: number) {
    const item = make('div')
    item.id = `run-row-${position}`
    item.dataset['position'] = String(position)
    item.setAttribute('role', 'option')
    item.setAttribute('aria-selected', String(position === this.#chosen))
    item.setAttribute('aria-setsize', String(this.#rows.length))
    item.setAttribute('aria-posinset', String(position + 1))
    item.style.top = `${top}px`
    item.style.setProperty('--depth', String(Math.min(depth, 12)))
    item.append(
      make('span', 'when', after === undefined ? '' : `+${durationText(after)}`),
      make('span', 'what', `${count(index)} ${type}${name === undefined ? '' : ` ${cut(name, 80)}`}`),
    )
    if (verdict !== undefined) item.append(make('span', ...VERDICTS[verdict]))
    if (state !== 'ended') item.append(make('span', 'bad', state === 'failed' ? '✕ failed' : '? did not end'))
    item.append(make('span', 'took', took === undefined ? '' : durationText(took)))
    return item
  }

  #onKey(event: KeyboardEvent): void {
    const last = this.#rows.length - 1
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: this.#chosen + 1,
      ArrowUp: this.#chosen - 1,
      PageDown: this.#chosen + PAGE_ROWS,
      PageUp: this.#chosen - PAGE_ROWS,
      Home: 0,
      End: last,
    }
    const to = moves[event.key]
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey || last < 0) return
    event.preventDefault()
    this.#select(Math.max(0, Math.min(to, last)))
  }

  #select(position: number): void {
    this.#chosen = position
    const visible = Math.floor(this.#frame.clientHeight / ROW)
    if (position < this.#first || position >= this.#first + visible) this.#scrollTo(position - (visible >> 1))
    this.#draw()
    this.#choose(this.#rows[position]!)
  }

  #scrollTo(row: number): void {
    const { whole, drawn } = this.#ways
    this.#frame.scrollTop = whole <= 0 ? 0 : Math.ceil((row * ROW * drawn) / whole)
  }
}
