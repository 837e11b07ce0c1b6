// Input and output as texts with limits (ADL 11.1, 11.2).
import { parse } from '../document/parse.ts'
import { member, type PlacedObject } from '../text/members.ts'
import { isLonger, quoted } from '../text/words.ts'

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

/** If one of these follows, `<` begins a tag, a comment, or something that a browser treats as one (HTML 13.2.5.6). */
const OPENS = /[A-Za-z/!?]/

/**
 * A text without its HTML tags, comments and declarations. The text between them stays, and so does a `<` that opens
 * nothing. The remaining text can never form a tag, not even with text that is appended to it.
 *
 * @example
 * stripHtml('a <b>bold</b> claim: 1 < 2') // 'a bold claim: 1 < 2'
 * stripHtml('<scr<b>ipt>alert(1)') // 'ipt>alert(1)'
 */
export function stripHtml(text: string): string {
  let kept = ''
  // Each pending `<` needs the character that will follow it in the result.
  let waiting = 0
  for (let at = 0; at < text.length; ) {
    if (text[at] === '<') {
      const opens = at + 1 < text.length && OPENS.test(text[at + 1]!)
      if (!opens) waiting++
      at = opens ? endOfTag(text, at) : at + 1
      continue
    }
    const next = text.indexOf('<', at)
    const end = next < 0 ? text.length : next
    if (!OPENS.test(text[at]!)) kept += '<'.repeat(waiting)
    kept += text.slice(at, end)
    waiting = 0
    at = end
  }
  return kept
}

/** The position after the tag that begins at `at`; the end of the text if the tag is not closed, as in a browser. */
function endOfTag(text: string, at: number): number {
  if (text.startsWith('<!--', at)) return behind(text, '-->', at + 2)
  if (text[at + 1] === '!' || text[at + 1] === '?') return behind(text, '>', at)
  for (let i = at + 1; i < text.length; ) {
    const character = text[i++]
    if (character === '>') return i
    if (character !== '=') continue
    while (i < text.length && /\s/.test(text[i]!)) i++
    // Only the value of an attribute is quoted.
    if (text[i] === '"' || text[i] === "'") i = behind(text, text[i]!, i + 1)
  }
  return text.length
}

function behind(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from)
  return at < 0 ? text.length : at + what.length
}
