// What a writer is about to write at a place of a text that may be broken: a member's name, or a value, and where.
import { decodeString, locate } from '../../document/locate.ts'
import { parsePointer } from '../../text/members.ts'

export interface Cursor {
  /** The object in which a name is written, or the value. For `any`, one of both: the text shows only a word. */
  readonly path: readonly string[]
  readonly expects: 'name' | 'value' | 'any'
  /** The token to replace, in UTF-16 units, with its quotes. */
  readonly start: number
  readonly end: number
  /** The token's text so far, without quotes. */
  readonly word: string
  readonly quote: string
  /** True when a colon follows the name. */
  readonly hasColon: boolean
  /** The other names in the same object, as far as the text shows them. */
  readonly others: readonly string[]
}

/** How a text is written: `text` is Markdown with YAML front matter. */
export type Notation = 'json' | 'yaml' | 'text'

/** Finds what is expected at an offset; undefined where nothing can be completed. */
export function cursorAt(text: string, offset: number, notation: Notation): Cursor | undefined {
  if (notation === 'json') return cursorInJson(text, offset)
  if (notation === 'yaml') return cursorInYaml(text, 0, offset)
  const begin = /^---[ \t]*\r?\n/.exec(text)?.[0].length
  if (begin === undefined || offset < begin || /^---[ \t]*$/m.test(text.slice(begin, offset))) return undefined
  return cursorInYaml(text, begin, offset)
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function cursorInJson(text: string, offset: number): Cursor | undefined {
  const bytes = encoder.encode(text)
  const at = encoder.encode(text.slice(0, offset)).length
  const { pointer, expected, token, container } = locate(bytes, at)
  const isName = expected === 'name' || expected === 'name or end'
  if (!isName && expected !== 'value' && expected !== 'element or end') return undefined
  // A token that begins after the place is another one.
  const isInside = token.start < at && /["\w.+-]/.test(String.fromCharCode(bytes[token.start]!))
  const path = parsePointer(pointer)!
  if (isName && decodeString(bytes, token.start, token.end) !== undefined) path.pop()
  if (!isName && container?.array && path.at(-1) !== String(container.index)) path.push(String(container.index))
  const line = decoder.decode(bytes.subarray(token.start, at))
  const start = isInside ? offset - line.length : offset
  const end = isInside ? offset + lengthOfRest(text, offset, line, bytes.subarray(token.start, token.end)) : offset
  return {
    ...{ path, start, end, expects: isName ? 'name' : 'value', quote: '"', others: [] },
    word: isInside ? line.replace(/^"/, '') : '',
    hasColon: /^\s*:/.test(text.slice(end, end + 100)),
  }
}

/** How much of a token follows the cursor. An open string would have all that follows; it ends with its line. */
function lengthOfRest(text: string, offset: number, before: string, token: Uint8Array): number {
  if (decodeString(token, 0, token.length) !== undefined) return decoder.decode(token).length - before.length
  return (before.startsWith('"') ? /^[^"\n,}\]]*"?/ : /^[\w.+-]*/).exec(text.slice(offset, offset + MOST_COLUMNS))![0]
    .length
}

// YAML: by the indentation of the lines above.

/** Only so much of a line is looked at. */
const MOST_COLUMNS = 256
const MOST_BELOW = 1000
const KEY =
  /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s"'#&*!|>%@`[\]{},?:-][^:#]*|-[^\s:#][^:#]*))[ \t]*:(?=[ \t]|$)[ \t]*/
const TOKEN = /^(?:"[^"]*"?|'[^']*'?|[^#\s](?:[^#\s]|[ \t](?![ \t]*#))*)?/

interface Entry {
  readonly column: number
  /** Undefined for a dash. */
  readonly key?: string
  /** Where the value begins in the line. */
  readonly value: number
}

/** The dashes and the key with which a line begins. */
function entriesOf(line: string): { readonly entries: Entry[]; readonly rest: number } {
  const entries: Entry[] = []
  let at = /^ */.exec(line)![0].length
  while (line[at] === '-' && (at + 1 === line.length || line[at + 1] === ' ')) {
    entries.push({ column: at, value: at + 1 })
    at += 1 + /^ */.exec(line.slice(at + 1))![0].length
  }
  const found = KEY.exec(line.slice(at))
  if (found === null) return { entries, rest: at }
  const key = found[1] ?? found[2] ?? found[3]!.trimEnd()
  entries.push({ column: at, key, value: at + found[0].length })
  return { entries, rest: at }
}

function cursorInYaml(text: string, begin: number, offset: number): Cursor | undefined {
  const lineStart = lineStartIn(text, offset)
  const lineEnd = /[\r\n]|$/.exec(text.slice(offset, offset + MOST_COLUMNS))!.index + offset
  const line = text.slice(lineStart, lineEnd)
  const column = offset - lineStart
  if (column > MOST_COLUMNS || /(?:^|\s)#/.test(line.slice(0, column).replace(/"[^"]*"|'[^']*'/g, ''))) return undefined
  const { entries, rest } = entriesOf(line)
  const last = entries.at(-1)
  const inValue = last?.key !== undefined && column >= last.value && line[last.value - 1] !== ':'
  // In the indentation of something.
  if (column < rest && entries.length > 0) return undefined
  const tokenAt = inValue ? last.value : Math.min(rest, column)
  const above = new Ancestors(inValue ? last.column + 1 : tokenAt)
  for (const entry of entries.toReversed()) if (entry.column < tokenAt || inValue) above.visit(entry, line)
  for (const one of linesAbove(text, begin, lineStart)) {
    if (one === '---' || !above.visitLine(one)) break
  }
  if (above.isText) return undefined
  for (const one of linesBelow(text, lineEnd)) if (!above.addBelow(one)) break
  const shown = (from: number, path: readonly string[], expects: Cursor['expects']): Cursor => {
    const token = TOKEN.exec(line.slice(from))![0].trimEnd()
    const quote = /^["']/.exec(token)?.[0] ?? ''
    const isKey = last?.key !== undefined && !inValue
    const end = Math.max(column, from + (isKey ? KEY.exec(line.slice(from))![0].replace(/\s*:\s*$/, '') : token).length)
    const word = line.slice(from, column).replace(/^["']/, '')
    const hasColon = isKey || /^\s*:/.test(line.slice(end))
    const others = inValue ? [] : above.others
    return { path, expects, start: lineStart + from, end: lineStart + end, word, quote, hasColon, others }
  }
  const path = above.path()
  if (!inValue) return shown(tokenAt, path, last?.key === undefined ? 'any' : 'name')
  const flow = /^\[(?:[^[\]{}]*,)?[ \t]*/.exec(line.slice(tokenAt, column))
  if (flow === null) return /^[{&*!|>]/.test(line.slice(tokenAt)) ? undefined : shown(tokenAt, path, 'value')
  const element = /^[^,\]]*/.exec(line.slice(tokenAt + flow[0].length))![0].trimEnd().length
  const from = tokenAt + flow[0].length
  return { ...shown(from, [...path, '0'], 'value'), end: lineStart + Math.max(column, from + element) }
}

const lineStartIn = (text: string, offset: number) => (offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1)

/** The lines before an offset, the nearest first, without empty lines and comments. */
function* linesAbove(text: string, begin: number, before: number): Generator<string> {
  for (let end = before - 1; end >= begin; ) {
    const start = Math.max(begin, lineStartIn(text, end))
    const line = text.slice(start, Math.min(end, start + MOST_COLUMNS)).trimEnd()
    if (line !== '' && !/^ *#/.test(line)) yield line
    end = start - 1
  }
}

/** The lines after an offset: they tell which names an object has, so a limited number suffices. */
function* linesBelow(text: string, after: number): Generator<string> {
  for (let at = text.indexOf('\n', after) + 1, count = 0; at > 0 && count < MOST_BELOW; count++) {
    const end = text.indexOf('\n', at)
    const line = text.slice(at, Math.min(end < 0 ? text.length : end, at + MOST_COLUMNS)).trimEnd()
    if (line !== '' && !/^ *#/.test(line)) yield line
    at = end + 1
  }
}

/** Collects the keys and the elements that contain a column. */
class Ancestors {
  readonly #own: number
  #column: number
  /** True after a dash, whose key may stand in the same column. */
  #isDash = false
  readonly #path: string[] = []
  /** True inside of a block of text. */
  isText = false
  /** The keys in the column itself. */
  readonly others: string[] = []

  constructor(column: number) {
    this.#own = column
    this.#column = column
  }

  /** Adds a name of the same object from a line below; returns false after its end. */
  addBelow(line: string): boolean {
    const { entries } = entriesOf(line)
    const { column, key } = entries[0] ?? { column: /^ */.exec(line)![0].length }
    if (column === this.#own && key !== undefined) this.others.push(key)
    return column > this.#own || (column === this.#own && key !== undefined)
  }

  /** Returns false once the root is reached. */
  visitLine(line: string): boolean {
    for (const entry of entriesOf(line).entries.toReversed()) this.visit(entry, line)
    return !this.isText && (this.#column > 0 || this.#isDash)
  }

  visit({ column, key, value }: Entry, line: string): void {
    const isSame = column === this.#column && this.#isDash
    if (key !== undefined && column === this.#own && this.#column === this.#own) this.others.push(key)
    if (column > this.#column || (column === this.#column && !isSame)) return
    if (key === undefined && isSame) {
      this.#path[0] = String(Number(this.#path[0]) + 1)
      return
    }
    if (key !== undefined && /^[|>][\d+-]*(?:\s|$)/.test(line.slice(value))) this.isText = true
    this.#path.unshift(key ?? '0')
    this.#column = column
    this.#isDash = key === undefined
  }

  path(): readonly string[] {
    return this.#path
  }
}
