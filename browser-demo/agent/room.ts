import { HOSTS } from '../../bindings/agentlang/ask/host.ts'
import { type OpenedContainer, openContainer, readableFiles } from '../../bindings/agentlang/container/seal.ts'
import { AGENT_FILE, MOST_BYTES, MOST_FILES } from '../../bindings/agentlang/files.ts'
import { type Agent, mayBelong } from '../../bindings/agentlang/folder.ts'
import { folderOf } from '../../bindings/agentlang/folder-of.ts'
import { ASK_HEAD, askRows, hostVerdict, inspectAgent } from '../../bindings/agentlang/inspect.ts'
import type { sectionsIn } from '../../bindings/agentlang/prompt/specification.ts'
import { declaredActions, targetOf } from '../../bindings/agentlang/run/components.ts'
import { compilePrompt, load, validate } from '../../bindings/agentlang/verbs.ts'
import type { Diagnostic, Files } from '../../bindings/document/types.ts'
import { visibleText } from '../../bindings/text/hidden.ts'
import { counted } from '../../bindings/text/words.ts'
import {
  announce,
  cut,
  element,
  lineList,
  make,
  onPick,
  paragraph,
  plural,
  type Row,
  scrollable,
  table,
} from '../dom.ts'
import { filesOf, isForeign, type NamedFile, pickedFiles } from '../files.ts'
import type { DroppedContent, Room } from '../rooms.ts'
import { proofPart } from '../steps.ts'
import { findingItem, findingLists, restOf, tally } from '../views/findings.ts'
import example from './example.json' with { type: 'json' }

const VERDICTS = {
  verified: 'Verified: a key that you trust signed these files, and nobody changed them.',
  failed: 'Failed: do not run this container.',
  unverifiable: 'Unverifiable: nobody changed the files since they were signed. Name the key of the developer above.',
} as const

/** Shows an agent before it runs: what is wrong with it, what it asks for, and which hosts start it. */
class AgentRoom implements Room {
  #source: AgentSource = new Map()
  #opened: OpenedAgent | undefined
  #secret: string | undefined
  /** The number of the last work; results of earlier ones are dropped. */
  #work = 0

