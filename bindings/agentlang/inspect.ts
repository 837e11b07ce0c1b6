// What an agent asks for, pulls in and may cost, as data for the terminal and the page.
import type { Proof } from '../frame/source.ts'
import { elements, isObject, isText, type JsonObject, member, objectOf, type PlacedObject } from '../text/members.ts'
import { withoutSecrets } from '../text/secret-shapes.ts'
import { type Ask, type CapabilityAsk, negotiate, wholeAsk } from './ask/ask.ts'
import { CATEGORIES, type Host } from './ask/host.ts'
import { type Manifest, nameVersion, signerPrint } from './container/archive.ts'
import type { OpenedContainer } from './container/seal.ts'
import { AGENT_FILE } from './files.ts'
import { type Agent, pathFrom } from './folder.ts'
import { folderOf } from './folder-of.ts'
import { budgetFault, dollars, inheritsModel, limitsOf } from './run/budget.ts'
import { planOrchestration } from './run/crew.ts'
import { type LaunchedPackage, launchedPackages } from './words.ts'

export declare namespace inspectAgent {
  interface Options {
    /** Decides what this host grants. */
    readonly host?: Host
    /** The container that the agent comes from, for its signer and what is encrypted. */
    readonly container?: OpenedContainer
  }
}

export interface AgentInspection {
  readonly name?: string
  readonly version?: string
  readonly developer?: string
  /** What the agent and its sub-agents ask for, the highest risk first. */
  readonly capabilities: readonly RiskyCapability[]
  /** The agent, and its sub-agents in the order in which they work. */
  readonly agents: readonly AgentOutline[]
  readonly delegation: 'static' | 'dynamic' | 'none'
  readonly parts: readonly AgentPart[]
  /** The names of environment variables and tokens. */
  readonly secrets: readonly string[]
  /** Sub-agents that were not read: nobody knows what they ask for. */
  readonly unread: readonly string[]
  /** The paths of files that are still encrypted. */
  readonly encrypted: readonly string[]
  readonly signer?: SignerSummary
  readonly proof?: Pick<Proof, 'verdict' | 'shows' | 'doesNotShow'>
  readonly host?: negotiate.Result & { readonly name: string }
}

export interface SignerSummary {
  /** The name@version that was signed. */
  readonly agent: string
  readonly developer: string
  readonly keyId: string
  /** The thumbprint of its key (RFC 7638), as `blazon keygen` prints it. */
  readonly fingerprint: string
  readonly isKnown: boolean
}

type Risk = (typeof CATEGORIES)[number]['risk']

export interface RiskyCapability extends CapabilityAsk {
  readonly category: string
  readonly risk: Risk | 'unknown'
  /** True when no file declares it, and only tools or servers need it. */
  readonly isImplied: boolean
}

/** What bounds an agent. Absent members are unlimited. */
export interface AgentOutline {
  readonly file: string
  readonly name?: string
  /** The step of a fixed sequence, from 1. */
  readonly wave?: number
  readonly limits: limitsOf.Limits
  readonly paths?: readonly string[]
  readonly urls?: readonly string[]
  readonly cost: costText.Cost
}

export declare namespace costText {
  /** In dollars. */
  interface Cost {
    readonly cap?: string
    /** The cap with its tolerance, above which the agent is stopped. */
    readonly most?: string
    /** Why the cap cannot be kept. */
    readonly fault?: string
  }
}

/** A tool, an MCP server or a model. */
export interface AgentPart {
  readonly kind: 'tool' | 'http' | 'bash' | 'server' | 'model'
  readonly name: string
  readonly file: string
  /** What it starts, requests or is: a command line, a URL, a range of versions. Without literal secrets. */
  readonly detail: string
  /** What it fetches when it starts. */
  readonly packages: readonly LaunchedPackage[]
  /** The only tools of a server; absent: all. */
  readonly tools?: readonly string[]
}

interface NamedAgent {
  readonly path: string
  readonly agent: Agent
}

/** Sums up what an agent and its sub-agents ask for. Needs no secret, and starts nothing. */
export function inspectAgent(agent: Agent, { host, container }: inspectAgent.Options = {}): AgentInspection {
  const agents = agentsOf(agent)
  const ask = askOf(agents)
  const { proof, manifest, encrypted = [] } = container ?? {}
  const { verdict, shows = [], doesNotShow = [] } = proof ?? {}
  const isKnown = proof?.steps.some(({ name, outcome }) => name === 'signer' && outcome === 'passed') ?? false
  return {
    ...textsOf(agent.root.value, ['name', 'version', 'developer']),
    capabilities: byRisk(ask),
    agents: outlinesOf(agent, agents),
    delegation: planOrchestration(agent.root.value).mode,
    parts: agents.flatMap(partsOf).map(({ source, ...part }) => part),
    secrets: secretsOf(agents),
    unread: unreadOf(agent),
    encrypted,
    ...(manifest && { signer: signerOf(manifest, proof!, isKnown) }),
    ...(verdict && { proof: { verdict, shows, doesNotShow } }),
    ...(host && { host: { name: host.name, ...negotiate(ask, host) } }),
  }
}

