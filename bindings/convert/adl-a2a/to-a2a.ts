import {
  elements,
  isObject,
  isText,
  type JsonObject,
  member,
  objectMember,
  type PlacedObject,
} from '../../text/members.ts'
import { definitionBaggage, EXTENSION } from '../baggage.ts'
import { CONVERT_NEEDED } from '../findings.ts'
import { addressOf, type ExportJob, moveNeeded, type Product, textOf } from '../job.ts'
import { child, type MutableObject } from '../json.ts'
import {
  beginA2a,
  INTERFACES,
  type Interface,
  interfacesOf,
  isTexts,
  MEDIA_TYPES,
  OWN,
  putInterfaces,
  skillOfItself,
  speaking,
  tellAdded,
  textLists,
  type Version,
  writeTags,
} from '../sides/a2a.ts'
import { writeSecurity } from './security.ts'

const PARAMS = '/capabilities/extensions/0/params'

/** Makes an A2A card from a definition (ADL 15.1). */
export function toCard(job: ExportJob, version: Version): Product {
  const { agent, ledger, options } = job
  const own = objectMember(agent.root, OWN)
  const card = beginA2a(version, ledger)
  moveNeeded(job, agent.root, 'name', card, '/name')
  moveNeeded(job, agent.root, 'description', card, '/description')
  writeInterfaces(job, card, version, own?.value)
  moveNeeded(job, agent.root, 'version', card, '/version')
  writeProvider(job, card)
  const documentation = textOf(agent.metadata, 'documentation')
  if (documentation !== undefined) {
    card['documentationUrl'] = documentation
    ledger.moved('/metadata/documentation', '/documentationUrl')
  }
  const icon = textOf(own, 'iconUrl')
  if (icon !== undefined) {
    card['iconUrl'] = icon
    ledger.shown(`/${OWN}/iconUrl`, '/iconUrl')
  }
  card['capabilities'] = {}
  writeModes(job, card)
  writeSecurity(job, card, version)
  writeSkills(job, card)
  const take = (params: unknown) => {
    const description = 'What the ADL 0.1 definition of this agent says and this card does not.'
    child(card, 'capabilities')['extensions'] = [{ uri: EXTENSION, description, params }]
    ledger.added('/capabilities/extensions/0', 'the extension whose params are members of the definition')
  }
  const carriers = [['', { target: PARAMS, take }]] as const
  return { document: card, baggage: definitionBaggage(options, carriers, 'an A2A card has no member for it') }
}

function writeInterfaces(job: ExportJob, card: MutableObject, version: Version, own?: JsonObject): void {
  const { ledger, options, problems } = job
  const address = addressOf(job)
  const given: Interface[] = address === undefined ? [] : [{ url: address, binding: options.binding ?? 'JSONRPC' }]
  const interfaces = given.length > 0 ? given : own === undefined ? [] : speaking(interfacesOf(own), version)
  if (interfaces.length === 0) {
    problems.report(
      CONVERT_NEEDED,
      '',
      `expected the option url: the definition does not say where its agent speaks A2A ${version}`,
    )
    return
  }
  putInterfaces(card, version, interfaces)
  if (given.length > 0) {
    tellAdded(card, INTERFACES, 'the option url', ledger)
    return
  }
  const said = INTERFACES.filter((name) => own?.[name] !== undefined)
  const first = version === '1.0' ? '/supportedInterfaces' : '/url'
  for (const name of said) ledger.shown(`/${OWN}/${name}`, Object.hasOwn(card, name) ? `/${name}` : first)
  if (!said.includes('supportedInterfaces') && !said.includes('preferredTransport'))
    tellAdded(card, ['preferredTransport'], `JSON-RPC, the default where ${OWN} has no transport`, ledger)
}

