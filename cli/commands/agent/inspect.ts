import {
  type AgentInspection,
  type AgentPart,
  costText,
  inspectAgent,
  needOf,
  pinOf,
  type RiskyCapability,
} from '../../../bindings/agentlang/inspect.ts'
import { counted } from '../../../bindings/text/words.ts'
import { readHostOption, readNamedAgent } from '../../agentlang/agent.ts'
import { HOST, LOGIN } from '../../agentlang/options.ts'
import { compact, defineCommand, EXIT } from '../../command.ts'
import { readKeys, TRUSTED_KEYS } from '../../keys.ts'
import { fitted } from '../../report/pretty.ts'
import { wrapped } from '../../writer.ts'

export const command = defineCommand({
  options: { key: TRUSTED_KEYS, host: HOST, ...LOGIN },
  async run(context) {
    const { options, positionals, reader, print } = context
    const name = reader.file(positionals, 'blazon agent inspect takes one agent')
    const keys = await readKeys(options.key, context)
    const host = await readHostOption(options.host, reader)
    const asked = { ...options, keys, accept: ['downgrade'] }
    const { file, kind, agent, container, diagnostics } = await readNamedAgent(name, asked, context)
    const result = { file, kind, valid: agent !== undefined, diagnostics }
    if (agent === undefined) {
      const exit = container === undefined ? EXIT.findings : EXIT.unverified
      return { results: [{ ...result, ...compact({ proof: container?.proof }) }], exit }
    }
    const inspection = inspectAgent(agent, compact({ host, container }))
    print(inspectionText(inspection, file))
    return { results: [{ ...result, inspection }] }
  },
})

// An inspection of an agent on one screen of 80 columns and 40 lines. Every text is the agent's, and not trusted.

const COLUMNS = 80
const LABEL = 12
const NAME = 24

/** A section of the screen, with the most rows that it may have. */
type Section = readonly [label: string, most: number, rows: readonly string[]]

/** The lines of the screen. Names are cut before what they mean. */
function inspectionText(inspection: AgentInspection, file: string): string {
  const { name = '', version = '', developer, parts, secrets, encrypted, unread, agents } = inspection
  const { cost, limits } = agents[0]!
  const of = (...kinds: readonly AgentPart['kind'][]) => parts.filter(({ kind }) => kinds.includes(kind))
  const names = (kind: AgentPart['kind']) => of(kind).map((part) => `${short(part.name)} ${part.detail}`.trim())
  const starts = [...of('server'), ...of('bash')].sort((a, b) => Number(isPinned(a)) - Number(isPinned(b)))
  const sections: readonly Section[] = [
    ['agent', 1, [`${short(name)} ${short(version)}${developer ? `, by ${short(developer)}` : ''}: ${file}`]],
    ['signed', 1, [signedBy(inspection)]],
    // As `blazon keygen` prints it.
    ['thumbprint', 1, inspection.signer === undefined ? [] : [inspection.signer.fingerprint]],
    ['asks for', 9, inspection.capabilities.map(capabilityRow)],
    ['starts', 5, starts.map(startRow)],
    ['requests', 2, of('http').map((part) => `${short(part.name)}: ${part.detail}`)],
    ['tools', 2, lists(names('tool'))],
    ['models', 1, lists(names('model'))],
    ['limits', 2, lists([costText(cost), ...Object.entries(limits).map(([name, limit]) => `${name} ${limit}`)])],
    ['secrets', 2, lists(secrets.map(short))],
    ['encrypted', 1, lists(encrypted.map(short))],
    ['not read', 1, lists(unread.map(short))],
    ['sub-agents', 3, agents.slice(1).map(subAgentRow)],
    ['host', 4, hostRows(inspection)],
    ['proof', 5, proofRows(inspection)],
  ]
  return sections.flatMap(sectionLines).join('')
}

function sectionLines([label, most, rows]: Section): readonly string[] {
  const shown = rows.length > most ? [...rows.slice(0, most - 1), `and ${rows.length - most + 1} more`] : rows
  // A single row says itself that more was left out.
  const lines = most === 1 && rows.length > 1 ? [`${fitted(rows[0]!, COLUMNS - LABEL - 9)} and more`] : shown
  return lines.map((row, i) => {
    const line = `${(i === 0 ? label : '').padEnd(LABEL)}${fitted(row, COLUMNS - LABEL)}`
    return `${line.trimEnd()}\n`
  })
}

const short = (text: string) => fitted(text, NAME)

/** Joins names into rows that fit, each once. */
function lists(names: readonly string[]): readonly string[] {
  const rows: string[] = []
  for (const name of new Set(names)) {
    const last = rows.at(-1)
    if (last !== undefined && last.length + name.length + 2 <= COLUMNS - LABEL - 1)
      rows[rows.length - 1] = `${last}, ${name}`
    else rows.push(name)
  }
  return rows
}

function signedBy({ signer }: AgentInspection): string {
  if (signer === undefined) return 'no: not a container'
  const { agent, developer, isKnown } = signer
  return `by a key that ${isKnown ? 'you trust' : 'is not known'}, for ${short(developer)}: ${short(agent)}`
}

function capabilityRow(row: RiskyCapability): string {
  const { risk, capability, mode, reason = '', schedules } = row
  const when = schedules.length > 0 ? ` at ${schedules.map(short).join('; ')}` : ''
  return `${risk.padEnd(9)}${fitted(capability, 16).padEnd(16)} ${needOf(row).padEnd(9)}${mode}${when}  ${reason}`
}

/** True unless it fetches a package that may be another one at each start. */
const isPinned = ({ packages }: AgentPart) => packages.every((one) => one.isPinned)

function startRow(part: AgentPart): string {
  const tools =
    part.kind === 'bash' ? '' : part.tools === undefined ? 'all its tools, ' : `${counted(part.tools.length, 'tool')}, `
  return `${pinOf(part).padEnd(10)}${short(part.name)}: ${tools}${part.detail}`
}

function subAgentRow({ wave, name = '', file }: AgentInspection['agents'][number]): string {
  const order = wave === undefined ? 'as chosen' : `step ${wave}`
  return `${order.padEnd(10)}${short(name)}: ${file}`
}

function hostRows({ host }: AgentInspection): readonly string[] {
  if (host === undefined) return []
  const { name, starts, degraded, denied, granted, protocols } = host
  const verdict = starts ? `starts it${degraded ? ' with less than it asks for' : ''}` : 'refuses to start it'
  return [
    `${short(name)} ${verdict}`,
    ...denied.filter(({ isRequired }) => isRequired).map(({ why }) => `refuses: ${why}`),
    ...protocols.filter(({ state }) => state === 'refused').map(({ detail }) => `refuses: ${detail}`),
    ...lists(denied.filter(({ isRequired }) => !isRequired).map(({ capability }) => `denies ${short(capability)}`)),
    ...lists(granted.flatMap((one) => ('downgradedFrom' in one ? `${one.capability} only ${one.mode}` : []))),
  ]
}

function proofRows({ proof }: AgentInspection): readonly string[] {
  const { shows = [], doesNotShow = [] } = proof ?? {}
  const rows = [...doesNotShow.map((text) => `does not show ${text}`), ...shows.map((text) => `shows ${text}`)]
  return rows.flatMap((row) => wrapped(row, COLUMNS - LABEL))
}
