import type { FindingKind } from '../document/finding.ts'
import type { Document } from '../document/parse.ts'
import { NUMBER } from '../document/tape.ts'
import type { Diagnostic } from '../document/types.ts'
import { type JsonObject, type PlacedObject, parsePointer } from '../text/members.ts'
import { ruleDiagnostic } from './rule.ts'

/** Locating each of very many integers would be slow, and nobody reads such a long list. */
export const MOST_FINDINGS = 100

/** Finds integers beyond 2^53 - 1, which programs read differently: a warning when reading, an error when signing. */
export function unsafeIntegers(document: Document, rule: FindingKind): Diagnostic[] {
  const { tape } = document
  const findings: Diagnostic[] = []
  for (let entry = 0; entry < tape.next(0) && findings.length < MOST_FINDINGS; entry++) {
    if (tape.kind(entry) !== NUMBER) continue
    const text = tape.source(entry)
    if (!isUnsafe(text)) continue
    const detail = `${text.length > 40 ? `${text.slice(0, 40)}…` : text} is beyond 2^53 - 1: put the digits in a string`
    findings.push(ruleDiagnostic(document, rule, 'error', tape.pointerOf(entry), detail))
  }
  return findings
}

/**
 * An object's members as text templates need them: integers beyond 2^53 - 1, which no double can hold, become strings
 * of the digits as written.
 */
export function exactMembers({ tape }: Document, { pointer, value }: PlacedObject): JsonObject {
  const exact: [name: string, value: unknown][] = []
  for (const name of tape.children(tape.find(parsePointer(pointer)!))) {
    const text = tape.text(name)
    const written = tape.kind(name + 1) === NUMBER ? tape.source(name + 1) : ''
    exact.push([text, isUnsafe(written) ? written : value[text]])
  }
  return Object.fromEntries(exact)
}

const isUnsafe = (text: string): boolean => !/[.eE]/.test(text) && !Number.isSafeInteger(Number(text))
