// Structured fields (RFC 9651), as far as message signatures use them: dictionaries of items and inner lists. Refuses
// decimals, dates and display strings, which occur in none of them.
import { decodeBase64, encodeBase64 } from '../base64.ts'
import { KeyError } from '../error.ts'

export interface Token {
  readonly token: string
}

export type Bare = string | number | boolean | Uint8Array<ArrayBuffer> | Token
export type Parameters = ReadonlyMap<string, Bare>

export interface Item {
  readonly value: Bare
  readonly parameters: Parameters
}

export interface InnerList {
  readonly items: readonly Item[]
  readonly parameters: Parameters
}

export type Member = Item | InnerList

/** No signature of a request is longer. */
const MOST_CHARACTERS = 8192
const MOST_MEMBERS = 64

/**
 * The members of a dictionary; undefined when the text is invalid. Of two members with one name, the last counts
 * (section 4.2.2).
 */
export function readDictionary(text: string): ReadonlyMap<string, Member> | undefined {
  if (text.length > MOST_CHARACTERS) return undefined
  try {
    return new Reader(text).dictionary()
  } catch (error) {
    if (error instanceof Malformed || error instanceof KeyError) return undefined
    throw error
  }
}

/** Strips spaces and tabs at both ends in one pass: `/ +$/` would start again at each space of a long run. */
export function trimSpace(text: string): string {
  const isSpace = (at: number) => text[at] === ' ' || text[at] === '\t'
  let [from, to] = [0, text.length]
  while (from < to && isSpace(from)) from++
  while (to > from && isSpace(to - 1)) to--
  return text.slice(from, to)
}

class Malformed extends Error {}

const KEY = /[a-z*][a-z0-9_.*-]*/y
const STRING = /"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"/y
const INTEGER = /-?\d{1,15}(?![\d.])/y
const BYTES = /:([A-Za-z0-9+/=]*):/y
const BOOLEAN = /\?([01])/y
const TOKEN = /[A-Za-z*][\w!#$%&'*+.^`|~:/-]*/y
const SPACE = /[ \t]*/y

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = trimSpace(text)
  }

  dictionary(): ReadonlyMap<string, Member> {
    const members = new Map<string, Member>()
    while (this.#at < this.#text.length) {
      const key = this.#need(KEY)[0]
      const member = this.#take('=') ? this.#member() : { value: true, parameters: this.#parameters() }
      members.delete(key)
      members.set(key, member)
      if (members.size > MOST_MEMBERS) throw new Malformed()
      this.#need(SPACE)
      if (this.#at === this.#text.length) break
      if (!this.#take(',')) throw new Malformed()
      this.#need(SPACE)
      if (this.#at === this.#text.length) throw new Malformed()
    }
    return members
  }

  #member(): Member {
    return this.#take('(') ? this.#innerList() : this.#item()
  }

  #innerList(): InnerList {
    const items: Item[] = []
    for (;;) {
      while (this.#take(' '));
      if (this.#take(')')) return { items, parameters: this.#parameters() }
      items.push(this.#item())
      if (items.length > MOST_MEMBERS || !' )'.includes(this.#text[this.#at] ?? 'x')) throw new Malformed()
    }
  }

  #item(): Item {
    return { value: this.#bare(), parameters: this.#parameters() }
  }

  #parameters(): Parameters {
    const parameters = new Map<string, Bare>()
    while (this.#take(';')) {
      while (this.#take(' '));
      const key = this.#need(KEY)[0]
      const value = this.#take('=') ? this.#bare() : true
      parameters.delete(key)
      parameters.set(key, value)
      if (parameters.size > MOST_MEMBERS) throw new Malformed()
    }
    return parameters
  }

  #bare(): Bare {
    const next = this.#text[this.#at] ?? ''
    if (next === '"') return this.#need(STRING)[1]!.replace(/\\(.)/g, '$1')
    if (next === ':') return decodeBase64(this.#need(BYTES)[1]!)
    if (next === '?') return this.#need(BOOLEAN)[1] === '1'
    if (/[-\d]/.test(next)) return Number(this.#need(INTEGER)[0])
    return { token: this.#need(TOKEN)[0] }
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  #need(pattern: RegExp): RegExpExecArray {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found === null) throw new Malformed()
    this.#at = pattern.lastIndex
    return found
  }
}

/** Writes a member in its only serialization (section 4.1). */
export function writeMember(member: Member): string {
  if (!('items' in member)) return writeItem(member)
  return `(${member.items.map(writeItem).join(' ')})${writeParameters(member.parameters)}`
}

export function writeItem({ value, parameters }: Item): string {
  return writeBare(value) + writeParameters(parameters)
}

function writeParameters(parameters: Parameters): string {
  return [...parameters].map(([key, value]) => (value === true ? `;${key}` : `;${key}=${writeBare(value)}`)).join('')
}

function writeBare(value: Bare): string {
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? '?1' : '?0'
  return value instanceof Uint8Array ? `:${encodeBase64(value)}:` : value.token
}
