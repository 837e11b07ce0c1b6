import { type LookupOptions, resolveDns } from '../../bindings/discover/dns/lookup.ts'
import { UNANSWERED } from '../../bindings/discover/dns/name.ts'
import { isTrace } from '../../bindings/discover/trace/specification.ts'
import { replay } from '../../bindings/discover/trace/verify.ts'
import { type Discovery, discover } from '../../bindings/discover/trust/discover.ts'
import { listAgents } from '../../bindings/discover/trust/domain.ts'
import { LEVEL_MEANS, LEVELS, type Level, NEEDS, type Requirement } from '../../bindings/discover/trust/levels.ts'
import type { DiscoveryProof } from '../../bindings/discover/trust/run.ts'
import { type Document, parse } from '../../bindings/document/parse.ts'
import { kindOfMembers } from '../../bindings/frame/detect.ts'
import type { Step } from '../../bindings/frame/source.ts'
import { rowOf } from '../../bindings/kinds.ts'
import { fetchDocument, type GuardedFetch } from '../../bindings/net/fetch.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { Metadata } from '../../bindings/wellknown/subject.ts'
import { ASKING, agentNamed, anchorsOf, bothForms, dnsOf, type NamedDomain, TOKEN, whoIsAsked } from '../asking.ts'
import {
  type Context,
  compact,
  defineCommand,
  EXIT,
  type ExitCode,
  type Options,
  type Outcome,
  UsageError,
} from '../command.ts'
import { word } from '../report/report.ts'
import { save } from '../save.ts'

const OPTIONS = {
  need: { value: 'NEED', choices: NEEDS, about: 'how much to discover (default metadata)' },
  require: {
    value: 'LEVEL[:checked]',
    choices: [...LEVELS, ...LEVELS.map((level) => `${level}:checked` as const)],
    about: 'exit 4 below this level; :checked demands DNSSEC checked here',
  },
  cap: { about: 'fetch the capability descriptor and compare its digest' },
  ...TOKEN,
  ...ASKING,
  record: { value: 'FILE', about: 'write a trace of all answers to this file' },
  replay: { value: 'FILE', about: 'judge a recorded trace, without the network' },
} as const satisfies Options

/** Codes that mean that the domain has no agent. */
const WITHOUT_AGENT: readonly string[] = ['DNS-123', 'DNS-132']

export const command = defineCommand({
  options: OPTIONS,
  async run(context) {
    const { options, print } = context
    const named = options.replay === undefined ? await agentNamed(context.positionals, 'discover', context) : undefined
    const discovery = named === undefined ? await replayTrace(context) : await discoverNamed(context, named)
    const signature = await signatureOf(named?.invitation, discovery)
    if (signature !== undefined) print(stepLine(signature))
    print(`${ladder(discovery.proof)}${conclusions(discovery.proof)}`)
    const others = await alsoThere(context, discovery)
    if (others.length > 0) print('also there\n', ...others.map(({ what, place }) => `  - ${what}: ${visible(place)}\n`))
    if (options.record !== undefined) {
      await save(context.host, options.record, `${JSON.stringify(discovery.trace, null, 2)}\n`)
    }
    return outcomeOf(discovery, others, signature)
  },
})

type Own = Context<typeof OPTIONS>

/** `key-verified` or `key-verified:checked`. */
function requirementIn({ require }: Own['options']): Requirement | undefined {
  if (require === undefined) return undefined
  const [level, dns] = require.split(':') as [Level, 'checked'?]
  return { level, ...compact({ dns }) }
}

async function discoverNamed(context: Own, { domain, invitation, given: opened }: NamedDomain): Promise<Discovery> {
  const { options, host, print, say } = context
  const { need, cap: descriptor } = options
  const require = requirementIn(options)
  const dns = await dnsOf(context, options)
  const whom = `${invitation === undefined ? 'for' : 'for the host in the invitation of'} ${bothForms(domain)}`
  say(`asking ${whoIsAsked(context, options)} ${whom}, and the server that it names`)
  const onStep = (step: Parameters<typeof stepLine>[0]) => print(stepLine(step))
  const wishes = compact({ need, require, descriptor })
  return discover(domain, { ...dns, ...opened, fetch: host.fetch, onStep, ...wishes })
}