const signerOf = (manifest: Manifest, proof: Proof, isKnown: boolean): SignerSummary => {
  const { developer, signer } = manifest
  const fingerprint = signerPrint(proof) ?? ''
  return { agent: nameVersion(manifest), developer, keyId: signer.key_id, fingerprint, isKnown }
}

/** The agent, and those of its sub-agents that could be read. */
export function agentsOf(agent: Agent): readonly NamedAgent[] {
  const others =
    folderOf(agent)?.subAgents.flatMap(({ path, subject }) => (subject ? [{ path, agent: subject }] : [])) ?? []
  return [{ path: AGENT_FILE, agent }, ...others]
}

const askOf = (agents: readonly NamedAgent[]): Ask =>
  wholeAsk(agents.map(({ path, agent }) => ({ path, value: agent.root.value })))

function textsOf<Name extends string>(object: JsonObject, names: readonly Name[]): { readonly [Key in Name]?: string } {
  const given = names.flatMap((name) => {
    const value = member(object, name)
    return isText(value) ? [[name, value]] : []
  })
  return Object.fromEntries(given)
}

/** A capability that nobody knows may be the worst one. */
function byRisk({ capabilities }: Ask): readonly RiskyCapability[] {
  const risky = capabilities.map((ask): RiskyCapability => {
    const { name: category = 'unknown', risk = 'unknown' } =
      CATEGORIES.find((row) => row.capabilities.includes(ask.capability)) ?? {}
    return {
      ...ask,
      category,
      risk,
      isImplied: ask.sources.every(({ pointer }) => !pointer.startsWith('/permissions/')),
    }
  })
  const ranks: readonly string[] = ['low', 'medium', 'high', 'critical', 'unknown']
  return risky.sort((a, b) => ranks.indexOf(b.risk) - ranks.indexOf(a.risk))
}

function outlinesOf(root: Agent, agents: readonly NamedAgent[]): readonly AgentOutline[] {
  const crew = agents.map(({ path, agent }) => ({ path, agent: agent.root.value }))
  const { waves } = planOrchestration(root.root.value, crew.slice(1))
  const waveOf = new Map(
    waves.flatMap((tasks, i) => tasks.map(({ path }) => [pathFrom(AGENT_FILE, path), i + 1] as const)),
  )
  const whole = boundsOf(constraintsOf(root))
  const outlines = agents.map(({ path, agent }): AgentOutline => {
    const wave = waveOf.get(path)
    return {
      file: path,
      ...textsOf(agent.root.value, ['name']),
      ...(wave !== undefined && { wave }),
      ...(agent === root ? whole : boundsOf(constraintsOf(agent), whole, inheritsModel(agent.root.value))),
    }
  })
  const place = ({ file, wave = Number.MAX_SAFE_INTEGER }: AgentOutline) => (file === AGENT_FILE ? 0 : wave)
  return outlines.sort((a, b) => place(a) - place(b))
}

type Bounds = Pick<AgentOutline, 'limits' | 'paths' | 'urls' | 'cost'>

/** What bounds an agent; where it has no bound of its own, that of its parent counts. */
function boundsOf(constraints: JsonObject, parent?: Bounds, hasOtherPrices = false): Bounds {
  const sandbox = objectOf(member(constraints, 'sandbox'))
  const paths = listOf(sandbox, 'allowed_paths') ?? parent?.paths
  const urls = listOf(sandbox, 'allowed_urls') ?? parent?.urls
  const cost = costOf(constraints, hasOtherPrices)
  return {
    limits: limitsOf(constraints, parent?.limits),
    ...(paths && { paths }),
    ...(urls && { urls }),
    cost: Object.keys(cost).length === 0 ? (parent?.cost ?? cost) : cost,
  }
}

const constraintsOf = (agent: Agent) => objectOf(agent.get('constraints'))

/** The texts of a list; undefined without a list. */
const listOf = (of: JsonObject, name: string) => {
  const list = member(of, name)
  return Array.isArray(list) ? list.filter(isText) : undefined
}

