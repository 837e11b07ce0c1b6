import type { Document } from './document.ts'
import { parsePointer } from './pointer.ts'
import { type RuleInfo, ruleDiagnostic } from './rule.ts'
import { NUMBER } from './tape.ts'
import type { Diagnostic } from './types.ts'

/** Finding where each of very many stands would take long, and nobody reads so many. */
export const MOST_FINDINGS = 100

/** Integers beyond 2^53 - 1, which programs read as different numbers: a warning when reading, a refusal when signing. */
export function unsafeIntegers(document: Document, rule: RuleInfo): Diagnostic[] {
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
 * What a member of an object stands for in texts: its value, and of an integer beyond 2^53 - 1, which no number holds, the
 * digits that were written.
 *
 * @param pointer of the object.
 */
export function exactValue(document: Document, pointer: string, name: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const { tape } = document
  const written = tape.source(tape.find([...parsePointer(pointer)!, name]))
  return isUnsafe(written) ? written : value
}

const isUnsafe = (text: string): boolean => !/[.eE]/.test(text) && !Number.isSafeInteger(Number(text))