async function replayTrace(context: Own): Promise<Discovery> {
  const { options, positionals, reader, print } = context
  const { replay: file = '', anchors } = options
  const network = (['need', 'resolver', 'record', 'cap', 'token'] as const).find(
    (name) => (options[name] ?? false) !== false,
  )
  if (positionals.length > 0 || network !== undefined) {
    const wrong = network === undefined ? `"${positionals[0]}"` : `--${network}`
    throw new UsageError('wrong-arguments', `--replay asks nobody: ${wrong} means nothing`, `leave out ${wrong}`)
  }
  const { document } = await reader.document(file)
  const trace: unknown = document.value
  if (!isTrace(trace))
    throw new UsageError(
      'wrong-kind',
      `${file} is not a valid trace`,
      `blazon validate ${word(file)} says what is wrong`,
    )
  const own = anchors === undefined ? {} : await anchorsOf(context, anchors)
  const { level, dns } = requirementIn(options) ?? {}
  const judged = level === undefined ? trace : { ...trace, require: level, ...compact({ requireDns: dns }) }
  return replay(judged, { ...own, onStep: (step) => print(stepLine(step)) })
}

/** Checks whether the key of the agent signed the invitation; undefined if that is unknown. */
async function signatureOf(invitation: Document | undefined, { agent }: Discovery): Promise<Step | undefined> {
  const key = agent?.metadata && new Metadata(agent.metadata).full
  if (invitation === undefined || key === undefined) return undefined
  const { verify } = await import('../../bindings/wellknown/invite/verbs.ts')
  const { steps } = await verify(invitation, { expect: { keys: [key.value] } })
  return steps.find(({ name, outcome }) => name === 'signature' && outcome !== 'unknown')
}

/** Lists other documents of the domain; none for an address alone, a replay or a silent network. */
async function alsoThere(context: Own, { domain, proof, trace }: Discovery): Promise<readonly Other[]> {
  const { options, host } = context
  // A private agent publishes nothing else, and a request would tell the server of the domain about the discovery.
  const isPrivate = trace.invitation !== undefined
  if (options.replay !== undefined || options.need === 'address' || isPrivate) return []
  if (isSilent(proof)) return []
  return othersAt(domain.ascii, host.fetch, await dnsOf(context, options))
}

function outcomeOf(
  { domain, uri, agent, proof }: Discovery,
  others: readonly Other[],
  signature: Step | undefined,
): Outcome {
  const diagnostics = [...proof.steps, ...(signature === undefined ? [] : [signature])].flatMap(
    ({ diagnostic }) => diagnostic ?? [],
  )
  const isForged = signature?.outcome === 'failed'
  // `cap` holds the descriptor already.
  const found = agent && { agent: { ...agent, metadata: agent.metadata?.value, descriptor: undefined } }
  const discovery = { domain: domain.ascii, unicode: domain.unicode, uri, ...found, others }
  const result = { file: null, kind: null, valid: agent !== undefined && !isForged, diagnostics, proof, discovery }
  return { results: [result], exit: isForged ? EXIT.unverified : exitOf(proof, agent !== undefined) }
}

const codeOf = ({ steps }: Discovery['proof']) => steps.at(-1)?.diagnostic?.code ?? ''
const isSilent = (proof: Discovery['proof']) => UNANSWERED.includes(codeOf(proof))

/** Without an agent the requirement is not met, even if no check failed. */
function exitOf(proof: Discovery['proof'], isFound: boolean): ExitCode {
  if (isSilent(proof)) return EXIT.unreadable
  if (proof.verdict !== 'failed') return isFound ? EXIT.clean : EXIT.unverified
  const code = codeOf(proof)
  return WITHOUT_AGENT.includes(code) || code.startsWith('DOC-18') ? EXIT.findings : EXIT.unverified
}

