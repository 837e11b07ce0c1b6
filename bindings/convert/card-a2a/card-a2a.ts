import { A2A } from '../../a2a/specification.ts'
import { validateAs } from '../../frame/verbs.ts'
import { elements, isObject, isText, member, objectMember, type PlacedObject } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { CONVERT_NEEDED } from '../findings.ts'
import { addressOf, type Job, moveNeeded, type Product, textOf } from '../job.ts'
import { child, isTexts, type MutableObject } from '../json.ts'
import { CARD_EXTENSION, type Carrier, type Ledger, openBaggage } from '../ledger.ts'
import {
  beginA2a,
  commonTexts,
  extensionOf,
  INTERFACES,
  type Interface,
  ITSELF,
  KINDS,
  openScheme,
  placesOf,
  putInterfaces,
  putScheme,
  skillOfItself,
  skipExtension,
  tellAdded,
  textLists,
  type Version,
  writeTags,
} from '../sides/a2a.ts'
import {
  carriedTools,
  closeCard,
  keptOf,
  makeTools,
  type NamedTool,
  NO_VERSION,
  needName,
  readText,
  restoreCard,
  toolsOf,
  writeText,
} from '../sides/card.ts'
import {
  authOf,
  endpointsOfInterfaces,
  interfacesOfEndpoints,
  type Reachable,
  reachable,
  readAuth,
} from './endpoints.ts'

const HOMELESS = 'an A2A card has no member for it'

/** Makes an A2A card from an Agent Card (Agent Card A.1). */
export function cardToA2a(job: Job, version: Version): Product {
  const { root, ledger, options } = job
  const kept = keptOf(root, 'a2a')
  const made = beginA2a(version, ledger)
  moveNeeded(job, root, 'name', made, '/name')
  const name = textOf(root, 'name') ?? ''
  writeText(ledger, root, 'description', made, '', name, 'its name, because the card has no description')
  writeInterfaces(job, made, version, kept)
  writeText(ledger, root, 'version', made, '', options.version ?? NO_VERSION, 'the card has no version')
  writeProvider(made, kept, job)
  made['capabilities'] = {}
  putKeptCapabilities(made, kept, ledger)
  writeSkills(job, made, kept)
  const extensions = elements(objectMember({ pointer: '', value: made }, 'capabilities'), 'extensions', isObject)
  const at = `/capabilities/extensions/${extensions.length}`
  const take = (params: unknown) => {
    const description = 'What the ADP Agent Card of this agent says and this card does not.'
    const own = { uri: CARD_EXTENSION, description, params }
    child(made, 'capabilities')['extensions'] = [...extensions.map(({ value }) => value), own]
    ledger.added(at, 'the extension whose params are members of the Agent Card')
  }
  return { document: made, baggage: openBaggage(options, [['', { target: `${at}/params`, take }]], HOMELESS) }
}

function writeInterfaces(job: Job, made: MutableObject, version: Version, kept: PlacedObject | undefined): void {
  const { root, ledger, options, problems } = job
  const address = addressOf(job)
  const all = reachable(root)
  const interfaces: readonly Interface[] =
    address === undefined
      ? interfacesOfEndpoints(all, { kept, binding: options.binding }, version)
      : [{ url: address, binding: options.binding ?? 'JSONRPC' }]
  if (interfaces.length === 0) {
    const place = member(root.value, 'endpoints') === undefined ? '' : '/endpoints'
    problems.report(CONVERT_NEEDED, place, neededFor(version, all))
    return
  }
  putInterfaces(made, version, interfaces)
  if (address !== undefined) {
    tellAdded(made, INTERFACES, 'the option url', ledger)
    return
  }
  const endpoints = all.filter(({ url }) => interfaces.some((entry) => entry.url === url))
  for (const { pointer, url } of endpoints) {
    const place = placesOf(
      version,
      interfaces.findIndex((entry) => entry.url === url),
    )
    ledger.shown(`${pointer}/uri`, place.url)
    ledger.shown(`${pointer}/protocol`, place.binding)
  }
  const [first] = endpoints
  if (putKeptSecurity(made, version, kept, first?.auth, ledger) || first?.scheme == null) return
  putScheme(made, version, first.scheme, true)
  for (const { pointer } of endpoints) ledger.shown(`${pointer}/auth`, `/securitySchemes/${first.scheme.name}`)
}