function costOf(constraints: JsonObject, hasOtherPrices: boolean): costText.Cost {
  const fault = budgetFault(constraints, hasOtherPrices)
  if (fault !== undefined) return { fault: fault.detail }
  const { max_cost_usd: cap, tolerance } = objectOf(member(constraints, 'budget'))
  if (!cap) return {}
  const usd = (amount: number) => dollars(BigInt(Math.round(amount * 1e9)))
  return { cap: usd(Number(cap)), most: usd(Number(cap) * (1 + Number(tolerance ?? 0))) }
}

/** The parts of an agent, with their declarations. */
export function partsOf({ path: file, agent }: NamedAgent): readonly (AgentPart & { readonly source: JsonObject })[] {
  const listed = agent.tools.map((tool) => ({ ...tool, name: plain(member(tool.value, 'name')) }))
  const groups = [
    ['tool', listed],
    ['http', agent.named('http_tools')],
    ['bash', agent.named('bash_tools')],
    ['server', agent.named('mcp_servers')],
    ['model', agent.named('models')],
  ] as const
  return groups.flatMap(([kind, all]) =>
    all.map(({ name, ...placed }) => {
      const { value } = placed
      const starts = kind === 'bash' || kind === 'server'
      const tools = kind === 'server' ? listOf(value, 'tools') : undefined
      return {
        kind,
        name,
        file,
        detail: withoutSecrets(detailOf(kind, placed)),
        packages: starts ? packagesOf(placed) : [],
        ...(tools && { tools }),
        source: value,
      }
    }),
  )
}

function packagesOf(placed: PlacedObject): readonly LaunchedPackage[] {
  const packages = launchedPackages(plain(member(placed.value, 'command')), listTexts(placed, 'args'))
  return packages.map((one) => ({ ...one, name: withoutSecrets(one.name) }))
}

const listTexts = (placed: PlacedObject, name: string) => elements(placed, name, isText).map(({ value }) => value)

function detailOf(kind: AgentPart['kind'], placed: PlacedObject): string {
  const { value } = placed
  const text = (name: string) => plain(member(value, name))
  if (kind === 'tool') return text('version')
  if (kind === 'model') return text('provider')
  if (kind === 'http') return `${text('method') || (text('body_template') ? 'POST' : 'GET')} ${text('endpoint')}`
  const args = member(value, 'args')
  const words = [text('url'), text('command'), ...(Array.isArray(args) ? args : []).map(wordOf)]
  const env = Object.entries(objectOf(member(value, 'env'))).map(([name, value]) => `${name}=${wordOf(value)}`)
  const settings = [...(text('cwd') ? [`cwd=${wordOf(text('cwd'))}`] : []), ...env]
  return `${words.filter((word) => word !== '').join(' ')}${settings.length > 0 ? ` with ${settings.join(' ')}` : ''}`
}

