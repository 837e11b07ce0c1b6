import type { Document } from '../document/document.ts'
import { escapeToken } from '../document/pointer.ts'

/** A JSON object of a stranger: members may have any name and any value. */
export type JsonObject = Readonly<Record<string, unknown>>

/** A value and where it stands. */
export interface Placed<Value> {
  readonly pointer: string
  readonly value: Value
}

export type PlacedObject = Placed<JsonObject>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object's own member, or undefined: a document may have members such as `__proto__`. */
export function member(object: JsonObject | undefined, name: string): unknown {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined
}

/** The member, when it is an object. */
export function objectMember(of: PlacedObject | undefined, name: string): PlacedObject | undefined {
  const value = member(of?.value, name)
  return isObject(value) ? { pointer: `${of!.pointer}/${escapeToken(name)}`, value } : undefined
}

/** The member, when it is a string. */
export function textMember(of: PlacedObject | undefined, name: string): Placed<string> | undefined {
  const value = member(of?.value, name)
  return typeof value === 'string' ? { pointer: `${of!.pointer}/${escapeToken(name)}`, value } : undefined
}

const NONE: readonly never[] = []

/** The elements of an array member that `is` accepts; empty when it is no array. */
export function elements<Value>(
  of: PlacedObject | undefined,
  name: string,
  is: (value: unknown) => value is Value,
): readonly Placed<Value>[] {
  const list = member(of?.value, name)
  if (!Array.isArray(list)) return NONE
  const found: Placed<Value>[] = []
  const base = `${of!.pointer}/${escapeToken(name)}`
  for (let i = 0; i < list.length; i++) {
    const value: unknown = list[i]
    if (is(value)) found.push({ pointer: `${base}/${i}`, value })
  }
  return found
}

export const isText = (value: unknown): value is string => typeof value === 'string'

/**
 * An agent definition as rules and verbs read it: every part that is there and has the right type, and nothing else.
 * What is ill-typed is the schema's matter, so that one fault gives one finding; nobody else has to check a type.
 */
export class Agent {
  readonly document: Document
  readonly root: PlacedObject
  readonly lifecycle: PlacedObject | undefined
  readonly provider: PlacedObject | undefined
  readonly identity: PlacedObject | undefined
  readonly permissions: PlacedObject | undefined
  readonly security: PlacedObject | undefined
  readonly attestation: PlacedObject | undefined
  readonly classification: PlacedObject | undefined
  readonly runtime: PlacedObject | undefined
  readonly metadata: PlacedObject | undefined
  readonly tools: readonly PlacedObject[]
  readonly resources: readonly PlacedObject[]
  readonly prompts: readonly PlacedObject[]
  readonly profiles: readonly Placed<string>[]
  /** What `once` (places.ts) keeps: a WeakMap of agents instead makes checking a third slower, for every agent is new. */
  readonly found: unknown[] = []

  /** @throws {TypeError} when the document is no JSON object. */
  constructor(document: Document) {
    const { value } = document
    if (!isObject(value)) throw new TypeError('document: expected a JSON object at the root')
    const root: PlacedObject = { pointer: '', value }
    this.document = document
    this.root = root
    this.lifecycle = objectMember(root, 'lifecycle')
    this.provider = objectMember(root, 'provider')
    this.identity = objectMember(root, 'cryptographic_identity')
    this.permissions = objectMember(root, 'permissions')
    this.security = objectMember(root, 'security')
    this.attestation = objectMember(this.security, 'attestation')
    this.classification = objectMember(root, 'data_classification')
    this.runtime = objectMember(root, 'runtime')
    this.metadata = objectMember(root, 'metadata')
    this.tools = elements(root, 'tools', isObject)
    this.resources = elements(root, 'resources', isObject)
    this.prompts = elements(root, 'prompts', isObject)
    this.profiles = elements(root, 'profiles', isText)
  }
}
