import { anchorsFromText } from '../../bindings/discover/dns/dnssec/rdata.ts'
import { isTrace } from '../../bindings/discover/trace/specification.ts'
import { replay } from '../../bindings/discover/trace/verify.ts'
import type { Discovery } from '../../bindings/discover/trust/discover.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import { rowOf } from '../../bindings/kinds.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { announce, button, cut, element, headline, make, onPick, paragraph, plural, restNote } from '../dom.ts'
import * as engine from '../engine.ts'
import type { Examination } from '../examine.ts'
import type { DroppedContent, Room } from '../rooms.ts'
import { turn } from '../turn.ts'
import { whyOf } from '../why.ts'
import { drawAccount } from './account.ts'
import example from './example.json' with { type: 'json' }

const { bytes: MOST_BYTES } = rowOf('trace').bounds
/** The editor shows all of them. */
const SHOWN = 20
const EXAMPLE = JSON.stringify(example.trace)

interface Opened {
  readonly source: Uint8Array | string
  readonly examination: Examination
}

/** Checks recorded discoveries again. */
class DiscoverRoom implements Room {
  readonly #edit: (text: string) => void
  #opened: Opened | undefined
  /** The number of the last check; results of earlier ones are dropped. */
  #check = 0

  constructor(edit: (text: string) => void) {
    this.#edit = edit
    this.#setUp()
    this.#openExample()
  }

  drop({ files }: DroppedContent): void {
    this.#openFile(files[0])
  }

  focus(): void {
    element('open-trace').focus()
  }

  #setUp(): void {
    onPick('open-trace', 'trace-file', ([file]) => this.#openFile(file))
    element('trace-example').addEventListener('click', () => this.#openExample())
    element('check-pasted').addEventListener('click', () => {
      const { value } = element<HTMLTextAreaElement>('trace-text')
      if (value.trim() !== '') this.#open('pasted', value)
    })
    element('trace-options').addEventListener('input', () => this.#run())
    element('trace-options').addEventListener('submit', (event) => event.preventDefault())
  }

  #openExample(): void {
    element<HTMLTextAreaElement>('anchors').value = example.anchors
    this.#open('an example: made-up servers under a made-up DNS root', EXAMPLE)
  }

  async #openFile(file: File | undefined): Promise<void> {
    if (file === undefined) return
    const { name, size } = file
    if (size > MOST_BYTES) return this.#refuse(`${name} is larger than ${MOST_BYTES >> 20} MiB, the limit for a trace.`)
    const mine = ++this.#check
    try {
      const bytes = new Uint8Array(await file.arrayBuffer())
      if (mine === this.#check) await this.#open(name, bytes)
    } catch {
      if (mine === this.#check) this.#refuse(`${name} cannot be read: it is a folder, or was deleted.`)
    }
  }

  #open(name: string, source: Uint8Array | string): Promise<void> {
    element('trace-name').textContent = visible(name)
    const anchors = element<HTMLTextAreaElement>('anchors')
    // The keys of the example are trusted for the example only.
    if (source !== EXAMPLE && anchors.value === example.anchors) anchors.value = ''
    this.#opened = { source, examination: engine.examine(source) }
    // Results of another trace must not appear below the name of this one.
    element('trace-problems').replaceChildren()
    element('discovery').replaceChildren()
    return this.#run()
  }

  async #run(): Promise<void> {
    if (this.#opened === undefined) return
    const mine = ++this.#check
    const { examination } = this.#opened
    // Reading a large trace takes a while, and checking it as long.
    await turn()
    if (mine !== this.#check) return
    const { document, kind, diagnostics } = examination
    const trace: unknown = document?.value
    const isUsable = kind === 'trace' && !diagnostics.some(({ severity }) => severity === 'error')
    if (!isUsable || !isTrace(trace)) return this.#refuse(reasonOf(examination), diagnostics, this.#text())
    try {
      const discovery = await replay(trace, optionsOf())
      await turn()
      if (mine === this.#check) this.#show(discovery)
    } catch (error) {
      if (mine !== this.#check) return
      const { message } = error as Error
      if (error instanceof TypeError)
        this.#refuse(`Keys to trust: ${message}. Write a line such as ". IN DS 20326 8 2 E06D44B8…".`)
      else this.#refuse(`The trace could not be checked: ${message}`)
    }
  }

  #show(discovery: Discovery): void {
    const action = { label: 'Open the metadata in the editor', run: this.#edit }
    const { words, parts } = drawAccount(discovery, action)
    element('trace-problems').replaceChildren()
    element('discovery').replaceChildren(...parts, recordingNote(discovery.trace.at))
    announce(words)
  }

  #text(): string {
    const { source = '' } = this.#opened ?? {}
    return typeof source === 'string' ? source : new TextDecoder().decode(source)
  }

  /** Shows why the trace cannot be checked, and what to do. */
  #refuse(words: string, diagnostics: readonly Diagnostic[] = [], text?: string): void {
    this.#check++
    const list = make('ol', 'findings', diagnostics.slice(0, SHOWN).map(findingItem))
    const more = restNote(diagnostics.length - SHOWN, 'finding')
    const open = text === undefined ? [] : [button('Open it in the editor', () => this.#edit(text))]
    element('trace-problems').replaceChildren(make('p', 'outcome bad', `✕ ${visible(words)}`), list, ...more, ...open)
    element('discovery').replaceChildren()
    announce(words)
  }
}

function optionsOf(): replay.Options {
  const text = element<HTMLTextAreaElement>('anchors').value
  const isNow = document.querySelector('#trace-moment [value="now"]:checked') !== null
  return {
    ...(isNow && { now: new Date() }),
    ...(text.trim() !== '' && { anchors: anchorsFromText(text) }),
  }
}

function reasonOf({ document, kind, diagnostics }: Examination): string {
  if (document === undefined) return 'The trace cannot be read.'
  if (kind === 'trace')
    return `This trace has ${plural(diagnostics.length, 'finding')}. An invalid trace is not checked.`
  const what =
    kind === undefined ? 'a document of an unknown kind' : `an ${rowOf(kind).name}`.replace(/^an (?![aeiou])/i, 'a ')
  return `This is ${what}, not the trace of a discovery. Make one with: blazon discover DOMAIN --record FILE`
}

function findingItem({ severity, title, detail, source, code, rule, fix }: Diagnostic): HTMLLIElement {
  const item = make('li')
  item.dataset['severity'] = severity
  const place = `Line ${source.line}, column ${source.column}${source.pointer === '' ? '' : `, ${cut(source.pointer, 80)}`}`
  item.append(
    headline(make('strong', '', title), make('span', 'where', visible(place))),
    paragraph('', visible(cut(detail, 300))),
  )
  if (fix !== undefined) item.append(paragraph('fix', fix.hint))
  const row = engine.findRule(rule, code)
  if (row !== undefined) item.append(whyOf(row))
  return item
}

const recordingNote = (at: string) =>
  make(
    'p',
    'hint',
    `Recorded at ${visible(cut(at, 40))}. The HTTP answers, their TLS and the times are as the recorder noted them; the rest is shown by the signatures of the DNS and of the key.`,
  )

/** Opens the part of the page for recorded discoveries. */
export function open(edit: (text: string) => void): Room {
  return new DiscoverRoom(edit)
}