function neededFor(version: Version, [first]: readonly Reachable[]): string {
  if (first === undefined) {
    return 'expected the option url: A2A needs an endpoint with http+json or grpc and the authentication none, bearer or mutual_tls'
  }
  const expected = `expected the option url: the card does not say that A2A ${version} is spoken at ${quoted(first.url)}`
  return `${expected}; if it is, give the option binding, or write extensions["blazon.a2a"].supportedInterfaces in the card`
}

/** Restores the provider from the A2A card that this card was made from. */
function writeProvider(made: MutableObject, kept: PlacedObject | undefined, { ledger }: Job): void {
  const provider = objectMember(kept, 'provider')
  const [organization, url] = [textOf(provider, 'organization'), textOf(provider, 'url')]
  if (provider !== undefined && organization !== undefined && url !== undefined) {
    made['provider'] = { organization, url }
    ledger.shown(provider.pointer, '/provider', 'put back in its place')
  }
  for (const name of ['documentationUrl', 'iconUrl']) {
    const text = textOf(kept, name)
    if (text === undefined) continue
    made[name] = text
    ledger.shown(`${kept!.pointer}/${name}`, `/${name}`, 'put back in its place')
  }
}

/** The media types of a tool's input or output: JSON with a schema, else text. */
const modesOf = ({ tool }: NamedTool, schema: string) => [
  objectMember(tool, schema) === undefined ? 'text/plain' : 'application/json',
]

function writeSkills(job: Job, made: MutableObject, kept: PlacedObject | undefined): void {
  const { root, ledger } = job
  const { tools, exact } = toolsOf(root)
  const common = writeTags(elements(root, 'skills', isText), '/skills', tools.length, ledger)
  const isStreaming = tools.some(({ tool }) => member(tool.value, 'streaming') === true)
  for (const { tool } of tools) {
    if (typeof member(tool.value, 'streaming') === 'boolean')
      ledger.shown(`${tool.pointer}/streaming`, '/capabilities/streaming', 'whether any tool does', 'changed')
  }
  // An absent member means false, and signers disagree on whether to omit it.
  if (isStreaming || member(objectMember(kept, 'capabilities')?.value, 'streaming') === true)
    child(made, 'capabilities')['streaming'] = true
  const modes = defaultModes(tools, kept)
  for (const [name, value] of Object.entries(modes)) {
    made[name] = value
    ledger.added(`/${name}`, 'JSON if the tools have schemas, else text')
  }
  const skills = tools.map((named, i): MutableObject => {
    const { name, tool } = named
    const at = `/skills/${i}`
    const skill: MutableObject = { id: name, name }
    if (exact) ledger.moved(`${tool.pointer}/name`, `${at}/id`)
    else ledger.shown(`${tool.pointer}/name`, `${at}/id`)
    if (exact) writeText(ledger, tool, 'description', skill, at, name, 'its name, because the tool has no description')
    else {
      skill['description'] = textOf(tool, 'description') ?? name
      ledger.shown(`${tool.pointer}/description`, `${at}/description`)
    }
    skill['tags'] = common.length > 0 ? common : wordsOf(name)
    for (const [mode, schema] of Object.entries(SCHEMA_OF)) {
      const own = modesOf(named, schema)
      if (modes[DEFAULT_OF[mode]!]![0] !== own[0]) skill[mode] = own
    }
    Object.assign(skill, keptDetails(objectMember(objectMember(kept, 'tools'), name)))
    return skill
  })
  made['skills'] = skills
  if (skills.length === 0) skills.push(skillOfItself(made, common, ledger))
}