/** Writes the provider if it has a name and a URL, as a card requires. */
function writeProvider({ agent, ledger }: ExportJob, card: MutableObject): void {
  const organization = textOf(agent.provider, 'name')
  const url = textOf(agent.provider, 'url')
  if (organization === undefined || url === undefined) return
  card['provider'] = { organization, url }
  ledger.moved('/provider/name', '/provider/organization')
  ledger.moved('/provider/url', '/provider/url')
}

function writeModes({ agent, ledger }: ExportJob, card: MutableObject): void {
  const input = objectMember(agent.runtime, 'input_handling')
  const output = objectMember(agent.runtime, 'output_handling')
  const types = member(input?.value, 'content_types')
  card['defaultInputModes'] = isTexts(types) ? types : ['text/plain']
  if (isTexts(types)) ledger.shown('/runtime/input_handling/content_types', '/defaultInputModes')
  else ledger.added('/defaultInputModes', 'text, because the definition does not say')
  const format = textOf(output, 'format') ?? ''
  const known = Object.hasOwn(MEDIA_TYPES, format)
  card['defaultOutputModes'] = [known ? MEDIA_TYPES[format] : 'text/plain']
  if (known) ledger.shown('/runtime/output_handling/format', '/defaultOutputModes')
  else ledger.added('/defaultOutputModes', 'text, because the definition does not say')
  const streaming = member(output?.value, 'streaming')
  if (typeof streaming !== 'boolean') return
  child(card, 'capabilities')['streaming'] = streaming
  ledger.shown('/runtime/output_handling/streaming', '/capabilities/streaming')
}

function writeSkills({ agent, ledger }: ExportJob, card: MutableObject): void {
  const skills: MutableObject[] = []
  card['skills'] = skills
  const tags = elements(agent.metadata, 'tags', isText)
  const common = writeTags(tags, '/metadata/tags', agent.tools.length, ledger)
  for (const tool of agent.tools) {
    const name = textOf(tool, 'name')
    const description = textOf(tool, 'description')
    if (name === undefined || description === undefined) {
      // If it were carried, it would look like the rest of a skill that was removed since.
      if (name !== undefined && member(tool.value, 'description') === undefined)
        ledger.dropped(tool.pointer, 'a skill must have a description')
      continue
    }
    const at = `/skills/${skills.length}`
    ledger.moved(`${tool.pointer}/name`, `${at}/id`)
    ledger.moved(`${tool.pointer}/description`, `${at}/description`)
    skills.push({ id: name, name, description, ...details(tool, common, name, at, ledger) })
  }
  if (skills.length === 0) skills.push(skillOfItself(card, common, ledger))
}

/** The tags and examples of a tool, and the details of the card that the definition was made from. */
function details(
  tool: PlacedObject,
  common: readonly string[],
  name: string,
  at: string,
  ledger: ExportJob['ledger'],
): MutableObject {
  const own = objectMember(tool, OWN)
  const flags = (['read_only', 'idempotent'] as const).filter((flag) => member(tool.value, flag) === true)
  for (const flag of flags) ledger.shown(`${tool.pointer}/${flag}`, `${at}/tags`)
  const ownTags = member(own?.value, 'tags')
  const tags = new Set([
    ...(isTexts(ownTags) ? ownTags : []),
    ...flags.map((flag) => flag.replace('_', '-')),
    ...common,
  ])
  // A skill must have tags, so the words of its name become tags.
  if (tags.size === 0) for (const word of name.split('_')) if (word !== '') tags.add(word)
  const made: MutableObject = { tags: tags.size > 0 ? [...tags] : ['tool'] }
  const examples = elements(tool, 'examples', hasName)
  for (const example of examples) ledger.shown(`${example.pointer}/name`, `${at}/examples`)
  if (examples.length > 0) made['examples'] = examples.map(({ value }) => value.name)
  const title = textOf(own, 'name')
  if (title !== undefined) made['name'] = title
  return { ...made, ...textLists(own, ['examples', 'inputModes', 'outputModes']) }
}

function hasName(value: unknown): value is { readonly name: string } {
  return isObject(value) && typeof member(value, 'name') === 'string' && value['name'] !== ''
}
