import type { AgentCard } from '../../bindings/card/index.ts'
import type { SearchResult } from '../../bindings/directory/index.ts'
import { visibleText } from '../../bindings/text/hidden.ts'
import { announce, button, count, cut, element, make, onPick, plural, toast } from '../dom.ts'
import { filesOf, type NamedFile, pickedFiles } from '../files.ts'
import type { DroppedContent, Room } from '../rooms.ts'
import { turn } from '../turn.ts'
import type { CollectionClient } from './calls.ts'
import type { CollectionSummary, Progress, RankedResults, SkippedCounts, SkippedDocument } from './card-collection.ts'
import { openCollection } from './open-collection.ts'
import { listedAgent, QueryForm, rankedAgent } from './ranking.ts'
import { sampleSet } from './sample.ts'
import { MOST_BYTES, MOST_DOCUMENTS, type Source } from './split.ts'

const DOCUMENT = /\.(?:jsonl?|ndjson|ya?ml|adl)$/i
const SHOWN = 20
/** Results that are drawn before other work may run. */
const DRAWN_AT_ONCE = 5
/** The most results that a directory returns (section 4.3). */
const MOST = 100
/** Sources that are sent to the worker at a time: 100,000 at once would block the page. */
const SENT_AT_ONCE = 256

/** Ranks many cards for a task while the reader types. */
class DirectoryRoom implements Room {
  readonly #open: (text: string) => void
  readonly #form = new QueryForm(() => {
    this.#limit = SHOWN
    this.#rank()
  })
  readonly #actions = {
    open: (id: string) => this.#openText((client) => client.text(id)),
    toggle: (tag: string) => this.#form.toggle(tag),
  }
  #client = openCollection()
  #summary: CollectionSummary | undefined
  #limit = SHOWN
  /** The number of the last query; answers to earlier ones are dropped. */
  #query = 0
  /** Restores the focus in the list, once its last drawing is complete. */
  #restoreFocus: (() => void) | undefined
  /** The number of the current cards; what is read for earlier ones is dropped. */
  #generation = 0
  /** True while only the sample set is here, and the reader did not ask for it: the first cards replace it. */
  #isSample = true

  /** @param open shows a card in the editor. */
  constructor(open: (text: string) => void) {
    this.#open = open
    this.#setUpSources()
    this.#takeSample()
  }

  async drop(dropped: DroppedContent): Promise<void> {
    const mine = this.#generation
    const { files, unreadable } = await filesOf(dropped)
    if (mine !== this.#generation) return
    if (files.length > 0 || unreadable === 0) return this.#takeFiles(files, unreadable)
    toast('The dropped folder could not be read: some browsers do not allow it to a page from a file. Use Open folder.')
  }

  focus(): void {
    element('query-text').focus()
  }

  #setUpSources(): void {
    element('sample').addEventListener('click', () => {
      // The reader asks for it now: own cards are added to it.
      if (!this.#isSample) this.#takeSample()
      this.#isSample = false
      this.#rank()
    })
    onPick('open-folder', 'folder', (files) => this.#takeFiles(pickedFiles(files)))
    onPick('open-cards', 'card-files', (files) => this.#takeFiles(pickedFiles(files)))
    const pasted = element<HTMLTextAreaElement>('pasted')
    element('add-pasted').addEventListener('click', async () => {
      const { value } = pasted
      if (value.trim() === '') return
      this.#leaveSample()
      const isTaken = await this.#take([{ name: 'pasted', blob: new Blob([value]) }])
      // Something else may have been pasted meanwhile.
      if (isTaken && pasted.value === value) pasted.value = ''
    })
    element('clear-cards').addEventListener('click', () => this.#swap(openCollection(), 'The cards were removed.'))
  }

  #takeSample(): Promise<boolean> {
    const { cards, signals } = sampleSet()
    const source = { name: 'sample set', blob: new Blob([JSON.stringify(cards)]) }
    return this.#take([source], (client) => client.setSignals(signals))
  }

  /** Replaces the cards by others, and stops reading the old ones; Undo brings them back. */
  #swap(client: Promise<CollectionClient>, words: string): void {
    const before = this.#client
    this.#generation++
    before.then((left) => left.stop()).catch(() => {})
    this.#client = client
    this.#isSample = false
    this.#show()
    toast(words, {
      label: 'Undo',
      run: () => this.#swap(before, 'The previous cards are back.'),
      gone: () => before.then((left) => left.close()),
    })
  }

  #leaveSample(): void {
    if (this.#isSample) this.#swap(openCollection(), 'The sample cards were removed.')
  }

  async #takeFiles(files: readonly NamedFile[], unreadable = 0): Promise<void> {
    const sources = files.flatMap(({ path, file }) => (DOCUMENT.test(path) ? [{ name: path, blob: file }] : []))
    if (sources.length === 0) return toast('None of these files is named like a JSON or YAML file.')
    this.#leaveSample()
    await this.#take(sources, (client) => client.countSkipped({ foreign: files.length - sources.length, unreadable }))
  }

  /** True once everything was read. */
  async #take(sources: readonly Source[], prepare?: (client: CollectionClient) => Promise<void>): Promise<boolean> {
    const mine = this.#generation
    return (await this.#call((client) => this.#read(client, sources, mine, prepare))) === true
  }

  /** Calls the client. Shows its failure at the top, unless it was replaced meanwhile. */
  async #call<T>(calls: (client: CollectionClient) => Promise<T>): Promise<T | undefined> {
    const mine = this.#client
    try {
      return await calls(await mine)
    } catch (error) {
      if (mine !== this.#client) return undefined
      this.#query++
      this.#summary = undefined
      element('collection-progress').hidden = true
      element('collection-size').textContent = 'not available'
      element('collection-skipped').replaceChildren(make('p', 'bad', `✕ ${(error as Error).message}`))
      this.#showState('There is nothing to search.')
      announce((error as Error).message)
      return undefined
    }
  }

  /** False if the cards were replaced meanwhile: `mine` is the generation that the sources belong to. */
  async #read(
    client: CollectionClient,
    sources: readonly Source[],
    mine: number,
    prepare?: (client: CollectionClient) => Promise<void>,
  ): Promise<boolean> {
    if (mine !== this.#generation) return false
    const before = this.#summary?.cards ?? 0
    await prepare?.(client)
    const total = sources.reduce((sum, { blob }) => sum + blob.size, 0)
    let done: Progress = { documents: 0, bytes: 0 }
    for (let i = 0; i < sources.length; i += SENT_AT_ONCE) {
      const { documents, bytes } = done
      await client.add(sources.slice(i, i + SENT_AT_ONCE), (made) => {
        done = { documents: documents + made.documents, bytes: bytes + made.bytes }
        if (mine === this.#generation) this.#showProgress(done, total)
      })
      if (mine !== this.#generation) return false
    }
    await client.warmUp()
    if (mine !== this.#generation) return false
    await this.#show()
    announce(`${plural((this.#summary?.cards ?? before) - before, 'card')} more.`)
    return true
  }

  #showProgress({ documents, bytes }: Progress, total: number): void {
    const bar = element<HTMLProgressElement>('collection-progress')
    bar.hidden = false
    bar.value = bytes / Math.max(1, total)
    const part = Math.floor(100 * bar.value)
    element('collection-size').textContent = `reading, ${plural(documents, 'document')} so far, ${part} %`
    if (this.#summary?.cards === 0) this.#showState('The cards are being read.')
  }

  /** Shows the cards that can be searched, and ranks them. */
  async #show(): Promise<void> {
    await this.#call((client) => this.#showSummary(client))
  }

  async #showSummary(client: CollectionClient): Promise<void> {
    const mine = this.#client
    const summary = await client.summary()
    if (mine !== this.#client) return
    this.#summary = summary
    element('collection-progress').hidden = true
    element('collection-size').textContent = sizeOf(summary)
    element('collection-skipped').replaceChildren(
      ...skippedIn(summary, (index) => this.#openText((client) => client.skippedText(index))),
    )
    this.#form.suggest(summary.tags)
    await this.#rank()
  }

  async #rank(): Promise<void> {
    const mine = ++this.#query
    const { text, tags, weights } = this.#form
    if (this.#summary === undefined) return
    if (this.#summary.cards === 0) this.#showState('There are no cards yet. Try the sample set, or drop your own.')
    else {
      await this.#call(async (client) => {
        if (text === '' && tags.length === 0) return this.#list(await client.first(MOST), mine)
        const ranked = await client.rank({ query: text, tags, limit: MOST }, weights)
        if (mine === this.#query) await this.#showRanking(ranked, mine)
      })
    }
  }

  /** Shows cards while the query is empty. */
  async #list(cards: readonly AgentCard[], mine: number): Promise<void> {
    if (mine !== this.#query) return
    const sample = this.#isSample ? ' These agents are made up.' : ''
    element('ranking-state').textContent = `Describe the task, or choose a tag.${sample}`
    if (await this.#draw(cards, (card) => listedAgent(card, this.#actions), mine))
      this.#offerMore(cards.length > this.#limit)
  }

  async #showRanking(
    { found: { status, results, corrections, diagnostics }, cost }: RankedResults,
    mine: number,
  ): Promise<void> {
    const corrected = corrections.map(
      ({ word, instead }) =>
        `No card has “${word}”${instead.length > 0 ? `: searched ${instead.map((near) => `${near}…`).join(', ')}` : '.'}`,
    )
    const found = results.length === MOST ? `The best ${MOST}` : plural(results.length, 'agent')
    const counts = `${found} of ${count(this.#summary!.cards)}, ranked in ${cost.toFixed(1)} ms.`
    const words = status === 'OK' ? [counts, ...corrected].join(' ') : diagnostics[0]!.detail
    element('ranking-state').textContent = visibleText(words)
    const [first] = results
    announce(first === undefined ? 'No agent found.' : `${found}. First: ${first.agent_card.name}.`)
    const item = (result: SearchResult, i: number) => rankedAgent(result, results[i + 1], this.#actions)
    if (await this.#draw(results, item, mine)) this.#offerMore(results.length > this.#limit)
  }

  /** Draws results in slices. Each replaces an old one, so that the page keeps its height. False if a newer query came meanwhile. */
  async #draw<T>(
    results: readonly T[],
    itemOf: (result: T, index: number) => HTMLLIElement,
    mine: number,
  ): Promise<boolean> {
    const list = element('ranking')
    this.#restoreFocus ??= rememberFocus(list)
    const drawn = results.slice(0, this.#limit)
    for (const [i, result] of drawn.entries()) {
      if (i > 0 && i % DRAWN_AT_ONCE === 0) await turn()
      if (mine !== this.#query) return false
      const item = itemOf(result, i)
      if (i < list.children.length) list.children[i]!.replaceWith(item)
      else list.append(item)
    }
    while (list.children.length > drawn.length) list.lastElementChild!.remove()
    this.#restoreFocus?.()
    this.#restoreFocus = undefined
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

  #showState(words: string): void {
    element('ranking-state').textContent = words
    element('ranking').replaceChildren()
    this.#offerMore(false)
  }

  async #openText(find: (client: CollectionClient) => Promise<string | undefined>): Promise<void> {
    await this.#call(async (client) => {
      const text = await find(client)
      if (text !== undefined) this.#open(text)
    })
  }
}

/** Opens the directory's part of the page. */
export function open(edit: (text: string) => void): Room {
  return new DirectoryRoom(edit)
}

/**
 * Returns a function that restores the focus after a list was redrawn: to the chip of the same tag, wherever it is, or
 * else to the result at the same index. Undefined if the focus is not in the list.
 */
export function rememberFocus(list: HTMLElement): (() => void) | undefined {
  const { activeElement: focused } = document
  const at = [...list.children].findIndex((item) => item.contains(focused))
  if (at < 0) return undefined
  const { skill } = (focused as HTMLElement).dataset
  return () => {
    // The reader may have moved the focus meanwhile.
    if (document.activeElement !== document.body && !list.contains(document.activeElement)) return
    const buttons = [...list.querySelectorAll('button')]
    const chip = buttons.find(({ dataset }) => skill !== undefined && dataset['skill'] === skill)
    const next = chip ?? list.children[at]?.querySelector('button') ?? buttons.at(-1) ?? element('query-text')
    next.focus({ preventScroll: chip === undefined })
  }
}

const MEGABYTE = 1_000_000

/** For each reason to skip a document: what was skipped, and why. */
const REASONS: Readonly<Record<keyof SkippedCounts, readonly [noun: string, why: string]>> = {
  invalid: ['card', 'unreadable, invalid, or with a signature that does not match'],
  older: ['card', 'another card of the same agent is kept'],
  large: ['document', `larger than ${MOST_BYTES >> 20} MiB, and not a list`],
  beyond: ['document', `over the limit of ${count(MOST_DOCUMENTS)} documents, or of the browser's memory`],
  malformed: ['list', 'malformed; the cards before that place were added'],
  unreadable: ['file', 'this browser could not read it'],
  foreign: ['file', 'the name is not that of a JSON or YAML file'],
}

/** The number of cards, and the memory that they take. */
export function sizeOf({ cards, others, bytes }: CollectionSummary): string {
  const ofOthers = others === 0 ? '' : `, ${plural(others, 'document')} of another kind`
  if (cards === 0) return `no cards yet${ofOthers}`
  const memory = (bytes.cards + bytes.index) / MEGABYTE
  return `${plural(cards, 'card')}${ofOthers}; cards and index take ${memory.toFixed(memory < 10 ? 1 : 0)} MB`
}

/** Shows the number of skipped documents by reason, and the first of them; `open` shows one of them by its index. */
export function skippedIn({ skipped, examples }: CollectionSummary, open: (index: number) => void): HTMLElement[] {
  const rows = (Object.keys(REASONS) as (keyof SkippedCounts)[]).filter((reason) => skipped[reason] > 0)
  if (rows.length === 0) return []
  const reasons = rows.map((reason) => {
    const [noun, why] = REASONS[reason]
    return make(
      'p',
      reason === 'older' || reason === 'foreign' ? 'care' : 'bad',
      `✕ ${plural(skipped[reason], noun)} skipped: ${why}.`,
    )
  })
  if (examples.length === 0) return reasons
  const items = examples.map((example, index) => itemOf(example, () => open(index)))
  const rest = rows.reduce((sum, reason) => sum + skipped[reason], 0) - examples.length
  const summary = make('summary', '', rest > 0 ? `The first ${examples.length}` : 'Show them')
  return [...reasons, make('details', 'stack', [summary, make('ul', 'problems', items)])]
}

function itemOf({ name, hasText, reasons }: SkippedDocument, open: () => void): HTMLLIElement {
  const item = make('li', '', [make('strong', '', name)])
  if (hasText) item.append(' ', button('Open', open))
  item.append(...reasons.map((words) => make('p', 'bad', cut(words, 300))))
  return item
}
