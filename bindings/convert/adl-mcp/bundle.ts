import {
  argumentsSchema,
  GET_PROMPT,
  LISTS,
  type ListName,
  type McpVersion,
  promptArguments,
  resultOf,
} from '../../mcp/messages.ts'
import { isMimeType } from '../../schema/formats.ts'
import {
  elements,
  escapeToken,
  isObject,
  type JsonObject,
  member,
  objectMember,
  type PlacedObject,
} from '../../text/members.ts'
import { moveCounterparts } from '../counterparts.ts'
import { CONVERT_NEEDED } from '../findings.ts'
import { type ExportJob, type Job, moveNeeded, moveText, type Product, textOf, uriOf } from '../job.ts'
import { child, equal, type MutableObject, put } from '../json.ts'
import { type Carrier, definitionBaggage, foreignBaggage, type Ledger, restore, shownOf } from '../ledger.ts'
import {
  begin,
  carriedIn,
  finish,
  keeper,
  type ListedTool,
  metaCarrier,
  openBundle,
  readBundle,
  readSchemas,
  type SchemaNames,
  ToolNames,
  writeSchemas,
} from '../sides/definition.ts'

type Carriers = [pointer: string, carrier: Carrier][]

/** Members that a server shows to every client. */
const PUBLISHED = { published: ['resources', 'prompts'] }

/** Writes one entry of a list. */
type Write = (entry: PlacedObject, made: MutableObject, at: string, ledger: Ledger) => void

/** Makes the answers of an MCP server for the agent (ADL 15.2): one result for each method. */
export function toBundle(job: ExportJob, version: McpVersion): Product {
  const { agent, ledger, options } = job
  const { bundle, start, at, implementation, infoAt } = openBundle(version, ledger)
  for (const name of ['name', 'version', 'description'])
    moveNeeded(job, agent.root, name, implementation, `${infoAt}/${name}`)
  moveCounterparts(ledger, 'adl-mcp', agent.root, implementation, { at: infoAt })
  const carriers: Carriers = [['', metaCarrier(start, at)]]
  const writeList = (name: ListName, entries: readonly PlacedObject[], write: Write) => {
    const made: MutableObject[] = []
    const listAt = `/${escapeToken(LISTS[name])}/${name}`
    for (const entry of entries) {
      if (textOf(entry, 'name') === undefined) continue
      const one: MutableObject = {}
      const place = `${listAt}/${made.length}`
      moveText(ledger, entry, 'name', one, place)
      moveText(ledger, entry, 'description', one, place)
      write(entry, one, place, ledger)
      carriers.push([entry.pointer, metaCarrier(one, place)])
      made.push(one)
    }
    if (made.length === 0) return
    bundle[LISTS[name]] = { ...resultOf(version), [name]: made }
    child(start, 'capabilities')[name] = {}
  }
  writeList('tools', agent.tools, writeTool(version))
  writeList('resources', agent.resources, writeResource)
  writeList('prompts', agent.prompts, writePrompt(bundle, version))
  return { document: bundle, baggage: definitionBaggage(options, carriers, 'MCP has no member for it', PUBLISHED) }
}

const writeTool =
  (version: McpVersion): Write =>
  (tool, made, at, ledger) => {
    const title = textOf(objectMember(tool, OWN), 'title')
    if (title !== undefined) made['title'] = title
    writeSchemas(tool, SCHEMAS, made, at, version, ledger)
    moveCounterparts(ledger, 'adl-mcp tool', tool, made, { at })
  }

/** The schemas of tools, by their names in definitions. */
const SCHEMAS: SchemaNames = { input: 'parameters', output: 'returns', owner: 'definition' }

const writeResource: Write = (resource, made, at, ledger) => {
  if (textOf(resource, 'uri') === undefined) {
    made['uri'] = resourceUri(textOf(resource, 'name')!)
    ledger.added(`${at}/uri`, 'the name as a URI, because the resource has no URI')
  } else moveText(ledger, resource, 'uri', made, at)
  const types = member(resource.value, 'mime_types')
  const first: unknown = Array.isArray(types) ? types[0] : undefined
  if (typeof first !== 'string') return
  made['mimeType'] = first
  const pointer = `${resource.pointer}/mime_types`
  if (equal(types, [first])) ledger.rewritten(pointer, `${at}/mimeType`, 'the only one')
  else ledger.shown(pointer, `${at}/mimeType`, 'the first of them', 'changed')
}