// Finds other documents about agents that a domain publishes. They are fetched after its agent, and do not
// affect trust.

export interface Other {
  readonly what: string
  readonly place: string
}

const PLACES = ['agent-card.json', 'ai-catalog.json', 'agents.json'] as const
const BOUNDS = { maxBytes: 1 << 18, maxRedirects: 0, timeoutMs: 5_000 }

/** Finds the documents that exist; an unreadable one counts as missing. */
async function othersAt(domain: string, fetch: GuardedFetch, dns: LookupOptions): Promise<readonly Other[]> {
  const [listed, addresses] = await Promise.all([listedInDns(domain, dns), addressesOf(domain, dns)])
  if (addresses.length === 0) return listed
  const options = { ...BOUNDS, fetch, addresses }
  const found = await Promise.all([
    listedByAdl(domain, options),
    ...PLACES.map((name) => documentAt(`https://${domain}/.well-known/${name}`, options)),
  ])
  return [...listed, ...found.flat()]
}

/** Looks the addresses up with the same resolver as everything else, so that no other one sees the name. */
async function addressesOf(domain: string, dns: LookupOptions): Promise<readonly string[]> {
  const answers = await Promise.all((['A', 'AAAA'] as const).map((type) => resolveDns(domain, type, dns)))
  return answers.flatMap((answer) => (answer.ok ? answer.records : []))
}

async function listedInDns(domain: string, dns: LookupOptions): Promise<Other[]> {
  const listed = await listAgents(domain, dns)
  if (!listed.ok) return []
  const { agents, index } = listed
  const named = agents.map((name) => ({ what: 'agent that the DNS lists', place: `agent:${name}` }))
  return index === undefined ? named : [...named, { what: 'index that the DNS names', place: index }]
}

/** Fetches only the list; `discover` reads the definitions in it. */
async function listedByAdl(domain: string, options: fetchDocument.Options): Promise<Other[]> {
  // A replay needs no rules of definitions.
  const { discoverAgents } = await import('../../bindings/discover/agents.ts')
  const { url, unread } = await discoverAgents(domain, { ...options, maxDocuments: 0 })
  const what = `discovery document of ${unread} agent definition${unread === 1 ? '' : 's'}`
  return unread === 0 ? [] : [{ what, place: url }]
}

async function documentAt(url: string, options: fetchDocument.Options): Promise<Other[]> {
  const outcome = await fetchDocument(url, 'application/json', options)
  if (!outcome.ok) return []
  const kind = kindOfMembers(parse(outcome.fetched.bytes, { file: url, maxDepth: 64 }).document?.value)
  return kind === undefined ? [] : [{ what: rowOf(kind).name, place: url }]
}

// Shows a discovery to people: its steps, one per line, and the levels of trust that they reach.

export const stepLine = ({ outcome, title, detail }: Step): string =>
  `  ${outcome.padEnd(7)}  ${title}: ${visible(detail)}\n`

/** The levels of trust, highest first, each with the quality of the DNS answers that it rests on. */
export function ladder({ levels }: DiscoveryProof): string {
  const rungs = LEVELS.map((level) => {
    const reached = levels.find((one) => one.level === level)
    const quality = reached === undefined ? '' : `  [DNS ${reached.quality}]`
    return `  ${reached === undefined ? '|   |' : '|===|'}  ${level.padEnd(13)}  ${LEVEL_MEANS[level]}${quality}\n`
  })
  return rungs.toReversed().join('')
}

export function conclusions({ shows, doesNotShow }: DiscoveryProof): string {
  const list = (head: string, lines: readonly string[]) =>
    lines.length === 0 ? '' : `${head}\n${lines.map((line) => `  - ${visible(line)}\n`).join('')}`
  return list('shows', shows) + list('does not show', doesNotShow)
}
