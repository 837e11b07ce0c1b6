import { isObject, type JsonObject, member, parsePointer } from '../../text/members.ts'
import { type MutableObject, put } from '../json.ts'

const COMPONENT = '#/components/'
const SCHEMA = '#/components/schemas/'

/** The most values and subschemas to copy, against documents that expand without end. */
const MOST = 10_000
const DEEPEST = 24

/** Keywords whose values are data, in which `$ref` is an ordinary member. */
const DATA = new Set(['const', 'enum', 'default', 'examples', 'example'])

/** Copies schemas from an OpenAPI document. Schemas that they refer to go to `$defs`. */
export class Schemas {
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