const writePrompt =
  (bundle: MutableObject, version: McpVersion): Write =>
  (prompt, made, at, ledger) => {
    const schema = objectMember(prompt, 'arguments')
    const list = schema === undefined ? [] : promptArguments(schema.value)
    // Only a schema with properties can be a list.
    if (schema !== undefined && list.length > 0) {
      made['arguments'] = list
      if (equal(argumentsSchema(list), schema.value)) ledger.rewritten(schema.pointer, `${at}/arguments`, 'as a list')
      else ledger.shown(schema.pointer, `${at}/arguments`, 'names and descriptions', 'changed')
    }
    const template = textOf(prompt, 'template')
    const name = textOf(prompt, 'name')!
    const results = child(bundle, GET_PROMPT)
    if (template === undefined || Object.hasOwn(results, name)) return
    const messages = [{ role: 'user', content: { type: 'text', text: template } }]
    put(results, name, { ...resultOf(version, false), messages })
    const target = `/${escapeToken(GET_PROMPT)}/${escapeToken(name)}/messages/0/content/text`
    ledger.moved(`${prompt.pointer}/template`, target, 'its references are filled in when a client gets the prompt')
  }

/** The member of a definition that keeps all MCP members without a counterpart. */
const OWN = 'x_mcp'

/** The URI of a resource without one of its own. */
const resourceUri = (name: string) => `adl://resource/${encodeURIComponent(name)}`

/** Makes a definition from the answers of an MCP server. Members without a counterpart are kept in x_mcp members. */
export function fromBundle(job: Job, version: McpVersion): Product {
  const { root, ledger, options, problems } = job
  const { method, info, start, implementation } = readBundle(root, version)
  const definition: MutableObject = {}
  if (start === undefined || implementation === undefined) {
    problems.report(CONVERT_NEEDED, start?.pointer ?? '', `expected the result of ${method} with ${info.at(-1)}`)
    return { document: definition, baggage: foreignBaggage(options, []) }
  }
  const carried = carriedIn(start)
  Object.assign(definition, begin(job, implementation, carried))
  moveCounterparts(ledger, 'adl-mcp', implementation, definition, { back: true })
  const carriers: [string, Carrier][] = []
  const readers = { tools: toolReader(job), resources: readResource, prompts: promptReader(root) }
  for (const name of Object.keys(LISTS) as ListName[]) {
    const result = objectMember(root, LISTS[name])
    const made: MutableObject[] = []
    const names = new Set<string | undefined>([undefined])
    for (const entry of elements(result, name, isObject)) {
      // Names in a definition are unique (ADL 8.2, 8.3). Repeated names of tools get numbers.
      const called = textOf(entry, 'name')
      if (names.has(called)) continue
      if (name !== 'tools') names.add(called)
      const place = `/${name}/${made.length}`
      const whole = carried !== undefined
      const one = readers[name]({ entry, at: place, ledger, carried: carriedIn(entry), whole, version })
      if (one === undefined) continue
      carriers.push([entry.pointer, keeper(one, place, OWN)])
      made.push(one)
    }
    if (made.length > 0) definition[name] = made
    skipDefaults(result, resultOf(version), ledger)
  }
  skipDefaults(start, { protocolVersion: version, supportedVersions: [version], ...resultOf(version) }, ledger)
  const capabilities = objectMember(start, 'capabilities')
  if (capabilities !== undefined) skipCapabilities(capabilities, definition, ledger)
  if (carried !== undefined) {
    const shown = Object.keys(LISTS).reduce((rest, name) => shownOf(ledger, rest, name, definition), carried)
    restore(ledger, shown, definition)
  }
  const document = finish(job, definition)
  carriers.push(['', keeper(document, '', OWN)])
  return { document, baggage: foreignBaggage(options, carriers) }
}

/** One entry of a list while it is read. */
interface Reading extends ListedTool {
  /** Its pointer in the definition. */
  readonly at: string
  readonly ledger: Ledger
}

const toolReader = (job: Job) => {
  const { ledger } = job
  const names = new ToolNames()
  return (reading: Reading): MutableObject => {
    const { entry, at, carried } = reading
    const name = textOf(entry, 'name')!
    const tool: MutableObject = { name: names.nameFor(name) }
    if (tool['name'] === name) ledger.moved(`${entry.pointer}/name`, `${at}/name`)
    else
      ledger.changed(
        `${entry.pointer}/name`,
        `${at}/name`,
        `${name} is not a valid tool name (ADL 8.1), or is used already`,
      )
    if (textOf(entry, 'title') === name) ledger.implied(`${entry.pointer}/title`, 'the same as the name', `${at}/name`)
    moveText(ledger, entry, 'description', tool, at)
    if (tool['description'] === undefined && member(carried?.value, 'description') === undefined) {
      tool['description'] = textOf(entry, 'title') ?? tool['name']
      ledger.added(`${at}/description`, 'its title or name, because the tool has no description')
    }
    readSchemas(job, reading, SCHEMAS, tool, at)
    moveCounterparts(ledger, 'adl-mcp tool', entry, tool, { at, back: true })
    if (carried !== undefined) restore(ledger, carried, tool, at)
    return tool
  }
}

