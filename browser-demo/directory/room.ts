import { announce, toast } from '../announce.ts'
import { button, count, element, plural } from '../dom.ts'
import type { Room } from '../rooms.ts'
import type { Shelf } from './calls.ts'
import { filesOf, sourcesOf } from './files.ts'
import type { Progress, Ranked, Stock } from './library.ts'
import type { Source } from './pieces.ts'
import { rankedAgent } from './ranking.ts'
import { sampleSet } from './sample.ts'
import { openShelf } from './shelf.ts'
import { leftOutOf, sizeOf } from './stock.ts'
import { Wish } from './wish.ts'

const SHOWN = 20
/** The most results of a directory (section 4.3). */
const MOST = 100
/** Sources that are handed over at a time: a hundred thousand at once would hold up the page. */
const HANDED_OVER = 256

/** Ranks many cards for a task while the reader types. */
class DirectoryRoom implements Room {
  readonly #open: (text: string) => void
  readonly #wish = new Wish(() => this.#rank())
  #shelf = openShelf()
  /** Kept for Undo until something else is cleared. */
  #cleared: Promise<Shelf> | undefined
  #stock: Stock | undefined
  #limit = SHOWN
  /** Counts the queries: only the last one's answer is shown. */
  #turn = 0

  /** @param open shows a card in the editor. */
  constructor(open: (text: string) => void) {
    this.#open = open
    this.#setUpSources()
    this.#show()
  }

  /** Adds dropped files and folders. */
  async drop(transfer: DataTransfer): Promise<void> {
    try {
      await this.#takeFiles(await filesOf(transfer))
    } catch (error) {
      if (!(error instanceof DOMException)) throw error
      toast('This browser lets a page from a file read no dropped folder. Open folder reads it.')
    }
  }

  #setUpSources(): void {
    element('sample').addEventListener('click', () => {
      const { cards, signals } = sampleSet()
      this.#shelf.then((shelf) => shelf.know(signals))
      this.#take([{ name: 'sample set', blob: new Blob([JSON.stringify(cards)]) }])
    })
    for (const [name, picker] of [
      ['open-folder', element<HTMLInputElement>('folder')],
      ['open-cards', element<HTMLInputElement>('card-files')],
    ] as const) {
      element(name).addEventListener('click', () => picker.click())
      picker.addEventListener('change', async () => {
        await this.#takeFiles([...(picker.files ?? [])])
        picker.value = ''
      })
    }
    const pasted = element<HTMLTextAreaElement>('pasted')
    element('add-pasted').addEventListener('click', async () => {
      if (pasted.value.trim() === '') return
      await this.#take([{ name: 'pasted', blob: new Blob([pasted.value]) }])
      pasted.value = ''
    })
    element('forget').addEventListener('click', () => {
      const before = this.#shelf
      this.#cleared?.then((shelf) => shelf.close())
      this.#cleared = before
      this.#shelf = openShelf()
      this.#show()
      toast('The cards are gone from this page.', {
        label: 'Undo',
        run: () => {
          this.#shelf.then((shelf) => shelf.close())
          this.#shelf = before
          this.#cleared = undefined
          this.#show()
        },
      })
    })
  }

  async #takeFiles(files: readonly File[]): Promise<void> {
    const sources = sourcesOf(files)
    if (sources.length === 0) return toast('There is no JSON or YAML file among these.')
    ;(await this.#shelf).passOver(files.length - sources.length)
    await this.#take(sources)
  }

  async #take(sources: readonly Source[]): Promise<void> {
    const mine = this.#shelf
    const shelf = await mine
    const before = (await shelf.stock()).cards
    const total = sources.reduce((sum, { blob }) => sum + blob.size, 0)
    let done: Progress = { documents: 0, bytes: 0 }
    for (let i = 0; i < sources.length; i += HANDED_OVER) {
      const { documents, bytes } = done
      await shelf.add(sources.slice(i, i + HANDED_OVER), (made) => {
        done = { documents: documents + made.documents, bytes: bytes + made.bytes }
        if (mine === this.#shelf) this.#showProgress(done, total)
      })
    }
    if (mine !== this.#shelf) return
    await this.#show()
    announce(`${plural((await shelf.stock()).cards - before, 'card')} more.`)
  }

  #showProgress({ documents, bytes }: Progress, total: number): void {
    const bar = element<HTMLProgressElement>('library-progress')
    bar.hidden = false
    bar.value = bytes / Math.max(1, total)
    const part = Math.floor(100 * bar.value)
    element('library-size').textContent = `reading, ${plural(documents, 'document')} so far, ${part} %`
  }

  /** Shows the cards that can be searched, and ranks them. */
  async #show(): Promise<void> {
    const shelf = this.#shelf
    const stock = await (await shelf).stock()
    if (shelf !== this.#shelf) return
    this.#stock = stock
    element('library-progress').hidden = true
    element('library-size').textContent = sizeOf(stock)
    element('library-problems').replaceChildren(...leftOutOf(stock, this.#open))
    this.#wish.offer(stock.tags)
    await this.#rank()
  }

  async #rank(): Promise<void> {
    const turn = ++this.#turn
    const { text, tags, weights } = this.#wish
    if (this.#stock === undefined) return
    if (this.#stock.cards === 0) this.#say('There are no cards yet: begin with the sample set, or drop your own.', [])
    else if (text === '' && tags.length === 0) this.#say('Say what the agent is to do, or choose a tag.', [])
    else {
      const ranked = await (await this.#shelf).rank({ query: text, tags, limit: MOST }, weights)
      if (turn === this.#turn) this.#showRanking(ranked)
    }
  }

  #showRanking({ found: { status, results, corrections, diagnostics }, cost }: Ranked): void {
    const instead = corrections.map(
      ({ word, instead }) =>
        `No card has “${word}”${instead.length > 0 ? `: searched ${instead.map((near) => `${near}…`).join(', ')}` : '.'}`,
    )
    const found = results.length === MOST ? `The best ${MOST}` : plural(results.length, 'agent')
    const counts = `${found} of ${count(this.#stock!.cards)}, ranked in ${cost.toFixed(1)} ms.`
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

  async #openCard(id: string): Promise<void> {
    const text = await (await this.#shelf).text(id)
    if (text !== undefined) this.#open(text)
  }
}

/** The room of the directory. */
export function open(edit: (text: string) => void): Room {
  return new DirectoryRoom(edit)
}