const SCHEMA_OF: Readonly<Record<string, string>> = { inputModes: 'input_schema', outputModes: 'output_schema' }
const DEFAULT_OF: Readonly<Record<string, string>> = {
  inputModes: 'defaultInputModes',
  outputModes: 'defaultOutputModes',
}

/** JSON if every tool has a schema. The modes of the A2A card that this card was made from take precedence. */
function defaultModes(tools: readonly NamedTool[], kept: PlacedObject | undefined): Record<string, readonly string[]> {
  const entries = Object.entries(SCHEMA_OF).map(([mode, schema]) => {
    const name = DEFAULT_OF[mode]!
    const own = member(kept?.value, name)
    if (isTexts(own)) return [name, own]
    const isJson = tools.length > 0 && tools.every(({ tool }) => objectMember(tool, schema) !== undefined)
    return [name, [isJson ? 'application/json' : 'text/plain']]
  })
  return Object.fromEntries(entries)
}

/** The details of a skill from the A2A card that this card was made from. */
function keptDetails(kept: PlacedObject | undefined): MutableObject {
  const title = textOf(kept, 'name')
  const lists = textLists(kept, ['tags', 'examples', 'inputModes', 'outputModes'])
  return { ...(title !== undefined && { name: title }), ...lists }
}

/** A skill must have tags, so the words of its name become tags. */
function wordsOf(name: string): readonly string[] {
  const words = commonTexts(new Set(name.split(/[^\p{L}\p{N}]+/u)), 1)
  return words.length > 0 ? words : ['tool']
}

// Restores members of the A2A card that an Agent Card was made from.

/** Restores the authentication, if the endpoints still require the same. */
function putKeptSecurity(
  made: MutableObject,
  version: Version,
  kept: PlacedObject | undefined,
  auth: string | undefined,
  ledger: Ledger,
): boolean {
  const schemes = objectMember(kept, 'securitySchemes')
  if (kept === undefined || schemes === undefined || authOf(kept)?.auth !== auth) return false
  const list = member(kept.value, 'securityRequirements') ?? member(kept.value, 'security')
  const requirements = Array.isArray(list) ? list.map((entry) => requirementOf(entry, version)) : []
  const entries = Object.keys(schemes.value).map(
    (name) => [name, schemeOf(objectMember(schemes, name), version)] as const,
  )
  const name = version === '1.0' ? 'securityRequirements' : 'security'
  const additions = {
    securitySchemes: Object.fromEntries(entries),
    ...(requirements.length > 0 && { [name]: requirements }),
  }
  if (!fits({ ...made, ...additions }, '/securit')) return false
  Object.assign(made, additions)
  for (const member of ['securitySchemes', 'securityRequirements', 'security'])
    if (kept.value[member] !== undefined)
      ledger.shown(`${kept.pointer}/${member}`, `/${member}`, 'put back in its place')
  return true
}

/** Restores the capabilities except streaming, which follows from the tools. */
function putKeptCapabilities(made: MutableObject, kept: PlacedObject | undefined, ledger: Ledger): void {
  const capabilities = objectMember(kept, 'capabilities')
  const { streaming: _, ...others } = capabilities?.value ?? {}
  if (capabilities === undefined || !fits({ ...made, capabilities: others }, '/capabilities')) return
  made['capabilities'] = others
  for (const name of Object.keys(others))
    ledger.shown(`${capabilities.pointer}/${name}`, `/capabilities/${name}`, 'put back in its place')
}

/** True when a part of an A2A card is valid. */
function fits(made: MutableObject, part: string): boolean {
  const { diagnostics } = validateAs(A2A, JSON.stringify(made), {})
  return !diagnostics.some(({ severity, source }) => severity === 'error' && source.pointer.startsWith(part))
}

