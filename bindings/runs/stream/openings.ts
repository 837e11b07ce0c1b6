// Values that a stream only commits to. They lie in a file of their own, so each can be removed, or shown alone.
//
//     {"pointer":"/steps/0/action/input","salt":"szNNtcFSI7MX8ADeGdO4Iw","value":{"path":"/invoices/2025-11.csv"}}

import { canonicalizeValue } from '../../core/value.ts'
import { type Document, parse } from '../../document/parse.ts'
import { decodeBase64url } from '../../keys/base64.ts'
import { isObject, isText, type JsonObject, member, valueAt } from '../../text/members.ts'
import { commitmentTo, committedObject, committedText } from '../record/subject.ts'

/** A value, its place in the record, and the salt that its commitment was made with. */
export interface Opening {
  readonly pointer: string
  readonly salt: string
  readonly value: unknown
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The values behind the digests of a redacted record, a line each. Of a part of a record, `place` is its pointer. */
export function writeOpenings(
  original: Document,
  salts: Readonly<Record<string, string>>,
  place = '',
): Uint8Array<ArrayBuffer> {
  const rows = Object.entries(salts).map(([pointer, salt]) => ({
    pointer,
    salt,
    value: valueAt(original.value, pointer.slice(place.length)),
  }))
  return openingLines(rows)
}

export function openingLines(rows: readonly Opening[]): Uint8Array<ArrayBuffer> {
  return encoder.encode(rows.map((row) => `${decoder.decode(canonicalizeValue(row))}\n`).join(''))
}

/** Reads openings; undefined for a text that has others than whole ones. */
export function readOpenings(bytes: Uint8Array): readonly Opening[] | undefined {
  const lines = decoder.decode(bytes).split('\n')
  const rows = lines.filter((line) => line !== '').map((line) => parse(line).document?.value)
  return rows.every(isOpening) ? rows : undefined
}

function isOpening(row: unknown): row is Opening {
  if (!isObject(row) || !Object.hasOwn(row, 'value')) return false
  const salt = member(row, 'salt')
  return isText(member(row, 'pointer')) && isText(salt) && /^[\w-]{22}$/.test(salt)
}

/** True when a record commits to this value at this place. */
export function isOpened(record: JsonObject, { pointer, salt, value }: Opening): boolean {
  const digest = commitmentTo(value, String(record['run_id']), pointer, decodeBase64url(salt))
  const committed = valueAt(record, pointer)
  if (isText(committed)) return committed === committedText(digest)
  return isObject(committed) && JSON.stringify(committed) === JSON.stringify(committedObject(digest))
}

/** How many values a record commits to. */
export function countCommitted(value: unknown): number {
  if (isText(value)) return value.startsWith('adp.commit:') ? 1 : 0
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) for (const part of value) count += countCommitted(part)
  else
    for (const name in value) {
      if (name === 'adp.commit') return 1
      count += countCommitted((value as JsonObject)[name])
    }
  return count
}
