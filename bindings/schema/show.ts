import { visible } from '../text/hidden.ts'
import { cut } from '../text/words.ts'

/** The most characters of a value that a message shows. */
const LONGEST = 60

/** Formats an untrusted value for a message. */
export function show(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object'
  const text = typeof value === 'string' ? JSON.stringify(cut(value, LONGEST + 1)) : String(value)
  return text.length > LONGEST + 2 ? `${visible(cut(text, LONGEST))}…` : visible(text)
}
