// Writes the metadata of ADP/1.1 (draft-pro-adp-agent-discovery-02, section 6.3), a protocol unrelated to Agent Cards.

import { parseRateLimit } from '../../card/limiter.ts'
import { isHostName } from '../../text/host-name.ts'
import { elements, isObject, isText, member, objectMember, type PlacedObject } from '../../text/members.ts'
import { agentUri, PROTOCOL } from '../../wellknown/identity.ts'
import { CARD_META, openBaggage } from '../baggage.ts'
import { CONVERT_NEEDED } from '../findings.ts'
import { type Job, moveNeeded, type Product, textOf } from '../job.ts'
import { child, type MutableObject } from '../json.ts'
import { commonTexts, ITSELF } from '../sides/a2a.ts'
import { keptOf, type NamedTool, toolsOf, writeText } from '../sides/card.ts'
import { publicKeyOf } from './key.ts'

/** The endpoints of both protocols with the closest meaning; they still speak different protocols. */
export const MODES = [
  { member: 'chat', protocol: 'ws', scheme: /^wss:\/\/\S+$/ },
  { member: 'tasks', protocol: 'http+json', scheme: /^https:\/\/\S+$/ },
] as const

const MINUTE_MS = 60_000

/** Makes metadata from a card. */
export function cardToWellknown(job: Job): Product {
  const { root, ledger, options } = job
  const kept = keptOf(root, 'wellknown')
  const identity: MutableObject = {}
  const endpoints: MutableObject = {}
  const made: MutableObject = { protocol: PROTOCOL, identity, endpoints, capabilities: [] }
  ledger.added('/protocol', 'the version of the protocol')
  const domain = writeDomain(job, identity, kept)
  moveNeeded(job, root, 'name', identity, '/identity/name')
  writeKey(job, identity, kept)
  endpoints['wellKnown'] =
    textOf(objectMember(kept, 'endpoints'), 'wellKnown') ?? `https://${domain}/.well-known/agent.json`
  ledger.added('/endpoints/wellKnown', 'the URL of the document')
  const given = writeEndpoints(job, endpoints)
  writeCapabilities(job, made, given)
  writeSecurity(job, made, given)
  const take = (residue: unknown) => {
    child(made, 'meta')[CARD_META] = residue
  }
  const carriers = [['', { target: `/meta/${CARD_META.replace('/', '~1')}`, take }]] as const
  return { document: made, baggage: openBaggage(options, carriers, 'the metadata has no member for it') }
}

/** Names the agent by its domain: that of the option url, or else of its first https address. */
function writeDomain(job: Job, identity: MutableObject, kept: PlacedObject | undefined): string {
  const { root, options, ledger, problems } = job
  const uris = elements(root, 'endpoints', isObject).map((endpoint) => textOf(endpoint, 'uri'))
  const known = textOf(objectMember(kept, 'identity'), 'domain')
  const hosts = [options.url, ...uris].flatMap((uri) => /^(?:https|wss):\/\/([a-z0-9.-]+)/.exec(uri ?? '')?.[1] ?? [])
  const domain = known ?? hosts.find(isHostName)
  if (domain === undefined || !isHostName(domain)) {
    problems.report(
      CONVERT_NEEDED,
      '',
      'expected the option url: its host is the domain that names the agent in ADP/1.1',
    )
    return ''
  }
  identity['id'] = agentUri(domain)
  identity['domain'] = domain
  ledger.added('/identity/id', 'the domain')
  ledger.added('/identity/domain', 'the host of the agent')
  return domain
}

function writeKey({ root, ledger, problems }: Job, identity: MutableObject, kept: PlacedObject | undefined): void {
  const key = publicKeyOf(textOf(root, 'did'), textOf(root, 'id'))
  const known = objectMember(objectMember(kept, 'identity'), 'publicKey')
  if (key === undefined && textOf(known, 'fingerprint') === undefined) {
    problems.report(
      CONVERT_NEEDED,
      '',
      'expected a did of the method key, with an Ed25519 key, or an id that is such a key',
    )
    return
  }
  identity['publicKey'] = key ?? known?.value
  ledger.added('/identity/publicKey', key === undefined ? 'put back in its place' : 'the key of the card')
  if (key !== undefined) ledger.shown('/did', '/identity/publicKey')
}

