// The schema.json of a specification, compiled for validating documents.
import { isIso8601 } from '../schema/formats/time.ts'
import { isDateTime, isEmail, isUri, isUriReference } from '../schema/formats.ts'
import { isObject, type JsonObject } from '../text/members.ts'

/** The keywords that these schemas use. */
export interface ShapeSchema {
  readonly $ref?: string
  readonly description?: string
  readonly $defs?: Readonly<Record<string, ShapeSchema>>
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly items?: ShapeSchema
  readonly properties?: Readonly<Record<string, ShapeSchema>>
  readonly patternProperties?: object
  readonly additionalProperties?: boolean | ShapeSchema
  readonly required?: readonly string[]
  readonly 'x-rule'?: string
}

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': isDateTime,
  'iso-8601': isIso8601,
  email: isEmail,
  uri: isUri,
  'uri-reference': isUriReference,
}

/** One bit for each type. */
const BITS = { object: 1, array: 2, string: 4, number: 8, integer: 16, boolean: 32, null: 64 }

/** Which members an object may have in addition to those that the schema names. */
type Closing = 'open' | 'closed' | 'profiles'

/** The requirements on one value of a document. */
export class Shape {
  /** What the value means. */
  readonly about: string | undefined
  readonly types: readonly string[]
  /** The bits of the allowed types; all bits when the schema names no type. */
  readonly typeBits: number
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
  /** The shape of every member that `members` does not name. */
  readonly values: Shape | undefined
  readonly required: readonly string[]
  readonly closing: Closing
  /** The rule to report when a value has the right type but is invalid. */
  readonly rule: string | undefined

  /** @param document the whole schema, for resolving references. */
  constructor(given: ShapeSchema, document: ShapeSchema = given) {
    const { type, items, properties, patternProperties, additionalProperties, ...own } = resolve(given, document)
    const shapeOf = (part: ShapeSchema) => new Shape(part, document)
    this.about = given.description ?? own.description
    this.types = type === undefined ? [] : [type].flat()
    this.typeBits =
      this.types.length === 0 ? -1 : this.types.reduce((bits, name) => bits | BITS[name as keyof typeof BITS], 0)
    this.options = own.enum
    this.pattern = own.pattern === undefined ? undefined : new RegExp(own.pattern)
    this.format = own.format
    this.isFormat = own.format === undefined ? undefined : FORMATS[own.format]!
    this.minLength = own.minLength ?? 0
    this.minItems = own.minItems ?? 0
    this.minimum = own.minimum ?? Number.NEGATIVE_INFINITY
    this.maximum = own.maximum ?? Number.POSITIVE_INFINITY
    this.items = items === undefined ? undefined : shapeOf(items)
    this.members = properties && new Map(Object.entries(properties).map(([name, part]) => [name, shapeOf(part)]))
    this.values = typeof additionalProperties === 'object' ? shapeOf(additionalProperties) : undefined
    this.required = own.required ?? []
    // Objects with a pattern for extension members, and otherwise open, may get members from profiles.
    this.closing = additionalProperties === false ? 'closed' : patternProperties === undefined ? 'open' : 'profiles'
    this.rule = own['x-rule']
  }
}

function resolve(given: ShapeSchema, { $defs = {} }: ShapeSchema): ShapeSchema {
  return given.$ref === undefined ? given : $defs[given.$ref.slice('#/$defs/'.length)]!
}

/** The faults of a value itself, without its members or elements. */
export type Fault = 'type' | 'enum' | 'pattern' | 'format' | 'range' | 'empty'

export function faultOf(shape: Shape, value: unknown): Fault | undefined {
  if ((shape.typeBits & typeBitsOf(value)) === 0) return 'type'
  if (typeof value === 'string') return faultOfText(shape, value)
  if (typeof value === 'number') return value >= shape.minimum && value <= shape.maximum ? undefined : 'range'
  return Array.isArray(value) && value.length < shape.minItems ? 'empty' : undefined
}

/** True when a value has the shape. Most values do, and then explain.ts has nothing to report. */
export function hasShape(shape: Shape, value: unknown, isExtension: (name: string) => boolean): boolean {
  if (faultOf(shape, value) !== undefined) return false
  if (!Array.isArray(value)) return !isObject(value) || hasMembers(shape, value, isExtension)
  const { items } = shape
  // A closure for each list or each value's types would be a quarter of all memory that checking a document allocates.
  if (items !== undefined) for (const element of value) if (!hasShape(items, element, isExtension)) return false
  return true
}

function hasMembers(shape: Shape, object: JsonObject, isExtension: (name: string) => boolean): boolean {
  const { members, values, closing, required } = shape
  for (let i = 0; i < required.length; i++) if (!Object.hasOwn(object, required[i]!)) return false
  // JSON members are always own properties, so no check for inherited ones is needed.
  for (const name in object) {
    const member = members?.get(name)
    if (member !== undefined) {
      if (!hasShape(member, object[name], isExtension)) return false
    } else if (values !== undefined) {
      if (!hasShape(values, object[name], isExtension)) return false
    } else if (members !== undefined && closing !== 'open' && !isExtension(name)) return false
  }
  return true
}

function faultOfText(shape: Shape, value: string): Fault | undefined {
  if (shape.options !== undefined) return shape.options.includes(value) ? undefined : 'enum'
  if (value.length < shape.minLength) return 'empty'
  if (shape.pattern !== undefined && !shape.pattern.test(value)) return 'pattern'
  return shape.isFormat === undefined || shape.isFormat(value) ? undefined : 'format'
}

function typeBitsOf(value: unknown): number {
  if (typeof value === 'string') return BITS.string
  if (typeof value === 'number') return Number.isInteger(value) ? BITS.number | BITS.integer : BITS.number
  if (typeof value === 'boolean') return BITS.boolean
  return value === null ? BITS.null : Array.isArray(value) ? BITS.array : BITS.object
}

/** The shape of a whole document, made at the first call. */
export function shapeOnce(schema: object): () => Shape {
  let made: Shape | undefined
  return () => {
    made ??= new Shape(schema as ShapeSchema)
    return made
  }
}
