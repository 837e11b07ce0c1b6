import type { Factors } from '../../bindings/core/index.ts'
import { DEFAULT_WEIGHTS } from '../../bindings/core/index-search.ts'
import { button, element, make } from '../dom.ts'

/** The number of suggested tags; any other tag can be typed. */
const SUGGESTED = 16
/** Ranking is fast enough for every keystroke, drawing is not. */
const PAUSE_MS = 60

type Factor = keyof Factors
const FACTORS: Readonly<Record<Factor, string>> = {
  tags: 'Tags',
  text: 'Text',
  reputation: 'Reputation',
  availability: 'Availability',
  rating: 'Rating',
}

/** The form of a query: words, tags, and the weight of each factor. */
export class QueryForm {
  readonly #text = element<HTMLInputElement>('query-text')
  readonly #tagEntry = element<HTMLInputElement>('query-tag')
  readonly #onChange: () => void
  readonly #sliders = new Map<Factor, HTMLInputElement>()
  #tags: string[] = []
  #knownTags: readonly (readonly [tag: string, agents: number])[] = []
  #waiting: ReturnType<typeof setTimeout> | undefined

  constructor(onChange: () => void) {
    this.#onChange = onChange
    element('query').addEventListener('submit', (event) => {
      event.preventDefault()
      if (document.activeElement === this.#tagEntry) this.#enterTag()
      this.#changeNow()
    })
    this.#text.addEventListener('input', () => this.#changeSoon())
    this.#tagEntry.addEventListener('change', () => this.#enterTag())
    element('weights').append(...Object.keys(FACTORS).map((factor) => this.#slider(factor as Factor)))
    element('weights-reset').addEventListener('click', () => {
      this.weights = DEFAULT_WEIGHTS
      this.#changeNow()
    })
    this.weights = DEFAULT_WEIGHTS
  }

  get text(): string {
    return this.#text.value.trim()
  }

  get tags(): readonly string[] {
    return this.#tags
  }

  get weights(): Factors {
    const entries = [...this.#sliders].map(([factor, slider]) => [factor, Number(slider.value)])
    return Object.fromEntries(entries) as Factors
  }

  set weights(weights: Factors) {
    for (const [factor, slider] of this.#sliders) {
      slider.value = String(weights[factor])
      slider.dispatchEvent(new Event('input'))
    }
  }

  /** Suggests the tags of the agents. */
  suggest(tags: readonly (readonly [tag: string, agents: number])[]): void {
    this.#knownTags = tags
    element('known-tags').replaceChildren(...tags.map(([tag]) => new Option(tag)))
    this.#drawTags()
  }

  /** Adds a tag to the query, or removes it. */
  toggle(tag: string): void {
    this.#tags = this.#tags.includes(tag) ? this.#tags.filter((other) => other !== tag) : [...this.#tags, tag]
    this.#drawTags()
    this.#changeNow()
  }

  #enterTag(): void {
    const tag = this.#tagEntry.value.trim()
    this.#tagEntry.value = ''
    if (tag !== '' && !this.#tags.includes(tag)) this.toggle(tag)
  }

  #drawTags(): void {
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset['tag'] : undefined
    const chips = [...this.#tags, ...this.#suggestions()].map((tag) => {
      const chip = button(tag, () => this.toggle(tag), 'chip')
      chip.dataset['tag'] = tag
      chip.setAttribute('aria-pressed', String(this.#tags.includes(tag)))
      return chip
    })
    element('query-tags').replaceChildren(...chips)
    if (focused === undefined) return
    // A tag without agents disappears once it is removed from the query; the focus stays near.
    const next = chips.find(({ dataset }) => dataset['tag'] === focused) ?? chips[0] ?? this.#tagEntry
    next.focus()
  }

  /** Suggestions: tags below the chosen ones, then the most frequent top-level tags. */
  #suggestions(): string[] {
    const below = (tag: string) => this.#tags.some((chosen) => tag.startsWith(`${chosen.replace(/\/\*$/, '')}/`))
    const beginnings = new Map<string, number>()
    for (const [tag, agents] of this.#knownTags) {
      const first = tag.split('/')[0]!
      beginnings.set(first, (beginnings.get(first) ?? 0) + agents)
    }
    const frequent = [...beginnings].sort(([, n], [, m]) => m - n).map(([tag]) => tag)
    const narrower = this.#knownTags.map(([tag]) => tag).filter(below)
    const suggested = [...narrower.slice(0, SUGGESTED / 2), ...frequent].filter((tag) => !this.#tags.includes(tag))
    return [...new Set(suggested)].slice(0, SUGGESTED)
  }

  #slider(factor: Factor): HTMLElement {
    const label = make('label', 'slider')
    const slider = make('input')
    const output = make('output')
    Object.assign(slider, { type: 'range', min: '0', max: '1', step: '0.05', id: `weight-${factor}` })
    slider.addEventListener('input', () => {
      output.textContent = Number(slider.value).toFixed(2)
      this.#changeSoon()
    })
    label.append(make('span', '', FACTORS[factor]), slider, output)
    this.#sliders.set(factor, slider)
    return label
  }

  #changeSoon(): void {
    clearTimeout(this.#waiting)
    this.#waiting = setTimeout(() => this.#changeNow(), PAUSE_MS)
  }

  #changeNow(): void {
    clearTimeout(this.#waiting)
    this.#onChange()
  }
}
