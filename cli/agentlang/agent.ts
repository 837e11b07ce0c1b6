// Agents for the commands that show or judge them: a folder, agent.yaml alone, or a container.

import { delimiter, isAbsolute, join } from 'node:path'
import { type Host as AgentHost, HOSTS, readHost } from '../../bindings/agentlang/ask/host.ts'
import { type OpenedContainer, openContainer, readableFiles } from '../../bindings/agentlang/container/seal.ts'
import { AGENT_READING, type Agent } from '../../bindings/agentlang/folder.ts'
import { agentsOf, askRows, inspectAgent, partsOf, reductionsOf, refusalsOf } from '../../bindings/agentlang/inspect.ts'
import { validate } from '../../bindings/agentlang/verbs.ts'
import type { LossReport } from '../../bindings/convert/formats.ts'
import type { Document } from '../../bindings/document/parse.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import { readAs } from '../../bindings/frame/as.ts'
import { subjectOf } from '../../bindings/frame/subject.ts'
import type { Key } from '../../bindings/keys/key.ts'
import type { Kind } from '../../bindings/kinds.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { elements, isObject, isText, member, objectOf } from '../../bindings/text/members.ts'
import { cut } from '../../bindings/text/words.ts'
import { compact, type Result, type Tools, Unreadable, UsageError } from '../command.ts'
import type { Host } from '../host.ts'
import { expected } from '../keys.ts'
import type { Readable, Reader } from '../reader.ts'
import { HOST, readAgentSecret } from './options.ts'
import type { PulledAgent, PullOptions } from './registry.ts'

const AGENT_KINDS: readonly Kind[] = ['agentlang', 'container']

