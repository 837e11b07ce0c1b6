import { elements, isObject, isText, member, objectMember, type PlacedObject } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { CARD_EXTENSION, openBaggage } from '../baggage.ts'
import { CONVERT_NEEDED } from '../findings.ts'
import { addressOf, type Job, moveNeeded, type Product, textOf } from '../job.ts'
import { child, type MutableObject } from '../json.ts'
import {
  beginA2a,
  commonTexts,
  INTERFACES,
  type Interface,
  isTexts,
  placesOf,
  putInterfaces,
  skillOfItself,
  tellAdded,
  textLists,
  type Version,
  writeTags,
} from '../sides/a2a.ts'
import { keptOf, type NamedTool, NO_VERSION, toolsOf, writeText } from '../sides/card.ts'
import { putScheme } from '../sides/schemes.ts'
import { interfacesOfEndpoints, type Reachable, reachable } from './endpoints.ts'
import { putKeptCapabilities, putKeptSecurity } from './kept.ts'

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
