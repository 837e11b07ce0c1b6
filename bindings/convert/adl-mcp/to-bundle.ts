import {
  argumentsSchema,
  GET_PROMPT,
  LISTS,
  type ListName,
  type McpVersion,
  promptArguments,
  resultOf,
} from '../../mcp/messages.ts'
import { escapeToken, member, objectMember, type PlacedObject } from '../../text/members.ts'
import { definitionBaggage } from '../baggage.ts'
import { type ExportJob, moveNeeded, moveText, type Product, textOf } from '../job.ts'
import { child, equal, type MutableObject, put } from '../json.ts'
import type { Carrier, Ledger } from '../ledger.ts'
import { metaCarrier, openBundle, type SchemaNames, writeSchemas } from '../sides/bundle.ts'
import { OWN, resourceUri } from './own.ts'

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
  const website = textOf(agent.metadata, 'documentation')
  if (website !== undefined) {
    implementation['websiteUrl'] = website
    ledger.moved('/metadata/documentation', `${infoAt}/websiteUrl`)
  }
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
    for (const [name, hint] of HINTS) {
      const flag = member(tool.value, name)
      if (typeof flag !== 'boolean') continue
      child(made, 'annotations')[hint] = flag
      ledger.moved(`${tool.pointer}/${name}`, `${at}/annotations/${hint}`)
    }
  }

/** The schemas of tools, by their names in definitions. */
export const SCHEMAS: SchemaNames = { input: 'parameters', output: 'returns', owner: 'definition' }

/** The flags of tools, by their names in definitions and in MCP. */
export const HINTS = [
  ['read_only', 'readOnlyHint'],
  ['idempotent', 'idempotentHint'],
] as const

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
