// Converts a caller's variables to template values.
import { isWellFormed } from '../../wasm/utf8.ts'
import { LIMIT_VALUE, TEMPLATE_DELIMITER, TEMPLATE_VALUE } from '../findings.ts'
import type { Refusal } from './faults.ts'

/** The types of a variable. Numbers become text as in ECMAScript: 1.0 is `1` and 1e21 is `1e+21`. */
export type Value = string | number | bigint | boolean

export type Variables = Readonly<Record<string, Value>>

/** The restrictions that ADL section 18 requires when rendering for untrusted users. */
export interface ValueRules {
  /**
   * Keeps or refuses `{{` and `}}` in values. Blazon never treats values as templates, but whatever reads the output
   * might.
   */
  readonly delimiters?: 'keep' | 'refuse'
  /** The length limit of a value in UTF-16 units. */
  readonly maxValueLength?: number
}

/** The text of a variable, or the reason why it is refused. */
export function textOf(name: string, value: unknown, rules: ValueRules | undefined): string | Refusal {
  const text = typeof value === 'string' ? value : textOfOther(value)
  if (text === undefined)
    return { kind: TEMPLATE_VALUE, detail: `${name} must be a string, number or boolean, got ${typeName(value)}` }
  if (!isWellFormed(text)) return { kind: TEMPLATE_VALUE, detail: `${name} holds half of a surrogate pair` }
  return rules === undefined ? text : ruled(name, text, rules)
}

function textOfOther(value: unknown): string | undefined {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? String(value) : undefined
    case 'boolean':
    case 'bigint':
      return String(value)
    default:
      return undefined
  }
}

function ruled(name: string, text: string, { delimiters, maxValueLength }: ValueRules): string | Refusal {
  if (maxValueLength !== undefined && text.length > maxValueLength) {
    return {
      kind: LIMIT_VALUE,
      detail: `${name} has ${text.length} characters, more than the limit of ${maxValueLength}`,
    }
  }
  if (delimiters === 'refuse' && /\{\{|\}\}/.test(text)) {
    return { kind: TEMPLATE_DELIMITER, detail: `${name} holds {{ or }}` }
  }
  return text
}

/** The type of a value, in one word. */
function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return String(value)
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`
}
