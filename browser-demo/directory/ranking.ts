import type { AgentCard } from '../../bindings/card/index.ts'
import type { Factors } from '../../bindings/core/index.ts'
import { DEFAULT_WEIGHTS } from '../../bindings/core/index-search.ts'
import type { SearchResult, Standing } from '../../bindings/directory/index.ts'
import type { FactorShare } from '../../bindings/directory/types.ts'
import { button, cut, element, headline, make } from '../dom.ts'
import { factorsOf, scoreBar } from './factors.ts'

const SHOWN_CHARACTERS = 280
/** Anything less rounds to 0.000. */
const LEAST_SHOWN = 0.0005

const STANDINGS: Readonly<Record<Standing, readonly [tone: string, words: string]>> = {
  signature: ['good', '✓ signed with the key in its id'],
  pinned: ['good', '✓ signed with the key pinned for this agent'],
  source: ['care', '! not signed'],
  token: ['care', '! not verified'],
  none: ['care', '! not verified'],
}

interface Actions {
  open(id: string): void
  toggle(tag: string): void
}

/** A result: the agent, a bar of its score with a part for each factor, and the reasons for its rank. */
export function rankedAgent(result: SearchResult, next: SearchResult | undefined, actions: Actions): HTMLLIElement {
  const { agent_card: card, score, matched_tags: matched, standing, equivocations, why = [] } = result
  const { item, box, head } = agentItem(card)
  head.append(make('span', 'score', score.toFixed(3)))
  const [tone, words] = STANDINGS[standing]
  const foot = make('div', 'fixing', [
    make('span', tone, words),
    ...(equivocations > 0 ? [make('span', 'bad', '✕ another signed card has the same seq')] : []),
    button('Open the card', () => actions.open(card.id)),
  ])
  box.append(
    tagsOf(card, matched, actions),
    scoreBar(score, why),
    reasonOf(result, next),
    factorsOf(card.name, why),
    foot,
  )
  return item
}

/** A card in the list of an empty query. */
export function listedAgent(card: AgentCard, actions: Actions): HTMLLIElement {
  const { item, box } = agentItem(card)
  const foot = make('div', 'fixing', [button('Open the card', () => actions.open(card.id))])
  box.append(tagsOf(card, [], actions), foot)
  return item
}

function agentItem({ name, id, description = '' }: AgentCard) {
  const item = make('li')
  const box = make('div', 'agent')
  const head = headline(make('strong', '', name), make('code', 'target', id))
  box.append(head, make('p', '', cut(description, SHOWN_CHARACTERS)))
  item.append(box)
  return { item, box, head }
}

function tagsOf({ skills = [] }: AgentCard, matched: readonly string[], { toggle }: Actions): HTMLElement {
  const tags = make('div', 'chips')
  for (const tag of skills) {
    const matches = matched.includes(tag)
    const chip = button(matches ? `✓ ${tag}` : tag, () => toggle(tag), matches ? 'chip matched' : 'chip')
    chip.dataset['skill'] = tag
    if (matches) chip.title = 'This tag matches the query'
    tags.append(chip)
  }
  return tags
}

/** The main reasons for the score, and for its lead over the next one. */
function reasonOf(result: SearchResult, next: SearchResult | undefined): HTMLParagraphElement {
  const { score, why = [] } = result
  const best = [...why].sort((a, b) => b.contribution - a.contribution).filter(({ contribution }) => contribution > 0)
  const share = (part: FactorShare) => `${part.factor} (${Math.round((100 * part.contribution) / score)} %)`
  const made = best.length === 0 ? 'No factor adds to its score' : `Mostly ${best.slice(0, 2).map(share).join(' and ')}`
  return make('p', 'why', next === undefined ? `${made}.` : `${made}. ${leadOf(result, next)}`)
}

/** Why a result is ranked before the next one. */
export function leadOf(
  { score, why = [] }: SearchResult,
  { agent_card: card, score: other, why: theirs = [] }: SearchResult,
): string {
  const ahead = score - other
  const name = `“${cut(card.name, 40)}”`
  if (ahead <= 0) return `Same score as ${name}; agents with equal scores are sorted by id.`
  if (ahead < LEAST_SHOWN) return `Ahead of ${name} by less than ${LEAST_SHOWN}, because of ${decidingOf(why, theirs)}.`
  const gains = why
    .map(({ factor, contribution }) => {
      const same = theirs.find((share) => share.factor === factor)
      return { factor, gain: contribution - (same?.contribution ?? 0) }
    })
    .filter(({ gain }) => Math.abs(gain) >= LEAST_SHOWN)
    .sort((a, b) => Math.abs(b.gain) - Math.abs(a.gain))
  const parts = gains.map(({ factor, gain }) => `${factor} ${gain > 0 ? '+' : '−'}${Math.abs(gain).toFixed(3)}`)
  const reasons = parts.length > 0 ? parts.join(', ') : `mostly because of ${decidingOf(why, theirs)}`
  return `Ahead of ${name} by ${ahead.toFixed(3)}: ${reasons}.`
}

/** The factor with the largest gain, for gains that round to 0.000. */
function decidingOf(why: readonly FactorShare[], theirs: readonly FactorShare[]): string {
  const gain = ({ factor, contribution }: FactorShare) =>
    contribution - (theirs.find((share) => share.factor === factor)?.contribution ?? 0)
  return [...why].sort((a, b) => gain(b) - gain(a))[0]?.factor ?? 'its id'
}

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
