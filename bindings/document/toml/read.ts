// Reads the grammar of TOML 1.0.0 (https://toml.io/en/v1.0.0) in one pass.
import { visible } from '../../text/hidden.ts'
import type { FindingKind } from '../finding.ts'
import { LIMIT_SIZE } from '../findings.ts'
import { TextFault } from '../yaml/characters.ts'
import { TOML_NUMBER, TOML_SYNTAX } from './findings.ts'
import { type KeyPart, type Node, type Span, type Table, Tree } from './nodes.ts'

/** Values and names; more take more memory than a Worker has. */
const MOST_NODES = 250_000

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)/
const BLANKS = /[ \t]*/y
const COMMENT = /#[^\n]*/y
const SPACE = /(?:[ \t\r\n]|#[^\n]*)*/y
const BARE_KEY = /[\w-]+/y
const BASIC = /"((?:[^"\\\n]|\\.)*)"/y
const LITERAL = /'([^'\n]*)'/y
/** One or two quotes are part of the text, also right before the end. */
const LONG_BASIC = /"""(?:\r?\n)?((?:[^"\\]|\\[\s\S]|"(?!")|""(?!"))*"{0,2})"""/y
const LONG_LITERAL = /'''(?:\r?\n)?((?:[^']|'(?!')|''(?!'))*'{0,2})'''/y
const ESCAPE = /\\(?:u([\da-f]{4})|U([\da-f]{8})|([btnfr"\\])|([ \t]*\r?\n[ \t\r\n]*)|[\s\S])/gi
const NAMED: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', '"': '"', '\\': '\\' }
const DATE = /(\d{4})-(\d\d)-(\d\d)(?:[Tt ](?=\d\d:))?/y
const TIME = /([01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?/y
const ZONE = /[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d/y
const FLOAT = /[+-]?(?:0|[1-9](?:_?\d)*)(?:\.\d(?:_?\d)*(?:e[+-]?\d(?:_?\d)*)?|e[+-]?\d(?:_?\d)*)/iy
const PREFIXED = /0(?:x[\da-fA-F](?:_?[\da-fA-F])*|o[0-7](?:_?[0-7])*|b[01](?:_?[01])*)/y
const INTEGER = /[+-]?(?:0|[1-9](?:_?\d)*)/y
const NOT_FINITE = /[+-]?(?:inf|nan)\b/y
const BOOLEAN = /(?:true|false)\b/y

/** Reads a text; throws a TextFault at the first thing that is wrong. */
export function readToml(text: string, maxDepth: number): Table {
  const control = CONTROL.exec(text)
  if (control !== null) throw new Reader(text, maxDepth).fault(control.index, 'text without control characters')
  return new Reader(text, maxDepth).read()
}

class Reader {
  readonly #text: string
  readonly #tree: Tree
  #at = 0
  #nodes = 0

  constructor(text: string, maxDepth: number) {
    this.#text = text
    this.#tree = new Tree(maxDepth)
  }

  read(): Table {
    let table = this.#tree.root
    for (this.#take(SPACE); this.#at < this.#text.length; this.#take(SPACE)) {
      if (this.#text[this.#at] === '[') table = this.#header()
      else this.#pair(table)
      this.#take(BLANKS)
      this.#take(COMMENT)
      if (this.#at < this.#text.length && !/^\r?\n/.test(this.#text.substr(this.#at, 2)))
        throw this.fault(this.#at, 'the end of the line')
    }
    return this.#tree.root
  }

  fault(at: number, expected: string, kind: FindingKind = TOML_SYNTAX): TextFault {
    const found =
      at < this.#text.length ? `\`${visible(String.fromCodePoint(this.#text.codePointAt(at)!))}\`` : 'the end'
    return new TextFault(kind, [at, Math.min(at + 1, this.#text.length)], `expected ${expected}, found ${found}`)
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found === null) return undefined
    this.#at = pattern.lastIndex
    return found
  }

  /** Goes past what matches. */
  #take(pattern: RegExp): string | undefined {
    return this.#match(pattern)?.[0]
  }

  #takeText(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  #expect(text: string): void {
    if (!this.#takeText(text)) throw this.fault(this.#at, `\`${text}\``)
  }

  #header(): Table {
    const start = this.#at
    const isRepeated = this.#takeText('[[')
    if (!isRepeated) this.#at++
    const parts = this.#key()
    this.#expect(isRepeated ? ']]' : ']')
    return this.#tree.atHeader(parts, [start, this.#at], isRepeated)
  }

  #pair(table: Table): void {
    const parts = this.#key()
    this.#expect('=')
    this.#take(BLANKS)
    const holder = this.#tree.holderOf(table, parts)
    this.#tree.set(holder, parts.at(-1)!, this.#value(holder.depth))
  }

  #key(): KeyPart[] {
    const parts: KeyPart[] = []
    do {
      this.#take(BLANKS)
      const start = this.#at
      const name = this.#take(BARE_KEY) ?? this.#quoted()
      if (name === undefined) throw this.fault(start, 'a key')
      parts.push({ name, span: [start, this.#at] })
      this.#count()
      this.#take(BLANKS)
    } while (this.#takeText('.'))
    return parts
  }

  #count(): void {
    if (++this.#nodes <= MOST_NODES) return
    const detail = `expected at most ${MOST_NODES} keys and values, found more`
    throw new TextFault(LIMIT_SIZE, [this.#at, this.#at], detail)
  }

  /** A text in one line. */
  #quoted(): string | undefined {
    const start = this.#at
    return this.#match(LITERAL)?.[1] ?? this.#unescape(this.#match(BASIC)?.[1], start + 1, false)
  }

  #string(): string | undefined {
    const start = this.#at
    if (this.#text.startsWith('"""', start)) {
      const body = this.#match(LONG_BASIC)?.[1]
      return this.#unescape(body, this.#at - 3 - (body?.length ?? 0), true)
    }
    return this.#text.startsWith("'''", start) ? this.#match(LONG_LITERAL)?.[1] : this.#quoted()
  }

  #unescape(body: string | undefined, start: number, isLong: boolean): string | undefined {
    return body?.replace(ESCAPE, (whole: string, four, eight, named, lineEnd, offset: number) => {
      if (named !== undefined && NAMED[named] !== undefined) return NAMED[named]
      if (lineEnd !== undefined && isLong) return ''
      const code = whole[1] === 'u' ? Number.parseInt(four, 16) : whole[1] === 'U' ? Number.parseInt(eight, 16) : -1
      if (code >= 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)) return String.fromCodePoint(code)
      throw this.fault(start + offset, 'an escape such as \\n or \\u00e9')
    })
  }

  #value(around: number): Node {
    this.#count()
    const start = this.#at
    if (this.#takeText('[')) return this.#list(start, around)
    if (this.#takeText('{')) return this.#inlineTable(start, around)
    const json = this.#scalar(start)
    if (json === undefined) throw this.fault(start, 'a value: texts have quotes, and end')
    return { json, span: [start, this.#at] }
  }

  #scalar(start: number): string | undefined {
    if (/["']/.test(this.#text[start] ?? '')) {
      const text = this.#string()
      return text === undefined ? undefined : JSON.stringify(text)
    }
    const moment = this.#moment()
    if (moment !== undefined) return JSON.stringify(moment)
    const float = this.#take(FLOAT)
    if (float !== undefined) {
      const json = float.replaceAll('_', '').replace(/^\+/, '')
      return Number.isFinite(Number(json)) ? json : this.#refuseNumber(start, 'a finite number')
    }
    if (this.#take(NOT_FINITE) !== undefined) return this.#refuseNumber(start, 'a finite number')
    return this.#take(BOOLEAN) ?? this.#integer(start)
  }

  #integer(start: number): string | undefined {
    const prefixed = this.#take(PREFIXED)
    const digits = (prefixed ?? this.#take(INTEGER))?.replaceAll('_', '').replace(/^\+|(?<=^0[xob])0+(?=.)/, '')
    if (digits === undefined) return undefined
    // 64 binary digits with their prefix; longer numbers would take long to convert.
    const value = digits.length > 66 ? undefined : BigInt(digits)
    if (value === undefined || BigInt.asIntN(64, value) !== value)
      return this.#refuseNumber(start, 'an integer of 64 bits')
    return String(value)
  }

  #refuseNumber(start: number, expected: string): never {
    throw new TextFault(TOML_NUMBER, [start, this.#at], `expected ${expected}`)
  }

  /** A date, a time or both, as they are written. */
  #moment(): string | undefined {
    const start = this.#at
    const [date, year, month, day] = this.#match(DATE) ?? []
    if (date === undefined) return this.#take(TIME)
    const time = new Date(0)
    time.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
    if (time.getUTCMonth() !== Number(month) - 1 || day === '00') throw this.fault(start, 'a day of the calendar')
    if (date.length > 'YYYY-MM-DD'.length) {
      if (this.#take(TIME) === undefined) throw this.fault(this.#at, 'a time of the day')
      this.#take(ZONE)
    }
    return this.#text.slice(start, this.#at)
  }

  #list(start: number, around: number): Node {
    const list = this.#tree.list('closed', [start, this.#at], around)
    for (this.#take(SPACE); !this.#takeText(']'); this.#take(SPACE)) {
      list.items.push(this.#value(list.depth))
      this.#take(SPACE)
      if (this.#takeText(',')) continue
      this.#expect(']')
      break
    }
    return Object.assign(list, { span: [start, this.#at] as Span })
  }

  #inlineTable(start: number, around: number): Node {
    const table = this.#tree.table('closed', [start, this.#at], around)
    this.#take(BLANKS)
    if (!this.#takeText('}'))
      for (;;) {
        this.#pair(table)
        this.#take(BLANKS)
        if (this.#takeText('}')) break
        this.#expect(',')
      }
    return Object.assign(table, { span: [start, this.#at] as Span })
  }
}