interface Given {
  readonly interfaces: readonly string[]
  readonly hasBearer: boolean
}

function writeEndpoints({ root, ledger }: Job, endpoints: MutableObject): Given {
  const interfaces: string[] = []
  let hasBearer = false
  for (const endpoint of elements(root, 'endpoints', isObject)) {
    const uri = textOf(endpoint, 'uri')
    const mode = MODES.find(({ protocol }) => protocol === member(endpoint.value, 'protocol'))
    if (mode === undefined || uri === undefined || !mode.scheme.test(uri) || Object.hasOwn(endpoints, mode.member))
      continue
    endpoints[mode.member] = uri
    interfaces.push(mode.member === 'chat' ? 'chat' : 'api')
    hasBearer ||= member(endpoint.value, 'auth') === 'bearer'
    ledger.shown(
      `${endpoint.pointer}/uri`,
      `/endpoints/${mode.member}`,
      'the URL; it speaks another protocol',
      'changed',
    )
  }
  return { interfaces, hasBearer }
}

/** JSON for a tool with a schema, else text. */
const kindsOf = ({ tool }: NamedTool, schema: string) => [
  objectMember(tool, schema) === undefined ? 'text' : 'application/json',
]

function writeCapabilities({ root, ledger }: Job, made: MutableObject, { interfaces }: Given): void {
  const constraints = objectMember(root, 'constraints')
  const { tools, exact } = toolsOf(root)
  const all = new Set(elements(constraints, 'supported_languages', isText).map(({ value }) => value))
  const languages = commonTexts(all, tools.length)
  if (languages.length > 0)
    ledger.shown(`${constraints!.pointer}/supported_languages`, '/capabilities/0/languages', 'in every capability')
  const common = { ...(interfaces.length > 0 && { interfaces }), ...(languages.length > 0 && { languages }) }
  const capabilities = tools.map((named, i): MutableObject => {
    const { name, tool } = named
    const at = `/capabilities/${i}`
    const capability: MutableObject = { id: name, name }
    if (exact) ledger.moved(`${tool.pointer}/name`, `${at}/id`)
    else ledger.shown(tool.pointer, at)
    if (exact)
      writeText(ledger, tool, 'description', capability, at, name, 'its name, because the tool has no description')
    else capability['description'] = textOf(tool, 'description') ?? name
    return { ...capability, input: kindsOf(named, 'input_schema'), output: kindsOf(named, 'output_schema'), ...common }
  })
  made['capabilities'] = capabilities
  if (capabilities.length > 0) return
  const name = textOf(root, 'name')
  const description = textOf(root, 'description') ?? name
  capabilities.push({ id: ITSELF, name, description, input: ['text'], output: ['text'], ...common })
  ledger.added('/capabilities/0', 'the agent itself, which has no tools')
}

function writeSecurity({ root, ledger }: Job, made: MutableObject, { hasBearer }: Given): void {
  const security: MutableObject = {
    tlsRequired: true,
    minProtocolVersion: PROTOCOL,
    authMethods: ['pubkey', ...(hasBearer ? ['bearer_token'] : [])],
  }
  made['security'] = security
  ledger.added('/security', 'required by the protocol')
  const constraints = objectMember(root, 'constraints')
  const limit = parseRateLimit(textOf(constraints, 'rate_limit') ?? '')
  if (limit === undefined) return
  const requestsPerMinute = Math.max(1, Math.floor((limit.count * MINUTE_MS) / limit.periodMs))
  security['rateLimit'] = { requestsPerMinute }
  ledger.shown(`${constraints!.pointer}/rate_limit`, '/security/rateLimit', 'per minute')
}
