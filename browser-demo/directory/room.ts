import type { AgentCard } from '../../bindings/card/index.ts'
import type { SearchResult } from '../../bindings/directory/index.ts'
import { visibleText } from '../../bindings/text/hidden.ts'
import { announce, toast } from '../announce.ts'
import { button, count, element, make, plural } from '../dom.ts'
import type { DroppedContent, Room } from '../rooms.ts'
import { turn } from '../turn.ts'
import type { Shelf } from './calls.ts'
import { filesOf, sourcesOf } from './files.ts'
import { focusIn } from './focus-in.ts'
import type { Progress, RankedResults, Stock } from './library.ts'
import type { Source } from './pieces.ts'
import { listedAgent, rankedAgent } from './ranking.ts'
import { sampleSet } from './sample.ts'
import { openShelf } from './shelf.ts'
import { leftOutOf, sizeOf } from './stock.ts'
import { Wish } from './wish.ts'

const SHOWN = 20
/** Results that are drawn before others have their turn. */
const DRAWN_AT_ONCE = 5
/** The most results of a directory (section 4.3). */
const MOST = 100
/** Sources that are handed over at a time: a hundred thousand at once would hold up the page. */
const HANDED_OVER = 256

/** Ranks many cards for a task while the reader types. */
class DirectoryRoom implements Room {
  readonly #open: (text: string) => void
  readonly #wish = new Wish(() => {
    this.#limit = SHOWN
    this.#rank()
  })
  readonly #actions = {
    open: (id: string) => this.#openText((shelf) => shelf.text(id)),
    toggle: (tag: string) => this.#wish.toggle(tag),
  }
  #shelf = openShelf()
  #stock: Stock | undefined
  #limit = SHOWN
  /** Counts the queries: only the last one's answer is shown. */
  #turn = 0
  /** Gives the focus back to the list, after the last of several drawings of it. */
  #focusAgain: (() => void) | undefined
  /** Counts what was cleared: what is being read then is read no further. */
  #clearings = 0
  /** Only the sample set is here, which nobody asked for: the first cards take its place. */
  #isSample = true

  /** @param open shows a card in the editor. */
  constructor(open: (text: string) => void) {
    this.#open = open
    this.#setUpSources()
    this.#takeSample()
  }

  async drop(dropped: DroppedContent): Promise<void> {
    const mine = this.#clearings
    const { files, unreadable } = await filesOf(dropped)
    if (mine !== this.#clearings) return
    if (files.length > 0 || unreadable === 0) return this.#takeFiles(files, unreadable)
    toast('Nothing of it could be read: some browsers let a page from a file read no dropped folder. Open folder does.')
  }

  focus(): void {
    element('ask-text').focus()
  }

  #setUpSources(): void {
    element('sample').addEventListener('click', () => {
      // The reader wants it now: cards add to it.
      if (!this.#isSample) this.#takeSample()
      this.#isSample = false
      this.#rank()
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
      const { value } = pasted
      if (value.trim() === '') return
      this.#leaveSample()
      const isTaken = await this.#take([{ name: 'pasted', blob: new Blob([value]) }])
      // Something else may have been pasted meanwhile.
      if (isTaken && pasted.value === value) pasted.value = ''
    })
    element('forget').addEventListener('click', () => this.#swap(openShelf(), 'The cards are gone from this page.'))
  }

  #takeSample(): Promise<boolean> {
    const { cards, signals } = sampleSet()
    const source = { name: 'sample set', blob: new Blob([JSON.stringify(cards)]) }
    return this.#take([source], (shelf) => shelf.know(signals))
  }

  /** Puts other cards in the place of those that are there, which are read no further; Undo brings them back. */
  #swap(shelf: Promise<Shelf>, words: string): void {
    const before = this.#shelf
    this.#clearings++
    before.then((left) => left.stop()).catch(() => {})
    this.#shelf = shelf
    this.#isSample = false
    this.#show()
    toast(words, {
      label: 'Undo',
      run: () => this.#swap(before, 'The cards from before are back.'),
      gone: () => before.then((left) => left.close()),
    })
  }

  #leaveSample(): void {
    if (this.#isSample) this.#swap(openShelf(), 'The sample cards are gone from this page.')
  }

  async #takeFiles(files: readonly File[], unreadable = 0): Promise<void> {
    const sources = sourcesOf(files)
    if (sources.length === 0) return toast('There is no JSON or YAML file among these.')
    const foreign = files.length - sources.length
    this.#leaveSample()
    await this.#take(sources, (shelf) => shelf.passOver({ foreign, unreadable }))
  }

  /** True when all of it is read. */
  async #take(sources: readonly Source[], prepare?: (shelf: Shelf) => Promise<void>): Promise<boolean> {
    const mine = this.#clearings
    return (await this.#ask((shelf) => this.#read(shelf, sources, mine, prepare))) === true
  }

  /** Asks the shelf. What kept it from answering is said at the top, unless it is another one by now. */
  async #ask<T>(questions: (shelf: Shelf) => Promise<T>): Promise<T | undefined> {
    const mine = this.#shelf
    try {
      return await questions(await mine)
    } catch (error) {
      if (mine !== this.#shelf) return undefined
      this.#turn++
      this.#stock = undefined
      element('library-progress').hidden = true
      element('library-size').textContent = 'no answer'
      element('library-problems').replaceChildren(make('p', 'bad', `✕ ${(error as Error).message}`))
      this.#say('Nothing can be ranked.')
      announce((error as Error).message)
      return undefined
    }
  }

  /** False when the cards were cleared meanwhile: `mine` counts the clearings before. */
  async #read(
    shelf: Shelf,
    sources: readonly Source[],
    mine: number,
    prepare?: (shelf: Shelf) => Promise<void>,
  ): Promise<boolean> {
    if (mine !== this.#clearings) return false
    const before = this.#stock?.cards ?? 0
    await prepare?.(shelf)
    const total = sources.reduce((sum, { blob }) => sum + blob.size, 0)
    let done: Progress = { documents: 0, bytes: 0 }
    for (let i = 0; i < sources.length; i += HANDED_OVER) {
      const { documents, bytes } = done
      await shelf.add(sources.slice(i, i + HANDED_OVER), (made) => {
        done = { documents: documents + made.documents, bytes: bytes + made.bytes }
        if (mine === this.#clearings) this.#showProgress(done, total)
      })
      if (mine !== this.#clearings) return false
    }
    await shelf.warmUp()
    if (mine !== this.#clearings) return false
    await this.#show()
    announce(`${plural((this.#stock?.cards ?? before) - before, 'card')} more.`)
    return true
  }

  #showProgress({ documents, bytes }: Progress, total: number): void {
    const bar = element<HTMLProgressElement>('library-progress')
    bar.hidden = false
    bar.value = bytes / Math.max(1, total)
    const part = Math.floor(100 * bar.value)
    element('library-size').textContent = `reading, ${plural(documents, 'document')} so far, ${part} %`
    if (this.#stock?.cards === 0) this.#say('The cards are being read.')
  }

  /** Shows the cards that can be searched, and ranks them. */
  async #show(): Promise<void> {
    await this.#ask((shelf) => this.#showStock(shelf))
  }

  async #showStock(shelf: Shelf): Promise<void> {
    const mine = this.#shelf
    const stock = await shelf.stock()
    if (mine !== this.#shelf) return
    this.#stock = stock
    element('library-progress').hidden = true
    element('library-size').textContent = sizeOf(stock)
    element('library-problems').replaceChildren(
      ...leftOutOf(stock, (index) => this.#openText((shelf) => shelf.problem(index))),
    )
    this.#wish.offer(stock.tags)
    await this.#rank()
  }

  async #rank(): Promise<void> {
    const mine = ++this.#turn
    const { text, tags, weights } = this.#wish
    if (this.#stock === undefined) return
    if (this.#stock.cards === 0) this.#say('There are no cards yet: begin with the sample set, or drop your own.')
    else {
      await this.#ask(async (shelf) => {
        if (text === '' && tags.length === 0) return this.#list(await shelf.first(MOST), mine)
        const ranked = await shelf.rank({ query: text, tags, limit: MOST }, weights)
        if (mine === this.#turn) await this.#showRanking(ranked, mine)
      })
    }
  }

  /** Shows cards before anything is asked for. */
  async #list(cards: readonly AgentCard[], mine: number): Promise<void> {
    if (mine !== this.#turn) return
    const sample = this.#isSample ? ' These agents are made up.' : ''
    element('ranking-state').textContent = `Say what the agent is to do, or choose a tag.${sample}`
    if (await this.#draw(cards, (card) => listedAgent(card, this.#actions), mine))
      this.#offerMore(cards.length > this.#limit)
  }

  async #showRanking(
    { found: { status, results, corrections, diagnostics }, cost }: RankedResults,
    mine: number,
  ): Promise<void> {
    const instead = corrections.map(
      ({ word, instead }) =>
        `No card has “${word}”${instead.length > 0 ? `: searched ${instead.map((near) => `${near}…`).join(', ')}` : '.'}`,
    )
    const found = results.length === MOST ? `The best ${MOST}` : plural(results.length, 'agent')
    const counts = `${found} of ${count(this.#stock!.cards)}, ranked in ${cost.toFixed(1)} ms.`
    const words = status === 'OK' ? [counts, ...instead].join(' ') : diagnostics[0]!.detail
    element('ranking-state').textContent = visibleText(words)
    const [first] = results
    announce(first === undefined ? 'No agent found.' : `${found}. First: ${first.agent_card.name}.`)
    const item = (result: SearchResult, i: number) => rankedAgent(result, results[i + 1], this.#actions)
    if (await this.#draw(results, item, mine)) this.#offerMore(results.length > this.#limit)
  }

  /** Draws results in slices, each in the place of one from before, so that the page keeps its height. False when others came meanwhile. */
  async #draw<T>(
    results: readonly T[],
    itemOf: (result: T, index: number) => HTMLLIElement,
    mine: number,
  ): Promise<boolean> {
    const list = element('ranking')
    this.#focusAgain ??= focusIn(list)
    const drawn = results.slice(0, this.#limit)
    for (const [i, result] of drawn.entries()) {
      if (i > 0 && i % DRAWN_AT_ONCE === 0) await turn()
      if (mine !== this.#turn) return false
      const item = itemOf(result, i)
      if (i < list.children.length) list.children[i]!.replaceWith(item)
      else list.append(item)
    }
    while (list.children.length > drawn.length) list.lastElementChild!.remove()
    this.#focusAgain?.()
    this.#focusAgain = undefined
    return true
  }

  #offerMore(isMore: boolean): void {
    const more = button('Show more', async () => {
      const { length } = element('ranking').children
      this.#limit = MOST
      await this.#rank()
      element('ranking').children[length]?.querySelector('button')?.focus()
    })
    element('ranking-rest').replaceChildren(...(isMore ? [more] : []))
  }

  #say(words: string): void {
    element('ranking-state').textContent = words
    element('ranking').replaceChildren()
    this.#offerMore(false)
  }

  async #openText(find: (shelf: Shelf) => Promise<string | undefined>): Promise<void> {
    await this.#ask(async (shelf) => {
      const text = await find(shelf)
      if (text !== undefined) this.#open(text)
    })
  }
}

/** The room of the directory. */
export function open(edit: (text: string) => void): Room {
  return new DirectoryRoom(edit)
}
