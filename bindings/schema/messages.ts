import { pointerTo } from './place.ts'
import type { Finding } from './run.ts'
import { show } from './show.ts'
import type { SchemaError } from './types.ts'

// biome-ignore lint/suspicious/noExplicitAny: each message knows the parameters of its keyword
type Message = (params: any) => string

const plural = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`
const missing: Message = ({ name, because }) => `the member ${show(name)} is missing, which ${show(because)} asks for`
/** The message for a schema that is `false`. */
const notAllowed: Message = ({ name }) =>
  typeof name !== 'string' ? 'nothing is allowed here' : `the member ${show(name)} is not allowed here`

const MESSAGES: Readonly<Record<string, Message>> = {
  type: ({ expected, actual }) => `expected ${expected.join(' or ')}, found ${actual}`,
  const: ({ allowed, actual }) => `expected ${show(allowed)}, found ${show(actual)}`,
  enum: ({ allowed, actual }) => `expected one of ${allowed.slice(0, 10).map(show).join(', ')}, found ${show(actual)}`,
  multipleOf: ({ limit, actual }) => `expected a multiple of ${limit}, found ${actual}`,
  maximum: ({ limit, actual }) => `expected ${limit} at the most, found ${actual}`,
  exclusiveMaximum: ({ limit, actual }) => `expected less than ${limit}, found ${actual}`,
  minimum: ({ limit, actual }) => `expected ${limit} at the least, found ${actual}`,
  exclusiveMinimum: ({ limit, actual }) => `expected more than ${limit}, found ${actual}`,
  maxLength: ({ limit, actual }) => `expected ${plural(limit, 'character')} at the most, found ${actual}`,
  minLength: ({ limit, actual }) => `expected ${plural(limit, 'character')} at the least, found ${actual}`,
  pattern: ({ pattern, actual }) => `expected a text that matches ${show(pattern)}, found ${show(actual)}`,
  maxItems: ({ limit, actual }) => `expected ${plural(limit, 'element')} at the most, found ${actual}`,
  minItems: ({ limit, actual }) => `expected ${plural(limit, 'element')} at the least, found ${actual}`,
  uniqueItems: ({ first, second }) => `elements ${first} and ${second} are equal`,
  contains: () => 'no element is of the wanted kind',
  minContains: ({ limit, actual }) => `expected ${limit} elements of a kind at the least, found ${actual}`,
  maxContains: ({ limit, actual }) => `expected ${limit} elements of a kind at the most, found ${actual}`,
  required: ({ name }) => `the member ${show(name)} is missing`,
  maxProperties: ({ limit, actual }) => `expected ${plural(limit, 'member')} at the most, found ${actual}`,
  minProperties: ({ limit, actual }) => `expected ${plural(limit, 'member')} at the least, found ${actual}`,
  dependentRequired: missing,
  dependencies: missing,
  propertyNames: ({ name }) => `${show(name)} is not a name that a member may have here`,
  anyOf: ({ branches }) => `fits none of ${branches} alternatives`,
  oneOf: ({ branches, passing }) =>
    passing.length === 0
      ? `fits none of ${branches} alternatives`
      : `fits alternatives ${passing.join(' and ')}, where one is wanted`,
  not: () => 'fits what it must not fit',
  limit: ({ limit }) => `checking ended: ${limit === 'depth' ? 'too deep' : 'too much work'}`,
}

/** Converts a finding to the form for callers. */
export function toError({ at, source: { keyword, place, document }, params }: Finding): SchemaError {
  const pointer = pointerTo(place)
  return {
    instancePointer: pointerTo(at),
    schemaPointer: document === '' ? pointer : `${document}#${pointer}`,
    keyword,
    params,
    message: (MESSAGES[keyword] ?? notAllowed)(params),
  }
}
