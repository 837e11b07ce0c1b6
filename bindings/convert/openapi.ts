import { SENSITIVITIES } from '../adl/places.ts'
import { ADL_READING } from '../adl/subject.ts'
import { type Document, parse } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { readAs } from '../frame/as.ts'
import type { Source } from '../frame/source.ts'
import { isObject, member, objectMember } from '../text/members.ts'
import { type ConvertOptions, SOURCE_FORMATS } from './formats.ts'
import { textOf } from './job.ts'
import type { MutableObject } from './json.ts'
import { NO_OPENAPI, type Operation, Operations } from './openapi/operation.ts'

export declare namespace resolveOperations {
  interface Options {
    /** URLs that may be used; one that ends in `/` allows all that begin with it. */
    readonly allow: readonly string[]
    /** The OpenAPI documents as values, by their URLs. Nothing is ever fetched. */
    readonly documents: ReadonlyMap<string, unknown>
  }

  interface Result {
    /** The definition with these members; undefined if it cannot be read. */
    readonly document: Document | undefined
    readonly references: readonly OperationReference[]
    readonly diagnostics: readonly Diagnostic[]
  }
}

/** The outcome for one OpenAPI reference. */
export interface OperationReference {
  /** JSON Pointer of the tool. */
  readonly pointer: string
  readonly uri: string
  readonly operationId: string | undefined
  /** Undefined if it cannot be used; `detail` gives the reason. */
  readonly operation: Operation | undefined
  readonly detail: string
  /** The members of the tool that were filled in. */
  readonly filled: readonly ('parameters' | 'returns')[]
}

/**
 * Looks up the operations that tools refer to with `openapi_ref` and `operation_id` (ADL 15.3) in the given documents
 * that are allowed. Fills in `parameters` and `returns` that tools do not declare, and reports the outcome of each.
 * @example
 * const { document, references } = resolveOperations(definition, {
 *   allow: ['https://api.example.com/'],
 *   documents: new Map([['https://api.example.com/openapi.json', api]]),
 * })
 * references[0].filled // ['parameters', 'returns']
 *
 * @throws {TypeError} if `allow` is not an array or `documents` not a Map.
 */
export function resolveOperations(source: Source, options: resolveOperations.Options): resolveOperations.Result {
  const { allow, documents } = options
  if (!Array.isArray(allow)) throw new TypeError(`allow: expected an array, got ${typeof allow}`)
  if (!(documents instanceof Map)) throw new TypeError(`documents: expected a Map, got ${typeof documents}`)
  const { subject: agent, diagnostics } = readAs(ADL_READING, source)
  if (agent === undefined) return { document: undefined, references: [], diagnostics }
  const known = new Map<string, Operations | undefined>()
  const lookUp = (uri: string, id: string | undefined): Operation | string => {
    if (!allow.some((entry) => (entry.endsWith('/') ? uri.startsWith(entry) : uri === entry))) return NOT_ALLOWED
    if (id === undefined) return 'the tool has no operation_id'
    if (!documents.has(uri)) return 'the document is missing'
    const api = documents.get(uri)
    if (!known.has(uri)) known.set(uri, isObject(api) ? new Operations(api) : undefined)
    return known.get(uri)?.find(id) ?? NO_OPENAPI
  }
  const references: OperationReference[] = []
  const additions = new Map<unknown, MutableObject>()
  for (const tool of agent.tools) {
    const annotations = objectMember(tool, 'annotations')
    const uri = textOf(annotations, 'openapi_ref')
    if (uri === undefined) continue
    const operationId = textOf(annotations, 'operation_id')
    const found = lookUp(uri, operationId)
    const operation = typeof found === 'string' ? undefined : found
    const detail = operation === undefined ? String(found) : `${operation.method} ${operation.path}`
    const filled = FILLED.filter((name) => operation?.[name] !== undefined && member(tool.value, name) === undefined)
    additions.set(tool.value, Object.fromEntries(filled.map((name) => [name, operation![name]])))
    references.push({ pointer: tool.pointer, uri, operationId, operation, detail, filled })
  }
  if (references.every(({ filled }) => filled.length === 0))
    return { document: agent.document, references, diagnostics }
  const tools = member(agent.root.value, 'tools') as readonly unknown[]
  const complete = tools.map((tool) =>
    additions.has(tool) ? { ...(tool as MutableObject), ...additions.get(tool) } : tool,
  )
  const { document } = parse(JSON.stringify({ ...agent.root.value, tools: complete }, null, 2))
  return { document, references, diagnostics }
}

const FILLED = ['parameters', 'returns'] as const
const NOT_ALLOWED = 'the URL is not allowed'

// The options of conversions that people set, the same in all apps.

/** Options that people can type; files and clocks come from the app. */
export type OptionName = Exclude<keyof ConvertOptions, 'file' | 'now'>

interface OptionRow {
  /** The label of a field. */
  readonly title: string
  /** Used if the target requires a value and nobody has given one yet; absent if there is no sensible one. */
  readonly example?: string
  readonly choices?: readonly string[]
  /** True for a list, one entry per line. */
  readonly many?: true
  /** True for an option that people rarely need. */
  readonly rare?: true
  /** Parses the text; by default the text itself is the value. Throws a RangeError with a message for people. */
  readonly read?: (text: string) => unknown
}

export const OPTIONS: Readonly<Record<OptionName, OptionRow>> = {
  id: { title: 'The agent’s id', example: 'agent://my-agent' },
  url: { title: 'The agent’s URL', example: 'https://agents.example.com/a2a' },
  serverName: { title: 'The name in a registry', example: 'com.example/my-agent' },
  classification: {
    title: 'How sensitive its data is',
    example: 'internal',
    choices: SENSITIVITIES,
    read: (sensitivity) => ({ sensitivity }),
  },
  version: { title: 'Its version', example: '1.0.0' },
  description: { title: 'Its description', example: 'An agent.' },
  server: { title: 'The server, one of the configuration’s' },
  command: { title: 'The command that starts the server', example: 'npx' },
  args: { title: 'Its arguments, one a line', many: true, read: (text) => text.split('\n').filter(Boolean) },
  binding: { title: 'The protocol at the URL', choices: ['JSONRPC', 'GRPC', 'HTTP+JSON'] },
  apiKey: { title: 'Where an API key is sent', example: 'header:X-API-Key', read: readApiKey },
  carry: { title: 'What goes along', choices: ['public', 'all', 'nothing'], rare: true },
  from: { title: 'What the document is', choices: SOURCE_FORMATS, rare: true },
}

/** Parses the text of an option. */
export function readOption(name: OptionName, text: string): unknown {
  return OPTIONS[name].read?.(text) ?? text
}

/** Rewrites the names of options in a message into those of an app. */
export function callOptions(message: string, called: (name: OptionName) => string): string {
  return message.replace(/\bthe option (\w+)/g, (words, name) =>
    Object.hasOwn(OPTIONS, name) ? called(name as OptionName) : words,
  )
}

/** Finds the options that a message mentions. */
export function optionsIn(message: string): OptionName[] {
  const names: OptionName[] = []
  callOptions(message, (name) => {
    names.push(name)
    return name
  })
  return names
}

function readApiKey(text: string): ConvertOptions['apiKey'] {
  const [, place, name] = /^([a-z]+):(.+)$/.exec(text) ?? []
  const where = (['header', 'query', 'cookie'] as const).find((known) => known === place)
  if (where !== undefined && name !== undefined) return { in: where, name }
  throw new RangeError(`apiKey: expected header:NAME, query:NAME or cookie:NAME, got ${JSON.stringify(text)}`)
}