/** A scheme in the form of a version. */
function schemeOf(scheme: PlacedObject | undefined, version: Version): unknown {
  if (scheme === undefined) return undefined
  const { kind, inner } = openScheme(scheme)
  const { type: _t, in: where, location = where, ...others } = inner?.value ?? {}
  const isKnown = Object.hasOwn(KINDS, kind)
  if (version === '1.0')
    return { [isKnown ? KINDS[kind]! : kind]: { ...(location !== undefined && { location }), ...others } }
  return { type: kind, ...(location !== undefined && { in: location }), ...others }
}

/** A requirement in the form of a version. */
function requirementOf(entry: unknown, version: Version): unknown {
  const schemes = isObject(entry) ? (objectMember({ pointer: '', value: entry }, 'schemes')?.value ?? entry) : {}
  const scopes = Object.entries(schemes).map(([name, value]) => [
    name,
    isObject(value) ? (member(value, 'list') ?? []) : value,
  ])
  if (version === '0.3') return Object.fromEntries(scopes)
  return { schemes: Object.fromEntries(scopes.map(([name, list]) => [name, { list }])) }
}

/** Makes an Agent Card from an A2A card. Members without a counterpart are kept in the extension blazon.a2a. */
export function cardFromA2a(job: Job, version: Version): Product {
  const { root, ledger } = job
  const { extension, params: carried } = extensionOf(root, CARD_EXTENSION)
  const card: MutableObject = {}
  const name = textOf(root, 'name')
  needName(job, root)
  readText(ledger, root, 'name', card, '', { carried, fallback: '' })
  readText(ledger, root, 'description', card, '', { carried, fallback: name ?? '' })
  readText(ledger, root, 'version', card, '', { carried, fallback: NO_VERSION })
  if (version === '0.3') ledger.implied('/protocolVersion', 'A2A 0.3, which is clear from the format')
  const carriers: [string, Carrier][] = []
  readSkills(job, card, carriers, carried)
  if (extension === undefined || carried === undefined) {
    readTags(job, card)
    const endpoints = endpointsOfInterfaces(job, readAuth(job))
    if (endpoints.length > 0) {
      card['endpoints'] = endpoints
      for (const name of INTERFACES)
        if (member(root.value, name) !== undefined) ledger.shown(`/${name}`, '/endpoints', 'as endpoints')
    }
  } else {
    skipExtension(extension, 'an Agent Card', ledger)
    restoreCard(ledger, carried, card)
  }
  return closeCard(job, card, 'a2a', (remake) => cardToA2a(remake, version), carriers)
}

/** Reads the skills of an A2A card as tools. */
export function readSkills(
  job: Job,
  card: MutableObject,
  carriers: [string, Carrier][],
  carried: PlacedObject | undefined,
): void {
  const { root, ledger } = job
  const carriedOf = carriedTools(carried)
  const skip = (skill: PlacedObject, id: string) => {
    if (id !== ITSELF || member(skill.value, 'name') !== root.value['name']) return false
    ledger.implied(skill.pointer, 'the agent itself, which had no tools')
    return true
  }
  const skills = { of: root, list: 'skills', key: 'id', format: 'a2a', skip } as const
  makeTools(job, card, carriers, skills, (skill, tool, at, id) => {
    readText(ledger, skill, 'description', tool, at, { carried: carriedOf(id), fallback: id })
    if (textOf(skill, 'name') === id) ledger.implied(`${skill.pointer}/name`, 'the same as the id', `${at}/name`)
  })
}

/** Collects the tags of all skills for the agent. */
function readTags({ root, ledger }: Job, card: MutableObject): void {
  const tags = new Set<string>()
  for (const skill of elements(root, 'skills', isObject)) {
    const own = elements(skill, 'tags', isText)
    for (const { value } of own) if (value !== '') tags.add(value)
    if (own.length > 0) ledger.shown(`${skill.pointer}/tags`, '/skills', 'tags of the agent')
  }
  if (tags.size > 0) card['skills'] = [...tags]
}
