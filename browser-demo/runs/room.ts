import { kindProvedBy } from '../../bindings/frame/detect.ts'
import { needsOf } from '../../bindings/frame/needs.ts'
import type { Conformance, Proof } from '../../bindings/frame/source.ts'
import { KeyError } from '../../bindings/keys/base64.ts'
import { exportKey } from '../../bindings/keys/export.ts'
import { generateKey } from '../../bindings/keys/generate.ts'
import { redactRun } from '../../bindings/runs/record/redact-run.ts'
import { type RedactionMode, SENSITIVE } from '../../bindings/runs/record/redaction.ts'
import { durationText, factsOf, labelOf, runInWords, type TimelineStep } from '../../bindings/runs/record/timeline.ts'
import { seal } from '../../bindings/runs/stream/seal.ts'
import {
  announce,
  button,
  count,
  cut,
  element,
  headline,
  lineList,
  make,
  onPick,
  paragraph,
  plural,
  remark,
  restNote,
  scrollable,
  titled,
} from '../dom.ts'
import type { Examination } from '../examine.ts'
import type { DroppedContent, Room } from '../rooms.ts'
import { download, proofPart } from '../steps.ts'
import example from './example.json' with { type: 'json' }
import {
  bytesOf,
  isStream,
  type OpenedRun,
  openRecord,
  openStream,
  proofIn,
  type RunFiles,
  type Verify,
} from './opened.ts'

const SHOWN_FINDINGS = 20
const SHOWN_CHARACTERS = 20_000
const VERDICTS = {
  verified: 'Verified: nobody changed the lines after a key that you trust signed them.',
  failed: 'Failed: do not rely on this stream.',
  unverifiable: 'Unverifiable: name the key of its recorder above, and its checkpoints.',
} as const
const PROVEN = { ...VERDICTS, verified: 'Verified: a key that you trust signed it.' } as const

/** The verdict in words: what is left open, once a trusted key signed. */
function verdictWords({ verdict, steps }: Proof, words: Readonly<Record<Proof['verdict'], string>>): string {
  const isSigned = steps.some(({ name, outcome }) => name === 'signature' && outcome === 'passed')
  const open = steps.filter(({ outcome }) => outcome === 'unknown').map(({ detail }) => detail)
  return verdict === 'unverifiable' && isSigned ? `Unverifiable: ${open.join('; ')}.` : words[verdict]
}

/** Shows runs of agents, what they prove, and what can be shared of them. */
class RunsRoom implements Room {
  readonly #edit: (text: string) => void
  readonly #list: StepsList
  #run: OpenedRun | undefined
  /** For a proof about a stream, without the stream. */
  #proof: Verify | undefined
  /** The number of the last work; results of earlier ones are dropped. */
  #work = 0

