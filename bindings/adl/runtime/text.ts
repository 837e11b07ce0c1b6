// Input and output as texts with limits (ADL 11.1, 11.2).

import { parse } from '../../document/parse.ts'
import { member, type PlacedObject } from '../../text/members.ts'
import { isLonger, quoted } from '../../text/words.ts'
import { stripHtml } from './html.ts'

/** An accepted text, or the reason to refuse it. */
export type TextDecision =
  | { readonly accepted: true; readonly text: string }
  | { readonly accepted: false; readonly reason: string; readonly decidedBy: string }

/** A number of characters (code points). A value that is not a number allows nothing. */
export interface Limit {
  readonly most: number
  readonly pointer: string
}

export const refuse = (reason: string, decidedBy: string): TextDecision => ({ accepted: false, reason, decidedBy })

export function limitOf(of: PlacedObject | undefined, name: string): Limit | undefined {
  const value = member(of?.value, name)
  if (value === undefined) return undefined
  const most = typeof value === 'number' && Number.isInteger(value) && value >= 1 ? value : 0
  return { most, pointer: `${of!.pointer}/${name}` }
}

export function lower(a: Limit | undefined, b: Limit | undefined): Limit | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return b.most < a.most ? b : a
}

/** Refuses a text that exceeds a limit; returns undefined when it fits. */
function tooLong(text: string, limit: Limit | undefined): TextDecision | undefined {
  if (limit === undefined || !isLonger(text, limit.most)) return undefined
  return refuse(`longer than ${limit.most} characters`, limit.pointer)
}

export interface InputRules {
  readonly limit: Limit | undefined
  /** In lower case, without parameters; undefined means any. */
  readonly contentTypes: readonly string[] | undefined
  readonly stripHtml: boolean
}

export function handleInput(rules: InputRules, text: string, contentType: string): TextDecision {
  const { limit, contentTypes } = rules
  const essence = essenceOf(contentType)
  if (contentTypes !== undefined && !contentTypes.includes(essence)) {
    return refuse(`the content type ${quoted(essence)} is not accepted`, '/runtime/input_handling/content_types')
  }
  return tooLong(text, limit) ?? { accepted: true, text: rules.stripHtml ? stripHtml(text) : text }
}

/** `text/plain` of `Text/Plain; charset=utf-8`. */
export const essenceOf = (contentType: string) => contentType.split(';', 1)[0]!.trim().toLowerCase()

export const FORMATS = {
  text: 'text/plain',
  json: 'application/json',
  markdown: 'text/markdown',
  html: 'text/html',
} as const

export type OutputFormat = keyof typeof FORMATS

export function handleOutput(limit: Limit | undefined, format: OutputFormat | undefined, text: string): TextDecision {
  const refusal = tooLong(text, limit)
  if (refusal !== undefined) return refusal
  if (format === 'json' && parse(text).document === undefined) {
    return refuse('the output is not JSON', '/runtime/output_handling/format')
  }
  return { accepted: true, text }
}
