// What a step did, and what came of it, in a line each, for a terminal and for pages: without credentials and hidden characters.
import { visible } from '../../text/hidden.ts'
import { isObject, isText, type JsonObject, member } from '../../text/members.ts'
import { withoutSecrets } from '../../text/secret-shapes.ts'
import { isHidden } from './subject.ts'

/** The most characters of a line about a step. */
const LONGEST = 240
/** Of a longer text, so much is searched for credentials; its last characters may be the beginning of one. */
const SEARCHED = 4 * LONGEST
const UNKNOWN_END = 64

/** The members of an input that say most about the action, and of an output about its result. The first one counts. */
const OF_INPUT =
  'command cmd file_path notebook_path filePath pattern query path url uri prompt message text content input value'.split(
    ' ',
  )
const OF_OUTPUT = 'stderr stdout output result text content message file value error name'.split(' ')
/** Where such a member only says what is searched. */
const SEARCHES = ['pattern', 'query']
const EXIT_CODES = ['exit_code', 'exitCode', 'code']

/** Short words of ASCII, which hold nothing to hide: most texts of a stream. */
const PLAIN = /^(?:[!-9;-~]{1,15}(?: |$))*$/
const COLOR = new RegExp(`${'\x1b'}\\[[\\d;]*m`, 'g')
/** A word of this length that was cut elsewhere may be the beginning of a credential. */
const CUT_WORD = 20

/** A text with stars instead of its credentials. */
export const masked = (text: string): string => withoutCutWords(withoutSecrets(text))

/** Goes back from each cut, because a pattern would try each letter of a long word as its start. */
function withoutCutWords(text: string): string {
  let [shown, from] = ['', 0]
  for (let at = text.indexOf('…'); at >= 0; at = text.indexOf('…', at + 1)) {
    let start = at
    while (start > from && /[\w+.-]/.test(text[start - 1]!)) start--
    const isLong = at - start >= CUT_WORD
    shown += isLong ? text.slice(from, start) + '*'.repeat(at - start) : text.slice(from, at)
    from = at
  }
  return from === 0 ? text : shown + text.slice(from)
}

/** A text as one bounded line. */
export function brief(text: string): string {
  if (text.length <= LONGEST && PLAIN.test(text)) return text
  const isCut = text.length > SEARCHED
  const searched = (isCut ? text.slice(0, SEARCHED) : text).replace(COLOR, '').replace(/\s+/g, ' ').trim()
  const line = visible(masked(searched))
  if (!isCut && line.length <= LONGEST) return line
  const shown = Math.min(LONGEST - 1, isCut ? Math.max(0, line.length - UNKNOWN_END) : line.length)
  // A part of a string keeps the whole string in memory, unless it is joined to something first.
  return ` ${line.slice(0, shown).replace(/[\ud800-\udbff]$/, '')}…`.slice(1)
}

/** What an input says about the action, in one line. */
export function deedIn(input: unknown): string | undefined {
  if (input === undefined || input === null) return undefined
  if (isHidden(input)) return HIDDEN_VALUE
  const name = isObject(input) ? OF_INPUT.find((one) => telling(member(input, one)) !== undefined) : undefined
  const text = name === undefined ? jsonOf(input) : telling(member(input as JsonObject, name))
  if (text === undefined) return undefined
  const place = SEARCHES.includes(name ?? '') ? member(input as JsonObject, 'path') : undefined
  return brief(isText(place) ? `${text} in ${place}` : text)
}

/** What came of an action, in one line: from an output or an error. */
export function resultIn(value: unknown, depth = 0): string | undefined {
  if (value === undefined || value === null) return undefined
  if (isHidden(value)) return HIDDEN_VALUE
  const whole = telling(value)
  if (whole !== undefined || !isObject(value)) return brief(whole ?? jsonOf(value) ?? '') || undefined
  const code = EXIT_CODES.map((name) => member(value, name)).find((one) => typeof one === 'number' && one !== 0)
  for (const name of OF_OUTPUT) {
    const inner = member(value, name)
    const text = telling(inner) ?? (isObject(inner) && depth < 3 ? resultIn(inner, depth + 1) : undefined)
    if (text !== undefined) return brief(code === undefined ? text : `exit code ${code}: ${text}`)
  }
  if (code !== undefined) return `exit code ${code}`
  const json = jsonOf(value)
  return json === undefined ? undefined : brief(json)
}

const HIDDEN_VALUE = '(hidden)'

/** A text that says something: a string, the words of a command, or the texts of an MCP result. */
function telling(value: unknown): string | undefined {
  if (isText(value)) return value.trim() === '' ? undefined : value
  if (!Array.isArray(value) || value.length === 0) return undefined
  const texts = value.slice(0, 100).map((one) => (isObject(one) ? member(one, 'text') : one))
  return texts.every(isText) && texts.some((text) => text.trim() !== '') ? texts.join(' ') : undefined
}

/** Undefined for an object without members. */
function jsonOf(value: unknown): string | undefined {
  const text = JSON.stringify(value)
  return text === '{}' || text === '[]' ? undefined : text
}
