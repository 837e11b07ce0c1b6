// schema.json as a program. It decides in one walk without allocating; explain.ts walks again when there is something to say.
import { isDateTime, isEmail, isUri, isUriReference } from '../schema/formats.ts'
import type { JsonObject } from './agent.ts'
import schema from './schema.json' with { type: 'json' }

/** The keywords that schema.json uses. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: object
  readonly additionalProperties?: boolean
  readonly required?: readonly string[]
  readonly 'x-rule'?: string
}

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': isDateTime,
  email: isEmail,
  uri: isUri,
  'uri-reference': isUriReference,
}

/** Which members an object may have besides those that the schema names. */
export type Closing = 'open' | 'closed' | 'profiles'

/** What one value of a document must be. */
export class Shape {
  readonly types: readonly string[]
  readonly options: readonly string[] | undefined
  readonly pattern: RegExp | undefined
  readonly format: string | undefined
  readonly isFormat: ((text: string) => boolean) | undefined
  readonly minLength: number
  readonly minItems: number
  readonly minimum: number
  readonly maximum: number
  readonly items: Shape | undefined
  readonly members: ReadonlyMap<string, Shape> | undefined
  readonly required: readonly string[]
  readonly closing: Closing
  /** The rule that a value of the right type breaks here. */
  readonly rule: string | undefined

  constructor(given: Schema) {
    const { type, items, properties, patternProperties, additionalProperties, ...own } = resolve(given)
    this.types = type === undefined ? [] : [type].flat()
    this.options = own.enum
    this.pattern = own.pattern === undefined ? undefined : new RegExp(own.pattern)
    this.format = own.format
    this.isFormat = own.format === undefined ? undefined : FORMATS[own.format]!
    this.minLength = own.minLength ?? 0
    this.minItems = own.minItems ?? 0
    this.minimum = own.minimum ?? Number.NEGATIVE_INFINITY
    this.maximum = own.maximum ?? Number.POSITIVE_INFINITY
    this.items = items === undefined ? undefined : new Shape(items)
    this.members =
      properties && new Map(Object.entries(properties).map(([name, member]) => [name, new Shape(member)] as const))
    this.required = own.required ?? []
    // Profiles add members where extension members have a pattern and all others are left open.
    this.closing = additionalProperties === false ? 'closed' : patternProperties === undefined ? 'open' : 'profiles'
    this.rule = own['x-rule']
  }
}

function resolve(given: Schema): Schema {
  return given.$ref === undefined ? given : schema.$defs.data_classification
}

let made: Shape | undefined

/** The shape of a document, made when first asked for. */
export function documentShape(): Shape {
  made ??= new Shape(schema as Schema)
  return made
}

/** What is wrong with a value itself, whatever it holds. */
export type Fault = 'type' | 'enum' | 'pattern' | 'format' | 'range' | 'empty'

export function faultOf(shape: Shape, value: unknown): Fault | undefined {
  if (!hasType(shape.types, value)) return 'type'
  if (typeof value === 'string') {
    if (shape.options !== undefined) return shape.options.includes(value) ? undefined : 'enum'
    if (value.length < shape.minLength) return 'empty'
    if (shape.pattern !== undefined && !shape.pattern.test(value)) return 'pattern'
    return shape.isFormat === undefined || shape.isFormat(value) ? undefined : 'format'
  }
  if (typeof value === 'number') return value >= shape.minimum && value <= shape.maximum ? undefined : 'range'
  return Array.isArray(value) && value.length < shape.minItems ? 'empty' : undefined
}

function hasType(types: readonly string[], value: unknown): boolean {
  if (types.length === 0) return true
  for (let i = 0; i < types.length; i++) if (isType(types[i]!, value)) return true
  return false
}

function isType(type: string, value: unknown): boolean {
  switch (type) {
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case 'string':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number'
    default:
      return typeof value === 'boolean'
  }
}

/** Names of members that anybody may add (ADL appendix D, ext-member-name). */
export function isExtension(name: string): boolean {
  return name.startsWith('x_') && /^x_[a-z0-9_]+$/.test(name)
}

/** Whether a value has a shape. A document is valid by the schema alone: what profiles add is not known here. */
export function hasShape(shape: Shape, value: unknown): boolean {
  if (faultOf(shape, value) !== undefined) return false
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) {
    const { items } = shape
    if (items !== undefined) for (let i = 0; i < value.length; i++) if (!hasShape(items, value[i])) return false
    return true
  }
  return shape.members === undefined || hasMembers(shape, shape.members, value as JsonObject)
}

function hasMembers(shape: Shape, members: ReadonlyMap<string, Shape>, object: JsonObject): boolean {
  const { required } = shape
  for (let i = 0; i < required.length; i++) if (!Object.hasOwn(object, required[i]!)) return false
  for (const name in object) {
    const member = members.get(name)
    if (member !== undefined) {
      if (!hasShape(member, object[name])) return false
    } else if (shape.closing !== 'open' && !isExtension(name) && Object.hasOwn(object, name)) return false
  }
  return true
}
