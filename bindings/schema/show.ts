import { visible } from '../document/hidden.ts'

/** As much of a value as a message has room for. */
const LONGEST = 60

/** A value of a stranger in a message. */
export function show(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object'
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, LONGEST + 1)) : String(value)
  return text.length > LONGEST + 2 ? `${visible(text.slice(0, LONGEST))}…` : visible(text)
}
