// Values, times and ids of OTLP/JSON.
import { parse } from '../../document/parse.ts'
import { timeOf } from '../../schema/times.ts'
import { isObject, isText, type JsonObject, member } from '../../text/members.ts'
import { type MutableObject, put } from '../json.ts'

/** A value of an attribute, as OpenTelemetry's own exporter writes it. */
export type AnyValue = JsonObject

export interface KeyValue {
  readonly key: string
  readonly value: AnyValue
}

/** The nesting of values that is read; deeper ones are empty. */
const MOST_DEPTH = 60

const text = (stringValue: string): AnyValue => ({ stringValue })
const list = (values: readonly AnyValue[]): AnyValue => ({ arrayValue: { values } })
const messages = (role: string, content: string, more: object = {}) =>
  text(JSON.stringify([{ role, parts: [{ type: 'text', content }], ...more }]))

/** Writes a value in one of the forms of the table; undefined when it does not have that form. */
export function encode(form: string, value: unknown): AnyValue | undefined {
  if (form === 'json') return isObject(value) ? text(JSON.stringify(value)) : undefined
  if (form === 'number') return typeof value === 'number' && value >= 0 ? numeric(value) : undefined
  if (form === 'texts') return isTexts(value) ? list(value.map(text)) : undefined
  if (form === 'messages') return isMessages(value) ? text(JSON.stringify(value['messages'])) : undefined
  if (!isText(value) || value === '') return undefined
  if (form === 'text') return text(value)
  if (form === 'user') return messages('user', value)
  return form === 'assistant' ? messages('assistant', value, { finish_reason: 'stop' }) : undefined
}

export const attribute = (key: string, value: string): KeyValue => ({ key, value: text(value) })

const numeric = (value: number): AnyValue =>
  Number.isSafeInteger(value) ? { intValue: value } : { doubleValue: value }
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText)
const isMessages = (value: unknown): value is JsonObject =>
  isObject(value) && Object.keys(value).length === 1 && Array.isArray(value['messages'])

/** Reads a value in one of the forms of the table; undefined when it does not have that form. */
export function decode(form: string, any: AnyValue): unknown {
  const value = plain(any)
  if (form === 'text') return value === '' || typeof value === 'object' ? undefined : String(value)
  if (form === 'number') return typeof value === 'number' && value >= 0 ? value : undefined
  const read = inText(value)
  if (form === 'json') return isObject(read) ? read : { value: read }
  if (form === 'texts') return isTexts(read) ? read : undefined
  if (form === 'messages') return Array.isArray(read) ? { messages: read } : undefined
  return Array.isArray(read) ? messageText(read, form) : isText(read) ? read : undefined
}

/** The first text of a role. */
function messageText(list: readonly unknown[], role: string): string | undefined {
  for (const message of list) {
    if (!isObject(message) || member(message, 'role') !== role || !Array.isArray(message['parts'])) continue
    const part = message['parts'].find((part) => isObject(part) && isText(part['content']))
    if (part !== undefined) return part['content']
  }
  return undefined
}

/** The value of a JSON text: attributes hold structures as JSON where the exporter does not support them. */
export function inText(value: unknown): unknown {
  return isText(value) && /^\s*[[{"]/.test(value)
    ? (parse(value, { maxDepth: MOST_DEPTH }).document?.value ?? value)
    : value
}

/** The plain value of an attribute; null for an empty or unknown one. */
export function plain(any: unknown, depth = 0): unknown {
  if (!isObject(any) || depth > MOST_DEPTH) return null
  const { stringValue, boolValue, intValue, doubleValue, bytesValue, arrayValue, kvlistValue } = any
  if (isText(stringValue) || isText(bytesValue)) return stringValue ?? bytesValue
  if (typeof boolValue === 'boolean') return boolValue
  // 64-bit integers are texts in JSON; one that a double cannot hold stays a text.
  if (intValue !== undefined) return Number.isSafeInteger(Number(intValue)) ? Number(intValue) : String(intValue)
  if (doubleValue !== undefined) return typeof doubleValue === 'number' ? doubleValue : String(doubleValue)
  if (isObject(arrayValue)) return listIn(arrayValue, 'values').map((value) => plain(value, depth + 1))
  if (!isObject(kvlistValue)) return null
  const object: MutableObject = {}
  for (const [key, value] of attributesOf(kvlistValue, 'values')) put(object, key, plain(value, depth + 1))
  return object
}

/** A list that may be missing. */
export function listIn(of: unknown, name: string): readonly unknown[] {
  const value = isObject(of) ? member(of, name) : undefined
  return Array.isArray(value) ? value : []
}

/** A list of keys and values; of two with one key, the last counts. */
export function attributesOf(of: unknown, name = 'attributes'): Map<string, AnyValue> {
  const found = new Map<string, AnyValue>()
  for (const entry of listIn(of, name))
    if (isObject(entry) && isText(entry['key']) && isObject(entry['value'])) found.set(entry['key'], entry['value'])
  return found
}

/** Nanoseconds since 1970; undefined for a time that is not a moment since then. */
export function toNanos(time: unknown): bigint | undefined {
  const at = isText(time) ? timeOf(time) : undefined
  if (at === undefined || at < 0) return undefined
  const below = /\.\d{3}(\d{1,6})/.exec(time as string)?.[1] ?? ''
  return BigInt(at) * 1_000_000n + BigInt(below.padEnd(6, '0'))
}

/** The time of nanoseconds since 1970, with as many digits as it needs. */
export function fromNanos(nanos: bigint): string {
  const below = String(nanos % 1_000_000n)
    .padStart(6, '0')
    .replace(/0+$/, '')
  return new Date(Number(nanos / 1_000_000n)).toISOString().replace('Z', `${below}Z`)
}

/** Reads nanoseconds, a text or a number; undefined for anything else, for 0, and after the year 9999. */
export function nanosOf(value: unknown): bigint | undefined {
  const digits = String(value)
  const nanos = /^\d{1,21}$/.test(digits) ? BigInt(digits) : 0n
  return nanos > 0n && nanos < 253_402_300_800_000_000_000n ? nanos : undefined
}