  constructor() {
    onPick('open-agent-folder', 'agent-folder', (files) => this.#open(pickedFiles(files)))
    onPick('open-agent', 'agent-file', (files) => this.#open(pickedFiles(files)))
    onPick('open-agent-secret', 'agent-secret', async ([file]) => {
      this.#secret = (await file?.slice(0, 1024).text())?.trim()
      this.#judge()
    })
    element('agent-keys').addEventListener('change', () => this.#judge())
    element('agent-target').addEventListener('change', () => this.#showPrompts())
    element('agent-example').addEventListener('click', () => this.#openExample())
    this.#openExample()
  }

  async drop(dropped: DroppedContent): Promise<void> {
    this.#open((await filesOf(dropped)).files)
  }

  focus(): void {
    element('open-agent-folder').focus()
  }

  #openExample(): void {
    const encoder = new TextEncoder()
    this.#take('an example', new Map(Object.entries(example).map(([path, text]) => [path, encoder.encode(text)])))
  }

  async #open(files: readonly NamedFile[]): Promise<void> {
    const mine = ++this.#work
    const [{ path = '' } = {}] = files
    try {
      const source = await readSource(files)
      if (mine !== this.#work) return
      if (typeof source === 'string') this.#refuse(source)
      else this.#take(path.split('/')[0]!, source)
    } catch {
      if (mine === this.#work) this.#refuse('A file cannot be read: it was deleted, or this browser does not allow it.')
    }
  }

  #take(name: string, source: AgentSource): void {
    this.#source = source
    this.#secret = undefined
    element<HTMLTextAreaElement>('agent-keys').value = ''
    element('agent-name').textContent = visibleText(cut(name, 80))
    this.#judge()
  }

  async #judge(): Promise<void> {
    const mine = ++this.#work
    const key = element<HTMLTextAreaElement>('agent-keys').value.trim()
    const secret = this.#secret
    try {
      const opened = await judge(this.#source, {
        ...(key !== '' && { keys: [key] }),
        ...(secret !== undefined && { secret }),
      })
      if (mine === this.#work) this.#show(opened)
    } catch (error) {
      // A malformed key is a KeyError, a malformed secret a RangeError.
      if (mine === this.#work) this.#refuse(`The key or the secret cannot be read: ${(error as Error).message}`)
    }
  }

  #refuse(words: string): void {
    this.#opened = undefined
    element('agent-report').hidden = true
    element('agent-problems').replaceChildren(make('p', 'outcome bad', `✕ ${words}`))
    announce(words)
  }

  #show(opened: OpenedAgent): void {
    this.#opened = opened
    const { agent, container, diagnostics } = opened
    element('agent-problems').replaceChildren()
    element('agent-signed').replaceChildren(...containerPart(opened))
    element('agent-findings').replaceChildren(...findingsPart(opened))
    element('agent-report').hidden = false
    for (const id of ['agent-asks', 'agent-parts']) element(id).hidden = agent === undefined
    const found = tally(diagnostics) || 'no findings'
    announce(found)
    if (agent === undefined) return
    const inspection = inspectAgent(agent, container && { container })
    const { name = 'An agent', version = '', developer } = inspection
    const by = developer === undefined ? '' : `, by ${developer}`
    const signed = container === undefined ? '' : `; ${container.proof.verdict}`
    element('agent-summary').textContent = visibleText(cut(`${name} ${version}${by}: ${found}${signed}`, 400))
    element('agent-table').replaceChildren(...asksPart(inspection))
    element('agent-hosts').replaceChildren(...hostsPart(agent))
    element('agent-actions').replaceChildren(...actionsPart(agent))
    this.#showPrompts()
  }

  #showPrompts(): void {
    const target = document.querySelector<HTMLInputElement>('[name="agent-target"]:checked')!.value as sectionsIn.Target
    const { agent } = this.#opened ?? {}
    if (agent !== undefined) element('agent-prompts').replaceChildren(...promptsPart(agent, target))
  }
}

/** Who signed the container, and what is encrypted in it. */
function containerPart({ container }: OpenedAgent): Node[] {
  if (container === undefined) return []
  const { proof, encrypted = [] } = container
  const words = `! ${plural(encrypted.length, 'file')} encrypted: open the secret above to read them.`
  return [
    make('h3', '', 'Who signed it'),
    proofPart('The container', proof, VERDICTS[proof.verdict]),
    ...(encrypted.length === 0 ? [] : [make('p', 'care', words)]),
  ]
}

/** Opens the part of the page for agents in folders and containers. */
export function open(): Room {
  return new AgentRoom()
}

// Reads an agent: the files of a folder, agent.yaml alone, or a container. Nothing in it is started.

/** The source of an agent, so that it can be judged again with other keys. */
export type AgentSource = Files | Uint8Array

export interface AgentKeys {
  readonly keys?: readonly string[]
  readonly secret?: string
}

export interface OpenedAgent {
  /** Undefined when it cannot be read. */
  readonly agent: Agent | undefined
  /** The files that are not encrypted. */
  readonly files: Files
  readonly diagnostics: readonly Diagnostic[]
  readonly container?: OpenedContainer
}

/** Reads what was dropped or picked; returns the reason where it is not an agent. */
export async function readSource(files: readonly NamedFile[]): Promise<AgentSource | string> {
  const container = files.length === 1 ? files.find(({ path }) => path.endsWith('.agent')) : undefined
  if (container !== undefined)
    return container.file.size > MOST_BYTES ? TOO_LARGE : new Uint8Array(await container.file.arrayBuffer())
  const own = files.filter(({ path }) => !path.split('/').some(isForeign))
  const roots = own.flatMap(({ path }) =>
    `/${path}`.endsWith(`/${AGENT_FILE}`) ? [path.slice(0, -AGENT_FILE.length)] : [],
  )
  const root = roots.sort((a, b) => a.length - b.length)[0]
  if (root === undefined) return `There is no ${AGENT_FILE}, and no container that ends in .agent.`
  const inside = own
    .filter(({ path }) => path.startsWith(root))
    .map(({ path, file }) => ({ path: path.slice(root.length), file }))
  if (inside.length > MOST_FILES) return `The folder has more than ${MOST_FILES} files.`
  const needed = inside.filter(({ path }) => mayBelong(path))
  if (needed.reduce((sum, { file }) => sum + file.size, 0) > MOST_BYTES) return TOO_LARGE
  const bytes = new Map<string, Uint8Array>(inside.map(({ path }) => [path, new Uint8Array(0)]))
  for (const { path, file } of needed) bytes.set(path, new Uint8Array(await file.arrayBuffer()))
  return bytes
}

const TOO_LARGE = `An agent has at most ${MOST_BYTES >> 20} MiB.`

/**
 * Judges an agent. One whose container was changed is not read.
 *
 * @throws {KeyError} for a malformed key, {RangeError} for a malformed secret.
 */
export async function judge(source: AgentSource, keys: AgentKeys): Promise<OpenedAgent> {
  if (source instanceof Map) return judgeFiles(source)
  const container = await openContainer(source as Uint8Array, keys)
  if (container.files === undefined) {
    const diagnostics = container.proof.steps.flatMap(({ diagnostic }) => diagnostic ?? [])
    return { agent: undefined, files: new Map(), diagnostics, container }
  }
  return { ...judgeFiles(readableFiles(container)), container }
}

function judgeFiles(files: Files): OpenedAgent {
  const { agent, diagnostics } = load(files)
  return { agent, files, diagnostics: agent === undefined ? diagnostics : validate(files).diagnostics }
}

// What the page shows of an agent. Every text in it is the agent's, and not trusted.

const SHOWN_ROWS = 200
const SHOWN_CHARACTERS = 20_000
const LONGEST = 400

type Inspection = ReturnType<typeof inspectAgent>

/** The findings of all files, each with its file and line. */
export function findingsPart({ diagnostics, files }: OpenedAgent): Node[] {
  if (diagnostics.length === 0) return [make('p', 'good', '✓ The files follow every rule.')]
  const rest = restOf(diagnostics)
  return [
    ...findingLists(diagnostics, (diagnostic) => {
      const { file = '', line, column } = diagnostic.source
      const { fix } = diagnostic
      return findingItem(diagnostic, {
        place: make('span', 'where', `${cut(file, LONGEST)}:${line}:${column}`),
        line: lineOf(files.get(file), line),
        more: fix === undefined ? [] : [paragraph('fix', fix.hint)],
      })
    }),
    ...(rest === '' ? [] : [make('p', 'hint', rest)]),
  ]
}

const lineOf = (bytes: Uint8Array | undefined, line: number) =>
  new TextDecoder().decode(bytes).split(/\r\n|\n|\r/, line)[line - 1] ?? ''

/** What the agent asks for, as `blazon grants` prints it. */
export function asksPart(inspection: Inspection): Node[] {
  const rows = askRows(inspection).map(([what = '', name = '', asks = '', ...others]) => [
    what,
    make('code', '', cut(name, LONGEST)),
    asks === 'UNPINNED' ? make('span', 'bad', '✕ unpinned') : asks,
    ...others.map((text) => cut(text, LONGEST)),
  ])
  return limited('What it asks for', ASK_HEAD, rows)
}

const HOST_TONES = { starts: ['good', '✓'], 'starts with less': ['care', '!'], refuses: ['bad', '✕'] } as const

/** The verdict of every host that is known. */
export function hostsPart(agent: Agent): Node[] {
  const rows = HOSTS.map((host): Row => {
    const { verdict, reasons } = hostVerdict(inspectAgent(agent, { host }).host!)
    const [tone, sign] = HOST_TONES[verdict]
    const lines = lineList(reasons.slice(0, SHOWN_ROWS).map((reason) => cut(reason, LONGEST)))
    return [make('code', '', host.name), make('span', tone, `${sign} ${verdict}`), lines]
  })
  return [table('Hosts', ['host', 'verdict', 'why'], rows)]
}

/** The prompts as a model reads them. */
export function promptsPart(agent: Agent, target: sectionsIn.Target): Node[] {
  const prompts = folderOf(agent)?.prompts ?? []
  if (prompts.length === 0) return [make('p', 'nothing', 'It has no prompt that can be read.')]
  return prompts.slice(0, SHOWN_ROWS).flatMap(({ path, parsed: { document } }) => {
    const { compiled } = document === undefined ? {} : compilePrompt(document, { target })
    const heading = make('h4', '', cut(path, LONGEST))
    if (compiled === undefined) return [heading, make('p', 'bad', '✕ It cannot be compiled: see the findings.')]
    const { role, sections, text, unresolved } = compiled
    const bytes = sections.reduce((sum, section) => sum + section.bytes, 0)
    const left = unresolved.length === 0 ? '' : `; without a value: ${unresolved.join(', ')}`
    const about = `For ${role}: ${plural(sections.length, 'section')}, ${plural(bytes, 'byte')}${left}`
    return [
      heading,
      make('p', 'where', cut(about, LONGEST)),
      scrollable(make('pre', 'frame', cut(text, SHOWN_CHARACTERS))),
    ]
  })
}

/** Each action of its user interface, and where it leads. */
export function actionsPart({ root: { value } }: Agent): Node[] {
  const rows = declaredActions(value).map((action): Row => {
    const target = targetOf(value, action)
    const { component, tool = '', status = '' } = action
    const from = make('code', '', cut(component ?? `${tool} ${status}`, LONGEST))
    if ('reason' in target)
      return [from, cut(action.action, LONGEST), make('span', 'bad', '✕ no path'), cut(target.reason, LONGEST)]
    const params = cut(JSON.stringify(target.params), LONGEST)
    const [path, to] = target.tool === undefined ? ['agent', 'the model decides'] : ['sync', cut(target.tool, LONGEST)]
    return [from, cut(action.action, LONGEST), path, `${to} ${params}`]
  })
  if (rows.length === 0) return [make('p', 'nothing', 'It declares no action.')]
  return limited('Actions', ['shown by', 'action', 'path', 'leads to'], rows)
}

function limited(label: string, heads: readonly string[], rows: readonly Row[]): Node[] {
  const rest = rows.length - SHOWN_ROWS
  const more = rest > 0 ? [make('p', 'hint', `and ${counted(rest, 'more row')}`)] : []
  return [table(label, heads, rows.slice(0, SHOWN_ROWS)), ...more]
}
