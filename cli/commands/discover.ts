import { UNANSWERED } from '../../bindings/discover/dns/findings.ts'
import { isTrace } from '../../bindings/discover/trace/recorded.ts'
import { replay } from '../../bindings/discover/trace/replay.ts'
import { type Discovery, discover } from '../../bindings/discover/trust/discover.ts'
import { LEVELS, type Level, NEEDS, type Requirement } from '../../bindings/discover/trust/levels.ts'
import type { Document } from '../../bindings/document/document.ts'
import type { Step } from '../../bindings/frame/proof.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { Metadata } from '../../bindings/wellknown/metadata.ts'
import { type Context, defineCommand } from '../command.ts'
import { ASKING, anchorsOf, dnsOf, whoIsAsked } from '../discover/asking.ts'
import { bothForms } from '../discover/domain.ts'
import { agentNamed, type NamedDomain, TOKEN } from '../discover/named.ts'
import type { Other } from '../discover/others.ts'
import { conclusions, ladder, stepLine } from '../discover/show.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { given } from '../given.ts'
import type { Options } from '../options.ts'
import type { Outcome } from '../outcome.ts'
import { word } from '../report/words.ts'
import { save } from '../save.ts'
import { UsageError } from '../usage.ts'

const OPTIONS = {
  need: { value: 'NEED', choices: NEEDS, about: 'how much to find out (default metadata)' },
  require: {
    value: 'LEVEL[:checked]',
    choices: [...LEVELS, ...LEVELS.map((level) => `${level}:checked` as const)],
    about: 'exit 4 below it; :checked takes no word of a resolver',
  },
  cap: { about: 'fetch the descriptor of what it can do, and compare its digest' },
  ...TOKEN,
  ...ASKING,
  record: { value: 'FILE', about: 'write down all that is heard' },
  replay: { value: 'FILE', about: 'judge what was written down, without a network' },
} as const satisfies Options

/** Codes of a domain without an agent. */
const NOBODY: readonly string[] = ['DNS-123', 'DNS-132']

/** `blazon discover`: from a domain to its agent, and how far it can be trusted. */
export const command = defineCommand({
  usage: 'DOMAIN|agent:URI|INVITATION|--replay FILE [OPTION]...',
  details: [
    'Asks the DNS where the agent of a domain is, and its server for its metadata, by',
    'ADP/1.1. DNSSEC is checked here, from the root down. Writes each step, the level',
    'of trust that they lead to, and what else the domain publishes. Exits 1 when',
    'there is no agent, 3 when the network does not answer, 4 when something speaks',
    'against it or less is shown than --require says. A resolver sees what is asked.',
    'An invitation, a file in .json or .yaml, stands in for the DNS of its agent.',
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
      `${file} is no trace that can be judged`,
      `blazon validate ${word(file)} says what is wrong`,
    )
  }
  const own = anchors === undefined ? {} : await anchorsOf(context, anchors)
  const { level, dns } = requirementIn(options) ?? {}
  const judged = level === undefined ? trace : { ...trace, require: level, ...given({ requireDns: dns }) }
  return replay(judged, { ...own, onStep: (step) => print(stepLine(step)) })
}

/** A signed invitation is of the agent whose key was found; one that is not signed by it is somebody else's. */
async function signatureOf(invitation: Document | undefined, { agent }: Discovery): Promise<Step | undefined> {
  const key = agent?.metadata && new Metadata(agent.metadata).full
  if (invitation === undefined || key === undefined) return undefined
  const { verify } = await import('../../bindings/wellknown/invite/verify.ts')
  const { steps } = await verify(invitation, { expect: { keys: [key.value] } })
  return steps.find(({ name, outcome }) => name === 'signature' && outcome !== 'unknown')
}

/** Whoever needs the address alone wants no more requests; a trace has none of these, and a silent network gives none. */
async function alsoThere(context: Own, { domain, proof, trace }: Discovery): Promise<readonly Other[]> {
  const { options, host } = context
  // Whoever is private says nothing else of itself, and nobody is told that it was asked for.
  const isPrivate = trace.invitation !== undefined
  if (options.replay !== undefined || options.need === 'address' || isPrivate) return []
  if (isSilent(proof)) return []
  // It reads agent definitions, which a replay starts without.
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
  // It is where `cap` says, as it is there.
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

/** Without an agent a requirement was not met, also where nothing speaks against it. */
function exitOf(proof: Discovery['proof'], isFound: boolean): ExitCode {
  if (isSilent(proof)) return EXIT.unreadable
  if (proof.verdict !== 'failed') return isFound ? EXIT.clean : EXIT.unverified
  const code = codeOf(proof)
  return NOBODY.includes(code) || code.startsWith('DOC-18') ? EXIT.findings : EXIT.unverified
}
