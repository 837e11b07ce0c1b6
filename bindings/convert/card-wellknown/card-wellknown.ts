// Writes the metadata of ADP/1.1 (draft-pro-adp-agent-discovery-02, section 6.3), a protocol unrelated to Agent Cards.
import { parseRateLimit } from '../../card/limiter.ts'
import { KeyError } from '../../keys/base64.ts'
import { keyOfDid } from '../../keys/did.ts'
import { readMultikey } from '../../keys/export.ts'
import type { Key } from '../../keys/key.ts'
import { isLanguage } from '../../tables/index.ts'
import { isHostName } from '../../text/host-name.ts'
import { elements, isObject, isText, member, objectMember, type PlacedObject } from '../../text/members.ts'
import { agentUri, PROTOCOL, publicKeyBlock } from '../../wellknown/identity.ts'
import { CONVERT_NEEDED } from '../findings.ts'
import { type Job, moveNeeded, type Product, textOf } from '../job.ts'
import { child, type MutableObject } from '../json.ts'
import { CARD_META, type Carrier, openBaggage } from '../ledger.ts'
import { commonTexts, ITSELF } from '../sides/a2a.ts'
import {
  carriedTools,
  closeCard,
  keptOf,
  makeTools,
  type NamedTool,
  readText,
  restoreCard,
  toolsOf,
  writeText,
} from '../sides/card.ts'

/** The endpoints of both protocols with the closest meaning; they still speak different protocols. */
const MODES = [
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

/** The key in a card, in the form of ADP/1.1 (section 6.3.2): from its did:key, or from an id that is a key. */
function publicKeyOf(did: string | undefined, id: string | undefined): MutableObject | undefined {
  const [, name] = /^agent:\/\/(z[^/]{1,200})(?:\/|$)/.exec(id ?? '') ?? []
  const named = did === undefined ? undefined : attempt(() => keyOfDid(did))
  const key = named ?? (name === undefined ? undefined : attempt(() => readMultikey(name)))
  return key?.kind === 'Ed25519' ? publicKeyBlock(key) : undefined
}

function attempt(read: () => Key): Key | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof KeyError) return undefined
    throw error
  }
}

/** The accepted versions: ADP/1.0 has the same members, and some that are kept (section 9.4). */
const READ: readonly unknown[] = [PROTOCOL, 'ADP/1.0']

/**
 * Makes a card from ADP/1.0 or 1.1 metadata. Members without a counterpart are kept in the extension blazon.wellknown.
 */
export function cardFromWellknown(job: Job): Product {
  const { root, ledger, options, problems } = job
  const identity = objectMember(root, 'identity')
  const carried = objectMember(objectMember(root, 'meta'), CARD_META)
  const card: MutableObject = {}
  if (!READ.includes(member(root.value, 'protocol')))
    problems.report(CONVERT_NEEDED, '/protocol', `expected ${READ.join(' or ')}`)
  if (identity === undefined || textOf(identity, 'name') === undefined) {
    problems.report(CONVERT_NEEDED, '/identity', 'expected a non-empty name: an Agent Card requires it')
    return { document: card, baggage: openBaggage(options, [], '') }
  }
  readText(ledger, identity, 'name', card, '', { carried, fallback: '' })
  const carriers: [string, Carrier][] = []
  const carriedOf = carriedTools(carried)
  const skip = ({ pointer }: PlacedObject, id: string) => {
    if (id !== ITSELF || carried === undefined) return false
    ledger.implied(pointer, 'the agent itself, which had no tools')
    return true
  }
  const capabilities = { of: root, list: 'capabilities', key: 'id', format: 'wellknown', skip } as const
  makeTools(job, card, carriers, capabilities, (capability, tool, at, id) =>
    readText(ledger, capability, 'description', tool, at, { carried: carriedOf(id), fallback: id }),
  )
  if (carried !== undefined) restoreCard(ledger, carried, card)
  else {
    readEndpoints(job, card)
    readConstraints(job, card)
  }
  return closeCard(job, card, 'wellknown', cardToWellknown, carriers)
}

function readEndpoints({ root, ledger }: Job, card: MutableObject): void {
  const from = objectMember(root, 'endpoints')
  const isBearer = elements(objectMember(root, 'security'), 'authMethods', isText).some(
    ({ value }) => value === 'bearer_token',
  )
  const endpoints = MODES.flatMap(({ member: name, protocol, scheme }): MutableObject[] => {
    const uri = textOf(from, name)
    if (uri === undefined || !scheme.test(uri)) return []
    ledger.shown(`${from!.pointer}/${name}`, '/endpoints', 'the URL; it speaks another protocol', 'changed')
    return [{ protocol, uri, ...(isBearer && { auth: 'bearer' }) }]
  })
  if (endpoints.length > 0) card['endpoints'] = endpoints
}

/** Reads the languages of all capabilities, restricted to those of ISO 639-1. */
function readConstraints({ root, ledger }: Job, card: MutableObject): void {
  const languages = new Set<string>()
  for (const capability of elements(root, 'capabilities', isObject)) {
    const known = elements(capability, 'languages', isText).filter(({ value }) => isLanguage(value))
    for (const { value } of known) languages.add(value)
    if (known.length > 0) ledger.shown(`${capability.pointer}/languages`, '/constraints/supported_languages')
  }
  if (languages.size > 0) child(card, 'constraints')['supported_languages'] = [...languages]
  const limit = objectMember(objectMember(root, 'security'), 'rateLimit')
  const count = member(limit?.value, 'requestsPerMinute')
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 1) return
  child(card, 'constraints')['rate_limit'] = `${count}/min`
  ledger.shown(`${limit!.pointer}/requestsPerMinute`, '/constraints/rate_limit')
}
