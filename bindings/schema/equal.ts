// Compares values as JSON Schema requires (core section 4.2.2): numbers by value, members in any order.
import { Halt, MOST_DEPTH, type Run } from './run.ts'

type Members = Readonly<Record<string, unknown>>

/** True when two values are equal. */
export function equal(a: unknown, b: unknown, run: Run, depth = 0): boolean {
  // Engines compare texts of one length to their first difference.
  if (typeof a === 'string' && typeof b === 'string' && a.length === b.length) run.spend(a.length >> 9)
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (depth > MOST_DEPTH) throw new Halt('depth')
  if (Array.isArray(a) !== Array.isArray(b)) return false
  if (Array.isArray(a)) {
    const other = b as readonly unknown[]
    run.spend(a.length)
    return a.length === other.length && a.every((item, i) => equal(item, other[i], run, depth + 1))
  }
  const [names, others] = [Object.keys(a), Object.keys(b)]
  run.spend(names.length + others.length)
  return (
    names.length === others.length &&
    names.every((name) => Object.hasOwn(b, name) && equal((a as Members)[name], (b as Members)[name], run, depth + 1))
  )
}

/** A text that is the same for equal values and differs for unequal ones. */
export function fingerprint(value: unknown, run: Run, depth = 0): string {
  run.spend(1)
  if (typeof value === 'string') return quote(value, run)
  if (typeof value !== 'object' || value === null) return `${value}`
  if (depth > MOST_DEPTH) throw new Halt('depth')
  if (Array.isArray(value)) return paid(`[${value.map((item) => fingerprint(item, run, depth + 1)).join()}]`, run)
  const members = Object.keys(value)
    .sort()
    .map((name) => `${quote(name, run)}:${fingerprint((value as Members)[name], run, depth + 1)}`)
  return paid(`{${members.join()}}`, run)
}

function quote(text: string, run: Run): string {
  run.spend(text.length >> 6)
  return JSON.stringify(text)
}

/** Each level copies the texts of those below. */
function paid(text: string, run: Run): string {
  run.spend(text.length >> 6)
  return text
}

/** Work on decimals with up to 600 digits. */
const DECIMAL_STEPS = 64

/**
 * True when a number is a decimal multiple of another: 19.99 is a multiple of 0.01, although their quotient as doubles
 * is not an integer.
 */
export function isMultiple(value: number, divisor: number, run: Run): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  if (!Number.isFinite(value)) return false
  run.spend(DECIMAL_STEPS)
  const [digits, exponent] = decimal(value)
  const [divisorDigits, divisorExponent] = decimal(divisor)
  const least = Math.min(exponent, divisorExponent)
  const scale = (n: bigint, from: number) => n * 10n ** BigInt(from - least)
  return scale(digits, exponent) % scale(divisorDigits, divisorExponent) === 0n
}

/** The shortest decimal of a number: its digits, and the power of ten to multiply them by. */
function decimal(value: number): [digits: bigint, exponent: number] {
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string]
  const [whole, fraction = ''] = mantissa.split('.') as [string, string?]
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}
