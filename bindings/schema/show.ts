import { visible } from '../text/hidden.ts'

/** The most characters of a value in a message. */
const LONGEST = 60

/** An untrusted value in a message. */
export function show(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object'
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, LONGEST + 1)) : String(value)
  return text.length > LONGEST + 2 ? `${visible(text.slice(0, LONGEST))}…` : visible(text)
}
