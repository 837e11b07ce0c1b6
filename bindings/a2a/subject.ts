import { Shape, type ShapeSchema } from '../frame/shape.ts'
import { type Reading, RootSubject } from '../frame/subject.ts'
import {
  elements,
  isObject,
  objectMember,
  type PlacedObject,
  type PlacedValue,
  textMember,
  textsOf,
} from '../text/members.ts'
import { quoted } from '../text/words.ts'
import { A2A_MEMBER_TYPE, A2A_OTHER_VERSION } from './findings.ts'
import older from './schema-0.3.json' with { type: 'json' }
import current from './schema-1.0.json' with { type: 'json' }

/** The supported versions of A2A cards. */
export type A2aVersion = '1.0' | '0.3'

/** A card's schema. `x-presence` marks members whose presence counts, whatever their value (A2A 1.0 section 8.4.1). */
export interface CardSchema extends ShapeSchema {
  readonly 'x-presence'?: boolean
}

export const SCHEMAS: Readonly<Record<A2aVersion, CardSchema>> = {
  '1.0': current as CardSchema,
  '0.3': older as CardSchema,
}

/** Versions whose cards these schemas describe. */
const KNOWN = /^(?:0\.3|1\.\d{1,3})(?:\.|$)/

/** Members that only a 1.0 card has. Some authors use the names of proto. */
const ONLY_CURRENT = ['supportedInterfaces', 'supported_interfaces'] as const

/** An A2A Agent Card as rules read it: only the members that are present and have the right type. */
export class A2aCard extends RootSubject {
  readonly version: A2aVersion = ONLY_CURRENT.some((name) => Object.hasOwn(this.root.value, name)) ? '1.0' : '0.3'
  readonly skills = elements(this.root, 'skills', isObject)
  readonly signatures = elements(this.root, 'signatures', isObject)
  /** Security schemes by name. */
  readonly schemes = entriesOf(objectMember(this.root, 'securitySchemes'))
}

/** The members of an object that are objects themselves. */
export function entriesOf(of: PlacedObject | undefined): ReadonlyMap<string, PlacedObject> {
  const found = new Map<string, PlacedObject>()
  for (const name of Object.keys(of?.value ?? {})) {
    const entry = objectMember(of, name)
    if (entry !== undefined) found.set(name, entry)
  }
  return found
}

/** An interface of a card, with the names of 1.0. */
export interface A2aInterface {
  readonly url: PlacedValue<string>
  /** Undefined if a 0.3 card relies on the default, JSONRPC. */
  readonly binding: PlacedValue<string> | undefined
}

/** The interfaces of the agent, without ill-typed ones. */
export function interfacesOf({ root, version }: A2aCard): readonly A2aInterface[] {
  const [list, name] =
    version === '1.0' ? ['supportedInterfaces', 'protocolBinding'] : ['additionalInterfaces', 'transport']
  const listed = elements(root, list!, isObject).flatMap((entry) => interfaceOf(entry, name!))
  return version === '1.0' ? listed : [...interfaceOf(root, 'preferredTransport'), ...listed]
}

function interfaceOf(of: PlacedObject, bindingName: string): A2aInterface[] {
  const url = textMember(of, 'url')
  return url === undefined ? [] : [{ url, binding: textMember(of, bindingName) }]
}

const shapes = new Map<string, Shape>()

/** Returns the shape of a card, or of a named part of its schema. It is built at the first call. */
export function shapeOf(version: A2aVersion, part?: string): Shape {
  const key = `${version} ${part ?? ''}`
  let shape = shapes.get(key)
  if (shape === undefined) {
    const schema = SCHEMAS[version]
    shape = new Shape(part === undefined ? schema : schema.$defs![part]!, schema)
    shapes.set(key, shape)
  }
  return shape
}

/** How A2A cards are parsed. */
export const A2A_READING: Reading<A2aCard> = {
  kind: 'a2a',
  rootObject: A2A_MEMBER_TYPE,
  subject: (document) => new A2aCard(document),
  otherVersion({ root, version }) {
    const places = version === '0.3' ? [root] : elements(root, 'supportedInterfaces', isObject)
    // A text that is not a version has a finding of its own.
    const named = textsOf(places, 'protocolVersion').filter(({ value }) => /^\d{1,3}\.\d{1,3}(?:\.|$)/.test(value))
    const [first] = named
    // One interface of a known version is enough.
    if (first === undefined || named.some(({ value }) => KNOWN.test(value))) return undefined
    const detail = `Version ${quoted(first.value)} is not supported: the card is judged by the rules of ${version}`
    return { rule: A2A_OTHER_VERSION, pointer: first.pointer, detail }
  },
}
