// Turns variables as the caller gives them into values of a template.
import { isWellFormed } from '../../wasm/utf8.ts'
import { DELIMITER, type Refusal, VALUE, VALUE_LENGTH } from './faults.ts'

/** The types of a variable. Numbers become text by the rules of ECMAScript, so that 1.0 is `1` and 1e21 is `1e+21`. */
export type Value = string | number | bigint | boolean

export type Variables = Readonly<Record<string, Value>>

/** The restrictions that ADL section 18 asks for when rendering for untrusted users. */
export interface ValueRules {
  /**
   * Allows `{{` and `}}` in values or refuses them. Values are never read as templates here, but the reader of the
   * output might.
   */
  readonly delimiters?: 'keep' | 'refuse'
  /** The most UTF-16 units of a value. */
  readonly maxValueLength?: number
}

/** The text of a variable, or the reason why it has none. */
export function textOf(name: string, value: unknown, rules: ValueRules | undefined): string | Refusal {
  const text = typeof value === 'string' ? value : textOfOther(value)
  if (text === undefined)
    return { kind: VALUE, detail: `${name} must be a string, number or boolean, got ${typeName(value)}` }
  if (!isWellFormed(text)) return { kind: VALUE, detail: `${name} holds half of a surrogate pair` }
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
      kind: VALUE_LENGTH,
      detail: `${name} has ${text.length} characters, more than the limit of ${maxValueLength}`,
    }
  }
  if (delimiters === 'refuse' && /\{\{|\}\}/.test(text)) {
    return { kind: DELIMITER, detail: `${name} holds {{ or }}` }
  }
  return text
}

/** The type of a value, in one word. */
function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return String(value)
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`
}