/** A value of a wrong type is shown as JSON, so that nothing stays out of sight. */
const plain = (value: unknown): string => (isText(value) ? value : value === undefined ? '' : JSON.stringify(value))
const wordOf = (value: unknown) => (isText(value) && /^[^\s"']+$/.test(value) ? value : JSON.stringify(value))

const ENVIRONMENT = /\{\{-?\s*(?:if\s+)?\.?env\.(\w+)/g

function secretsOf(agents: readonly NamedAgent[]): readonly string[] {
  const names = new Set<string>()
  for (const { agent } of agents) {
    searchVariables(agent.root.value, names)
    for (const { value } of agent.named('http_tools')) {
      const tokens = Object.keys(value).filter((name) => name.endsWith('_token') && value[name] === true)
      for (const token of tokens.length === 0 && Object.hasOwn(value, 'auth') ? ['bearer'] : tokens) names.add(token)
    }
  }
  return [...names].sort()
}

function searchVariables(value: unknown, names: Set<string>): void {
  if (isText(value)) for (const [, name] of value.matchAll(ENVIRONMENT)) names.add(name!)
  else if (Array.isArray(value)) for (const item of value) searchVariables(item, names)
  else if (isObject(value)) for (const name of Object.keys(value)) searchVariables(value[name], names)
}

function unreadOf(agent: Agent): readonly string[] {
  const folder = folderOf(agent)
  if (folder === undefined) {
    const named = agent.staticAgents.map(({ value }) => plain(member(value, 'path')))
    return agent.dynamicDelegate === undefined ? named : [...named, 'all that are next to it']
  }
  const unread = folder.subAgents.flatMap(({ path, subject }) => (subject === undefined ? [path] : []))
  const missing = folder.missing.flatMap(({ pointer, path }) => (pointer.startsWith('/delegate/') ? [path] : []))
  return [...unread, ...missing, ...(folder.hasMore ? ['those after the first 256'] : [])]
}

// What an agent asks for as a table, for the terminal and the page.

export const ASK_HEAD = ['what', 'name', 'asks', 'detail', 'where'] as const

/** The capabilities, limits, servers, tools and models of an agent, a row each. */
export function askRows(inspection: AgentInspection): readonly (readonly string[])[] {
  return [
    ...inspection.capabilities.map((one) => {
      const files = new Set(one.sources.map(({ path }) => path))
      const detail = [one.reason, ...one.schedules].filter((text) => text !== undefined).join('; ')
      return [
        `${one.category} (${one.risk})`,
        one.capability,
        `${needOf(one)}, ${one.mode}`,
        detail,
        [...files].join(' '),
      ]
    }),
    ...limitRows(inspection.agents),
    ...inspection.parts.map((part) => {
      const starts = part.kind === 'server' || part.kind === 'bash'
      return [part.kind, part.name, starts ? pinOf(part) : '', part.detail, part.file]
    }),
    ...inspection.secrets.map((name) => ['secret', name, '', '', '']),
    ...inspection.unread.map((path) => ['sub-agent', path, 'not read', 'nobody knows what it asks for', '']),
  ]
}

/** The limits of the agent, and those in which a sub-agent differs. */
function limitRows(agents: AgentInspection['agents']): readonly (readonly string[])[] {
  const rows = agents.flatMap(({ file, limits, cost, paths, urls }) => {
    const all = { cost: costText(cost), ...limits, allowed_paths: paths?.join(' '), allowed_urls: urls?.join(' ') }
    return Object.entries(all).map(([name, limit = 'no limit']) => ['limit', name, String(limit), '', file])
  })
  const [root] = agents
  const whole = new Set(rows.flatMap(([, name, limit, , file]) => (file === root!.file ? [`${name} ${limit}`] : [])))
  return rows.filter(([, name, limit, , file]) => file === root!.file || !whole.has(`${name} ${limit}`))
}

export const needOf = ({ isRequired, isImplied }: RiskyCapability): string =>
  isRequired ? 'required' : isImplied ? 'implied' : 'optional'

export const pinOf = ({ packages, detail }: AgentPart): string =>
  packages.length > 0
    ? packages.every((one) => one.isPinned)
      ? 'pinned'
      : 'UNPINNED'
    : /^\w+:\/\//.test(detail)
      ? 'remote'
      : 'installed'

export function costText({ cap, most, fault }: costText.Cost): string {
  if (fault !== undefined) return `no limit: ${fault}`
  return cap === undefined ? 'no limit' : `at most $${most}${most === cap ? '' : `: $${cap} and its tolerance`}`
}

export declare namespace hostVerdict {
  /** Whether a host starts an agent, and why it refuses or what it gives less of. */
  interface Result {
    readonly host: string
    readonly verdict: 'starts' | 'starts with less' | 'refuses'
    readonly reasons: readonly string[]
  }
}

export function hostVerdict({ name, ...negotiation }: NonNullable<AgentInspection['host']>): hostVerdict.Result {
  const { starts, degraded } = negotiation
  const verdict = starts ? (degraded ? 'starts with less' : 'starts') : 'refuses'
  // What is denied says so itself.
  const less = reductionsOf(negotiation).map(([verb, text]) => (verb === 'denies' ? text : `${verb} ${text}`))
  return { host: name, verdict, reasons: [...refusalsOf(negotiation), ...less] }
}

/** Why a host does not start an agent. */
export function refusalsOf({ denied, protocols }: negotiate.Result): readonly string[] {
  return [
    ...denied.filter(({ isRequired }) => isRequired).map(({ why }) => `${why}, which is required`),
    ...protocols.filter(({ state }) => state === 'refused').map(({ detail }) => detail),
  ]
}

/** What the agent gets less of, and what the host still has to do: a verb, and the rest. */
export function reductionsOf({ denied, granted, protocols }: negotiate.Result): readonly (readonly [string, string])[] {
  return [
    ...denied.filter(({ isRequired }) => !isRequired).map(({ why }) => ['denies', why] as const),
    ...granted.flatMap(({ capability, mode, downgradedFrom }) =>
      downgradedFrom === undefined ? [] : [['lowers', `${capability}: ${mode} instead of ${downgradedFrom}`] as const],
    ),
    ...granted
      .filter(({ isPrompted }) => isPrompted)
      .map(({ capability }) => ['prompts', `the user for ${capability}`] as const),
    ...protocols.filter(({ state }) => state === 'deprecated').map(({ detail }) => ['warns', detail] as const),
  ]
}
