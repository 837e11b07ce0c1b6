// The canonical forms that SDKs sign although section 8.4.1 requires another. They name a signature; none verifies.
import { canonicalizeValue } from '../core/value.ts'
import { encodeBase64url } from '../keys/base64.ts'
import { isObject } from '../text/members.ts'
import { type Payload, presentMembers } from './payload.ts'
import type { A2aCard } from './subject.ts'

/** Bytes that some SDK signs, and whose they are. */
export interface OtherForm extends Pick<Payload, 'text'> {
  readonly of: string
}

/** The forms of a card that differ from each of its payloads. */
export function otherForms({ root, version }: A2aCard, payloads: readonly Payload[]): readonly OtherForm[] {
  // a2a-js does not read the card by its schema before it signs: only empty values go.
  const cleaned = presentMembers(root.value, '0.3', 'sdk').value
  const kept = [
    presentMembers(root.value, version, 'sdk').value,
    cleaned,
    presentMembers(root.value, version, 'written').value,
  ]
  const encoder = new TextEncoder()
  const forms = [
    { of: 'a2a-js (false and unknown members stay)', bytes: canonicalizeValue(cleaned) },
    ...kept.map((value) => ({ of: 'a2a-python (json.dumps: ASCII only)', bytes: encoder.encode(inPython(value)) })),
  ]
  const known = new Set(payloads.map(({ text }) => text))
  return forms.flatMap(({ of, bytes }) => {
    const text = encodeBase64url(bytes)
    if (known.has(text)) return []
    known.add(text)
    return [{ of, text }]
  })
}

/** `json.dumps(value, separators=(',', ':'), sort_keys=True)` of Python. Cards have no fractions. */
function inPython(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inPython).join()}]`
  if (!isObject(value)) return inAscii(value)
  const names = Object.keys(value).sort(byCodePoint)
  return `{${names.map((name) => `${inAscii(name)}:${inPython(value[name])}`).join()}}`
}

const inAscii = (value: unknown) =>
  JSON.stringify(value).replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Python sorts by code points, RFC 8785 by UTF-16 units. */
function byCodePoint(a: string, b: string): number {
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  return (a.codePointAt(i) ?? -1) - (b.codePointAt(i) ?? -1)
}
