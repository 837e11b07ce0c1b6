// Values, times and ids of OTLP/JSON.
import { parse } from '../../document/parse.ts'
import { timeOf } from '../../schema/times.ts'
import { isObject, isText, type JsonObject, member } from '../../text/members.ts'
import { type MutableObject, put } from '../json.ts'

/** A value of an attribute. */
export type AnyValue = JsonObject

/** The nesting of values that is read; deeper ones are empty. */
const MOST_DEPTH = 60

const json = JSON.stringify
const text = (value: string) => `{"stringValue":${json(value)}}`
const messages = (role: string, content: string, more: object = {}) =>
  json(json([{ role, parts: [{ type: 'text', content }], ...more }]))

/** The value in one of the forms of the table, as JSON; undefined when it does not have that form. */
export function encode(form: string, value: unknown): string | undefined {
  if (form === 'text') return isText(value) && value !== '' ? json(value) : undefined
  if (form === 'json') return isObject(value) ? json(json(value)) : undefined
  if (form === 'number') return typeof value === 'number' && value >= 0 ? String(value) : undefined
  if (form === 'texts') return isTexts(value) ? `{"values":[${value.map(text)}]}` : undefined
  if (form === 'messages') return isMessages(value) ? json(json(value['messages'])) : undefined
  if (!isText(value) || value === '') return undefined
  if (form === 'user') return messages('user', value)
  return form === 'assistant' ? messages('assistant', value, { finish_reason: 'stop' }) : undefined
}

/** The member of OTLP for a value that `encode` wrote. */
export function typeIn(form: string, value: unknown): string {
  if (form === 'number') return Number.isSafeInteger(value) ? 'intValue' : 'doubleValue'
  return form === 'texts' ? 'arrayValue' : 'stringValue'
}

/** A key, which needs no escapes, and its value, as JSON. */
export const keyed = (key: string, type: string, value: string) => `{"key":"${key}","value":{"${type}":${value}}}`
export const attribute = (key: string, value: string) => keyed(key, 'stringValue', json(value))

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
  const [time, below] = [new Date(Number(nanos / 1_000_000n)).toISOString(), nanos % 1_000_000n]
  return below === 0n
    ? time
    : time.replace(
        'Z',
        `${String(below)
          .padStart(6, '0')
          .replace(/0{1,5}$/, '')}Z`,
      )
}

const WITH_MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d\.\d{3}Z$/

/** True when `fromNanos` gives exactly this valid time. */
export const isExactTime = (time: unknown, nanos: bigint) =>
  isText(time) && (WITH_MILLISECONDS.test(time) || fromNanos(nanos) === time)

/** Reads nanoseconds, a text or a number; undefined for anything else, for 0, and after the year 9999. */
export function nanosOf(value: unknown): bigint | undefined {
  const digits = String(value)
  const nanos = /^\d{1,21}$/.test(digits) ? BigInt(digits) : 0n
  return nanos > 0n && nanos < 253_402_300_800_000_000_000n ? nanos : undefined
}
