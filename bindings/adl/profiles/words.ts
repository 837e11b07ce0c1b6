// Helpers that the schemas of the ADL profiles are written with.
import { shown } from '../../text/words.ts'
import type { Fragment, TypeName } from './fragment.ts'

export const text: Fragment = { type: 'string' }
export const filled: Fragment = { type: 'string', minLength: 1 }
export const flag: Fragment = { type: 'boolean' }
export const uri: Fragment = { type: 'string', format: 'uri' }
export const email: Fragment = { type: 'string', format: 'email' }
export const timestamp: Fragment = { type: 'string', format: 'date-time' }
export const texts: Fragment = { type: 'array', items: text }

export const choice = (...values: readonly (string | number)[]): Fragment => ({ enum: values })

export const list = (items: Fragment, minItems = 0): Fragment => ({ type: 'array', items, minItems })

export const atLeast = (minimum: number, type: TypeName = 'number'): Fragment => ({ type, minimum })

/** An object with these members; a name that ends in `*` is required. */
export function object(members: Readonly<Record<string, Fragment>>): Fragment {
  const bare = (name: string) => name.replace('*', '')
  const entries = Object.entries(members)
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, fragment]) => [bare(name), fragment])),
    required: entries.filter(([name]) => name.endsWith('*')).map(([name]) => bare(name)),
  }
}

/** Names the rule that a wrong value violates, or a missing one if it is required. */
export const rule = (id: string, fragment: Fragment): Fragment => ({ ...fragment, 'x-rule': id })

/** Words for the value found instead of a required one, to append to the requirement; empty if there is no value. */
export const foundIn = (value: unknown): string => (value === undefined ? '' : `, found ${shown(value)}`)
