import { delimiter, isAbsolute, join } from 'node:path'
import type { Agent } from '../../bindings/agentlang/folder.ts'
import { agentsOf, inspectAgent, partsOf, reductionsOf, refusalsOf } from '../../bindings/agentlang/inspect.ts'
import { validate } from '../../bindings/agentlang/verbs.ts'
import type { Key } from '../../bindings/keys/key.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { elements, isObject, isText, member, objectOf } from '../../bindings/text/members.ts'
import { cut } from '../../bindings/text/words.ts'
import type { Tools } from '../command.ts'
import type { Host } from '../host.ts'
import type { Result } from '../outcome.ts'
import type { Readable } from '../reader.ts'
import { given, UsageError } from '../usage.ts'
import { readAgent, readHostOption } from './agent.ts'
import { HOST } from './options.ts'

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
  const inspection = inspectAgent(agent, { host: agentHost, ...given({ container }) })
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
