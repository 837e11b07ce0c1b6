import { elements, isObject, type JsonObject, member, objectMember, type PlacedObject } from '../../document/members.ts'
import { escapeToken } from '../../document/pointer.ts'
import { isMimeType } from '../../schema/formats.ts'
import { checkSchema } from '../../schema/schema.ts'
import { foreignBaggage } from '../baggage.ts'
import { begin, finish, keeper, ToolNames } from '../definition.ts'
import { type Job, type Product, textOf, uriOf } from '../job.ts'
import { child, equal, type Made } from '../json.ts'
import type { Carrier, Ledger } from '../ledger.ts'
import { NEEDED } from '../problems.ts'
import { restore } from '../restore.ts'
import {
  argumentsSchema,
  carriedIn,
  GET_PROMPT,
  introduction,
  LISTS,
  type ListName,
  OWN,
  resourceUri,
  resultOf,
  type Version,
} from './bundle.ts'
import { HINTS } from './export.ts'

/** A definition of what an MCP server answers. What it says beyond it is kept in x_mcp members. */
export function fromBundle(job: Job, version: Version): Product {
  const { root, ledger, options, problems } = job
  const { method, info } = introduction(version)
  const start = objectMember(root, method)
  const implementation = info.reduce(objectMember, start)
  const definition: Made = {}
  if (start === undefined || implementation === undefined) {
    problems.report(NEEDED, start?.pointer ?? '', `expected the result of ${method} with ${info.at(-1)}`)
    return { document: definition, baggage: foreignBaggage(options, []) }
  }
  const carried = carriedIn(start)
  Object.assign(definition, begin(job, implementation, carried))
  const website = uriOf(implementation, 'websiteUrl')
  if (website !== undefined) {
    child(definition, 'metadata')['documentation'] = website
    ledger.moved(`${implementation.pointer}/websiteUrl`, '/metadata/documentation')
  }
  const carriers: [string, Carrier][] = []
  const readers = { tools: toolReader(ledger), resources: readResource, prompts: promptReader(root) }
  for (const name of Object.keys(LISTS) as ListName[]) {
    const result = objectMember(root, LISTS[name])
    const made: Made[] = []
    const names = new Set<string | undefined>([undefined])
    for (const entry of elements(result, name, isObject)) {
      // A definition has each name once (ADL 8.2, 8.3); those of tools are numbered.
      const called = textOf(entry, 'name')
      if (names.has(called)) continue
      if (name !== 'tools') names.add(called)
      const place = `/${name}/${made.length}`
      const one = readers[name]({ entry, at: place, ledger, carried: carriedIn(entry), whole: carried !== undefined })
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
  if (carried !== undefined) restore(ledger, carried, definition)
  const document = finish(job, definition)
  carriers.push(['', keeper(document, '', OWN)])
  return { document, baggage: foreignBaggage(options, carriers) }
}

/** One entry of a list that is read. */
interface Reading {
  readonly entry: PlacedObject
  /** Where it will stand. */
  readonly at: string
  readonly ledger: Ledger
  /** What is carried of it. */
  readonly carried: PlacedObject | undefined
  /** Whether it was made of a definition, so that what is not carried was not there. */
  readonly whole: boolean
}

const toolReader = (ledger: Ledger) => {
  const names = new ToolNames()
  return ({ entry, at, carried, whole }: Reading): Made => {
    const name = textOf(entry, 'name')!
    const tool: Made = { name: names.nameFor(name) }
    if (tool['name'] === name) ledger.moved(`${entry.pointer}/name`, `${at}/name`)
    else
      ledger.changed(`${entry.pointer}/name`, `${at}/name`, `${name} is no name of a tool (ADL 8.1), or is one already`)
    if (textOf(entry, 'title') === name) ledger.implied(`${entry.pointer}/title`, 'the same as the name')
    moveText(entry, 'description', tool, at, ledger)
    if (tool['description'] === undefined && !whole) {
      tool['description'] = textOf(entry, 'title') ?? tool['name']
      ledger.added(`${at}/description`, 'its title or name, for the tool has no description')
    }
    for (const [from, to] of [
      ['inputSchema', 'parameters'],
      ['outputSchema', 'returns'],
    ] as const) {
      const schema = objectMember(entry, from)
      if (schema === undefined) continue
      const isDefault = whole && from === 'inputSchema' && equal(schema.value, { type: 'object' })
      const derived = isDefault || member(carried?.value, to) !== undefined
      if (derived) ledger.implied(schema.pointer, 'follows from the definition')
      else if (whole || checkSchema(schema.value).length === 0) {
        tool[to] = schema.value
        ledger.moved(schema.pointer, `${at}/${to}`)
      }
    }
    const annotations = objectMember(entry, 'annotations')
    for (const [flag, hint] of HINTS) {
      const value = member(annotations?.value, hint)
      if (typeof value !== 'boolean') continue
      tool[flag] = value
      ledger.moved(`${annotations!.pointer}/${hint}`, `${at}/${flag}`)
    }
    if (carried !== undefined) restore(ledger, carried, tool, at)
    return tool
  }
}

function readResource({ entry, at, ledger, carried, whole }: Reading): Made {
  const resource: Made = {}
  moveText(entry, 'name', resource, at, ledger)
  const uri = textOf(entry, 'uri')
  if (!whole) {
    resource['type'] = uri?.startsWith('file:') ? 'file' : 'api'
    ledger.added(`${at}/type`, 'MCP does not say what kind of resource it is')
  }
  moveText(entry, 'description', resource, at, ledger)
  if (whole && uri === resourceUri(textOf(entry, 'name')!))
    ledger.implied(`${entry.pointer}/uri`, 'follows from the name')
  else if (whole || uriOf(entry, 'uri') !== undefined) moveText(entry, 'uri', resource, at, ledger)
  const type = textOf(entry, 'mimeType')
  if (type !== undefined && member(carried?.value, 'mime_types') !== undefined)
    ledger.implied(`${entry.pointer}/mimeType`, 'carried along in full')
  else if (type !== undefined && (whole || isMimeType(type))) {
    resource['mime_types'] = [type]
    ledger.rewritten(`${entry.pointer}/mimeType`, `${at}/mime_types`, 'as a list')
  }
  if (carried !== undefined) restore(ledger, carried, resource, at)
  return resource
}

const promptReader =
  (root: PlacedObject) =>
  ({ entry, at, ledger, carried, whole }: Reading): Made | undefined => {
    const name = textOf(entry, 'name')!
    const result = objectMember(objectMember(root, GET_PROMPT), name)
    const template = result === undefined ? undefined : onlyText(result)
    // Without a template it is no prompt of a definition.
    if (result === undefined || (template === undefined && !whole)) return undefined
    const prompt: Made = {}
    moveText(entry, 'name', prompt, at, ledger)
    moveText(entry, 'description', prompt, at, ledger)
    if (template !== undefined) {
      const from = `${result.pointer}/messages/0/content/text`
      const plain = whole ? template : template.replaceAll('{{', '\\{{')
      prompt['template'] = plain
      if (plain === template) ledger.moved(from, `${at}/template`)
      else ledger.changed(from, `${at}/template`, '{{ is escaped: MCP has no references')
      for (const name of ['role', 'content/type'])
        ledger.implied(`${result.pointer}/messages/0/${name}`, 'text of the user')
      skipDefaults(result, { resultType: 'complete', description: prompt['description'] }, ledger)
    }
    const list = elements(entry, 'arguments', isObject)
    if (member(carried?.value, 'arguments') !== undefined) {
      if (list.length > 0) ledger.implied(`${entry.pointer}/arguments`, 'carried along in full')
    } else if (list.length > 0) {
      prompt['arguments'] = argumentsSchema(list.map(({ value }) => value))
      const exact = list.every(({ value }) => Object.keys(value).every((member) => ARGUMENT.includes(member)))
      if (exact) ledger.rewritten(`${entry.pointer}/arguments`, `${at}/arguments`, 'as a schema')
      else
        ledger.told(
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

/** The text of a result that is one message of text by the user. */
function onlyText(result: PlacedObject): string | undefined {
  const [message, ...others] = elements(result, 'messages', isObject)
  const content = objectMember(message, 'content')
  const plain = others.length === 0 && textOf(message, 'role') === 'user' && textOf(content, 'type') === 'text'
  return plain ? textOf(content, 'text') : undefined
}

function moveText(from: PlacedObject, name: string, into: Made, at: string, ledger: Ledger): void {
  const text = textOf(from, name)
  if (text === undefined) return
  into[name] = text
  ledger.moved(`${from.pointer}/${name}`, `${at}/${name}`)
}

/** What every server says that was made of a definition. */
function skipDefaults(of: PlacedObject | undefined, defaults: JsonObject, ledger: Ledger): void {
  for (const [name, value] of Object.entries(defaults)) {
    const there = member(of?.value, name)
    if (there !== undefined && equal(there, value))
      ledger.implied(`${of!.pointer}/${name}`, 'what the protocol demands')
  }
}

function skipCapabilities(capabilities: PlacedObject, definition: Made, ledger: Ledger): void {
  for (const [name, value] of Object.entries(capabilities.value)) {
    const follows = Object.hasOwn(LISTS, name) && equal(value, {}) && definition[name] !== undefined
    if (follows) ledger.implied(`${capabilities.pointer}/${escapeToken(name)}`, 'follows from the lists')
  }
  if (Object.keys(capabilities.value).length === 0) ledger.implied(capabilities.pointer, 'has nothing in it')
}
