// Converts an operation of an OpenAPI 3.1 document into the schemas of a tool.
import { isObject, type JsonObject, member, parsePointer } from '../../text/members.ts'
import { type MutableObject, put } from '../json.ts'

export interface Operation {
  readonly method: string
  readonly path: string
  readonly summary?: string
  /** The schema of an object with the operation's parameters by name, and `body` for its JSON request body. */
  readonly parameters?: JsonObject
  /** The schema of the successful JSON response. */
  readonly returns?: JsonObject
}

export const NO_OPENAPI = 'it is not an OpenAPI 3.1 or 3.2 document'

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** An operation and its path. */
interface Entry {
  readonly method: string
  readonly path: string
  readonly item: JsonObject
  readonly operation: JsonObject
}

/** The operations of an OpenAPI document by their ids. */
export class Operations {
  readonly #api: JsonObject
  readonly #entries = new Map<unknown, Entry[]>()

  constructor(api: JsonObject) {
    this.#api = api
    const paths = member(api, 'paths')
    for (const [path, item] of Object.entries(isObject(paths) ? paths : {})) {
      if (!isObject(item)) continue
      for (const method of METHODS) {
        const operation = member(item, method)
        if (!isObject(operation)) continue
        const id = member(operation, 'operationId')
        const same = this.#entries.get(id)
        if (same === undefined) this.#entries.set(id, [{ method, path, item, operation }])
        else same.push({ method, path, item, operation })
      }
    }
  }