function readResource({ entry, at, ledger, carried, whole }: Reading): MutableObject {
  const resource: MutableObject = {}
  moveText(ledger, entry, 'name', resource, at)
  const uri = textOf(entry, 'uri')
  if (member(carried?.value, 'type') === undefined) {
    resource['type'] = uri?.startsWith('file:') ? 'file' : 'api'
    ledger.added(`${at}/type`, 'MCP does not say which kind of resource it is')
  }
  moveText(ledger, entry, 'description', resource, at)
  if (whole && uri === resourceUri(textOf(entry, 'name')!))
    ledger.implied(`${entry.pointer}/uri`, 'follows from the name', `${at}/name`)
  else if (whole || uriOf(entry, 'uri') !== undefined) moveText(ledger, entry, 'uri', resource, at)
  const type = textOf(entry, 'mimeType')
  const types = member(carried?.value, 'mime_types')
  if (type !== undefined && Array.isArray(types) && types[0] === type)
    ledger.implied(`${entry.pointer}/mimeType`, 'carried along in full', `${at}/mime_types`)
  else if (type !== undefined && (whole || isMimeType(type))) {
    resource['mime_types'] = [type]
    ledger.rewritten(`${entry.pointer}/mimeType`, `${at}/mime_types`, 'as a list')
  }
  if (carried !== undefined) restore(ledger, carried, resource, at)
  return resource
}

const promptReader =
  (root: PlacedObject) =>
  ({ entry, at, ledger, carried, whole }: Reading): MutableObject | undefined => {
    const name = textOf(entry, 'name')!
    const result = objectMember(objectMember(root, GET_PROMPT), name)
    const template = result === undefined ? undefined : onlyText(result)
    // A prompt in a definition must have a template.
    if (result === undefined || (template ?? member(carried?.value, 'template')) === undefined) return undefined
    const prompt: MutableObject = {}
    moveText(ledger, entry, 'name', prompt, at)
    moveText(ledger, entry, 'description', prompt, at)
    if (template !== undefined) {
      const from = `${result.pointer}/messages/0/content/text`
      const plain = whole ? template : template.replaceAll('{{', '\\{{')
      prompt['template'] = plain
      if (plain === template) ledger.moved(from, `${at}/template`)
      else ledger.changed(from, `${at}/template`, '{{ is escaped: MCP has no references')
      for (const name of ['role', 'content/type'])
        ledger.implied(`${result.pointer}/messages/0/${name}`, 'a text of the user', `${at}/template`)
      skipDefaults(result, { resultType: 'complete', description: prompt['description'] }, ledger)
    }
    const list = elements(entry, 'arguments', isObject)
    const schema = objectMember(carried, 'arguments')
    if (schema !== undefined && equal(promptArguments(schema.value), member(entry.value, 'arguments'))) {
      ledger.implied(`${entry.pointer}/arguments`, 'carried along in full', `${at}/arguments`)
    } else if (list.length > 0) {
      prompt['arguments'] = argumentsSchema(list.map(({ value }) => value))
      const exact = list.every(({ value }) => Object.keys(value).every((member) => ARGUMENT.includes(member)))
      if (exact) ledger.rewritten(`${entry.pointer}/arguments`, `${at}/arguments`, 'as a schema')
      else
        ledger.shown(
          `${entry.pointer}/arguments`,
          `${at}/arguments`,
          'names, descriptions and which are required',
          'changed',
        )
    }
    if (carried !== undefined) restore(ledger, carried, prompt, at)
    return prompt
  }

const ARGUMENT = ['name', 'description', 'required']

/** Reads a result that is a single text message by the user. */
function onlyText(result: PlacedObject): string | undefined {
  const [message, ...others] = elements(result, 'messages', isObject)
  const content = objectMember(message, 'content')
  const plain = others.length === 0 && textOf(message, 'role') === 'user' && textOf(content, 'type') === 'text'
  return plain ? textOf(content, 'text') : undefined
}

/** Marks members that every server made from a definition has. */
function skipDefaults(of: PlacedObject | undefined, defaults: JsonObject, ledger: Ledger): void {
  for (const [name, value] of Object.entries(defaults)) {
    const there = member(of?.value, name)
    if (there !== undefined && equal(there, value)) ledger.implied(`${of!.pointer}/${name}`, 'required by the protocol')
  }
}

function skipCapabilities(capabilities: PlacedObject, definition: MutableObject, ledger: Ledger): void {
  for (const [name, value] of Object.entries(capabilities.value)) {
    const follows = Object.hasOwn(LISTS, name) && equal(value, {}) && definition[name] !== undefined
    if (follows) ledger.implied(`${capabilities.pointer}/${escapeToken(name)}`, 'follows from the lists', `/${name}`)
  }
  if (Object.keys(capabilities.value).length === 0) ledger.implied(capabilities.pointer, 'is empty')
}