  constructor(edit: (text: string) => void) {
    this.#edit = edit
    this.#list = new StepsList(element('run-steps'), (row) => this.#showStep(row))
    onPick('open-run', 'run-files', (files) => this.#open(files))
    element('run-example').addEventListener('click', () => this.#openExample())
    for (const id of ['run-keys', 'run-partial']) element(id).addEventListener('change', () => this.#prove(this.#work))
    element('run-filter').addEventListener('input', () => this.#filter())
    element('run-preview').addEventListener('click', () => this.#preview())
    this.#openExample()
  }

  drop({ files }: DroppedContent): void {
    this.#open(files)
  }

  focus(): void {
    element('open-run').focus()
  }

  /** The example is sealed here, with a key that is made here. */
  async #openExample(): Promise<void> {
    const mine = ++this.#work
    const { publicKey, privateKey } = await generateKey()
    const { stream, checkpoints, openings } = await seal(JSON.stringify(example), {
      key: privateKey,
      commit: ['/steps/*/action/input'],
    })
    if (mine !== this.#work) return
    element<HTMLTextAreaElement>('run-keys').value = await exportKey(publicKey, 'pem')
    const blob = (bytes: Uint8Array<ArrayBuffer> | undefined) => new Blob(bytes === undefined ? [] : [bytes])
    const files = { main: blob(stream), needs: { checkpoints: blob(checkpoints), values: blob(openings) } }
    await this.#openAs('an example, sealed in this page', files)
  }

  #open(files: readonly File[]): void {
    const needs: Record<string, Blob> = {}
    for (const [name, { adjacent }] of Object.entries(needsOf('stream'))) {
      const file = adjacent && files.find((one) => one.name.endsWith(adjacent))
      if (file) needs[name] = file
    }
    const others = files.filter((file) => !Object.values(needs).includes(file))
    const main = others.find(({ name }) => kindProvedBy(name) === 'stream') ?? others[0]
    const line = others.find((file) => file !== main)
    if (line !== undefined) needs['line'] = line
    if (main === undefined) {
      if (files.length > 0) this.#refuse('These files belong to a stream. Drop them together with its .ndjson file.')
      return
    }
    element<HTMLTextAreaElement>('run-keys').value = ''
    this.#openAs(main.name, { main, needs })
  }

  async #openAs(name: string, files: RunFiles): Promise<void> {
    const mine = ++this.#work
    const tell = (lines: number) => {
      if (mine === this.#work) element('run-name').textContent = `${cut(name, 80)}: ${plural(lines, 'line')} so far`
    }
    this.#proof = undefined
    try {
      const proof = await proofIn(name, files)
      if (mine !== this.#work) return
      if (proof !== undefined) {
        this.#showProof(name, proof)
        return
      }
      const run = (await isStream(files.main))
        ? await openStream(files, tell)
        : await openRecord(await bytesOf(files.main), name)
      if (mine !== this.#work) return
      const origin = 'rows' in run && run.origin !== undefined ? `: ${run.origin}` : ''
      element('run-name').textContent = `${cut(name, 80)}${origin}`
      if ('rows' in run) this.#show(run)
      else this.#refuse('This is not a run record, trace or session.', run)
    } catch {
      if (mine === this.#work)
        this.#refuse(`${cut(name, 80)} cannot be read: it is a folder, is too large, or was deleted.`)
    }
  }

  #showProof(name: string, proof: Verify): void {
    this.#run = undefined
    this.#proof = proof
    element('run').hidden = true
    element('run-name').textContent = cut(name, 80)
    this.#prove(this.#work)
  }

  #refuse(words: string, examination?: Examination): void {
    this.#run = undefined
    element('run').hidden = true
    const { document, diagnostics = [] } = examination ?? {}
    const open =
      document === undefined
        ? []
        : [button('Open it in the editor', () => this.#edit(new TextDecoder().decode(document.bytes)))]
    const findings = diagnostics.slice(0, SHOWN_FINDINGS).map((finding) => remark(finding))
    element('run-problems').replaceChildren(make('p', 'outcome bad', `✕ ${words}`), ...findings, ...open)
    announce(words)
  }

  #show(run: OpenedRun): void {
    this.#run = run
    const { summary, examination } = run
    const diagnostics = examination?.diagnostics ?? []
    element('run-problems').replaceChildren(
      ...diagnostics.slice(0, SHOWN_FINDINGS).map((finding) => remark(finding)),
      ...restNote(diagnostics.length - SHOWN_FINDINGS, 'finding'),
    )
    element('run').hidden = false
    element('run-summary').textContent = cut(runInWords(summary), 400)
    element('run-redact').hidden = examination === undefined
    element('run-redacted').replaceChildren()
    this.#filter()
    this.#prove(this.#work)
    announce(`${plural(summary.steps, 'step')} of ${summary.agent}`)
  }

  #filter(): void {
    if (this.#run === undefined) return
    const words = element<HTMLInputElement>('run-words').value.toLowerCase().split(/\s+/)
    const wanted = chosenIn('run-steps')
    const rows = this.#run.rows.filter((row) => isWanted(row, wanted) && hasWords(row, words))
    const all = this.#run.rows.length
    element('run-count').textContent =
      rows.length === all ? plural(all, 'step') : `${count(rows.length)} of ${plural(all, 'step')}`
    element('run-step').replaceChildren()
    this.#list.show(rows)
  }

  async #showStep(row: TimelineStep): Promise<void> {
    const mine = this.#work
    const value = await this.#run?.stepOf(row)
    if (mine !== this.#work) return
    const openings = this.#run?.openings.filter(({ pointer }) => pointer.startsWith(`/steps/${row.index}/`)) ?? []
    const values = Object.fromEntries(openings.map(({ pointer, value: shown }) => [pointer, shown]))
    element('run-step').replaceChildren(
      make('h3', '', `Step ${row.index}`),
      jsonFrame(value),
      ...(openings.length > 0 ? [make('h3', '', 'Values that it commits to'), jsonFrame(values)] : []),
    )
  }

  async #prove(mine: number): Promise<void> {
    const verify = this.#proof ?? this.#run?.verify
    const place = element(this.#proof === undefined ? 'run-proof' : 'run-problems')
    const known = this.#run?.examination?.conformance
    const show = (conformance = known, ...more: readonly HTMLElement[]) => {
      if (mine === this.#work)
        place.replaceChildren(...(conformance === undefined ? [] : [levelPart(conformance)]), ...more)
    }
    show()
    if (verify === undefined) return
    const keys = element<HTMLTextAreaElement>('run-keys').value.trim()
    const { checked: partial } = element<HTMLInputElement>('run-partial')
    const [title, words] = this.#proof === undefined ? ['The stream', VERDICTS] : ['The proof', PROVEN]
    try {
      const proof = await verify({ keys: keys === '' ? [] : [keys], partial })
      show(proof.conformance, proofPart(title, proof, verdictWords(proof, words)))
    } catch (error) {
      if (!(error instanceof KeyError)) throw error
      show(known, make('p', 'outcome bad', `✕ The key cannot be read: ${error.message}`))
    }
  }

  #preview(): void {
    const record = this.#run?.examination?.document
    if (record === undefined) return
    const more = element<HTMLInputElement>('run-pointers')
      .value.split(/[\s,]+/)
      .filter((pointer) => pointer !== '')
    const mode = chosenIn('run-mode') as RedactionMode
    try {
      element('run-redacted').replaceChildren(
        ...redactedPart(redactRun(record, { pointers: [...SENSITIVE, ...more], mode })),
      )
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      element('run-redacted').replaceChildren(paragraph('bad', `✕ ${error.message}`))
    }
  }
}

const chosenIn = (name: string) => document.querySelector<HTMLInputElement>(`[name="${name}"]:checked`)!.value

const jsonFrame = (value: unknown) =>
  scrollable(make('pre', 'frame', cut(JSON.stringify(value, null, 2) ?? '', SHOWN_CHARACTERS)))

const isWanted = ({ verdict, state }: TimelineStep, wanted: string) =>
  wanted === 'all' || (wanted === 'verdicts' ? verdict !== undefined : state !== 'ended' || verdict === 'deny')

const hasWords = (row: TimelineStep, words: readonly string[]) => {
  const { type, name, what, result, rule } = row
  const text = [type, name, what, result, rule, labelOf(row)].join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}

const OUTCOMES = {
  met: ['passed', '✓ Met'],
  unmet: ['skipped', '– Not met'],
  unknown: ['unknown', '? Not knowable'],
} as const

function levelPart({ specification, level, demands }: Conformance): HTMLElement {
  const items = demands.map(({ level: of, title, outcome, detail }) => {
    const [tone, words] = OUTCOMES[outcome]
    const where = make('span', 'where', `level ${of}`)
    const head = headline(make('span', 'severity', words), make('strong', '', title), where)
    const item = make('li', '', [head, paragraph('', detail)])
    item.dataset['outcome'] = tone
    return item
  })
  return titled(`${specification}: level ${level}`, make('ol', 'steps', items))
}

function redactedPart({ document: record, bytes, removed, diagnostics }: ReturnType<typeof redactRun>): HTMLElement[] {
  if (bytes === undefined) return diagnostics.slice(0, SHOWN_FINDINGS).map((finding) => remark(finding))
  const lines = removed.map(({ pointer, count: times }) =>
    pointer === '' ? plural(times, 'credential') : `${pointer}: ${plural(times, 'value')}`,
  )
  const text = new TextDecoder().decode(bytes)
  return [
    make('h3', '', removed.length === 0 ? 'Nothing was removed' : 'Removed'),
    lineList(lines),
    jsonFrame(record!.value),
    button('Download the redacted record', () => download('redacted-run.json', text, 'application/json')),
  ]
}

/** Opens the part of the page for runs. */
export function open(edit: (text: string) => void): Room {
  return new RunsRoom(edit)
}

// The steps of a run as a list of which only the visible part exists, so that 100,000 steps scroll smoothly.

/** Height of a row in pixels; room.css has the same. */
const ROW = 32
/** Rows above and below the visible ones. */
const SPARE = 8
/** Browsers limit the height of an element. */
const MOST_HEIGHT = 8_000_000
const PAGE_ROWS = 10

const VERDICT_TONES = { allow: 'good', deny: 'bad', escalate: 'care', invalid: 'bad', hidden: 'care' } as const

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

  #item(row: TimelineStep, position: number, top: number) {
    const { index, depth, what, after, result, rule, state, verdict } = row
    const item = make('div')
    item.id = `run-row-${position}`
    item.dataset['position'] = String(position)
    item.setAttribute('role', 'option')
    item.setAttribute('aria-selected', String(position === this.#chosen))
    item.setAttribute('aria-setsize', String(this.#rows.length))
    item.setAttribute('aria-posinset', String(position + 1))
    item.style.top = `${top}px`
    item.style.setProperty('--depth', String(Math.min(depth, 12)))
    const tone = verdict === undefined ? '' : VERDICT_TONES[verdict]
    const label = make('strong', tone, labelOf(row))
    item.append(
      make('span', 'when', after === undefined ? '' : `+${durationText(after)}`),
      make('span', 'what', [`${count(index)} `, label, what === undefined ? '' : ` ${what}`]),
    )
    const came = state === 'failed' ? `✕ ${result ?? 'failed'}` : (result ?? rule ?? '')
    if (came !== '') item.append(make('span', state === 'failed' ? 'came bad' : 'came', came))
    item.append(make('span', 'took', factsOf(row).join(', ')))
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
