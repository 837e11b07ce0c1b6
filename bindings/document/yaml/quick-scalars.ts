// Reads the scalars of YAML, and writes them as JSON. quick.ts reads what they stand in.
//
// Most texts are read by a process that has just begun, whose code is not optimized yet: there, a loop over characters
// takes ten times as long as a regular expression or a search. All of these take a run of characters without going back.
import { toJsonNumber } from './number.ts'

/** Thrown at everything that this reader does not know for certain: the yaml package decides. */
export const UNSURE = Symbol('unsure')

/** White space, and the end of the text, which is a zero. */
const BLANK = ' \t\n\r\0'
const BLANK_IN_FLOW = `${BLANK},[]{}`
/** No plain scalar begins with this. */
const INDICATOR = /[\t\n\r\0 #&*!|>'"%@`,[\]{}]|[-?:](?=[ \t\n\r\0])/y
const INDICATOR_IN_FLOW = /[\t\n\r\0 #&*!|>'"%@`,[\]{}]|[-?:](?=[ \t\n\r\0,[\]{}])/y

const SPACES = / */y
/** Plain text up to where it may end. */
const PLAIN = /[^\t\n\r\0:#]*/y
const PLAIN_IN_FLOW = /[^\t\n\r\0:#,[\]{}]*/y
const DOUBLE_QUOTED = /[^"\\\n\r\0]*/y
const SINGLE_QUOTED = /[^'\n\r\0]*/y

/** YAML 1.2.2 section 10.3.2. */
const NUMBER = /^(?:[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|0o[0-7]+|0x[\da-fA-F]+)$/
const NOT_FINITE = /^(?:[-+]?\.(?:inf|Inf|INF)|\.nan|\.NaN|\.NAN)$/
const WORDS = new Map([
  ...['~', 'null', 'Null', 'NULL'].map((word) => [word, 'null'] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, 'true'] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, 'false'] as const),
])
/** Everything else is a string. */
const BEGINS_OTHER = /^[~nNtTfF\d+.-]/

/** Escapes of double-quoted scalars (YAML 1.2.2 section 5.7) with one character. */
const ESCAPES = new Map([
  ...Object.entries({ '0': '\0', a: '\x07', b: '\b', '\t': '\t', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' }),
  ...Object.entries({ e: '\x1b', ' ': ' ', '"': '"', '/': '/', '\\': '\\' }),
  ...Object.entries({ N: '\x85', _: '\xa0', L: '\u2028', P: '\u2029' }),
])
/** The JSON of a YAML text, and the start and end in the text of each of its values and names. */
export interface QuickYaml {
  readonly json: string
  /** In UTF-16 units. */
  readonly places: Uint32Array<ArrayBuffer>
}

/** The place in a text, and what was written so far. */
export class ScalarReader {
  /** The text, and a zero. */
  protected readonly text: string
  protected at = 0
  /** The end of the value read last. */
  protected end = 0
  /** At least the number of tokens that the package would find. */
  protected tokens = 8
  protected json = ''
  /** Where the line of plain text stops that was looked at last: at a colon, a comment, or its end. */
  protected stop = 0
  /** Where that plain text begins and ends. */
  #seen = -1
  #seenEnd = 0
  /** The empty lines in front of the line that was looked at last, and the most spaces that one has. */
  #empty = 0
  #widest = 0
  /** What is written beyond its end is lost, which `written` notices. */
  readonly #places: Uint32Array<ArrayBuffer>
  #entries = 0

  constructor(text: string) {
    this.text = `${text}\0`
    this.#places = new Uint32Array(text.length + 256)
  }

  protected written(): QuickYaml {
    if (2 * this.#entries > this.#places.length) throw UNSURE
    return { json: this.json, places: this.#places.slice(0, 2 * this.#entries) }
  }

  /** Records the place of the next value or name; returns its number. */
  protected entry(start: number, end: number): number {
    const entry = this.#entries++
    this.#places[2 * entry] = start
    this.#places[2 * entry + 1] = end
    this.end = end
    this.tokens += 3
    return entry
  }

  /** Records the end of a value that began earlier. */
  protected endEntry(entry: number, end: number): void {
    this.#places[2 * entry + 1] = end
    this.end = end
  }

  protected null(at: number): void {
    this.entry(at, at)
    this.json += 'null'
  }

  #string(value: string, start: number, end: number): void {
    this.entry(start, end)
    this.json += JSON.stringify(value)
  }

  protected isBlank(at: number): boolean {
    return BLANK.includes(this.text[at]!)
  }

  /** True at the end of a line or of the text. */
  protected isLineEnd(at: number): boolean {
    const code = this.text[at]
    return code === '\n' || code === '\r' || code === '\0'
  }

  #runEnd(run: RegExp, from: number): number {
    run.lastIndex = from
    run.test(this.text)
    return run.lastIndex
  }

  /** The place of the first character that is not a space. */
  protected spacesEnd(from: number): number {
    if (this.text[from] !== ' ') return from
    return this.text[from + 1] === ' ' ? this.#runEnd(SPACES, from) : from + 1
  }

  /** The end of the line. */
  protected lineEnd(from: number): number {
    const at = this.text.indexOf('\n', from)
    if (at < 0) return this.text.length - 1
    return at > from && this.text[at - 1] === '\r' ? at - 1 : at
  }

  /** The place after a line end, which is required here unless the text ends. */
  protected nextLine(at: number): number {
    const code = this.text[at]
    if (code !== '\n' && code !== '\r' && code !== '\0') throw UNSURE
    return code === '\n' ? at + 1 : code === '\r' ? at + 2 : at
  }

  /** The place of a line end, after spaces and a comment. */
  protected restOfLine(from: number): number {
    const at = this.spacesEnd(from)
    if (this.text[at] !== '#') return at
    if (at === from) throw UNSURE
    this.tokens += 2
    return this.lineEnd(at)
  }

  // Plain scalars

  /** The end of the plain scalar that begins here, on this line. */
  protected plainEnd(start: number, inFlow: boolean): number {
    if (start === this.#seen) return this.#seenEnd
    const indicator = inFlow ? INDICATOR_IN_FLOW : INDICATOR
    indicator.lastIndex = start
    if (indicator.test(this.text)) throw UNSURE
    this.#seen = start
    this.#seenEnd = this.#lineOfPlain(start, inFlow)
    return this.#seenEnd
  }

  #lineOfPlain(start: number, inFlow: boolean): number {
    const { text } = this
    const run = inFlow ? PLAIN_IN_FLOW : PLAIN
    const blank = inFlow ? BLANK_IN_FLOW : BLANK
    let at = this.#runEnd(run, start)
    for (; ; at = this.#runEnd(run, at + 1)) {
      const code = text[at]
      if (code === '\t') throw UNSURE
      const goesOn = code === ':' ? !blank.includes(text[at + 1]!) : code === '#' && text[at - 1] !== ' '
      if (!goesOn) break
    }
    this.stop = at
    while (text[at - 1] === ' ') at--
    return at
  }

  /** Reads a plain scalar outside of flow collections, whose further lines begin in column `least` or after it. */
  protected plain(least: number): void {
    const { text, at: start } = this
    this.at = this.plainEnd(start, false)
    let next = this.#continuation(least)
    if (next < 0) {
      this.plainValue(start)
      return
    }
    let value = text.slice(start, this.at)
    for (; next >= 0; next = this.#continuation(least)) {
      value += this.#empty === 0 ? ' ' : '\n'.repeat(this.#empty)
      this.at = this.#lineOfPlain(next, false)
      value += text.slice(next, this.at)
    }
    this.#string(value, start, this.at)
  }

  /** The place where the next line goes on with a plain scalar; -1 when it does not. */
  #continuation(least: number): number {
    const stop = this.text[this.stop]
    if (stop === ':') throw UNSURE
    if (stop === '#') return -1
    const line = this.#lineAfter(this.stop)
    const at = this.spacesEnd(line)
    const code = this.text[at]
    if (code === '\t') throw UNSURE
    return at - line < least || code === '#' || code === '\0' ? -1 : at
  }

  /** The beginning of the next line that is not empty; counts those that are. */
  #lineAfter(end: number): number {
    let line = this.nextLine(end)
    this.#empty = 0
    this.#widest = 0
    for (let at = this.spacesEnd(line); this.isLineEnd(at); at = this.spacesEnd(line)) {
      if (this.text[at] === '\0') break
      this.#widest = Math.max(this.#widest, at - line)
      this.#empty++
      line = this.nextLine(at)
    }
    return line
  }

  /** Writes the plain scalar that ends here, which may be a number or another value (YAML 1.2.2 section 10.3.2). */
  protected plainValue(start: number): void {
    const source = this.text.slice(start, this.at)
    const json = jsonOf(source)
    if (json === undefined) this.#string(source, start, this.at)
    else {
      this.entry(start, this.at)
      this.json += json
    }
  }

  /** Writes the plain scalar that ends at `end` as a name. */
  protected plainName(start: number, end: number): void {
    const source = this.text.slice(start, end)
    if (source === '<<' || jsonOf(source) !== undefined) throw UNSURE
    this.#string(source, start, end)
  }

  // Quoted scalars

  /** The place of the quote that ends the scalar that begins here, on the same line. */
  protected quoteEnd(): number {
    const { text } = this
    const quote = text[this.at]
    const run = quote === "'" ? SINGLE_QUOTED : DOUBLE_QUOTED
    for (let at = this.#runEnd(run, this.at + 1); ; at = this.#runEnd(run, at + 2)) {
      const code = text[at]
      const isPair = quote === "'" && text[at + 1] === "'"
      if (code === quote && !isPair) return at
      if (this.isLineEnd(at) || (code === '\\' && this.isLineEnd(at + 1))) throw UNSURE
    }
  }

  /** Reads a quoted scalar on one line. */
  protected quoted(): void {
    const { text, at: start } = this
    const end = this.quoteEnd()
    const source = text.slice(start + 1, end)
    this.at = end + 1
    if (text[start] === "'") this.#string(source.replaceAll("''", "'"), start, this.at)
    else this.#string(source.includes('\\') ? source.replace(ESCAPE, unescaped) : source, start, this.at)
  }

  // Block scalars

  /** Reads a block scalar whose lines begin in column `least` or after it. */
  protected blockScalar(least: number): void {
    const { text, at: start } = this
    const isFolded = text[start] === '>'
    const chomping = text[start + 1]
    const hasChomping = chomping === '+' || chomping === '-'
    let line = this.#lineAfter(this.restOfLine(start + (hasChomping ? 2 : 1)))
    const column = this.spacesEnd(line) - line
    if (column < Math.max(least, this.#widest) || text[line + column] === '\0') throw UNSURE
    let value = '\n'.repeat(this.#empty)
    let wasMore = true
    for (let isFirst = true; ; isFirst = false) {
      const from = line + column
      const isMore = !isFolded || text[from] === ' ' || text[from] === '\t'
      const breaks = isMore || wasMore ? this.#empty + 1 : this.#empty
      if (!isFirst) value += breaks === 0 ? ' ' : '\n'.repeat(breaks)
      this.at = this.lineEnd(from)
      value += text.slice(from, this.at)
      wasMore = isMore
      line = this.#lineAfter(this.at)
      const next = this.spacesEnd(line)
      if (this.#widest > column || (text[next] === '\0' && next > line)) throw UNSURE
      if (text[next] === '\0' || next < line + column) break
    }
    if (chomping !== '-') value += '\n'.repeat(chomping === '+' ? this.#empty + 1 : 1)
    const end = start + text.slice(start, this.at).trimEnd().length
    this.#string(value, start, end)
  }
}

/** The JSON of a plain scalar that is not a string. */
function jsonOf(source: string): string | undefined {
  if (!BEGINS_OTHER.test(source)) return undefined
  const word = WORDS.get(source)
  if (word !== undefined) return word
  if (!NUMBER.test(source)) {
    if (NOT_FINITE.test(source)) throw UNSURE
    return undefined
  }
  const number = toJsonNumber(source)
  if (number === undefined) throw UNSURE
  return number
}

const ESCAPE = /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[\s\S])/g

/** The character of an escape. */
function unescaped(written: string): string {
  const known = ESCAPES.get(written.slice(1))
  const code = known === undefined && written.length > 2 ? Number.parseInt(written.slice(2), 16) : -1
  if (known === undefined && !(code >= 0 && code <= 0x10ffff)) throw UNSURE
  return known ?? String.fromCodePoint(code)
}