  /** Finds the operation with this id, or says why it cannot be used. */
  find(id: string): Operation | string {
    const version = member(this.#api, 'openapi')
    if (typeof version !== 'string' || !/^3\.[12]\./.test(version)) return NO_OPENAPI
    const [first, second] = this.#entries.get(id) ?? []
    if (first === undefined) return `it has no operation ${id}`
    if (second !== undefined) return `it has several operations ${id}`
    const { method, path, item, operation } = first
    const schemas = new Schemas(this.#api)
    const parameters = parametersOf(schemas, item, operation)
    const returns = returnsOf(schemas, operation)
    if (schemas.fault !== undefined) return schemas.fault
    const summary = member(operation, 'summary')
    return {
      method: method.toUpperCase(),
      path,
      ...(typeof summary === 'string' && { summary }),
      ...(parameters !== undefined && { parameters }),
      ...(returns !== undefined && { returns }),
    }
  }
}

function parametersOf(schemas: Schemas, item: JsonObject, operation: JsonObject): JsonObject | undefined {
  const properties: MutableObject = {}
  const required: string[] = []
  // Parameters of the operation override those of its path with the same name and location.
  const seen = new Map<string, unknown>()
  for (const owner of [operation, item]) {
    const list = member(owner, 'parameters')
    for (const entry of Array.isArray(list) ? list : []) {
      const parameter = schemas.follow(entry, 'parameters')
      const [name, where] = [member(parameter, 'name'), member(parameter, 'in')]
      if (parameter === undefined || typeof name !== 'string') continue
      if (seen.has(name)) {
        if (seen.get(name) !== where) schemas.fail(`two parameters have the name ${name}`)
        continue
      }
      seen.set(name, where)
      const description = member(parameter, 'description')
      const schema = schemas.take(member(parameter, 'schema') ?? {})
      put(properties, name, typeof description === 'string' && isObject(schema) ? { description, ...schema } : schema)
      if (member(parameter, 'required') === true) required.push(name)
    }
  }
  const body = schemas.follow(member(operation, 'requestBody'), 'requestBodies')
  const sent = jsonSchema(body)
  if (sent !== undefined) {
    if (Object.hasOwn(properties, 'body')) schemas.fail('a parameter has the name body, and the operation has a body')
    put(properties, 'body', schemas.take(sent))
    if (member(body, 'required') === true) required.push('body')
  }
  if (Object.keys(properties).length === 0) return undefined
  return schemas.whole({ type: 'object', properties, ...(required.length > 0 && { required }) })
}

function returnsOf(schemas: Schemas, operation: JsonObject): JsonObject | undefined {
  const responses = member(operation, 'responses')
  if (!isObject(responses)) return undefined
  const status = Object.keys(responses).find((name) => /^2(\d\d|XX)$/.test(name))
  if (status === undefined) return undefined
  const answered = jsonSchema(schemas.follow(responses[status], 'responses'))
  const schema = answered === undefined ? undefined : schemas.take(answered)
  return isObject(schema) ? schemas.whole(schema) : undefined
}

/** Finds the schema of a JSON request or response body. */
function jsonSchema(holder: JsonObject | undefined): unknown {
  const content = member(holder, 'content')
  if (!isObject(content)) return undefined
  const type = Object.keys(content).find((name) => /^application\/(?:[^;]*\+)?json\s*(?:;|$)/i.test(name))
  const media = type === undefined ? undefined : content[type]
  return isObject(media) ? member(media, 'schema') : undefined
}

const COMPONENT = '#/components/'
const SCHEMA = '#/components/schemas/'

/** The most values and subschemas to copy, against documents that expand without end. */
const MOST = 10_000
const DEEPEST = 24

/** Keywords whose values are data, in which `$ref` is an ordinary member. */
const DATA = new Set(['const', 'enum', 'default', 'examples', 'example'])

/** Copies schemas from an OpenAPI document. Schemas that they refer to go to `$defs`. */
class Schemas {
  /** The reason why the schemas cannot be copied. */
  fault: string | undefined
  readonly #api: JsonObject
  #defs: MutableObject = {}
  #count = 0

  constructor(api: JsonObject) {
    this.#api = api
  }

  fail(why: string): void {
    this.fault ??= why
  }

  /** Resolves a component, or returns a value given directly; undefined for anything else. */
  follow(value: unknown, kind: string): JsonObject | undefined {
    if (!isObject(value)) return undefined
    const reference = member(value, '$ref')
    if (typeof reference !== 'string') return value
    const prefix = `${COMPONENT}${kind}/`
    const found = reference.startsWith(prefix) ? this.#lookup(reference) : undefined
    if (!isObject(found) || member(found, '$ref') !== undefined) this.fail(`${reference} leads nowhere`)
    return isObject(found) ? found : undefined
  }

  /** Copies a schema with its references redirected to `$defs`. */
  take(schema: unknown): unknown {
    return this.#copy(schema, 0)
  }

  /** Completes a schema with everything that it refers to. */
  whole(schema: JsonObject): JsonObject {
    const defs = this.#defs
    this.#defs = {}
    return Object.keys(defs).length === 0 ? schema : { ...schema, $defs: defs }
  }

  #copy(value: unknown, depth: number): unknown {
    if (this.fault !== undefined) return {}
    if (++this.#count > MOST || depth > DEEPEST) {
      this.fail('its schemas are too large or too deep')
      return {}
    }
    if (Array.isArray(value)) return value.map((item) => this.#copy(item, depth + 1))
    if (!isObject(value)) return value
    const made: MutableObject = {}
    for (const [name, inner] of Object.entries(value)) {
      if (name === '$ref' && typeof inner === 'string') put(made, name, this.#refer(inner, depth))
      else put(made, name, DATA.has(name) ? inner : this.#copy(inner, depth + 1))
    }
    return made
  }

  #refer(reference: string, depth: number): string {
    const name = reference.startsWith(SCHEMA) ? reference.slice(SCHEMA.length) : ''
    if (!/^[a-zA-Z0-9._-]+$/.test(name)) {
      this.fail(`the reference ${reference} does not lead to its component schemas`)
      return reference
    }
    if (!Object.hasOwn(this.#defs, name)) {
      const schema = this.#lookup(reference)
      if (schema === undefined) this.fail(`${reference} leads nowhere`)
      // Recorded before it is copied, because schemas may refer to themselves.
      put(this.#defs, name, true)
      put(this.#defs, name, this.#copy(schema ?? true, depth + 1))
    }
    return `#/$defs/${name}`
  }

  #lookup(reference: string): unknown {
    const tokens = parsePointer(reference.slice(1)) ?? []
    return tokens.reduce((value: unknown, token) => (isObject(value) ? member(value, token) : undefined), this.#api)
  }
}
