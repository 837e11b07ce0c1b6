// Fingerprints recognize findings again after lines have moved.
import { toHex } from '../bindings/text/bytes.ts'
import { isObject, parsePointer } from '../bindings/text/members.ts'
import { withoutSecrets } from '../bindings/text/secret-shapes.ts'
import { sha256 } from '../bindings/wasm/sha256.ts'
import type { Result } from './command.ts'

/** 128 bits, in hexadecimal. */
const LENGTH = 32

/** Hashes several texts. Their boundaries count: ["ab", "c"] and ["a", "bc"] differ. */
export function digestOf(texts: readonly (string | number)[]): string {
  return toHex(sha256(new TextEncoder().encode(JSON.stringify(texts)))).slice(0, LENGTH)
}

/** Returns a unique fingerprint for each finding: those computed with the document, or else by pointers alone. */
export function fingerprintsOf({ fingerprints, diagnostics }: Result): readonly string[] {
  return (fingerprints as readonly string[] | undefined) ?? fingerprint(diagnostics, undefined)
}

/**
 * Hashes the rule, the detail without numbers, and the place. With the document, array elements go by their `name` or
 * `id`, so that a tool inserted before others does not change theirs. Equal findings are numbered.
 */
export function fingerprint(diagnostics: Result['diagnostics'], document: unknown): string[] {
  const seen = new Map<string, number>()
  return diagnostics.map(({ code, rule, detail, source }) => {
    const parts = [code, rule, stablePlace(source.pointer, document), withoutSecrets(detail).replace(/\d+/g, '#')]
    const name = digestOf(parts)
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : digestOf([name, count])
  })
}

function stablePlace(pointer: string, document: unknown): string {
  if (document === undefined || !/\/\d/.test(pointer)) return pointer
  let value: unknown = document
  const steps = (parsePointer(pointer) ?? []).map((token) => {
    const isElement = Array.isArray(value)
    value = isElement || isObject(value) ? (value as Readonly<Record<string, unknown>>)[token] : undefined
    return isElement && isObject(value) ? (elementName(value) ?? token) : token
  })
  return JSON.stringify(steps)
}

function elementName(element: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const name = Object.hasOwn(element, 'name') ? element['name'] : Object.hasOwn(element, 'id') && element['id']
  return typeof name === 'string' ? [name] : undefined
}
