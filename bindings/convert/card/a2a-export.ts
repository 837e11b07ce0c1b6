import { elements, isObject, isText, member, objectMember, type PlacedObject } from '../../document/members.ts'
import { commonTexts, type Interface, ITSELF, isTexts, putInterfaces, type Version } from '../a2a/card.ts'
import { putScheme } from '../a2a/security.ts'
import { CARD_EXTENSION, openBaggage } from '../baggage.ts'
import { addressOf, type Job, moveNeeded, type Product, textOf } from '../job.ts'
import { child, type Made } from '../json.ts'
import { NEEDED } from '../problems.ts'
import { putKeptCapabilities, putKeptSecurity } from './a2a-kept.ts'
import { keptOf, type NamedTool, NO_VERSION, toolsOf, writeText } from './card.ts'
import { interfacesOfEndpoints, reachable } from './endpoints.ts'

const HOMELESS = 'an A2A card has no member for it'

/** An A2A card of an Agent Card (Agent Card A.1). */
export function cardToA2a(job: Job, version: Version): Product {
  const { root, ledger, options } = job
  const kept = keptOf(root, 'a2a')
  const made: Made = {}
  if (version === '0.3') {
    made['protocolVersion'] = '0.3.0'
    ledger.added('/protocolVersion', 'the version of A2A')
  }
  moveNeeded(job, root, 'name', made, '/name')
  const name = textOf(root, 'name') ?? ''
  writeText(ledger, root, 'description', made, '', name, 'its name, for the card has no description')
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

function writeInterfaces(job: Job, made: Made, version: Version, kept: PlacedObject | undefined): void {
  const { root, ledger, options, problems } = job
  const address = addressOf(job)
  const endpoints = reachable(root)
  const interfaces: readonly Interface[] =
    address === undefined
      ? interfacesOfEndpoints(endpoints, kept)
      : [{ url: address, binding: options.binding ?? 'JSONRPC' }]
  if (interfaces.length === 0) {
    const detail = 'expected the option url, or an endpoint that A2A can carry: http+json or grpc'
    problems.report(NEEDED, member(root.value, 'endpoints') === undefined ? '' : '/endpoints', `${detail}; ${AUTH}`)
    return
  }
  putInterfaces(made, version, interfaces, address === undefined ? 'the endpoints' : 'the option url', ledger)
  if (address !== undefined) return
  const at = version === '1.0' ? '/supportedInterfaces' : '/url'
  for (const { pointer } of endpoints) for (const name of ['uri', 'protocol']) ledger.told(`${pointer}/${name}`, at)
  const [first] = endpoints
  if (putKeptSecurity(made, version, kept, first?.auth, ledger) || first?.scheme == null) return
  putScheme(made, version, first.scheme, true)
  for (const { pointer } of endpoints) ledger.told(`${pointer}/auth`, `/securitySchemes/${first.scheme.name}`)
}

const AUTH = 'with the authentication none, bearer or mutual_tls'

/** What an A2A card said of the agent that this card was made of. */
function writeProvider(made: Made, kept: PlacedObject | undefined, { ledger }: Job): void {
  const provider = objectMember(kept, 'provider')
  const [organization, url] = [textOf(provider, 'organization'), textOf(provider, 'url')]
  if (provider !== undefined && organization !== undefined && url !== undefined) {
    made['provider'] = { organization, url }
    ledger.told(provider.pointer, '/provider', 'put back where it came from')
  }
  for (const name of ['documentationUrl', 'iconUrl']) {
    const text = textOf(kept, name)
    if (text === undefined) continue
    made[name] = text
    ledger.told(`${kept!.pointer}/${name}`, `/${name}`, 'put back where it came from')
  }
}

/** What a tool takes or gives, as media types: objects by a schema, else text. */
const modesOf = ({ tool }: NamedTool, schema: string) => [
  objectMember(tool, schema) === undefined ? 'text/plain' : 'application/json',
]

function writeSkills(job: Job, made: Made, kept: PlacedObject | undefined): void {
  const { root, ledger } = job
  const { tools, exact } = toolsOf(root)
  const common = writeTags(root, tools.length, ledger)
  const isStreaming = tools.some(({ tool }) => member(tool.value, 'streaming') === true)
  for (const { tool } of tools) {
    if (typeof member(tool.value, 'streaming') === 'boolean')
      ledger.told(`${tool.pointer}/streaming`, '/capabilities/streaming', 'whether any tool does')
  }
  // False is what a card means that says nothing; signers disagree whether to leave it out.
  if (isStreaming || member(objectMember(kept, 'capabilities')?.value, 'streaming') === true)
    child(made, 'capabilities')['streaming'] = true
  const modes = defaultModes(tools, kept)
  for (const [name, value] of Object.entries(modes)) {
    made[name] = value
    ledger.added(`/${name}`, 'JSON where the tools have schemas, else text')
  }
  const skills = tools.map((named, i): Made => {
    const { name, tool } = named
    const at = `/skills/${i}`
    const skill: Made = { id: name, name }
    if (exact) ledger.moved(`${tool.pointer}/name`, `${at}/id`)
    else ledger.told(`${tool.pointer}/name`, `${at}/id`)
    if (exact) writeText(ledger, tool, 'description', skill, at, name, 'its name, for the tool has no description')
    else {
      skill['description'] = textOf(tool, 'description') ?? name
      ledger.told(`${tool.pointer}/description`, `${at}/description`)
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
  if (skills.length > 0) return
  skills.push({
    id: ITSELF,
    name: made['name'],
    description: made['description'],
    tags: common.length > 0 ? common : ['agent'],
  })
  ledger.added('/skills/0', 'the agent itself: a card has to have a skill')
}

const SCHEMA_OF: Readonly<Record<string, string>> = { inputModes: 'input_schema', outputModes: 'output_schema' }
const DEFAULT_OF: Readonly<Record<string, string>> = {
  inputModes: 'defaultInputModes',
  outputModes: 'defaultOutputModes',
}

function writeTags(root: PlacedObject, skills: number, ledger: Job['ledger']): readonly string[] {
  const tags = new Set(elements(root, 'skills', isText).map(({ value }) => value))
  tags.delete('')
  const common = commonTexts(tags, skills)
  const [detail, outcome] =
    tags.size > common.length ? ([`the first ${common.length}`, 'changed'] as const) : (['all', 'renamed'] as const)
  if (common.length > 0) ledger.told('/skills', '/skills/0/tags', `${detail}, in every skill`, outcome)
  return common
}

/** JSON when every tool has a schema. What an A2A card said that this card was made of counts. */
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

/** What an A2A card said of a skill. */
function keptDetails(kept: PlacedObject | undefined): Made {
  const title = textOf(kept, 'name')
  const lists = ['tags', 'examples', 'inputModes', 'outputModes'].flatMap((name) => {
    const value = member(kept?.value, name)
    return isTexts(value) ? [[name, value] as const] : []
  })
  return { ...(title !== undefined && { name: title }), ...Object.fromEntries(lists) }
}

/** A skill has to have tags; the words of a name are true ones. */
function wordsOf(name: string): readonly string[] {
  const words = commonTexts(new Set(name.split(/[^\p{L}\p{N}]+/u)), 1)
  return words.length > 0 ? words : ['tool']
}