/** An agent, or the reasons why it cannot be read. */
export interface ReadAgent {
  readonly file: string
  readonly kind: Kind
  readonly agent: Agent | undefined
  readonly container?: OpenedContainer
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads an agent, unless it is in a container that was changed. */
export async function readAgent(
  read: Readable,
  keys: readonly Key[],
  { secret }: { readonly secret?: string | undefined } = {},
): Promise<ReadAgent> {
  const { file, kind = 'agentlang', document } = read
  if (kind !== 'container') {
    const { subject: agent, diagnostics } = subjectOf(AGENT_READING, read)
    return { file, kind, agent, diagnostics }
  }
  return agentIn(file, await openContainer(document, { file, ...expected(keys), ...compact({ secret }) }))
}

/** The agent of a container, unless that was changed. */
function agentIn(file: string, container: OpenedContainer): ReadAgent {
  const named = { file, kind: 'container', container } as const
  if (container.files === undefined) {
    const diagnostics = container.proof.steps.flatMap(({ diagnostic }) => diagnostic ?? [])
    return { ...named, agent: undefined, diagnostics }
  }
  const { subject: agent, diagnostics } = readAs(AGENT_READING, readableFiles(container), `${file}/agent.yaml`)
  return { ...named, agent, diagnostics }
}

/** False for most paths of files, which need nothing that pulls containers. */
const canBeRef = (name: string) => name.startsWith('oci:') || /[:@]/.test(name.slice(name.lastIndexOf('/') + 1))

/** Reads an agent by its path or its REF. The container of a REF stays in memory. */
export async function readNamedAgent(
  name: string,
  options: PullOptions,
  tools: Tools,
): Promise<ReadAgent & Partial<PulledAgent>> {
  if (canBeRef(name)) {
    const { isRef, pullAgent } = await import('./registry.ts')
    if (isRef(name)) {
      const pulled = await pullAgent(name, options, tools)
      return { ...pulled, ...agentIn(name, pulled.opened) }
    }
  }
  const read = await tools.reader.document(name, { names: 'agents', only: AGENT_KINDS })
  return readAgent(read, options.keys, options)
}

export async function readHostOption(name: string | undefined, reader: Reader): Promise<AgentHost | undefined> {
  const preset = HOSTS.find((host) => host.name === name)
  if (name === undefined || preset !== undefined) return preset
  const { document } = await reader.document(name, { anything: true })
  const { host, faults } = readHost(document.value)
  if (host !== undefined) return host
  const [{ pointer, detail }] = faults as [(typeof faults)[number]]
  throw new UsageError('invalid-value', `--host: ${name}: ${pointer}: ${detail}`, HOST.about)
}

// The agents in containers, as sources of conversions.

interface AgentSource {
  readonly document: Document
  /** The prompts that stay encrypted. */
  readonly loss: LossReport
}

/** Opens a container that nobody changed. Its prompts need the secret of --secret. */
export async function openAgent(read: Readable, secret: string | undefined, tools: Tools): Promise<AgentSource> {
  const { file, agent, container, diagnostics } = await readAgent(read, [], await readAgentSecret(secret, tools))
  if (agent === undefined) throw new Unreadable({ file, diagnostics })
  const lost = (path: string) => ({ file: path, outcome: 'dropped', detail: 'encrypted: --secret opens it' }) as const
  return { document: agent.document, loss: (container?.encrypted ?? []).map(lost) }
}

export { ASK_HEAD } from '../../bindings/agentlang/inspect.ts'

/** What an AgentLang agent asks for: its capabilities, limits, servers, tools and models, a row each. */
export async function agentGrants(
  read: Readable,
  keys: readonly Key[],
): Promise<{ readonly rows: readonly (readonly string[])[]; readonly result: Result }> {
  const { file, agent, container, diagnostics } = await readAgent(read, keys)
  const result = { file, kind: read.kind ?? null, valid: agent !== undefined, diagnostics }
  if (agent === undefined) return { rows: [], result }
  const inspection = inspectAgent(agent, compact({ container }))
  return { rows: askRows(inspection), result: { ...result, inspection } }
}

/** The most programs that are looked for, and the most characters of a text that is shown. */
const [MOST_PROGRAMS, LONGEST] = [100, 200]

/** A program that a bash tool needs and the host lacks. */
interface MissingProgram {
  readonly program: string
  readonly tool: string
  /** How the agent says that it is installed here. */
  readonly install?: string
  readonly help?: string
}

interface GateOptions {
  /** Where the agent will run. */
  readonly hostName: string | undefined
  readonly keys: readonly Key[]
  readonly isTrusted: boolean
}

/** Decides whether an AgentLang agent starts on a host. Runs and installs nothing. */
export async function gateAgent(
  read: Readable,
  { hostName, keys, isTrusted }: GateOptions,
  { host, reader }: Tools,
): Promise<{ readonly text: string; readonly result: Result }> {
  const agentHost = await readHostOption(hostName, reader)
  if (agentHost === undefined)
    throw new UsageError('missing-argument', `${read.file}: expected --host for an AgentLang agent`, HOST.about)
  const { file, agent, container, diagnostics } = await readAgent(read, keys)
  const result = { file, kind: read.kind ?? null, valid: false, diagnostics }
  if (agent === undefined) return { text: `${visible(file)}: may not run\n`, result }
  const { valid, diagnostics: found } = validate(agent.document, { file: agent.document.file ?? file })
  const inspection = inspectAgent(agent, { host: agentHost, ...compact({ container }) })
  const refusals = [
    ...(valid ? [] : ['the agent has errors']),
    ...(isTrusted || container === undefined || container.proof.verdict === 'verified' ? [] : [UNKNOWN_SIGNER]),
    ...inspection.unread.map((path) => `${path}: this sub-agent was not read, so nobody knows what it asks for`),
    ...refusalsOf(inspection.host!),
  ]
  const isAllowed = refusals.length === 0
  const missing = missingPrograms(agent, host)
  const verdict = isAllowed ? `may run${inspection.host!.degraded ? ', degraded' : ''}` : 'may not run'
  const rows = [
    ...[...refusals.map((why) => ['refuses', why] as const), ...reductionsOf(inspection.host!)].map(
      ([verb, text]) => `${verb.padEnd(9)}${text}`,
    ),
    ...missing.map(missingRow),
  ].map((row) => `  ${visible(cut(row, 4 * LONGEST))}`)
  const text = `${[`${visible(file)}: ${verdict} on ${visible(agentHost.name)}`, ...rows].join('\n')}\n`
  const gate = { host: agentHost.name, starts: isAllowed, refusals, negotiation: inspection.host, missing }
  return { text, result: { ...result, valid: isAllowed, diagnostics: [...diagnostics, ...found], gate } }
}

const UNKNOWN_SIGNER = 'the signer is not known: name its key in a --trust file, or accept the source with --trusted'

function missingPrograms(agent: Agent, host: Host): readonly MissingProgram[] {
  const [platform] = host.runtime().platform.split(' ')
  const agents = agentsOf(agent)
  const tools = agents.flatMap(partsOf).filter(({ kind }) => kind === 'bash')
  const needed = tools.flatMap(({ name: tool, source }) => {
    const help = member(source, 'help_command')
    const dependencies = elements({ pointer: '', value: source }, 'dependencies', isObject).map(({ value }) => value)
    const programs = dependencies.map((value) => {
      const install = member(objectOf(member(value, 'install')), platform!)
      return { program: firstWord(member(value, 'check') ?? member(value, 'name')), install }
    })
    const own = firstWord(member(source, 'command'))
    const all = programs.some(({ program }) => program === own)
      ? programs
      : [{ program: own, install: undefined }, ...programs]
    return all.map(({ program, install }) => ({
      program,
      tool,
      ...(isText(install) && { install }),
      ...(isText(help) && { help }),
    }))
  })
  return needed.slice(0, MOST_PROGRAMS).filter(({ program }) => program !== '' && !isInstalled(program, host))
}

const firstWord = (command: unknown) => (isText(command) ? command.trim().split(/\s+/, 1)[0]! : '')

/** A path that is not absolute belongs to a folder that only the run knows. */
function isInstalled(program: string, host: Host): boolean {
  if (/[\\/]/.test(program)) return isAbsolute(program) && host.stamp(program) !== undefined
  const folders = (host.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const ends = host.runtime().platform.startsWith('win32') ? ['.exe', '.cmd', '.bat'] : ['']
  return folders.some((folder) => ends.some((end) => host.stamp(join(folder, program + end)) !== undefined))
}

function missingRow({ program, tool, install, help }: MissingProgram): string {
  const short = (text: string) => cut(text, LONGEST)
  const how =
    install === undefined ? 'the agent does not say how to install it here' : `the agent says: ${short(install)}`
  const more = help === undefined ? '' : `; help: ${short(help)}`
  return `missing  ${short(program)} for ${short(tool)}; ${how}${more}`
}
