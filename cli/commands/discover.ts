import { UNANSWERED } from '../../bindings/discover/dns/name.ts'
import { isTrace } from '../../bindings/discover/trace/specification.ts'
import { replay } from '../../bindings/discover/trace/verify.ts'
import { type Discovery, discover } from '../../bindings/discover/trust/discover.ts'
import { LEVELS, type Level, NEEDS, type Requirement } from '../../bindings/discover/trust/levels.ts'
import type { Document } from '../../bindings/document/parse.ts'
import type { Step } from '../../bindings/frame/source.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { Metadata } from '../../bindings/wellknown/subject.ts'
import { type Context, defineCommand, type Options } from '../command.ts'
import {
  ASKING,
  agentNamed,
  anchorsOf,
  bothForms,
  dnsOf,
  type NamedDomain,
  TOKEN,
  whoIsAsked,
} from '../discover/asking.ts'
import { conclusions, ladder, type Other, stepLine } from '../discover/others.ts'
import type { Outcome } from '../outcome.ts'
import { word } from '../report/report.ts'
import { save } from '../save.ts'
import { EXIT, type ExitCode, given, UsageError } from '../usage.ts'

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

/** `blazon discover`: finds the agent of a domain, and judges how far it can be trusted. */
export const command = defineCommand({
  usage: 'DOMAIN|agent:URI|INVITATION|--replay FILE [OPTION]...',
  details: [
    'Asks the DNS for the agent of a domain, and its server for the metadata, by',
    'ADP/1.1. Checks DNSSEC itself, from the root down. Writes each step, the level',
    'of trust that results, and what else the domain publishes. Exits 1 if there is',
    'no agent, 3 if the network does not answer, 4 if a check fails or the level is',
    'below --require. The resolver sees the names you look up. For a private agent,',
    'give an invitation (a .json or .yaml file) instead of a domain.',
  ],
  options: OPTIONS,
  examples: [
    'blazon discover alice.example.com',
    'blazon discover agent:alice.example.com --require key-verified --record alice.trace.json',
    'blazon discover --replay alice.trace.json --format json',
    'blazon discover invite.json --token env:ALICE_TOKEN',
  ],
  async run(context) {
    const { options, print } = context
    const named = options.replay === undefined ? await agentNamed(context.positionals, 'discover', context) : undefined
    const discovery = named === undefined ? await replayed(context) : await asked(context, named)
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
  return { level, ...given({ dns }) }
}

async function asked(context: Own, { domain, invitation, given: opened }: NamedDomain): Promise<Discovery> {
  const { options, host, print, say } = context
  const { need, cap: descriptor } = options
  const require = requirementIn(options)
  const dns = await dnsOf(context, options)
  const whom = `${invitation === undefined ? 'for' : 'for the host in the invitation of'} ${bothForms(domain)}`
  say(`asking ${whoIsAsked(context, options)} ${whom}, and the server that it names`)
  const onStep = (step: Parameters<typeof stepLine>[0]) => print(stepLine(step))
  const wishes = given({ need, require, descriptor })
  return discover(domain, { ...dns, ...opened, fetch: host.fetch, onStep, ...wishes })
}

async function replayed(context: Own): Promise<Discovery> {
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
  if (!isTrace(trace)) {
    throw new UsageError(
      'wrong-kind',
      `${file} is not a valid trace`,
      `blazon validate ${word(file)} says what is wrong`,
    )
  }
  const own = anchors === undefined ? {} : await anchorsOf(context, anchors)
  const { level, dns } = requirementIn(options) ?? {}
  const judged = level === undefined ? trace : { ...trace, require: level, ...given({ requireDns: dns }) }
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
  // Loaded late: it reads agent definitions, which a replay does not need.
  const { othersAt } = await import('../discover/others.ts')
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
  const result = {
    file: null,
    kind: null,
    valid: agent !== undefined && !isForged,
    diagnostics,
    proof,
    discovery,
  }
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
