import { Agent } from '../../adl/subject.ts'
import { parse } from '../../document/parse.ts'
import { isMimeType } from '../../schema/formats.ts'
import { elements, isObject, type JsonObject, member, objectMember, type PlacedObject } from '../../text/members.ts'
import { EXTENSION, foreignBaggage } from '../baggage.ts'
import { type Job, type Product, textOf, uriOf } from '../job.ts'
import { child, equal, type MutableObject } from '../json.ts'
import { type Carrier, Ledger } from '../ledger.ts'
import { Problems } from '../problems.ts'
import { restore, shownOf } from '../restore.ts'
import { extensionOf, ITSELF, isTexts, MEDIA_TYPES, OWN, skipExtension, type Version } from '../sides/a2a.ts'
import { begin, finish, keeper, ToolNames } from '../sides/definition.ts'
import { readSecurity } from './security.ts'
import { toCard } from './to-a2a.ts'

/** Makes a definition from an A2A card. Members of the card without a counterpart are kept in x_a2a members. */
export function fromCard(job: Job, version: Version): Product {
  const { root, ledger, options } = job
  const capabilities = objectMember(root, 'capabilities')
  const { extension, params } = extensionOf(root, EXTENSION)
  const definition = begin(job, root, params)
  if (version === '0.3') ledger.implied('/protocolVersion', 'A2A 0.3, which is clear from the format')
  const provider = objectMember(root, 'provider')
  // A provider must have a name (ADL 6.2): one without it is kept in x_a2a.
  const organization = textOf(provider, 'organization')
  if (organization !== undefined) {
    const url = uriOf(provider, 'url')
    definition['provider'] = { name: organization, ...(url !== undefined && { url }) }
    ledger.moved('/provider/organization', '/provider/name')
    if (url !== undefined) ledger.moved('/provider/url', '/provider/url')
  }
  const documentation = uriOf(root, 'documentationUrl')
  if (documentation !== undefined) {
    child(definition, 'metadata')['documentation'] = documentation
    ledger.moved('/documentationUrl', '/metadata/documentation')
  }
  const carriers: [string, Carrier][] = []
  readSkills(job, definition, carriers, params)
  if (extension === undefined || params === undefined) {
    readModes(job, definition, capabilities)
    readSecurity(job, definition)
  } else {
    skipExtension(extension, 'a definition', ledger)
    restore(ledger, shownOf(ledger, params, 'tools', definition, isUndescribed), definition)
  }
  const document = finish(job, definition)
  carriers.push(['', keeper(document, '', OWN)])
  if (params !== undefined) skipDerived(job, document, version)
  return { document, baggage: foreignBaggage(options, carriers) }
}

/** A tool without a usable description is not shown as a skill, but carried whole. */
const isUndescribed = (tool: JsonObject) =>
  member(tool, 'description') !== undefined && textOf({ pointer: '', value: tool }, 'description') === undefined

function readSkills(
  { root, ledger }: Job,
  definition: MutableObject,
  carriers: [string, Carrier][],
  params: PlacedObject | undefined,
): void {
  const tools: MutableObject[] = []
  const names = new ToolNames()
  // The rest of such a tool is found by its name.
  const known = new Set(elements(params, 'tools', isObject).map(({ value }) => member(value, 'name')))
  for (const skill of elements(root, 'skills', isObject)) {
    const id = textOf(skill, 'id') ?? textOf(skill, 'name')
    if (id === undefined) continue
    if (id === ITSELF) {
      ledger.implied(skill.pointer, 'the agent itself, which had no tools')
      continue
    }
    const at = `/tools/${tools.length}`
    const tool: MutableObject = { name: known.has(id) ? id : names.nameFor(id) }
    const from = textOf(skill, 'id') === undefined ? 'name' : 'id'
    if (tool['name'] === id) ledger.moved(`${skill.pointer}/${from}`, `${at}/name`)
    else
      ledger.changed(
        `${skill.pointer}/${from}`,
        `${at}/name`,
        `${id} is not a valid tool name (ADL 8.1), or is used already`,
      )
    readDescription(skill, tool, at, ledger)
    if (from === 'id' && textOf(skill, 'name') === id)
      ledger.implied(`${skill.pointer}/name`, 'the same as the id', `${at}/name`)
    tools.push(tool)
    carriers.push([skill.pointer, keeper(tool, at, OWN)])
  }
  if (tools.length > 0) definition['tools'] = tools
}

function readDescription(skill: PlacedObject, tool: MutableObject, at: string, ledger: Ledger): void {
  const description = textOf(skill, 'description')
  if (description !== undefined) {
    tool['description'] = description
    ledger.moved(`${skill.pointer}/description`, `${at}/description`)
    return
  }
  tool['description'] = textOf(skill, 'name') ?? tool['name']
  ledger.added(`${at}/description`, 'its name, because the skill has no description')
}

function readModes({ root, ledger }: Job, definition: MutableObject, capabilities: PlacedObject | undefined): void {
  const handling = (name: string) => child(child(definition, 'runtime'), name)
  const input = member(root.value, 'defaultInputModes')
  if (isTexts(input) && input.every(isMimeType)) {
    handling('input_handling')['content_types'] = input
    ledger.moved('/defaultInputModes', '/runtime/input_handling/content_types')
  }
  const output = member(root.value, 'defaultOutputModes')
  const [format] = Object.entries(MEDIA_TYPES).find(([, type]) => equal(output, [type])) ?? []
  if (format !== undefined) {
    handling('output_handling')['format'] = format
    ledger.rewritten('/defaultOutputModes', '/runtime/output_handling/format', 'the only one')
  }
  const streaming = member(capabilities?.value, 'streaming')
  if (typeof streaming !== 'boolean') return
  handling('output_handling')['streaming'] = streaming
  ledger.moved('/capabilities/streaming', '/runtime/output_handling/streaming')
}

/** Marks members that the card derives from the definition: a new card would have the same ones. */
function skipDerived({ root, options, ledger }: Job, definition: MutableObject, version: Version): void {
  const { document } = parse(JSON.stringify(definition))
  if (document === undefined) return
  const agent = new Agent(document)
  const again = toCard(
    {
      agent,
      document,
      root: agent.root,
      options: { ...options, url: 'x:' },
      ledger: new Ledger(undefined),
      problems: new Problems(),
    },
    version,
  ).document
  const skip = (of: unknown, made: unknown, name: string, at: string) => {
    const value = isObject(of) ? member(of, name) : undefined
    if (value === undefined || !isObject(made) || !equal(value, member(made, name))) return
    ledger.implied(`${at}/${name}`, 'follows from the rest', '')
  }
  for (const name of [
    'defaultInputModes',
    'defaultOutputModes',
    'securitySchemes',
    'securityRequirements',
    'security',
  ]) {
    skip(root.value, again, name, '')
  }
  skip(member(root.value, 'capabilities'), again['capabilities'], 'streaming', '/capabilities')
  const skills = new Map((again['skills'] as MutableObject[]).map((skill) => [skill['id'], skill]))
  for (const skill of elements(root, 'skills', isObject)) {
    const made = skills.get(member(skill.value, 'id'))
    for (const name of ['tags', 'examples']) skip(skill.value, made, name, skill.pointer)
  }
}
