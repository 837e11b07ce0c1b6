import type { Discovered } from '../../bindings/directory/index.ts'
import { announce, toast } from '../announce.ts'
import { button, count, cut, element, make, plural } from '../dom.ts'
import * as engine from '../engine.ts'
import type { Room } from '../rooms.ts'
import { filesOf, sourcesOf } from './files.ts'
import { Library, type Source } from './library.ts'
import { rankedAgent } from './ranking.ts'
import { sampleSet } from './sample.ts'
import { Wish } from './wish.ts'

const SHOWN = 20
/** The most results of a directory (section 4.3). */
const MOST = 100
const SHOWN_PROBLEMS = 50

/** Ranks many cards for a task while the reader types. */
class DirectoryRoom implements Room {
  readonly #open: (text: string) => void
  readonly #wish = new Wish(() => this.#rank())
  #library = new Library()
  #limit = SHOWN

  /** @param open shows a card in the editor. */
  constructor(open: (text: string) => void) {
    this.#open = open
    this.#setUpSources()
    this.#show()
  }

  /** Adds dropped files and folders. */
  async drop(transfer: DataTransfer): Promise<void> {
    try {
      await this.#take(await sourcesOf(await filesOf(transfer)))
    } catch (error) {
      if (!(error instanceof DOMException)) throw error
      toast('This browser lets a page from a file read no dropped folder. Open folder reads it.')
    }
  }

  #setUpSources(): void {
    element('sample').addEventListener('click', () => {
      const { cards, signals } = sampleSet()
      this.#library.know(signals)
      this.#take([{ name: 'sample set', bytes: new TextEncoder().encode(JSON.stringify(cards)) }])
    })
    for (const [name, picker] of [
      ['open-folder', element<HTMLInputElement>('folder')],
      ['open-cards', element<HTMLInputElement>('card-files')],
    ] as const) {
      element(name).addEventListener('click', () => picker.click())
      picker.addEventListener('change', async () => {
        await this.#take(await sourcesOf([...(picker.files ?? [])]))
        picker.value = ''
      })
    }
    const pasted = element<HTMLTextAreaElement>('pasted')
    element('add-pasted').addEventListener('click', async () => {
      if (pasted.value.trim() === '') return
      await this.#take([{ name: 'pasted', bytes: new TextEncoder().encode(pasted.value) }])
      pasted.value = ''
    })
    element('forget').addEventListener('click', () => {
      const before = this.#library
      this.#library = new Library()
      this.#show()
      toast('The cards are gone from this page.', {
        label: 'Undo',
        run: () => {
          this.#library = before
          this.#show()
        },
      })
    })
  }

  async #take(sources: readonly Source[]): Promise<void> {
    if (sources.length === 0) return toast('There is no JSON or YAML file among these.')
    const before = this.#library.cards.size
    try {
      await this.#library.add(sources, (done) => {
        element('library-size').textContent = `reading, ${plural(done, 'document')} so far`
      })
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      toast(error.message)
    }
    this.#show()
    announce(`${plural(this.#library.cards.size - before, 'card')} more.`)
  }

  /** Shows the cards that can be searched, and ranks them. */
  #show(): void {
    const { cards, others } = this.#library
    const passedOver = others === 0 ? '' : `, ${plural(others, 'document')} of another kind`
    element('library-size').textContent =
      cards.size === 0 ? `no cards yet${passedOver}` : plural(cards.size, 'card') + passedOver
    element('library-problems').replaceChildren(...this.#problems())
    this.#wish.offer(this.#library.tags())
    this.#rank()
  }

  #problems(): HTMLElement[] {
    const { problems } = this.#library
    if (problems.length === 0) return []
    const details = make('details', 'stack')
    const list = make('ul', 'problems')
    for (const { name, bytes, diagnostics } of problems.slice(0, SHOWN_PROBLEMS)) {
      const item = make('li')
      const said = diagnostics
        .slice(0, 3)
        .map(({ detail, code, source }) => `${source.line}:${source.column} ${detail} (${code})`)
      item.append(
        make('strong', '', name),
        ' ',
        button('Open', () => this.#open(new TextDecoder().decode(bytes))),
      )
      item.append(...said.map((words) => make('p', 'bad', cut(words, 300))))
      list.append(item)
    }
    details.append(make('summary', 'bad', `✕ ${plural(problems.length, 'card')} left out`), list)
    if (problems.length > SHOWN_PROBLEMS)
      details.append(make('p', 'hint', `and ${count(problems.length - SHOWN_PROBLEMS)} more`))
    return [details]
  }

  #rank(): void {
    const { text, tags, weights } = this.#wish
    const { directory, cards } = this.#library
    if (cards.size === 0) this.#say('There are no cards yet: begin with the sample set, or drop your own.', [])
    else if (text === '' && tags.length === 0) this.#say('Say what the agent is to do, or choose a tag.', [])
    else {
      const start = performance.now()
      const query = { query: text, tags, limit: MOST, min_score: 0 }
      const found = directory.discover(query, { explain: true, weights })
      this.#showRanking(found, performance.now() - start)
    }
  }

  #showRanking({ status, results, corrections, diagnostics }: Discovered, cost: number): void {
    const instead = corrections.map(
      ({ word, instead }) =>
        `No card has “${word}”${instead.length > 0 ? `: searched ${instead.map((near) => `${near}…`).join(', ')}` : '.'}`,
    )
    const found = results.length === MOST ? `The best ${MOST}` : plural(results.length, 'agent')
    const counts = `${found} of ${count(this.#library.cards.size)}, ranked in ${cost.toFixed(1)} ms.`
    const words = status === 'OK' ? [counts, ...instead].join(' ') : diagnostics[0]!.detail
    const actions = { open: (id: string) => this.#openCard(id), toggle: (tag: string) => this.#wish.toggle(tag) }
    const shown = results.slice(0, this.#limit)
    const items = shown.map((result, i) => rankedAgent(result, results[i + 1], actions))
    this.#say(words, items, results.length > shown.length)
    const [first] = results
    announce(first === undefined ? 'No agent found.' : `${found}. First: ${first.agent_card.name}.`)
  }

  #say(words: string, items: readonly HTMLElement[], isMore = false): void {
    element('ranking-state').textContent = words
    element('ranking').replaceChildren(...items)
    const rest = isMore
      ? [
          button('Show more', () => {
            this.#limit = MOST
            this.#rank()
          }),
        ]
      : []
    element('ranking-rest').replaceChildren(...rest)
  }

  #openCard(id: string): void {
    const { bytes } = this.#library.directory.describe(id)
    if (bytes !== undefined) this.#open(new TextDecoder().decode(engine.formatJson(engine.examine(bytes).document!)))
  }
}

/** The room of the directory. */
export function open(edit: (text: string) => void): Room {
  return new DirectoryRoom(edit)
}
