import { checkedTime } from '../../text/moment.ts'
import { decodeBase64, encodeBase64, KeyError } from '../base64.ts'
import { fingerprint } from '../export.ts'
import { importKey } from '../import.ts'
import { checkAlgorithm, checkFit } from '../key.ts'
import type { PlatformOptions } from '../platform.ts'
import type { KeySource } from '../read.ts'
import { signBytes } from '../sign.ts'

export declare namespace signMessage {
  interface Options extends PlatformOptions {
    /** The components to cover: lower-case header names, and `@method`, `@target-uri`, `@authority` and so on. */
    readonly components: readonly Component[]
    /** The key's name in a key set; default: its JWK thumbprint (RFC 7638). */
    readonly keyid?: string
    readonly created?: Date
    readonly expires?: Date
    /** A text that differs for every signature of the key. */
    readonly nonce?: string
    /** The purpose of the signature. */
    readonly tag?: string
    /** The signature's label within the message; default: `sig1`. */
    readonly label?: string
  }

  /** The two headers. When a message has more than one signature, their values are joined by commas. */
  interface Result {
    readonly 'signature-input': string
    readonly signature: string
  }
}

/**
 * Signs a request or a response.
 *
 * @example
 * const headers = await signMessage(request, key, { components: ['@method', '@target-uri'], created: new Date() })
 *
 * @throws {KeyError} unless the key is a private Ed25519 key, {RangeError} for a component that the message lacks.
 */
export async function signMessage(
  message: HttpMessage,
  key: KeySource,
  options: signMessage.Options,
): Promise<signMessage.Result> {
  const { components, label = 'sig1', subtle } = options
  const privateKey = await importKey(key)
  checkFit(privateKey, checkAlgorithm('Ed25519'))
  const keyid = options.keyid ?? (await fingerprint(privateKey, { ...(subtle !== undefined && { subtle }) }))
  const covered: InnerList = { items: components.map(itemOf), parameters: parametersOf({ ...options, keyid }) }
  const made = signatureBase(message, covered)
  if ('fault' in made) throw new RangeError(`components: ${made.fault}`)
  if (!/^[a-z*][a-z0-9_.*-]*$/.test(label)) throw new RangeError(`label: expected a name such as sig1, got ${label}`)
  const value = await signBytes({
    algorithm: 'Ed25519',
    privateKey,
    message: made.base,
    ...(subtle !== undefined && { subtle }),
  })
  const signature = writeItem({ value: new Uint8Array(value), parameters: new Map() })
  return { 'signature-input': `${label}=${writeMember(covered)}`, signature: `${label}=${signature}` }
}

function itemOf(component: Component): Item {
  const [name = '', flag] = component.split(';')
  return { value: name, parameters: new Map(flag === undefined ? [] : [[flag, true]]) }
}

function parametersOf({ created, expires, nonce, keyid, tag }: signMessage.Options): ReadonlyMap<string, Bare> {
  const given: readonly (readonly [string, Bare | undefined])[] = [
    ['created', secondsOf('created', created)],
    ['expires', secondsOf('expires', expires)],
    ['keyid', signatureText('keyid', keyid)],
    ['nonce', signatureText('nonce', nonce)],
    ['tag', signatureText('tag', tag)],
  ]
  return new Map(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])))
}

const secondsOf = (name: string, date: Date | undefined) =>
  date === undefined ? undefined : Math.floor(checkedTime(name, date).getTime() / 1000)

function signatureText(name: string, text: string | undefined): string | undefined {
  if (text === undefined || /^[\x20-\x7e]*$/.test(text)) return text
  throw new RangeError(`${name}: expected printable ASCII`)
}

// The components that a message signature covers (RFC 9421 section 2), and the bytes to sign.

/** A request; or, with `status`, a response, whose `request` is the one that it answers. */
export interface HttpMessage {
  /** Requests only. */
  readonly method?: string
  /** Requests only: the whole URL. */
  readonly url?: string
  /** Responses only. */
  readonly status?: number
  readonly headers: HeaderSource
  /** Responses only: the request from which components with `req` are taken. */
  readonly request?: Omit<HttpMessage, 'status' | 'request'>
}

/** Returns the value of a header by its lower-case name; several lines are joined by a comma and a space. */
export interface HeaderSource {
  get(name: string): string | null
}

/** The name of a header or a derived component. With `;req` it is taken from the request of a response. */
export type Component = string

/** The length limit for covered headers, which are read before the sender is known. */
const MOST_CHARACTERS = 8192
const NAME = /^(?:@[a-z-]+|[a-z0-9!#$%&'*+.^_`|~-]+)$/

/** The signature base (section 2.5), or the reason why there is no valid one. */
export function signatureBase(
  message: HttpMessage,
  covered: InnerList,
): { base: Uint8Array<ArrayBuffer> } | { fault: string } {
  const seen = new Set<string>()
  const lines: string[] = []
  for (const component of covered.items) {
    const identifier = writeItem(component)
    if (seen.has(identifier)) return { fault: `${identifier} is covered twice` }
    seen.add(identifier)
    const value = componentText(message, component)
    // A line break in a value would forge another line of the signed text.
    if (value === undefined || /[\r\n]/.test(value))
      return { fault: `${identifier} is missing, has a line break or more than ${MOST_CHARACTERS} characters` }
    lines.push(`${identifier}: ${value}`)
  }
  lines.push(`"@signature-params": ${writeMember(covered)}`)
  return { base: new TextEncoder().encode(lines.join('\n')) }
}

function componentText(message: HttpMessage, { value: name, parameters }: Item): string | undefined {
  if (typeof name !== 'string' || !NAME.test(name) || name === '@signature-params') return undefined
  const { req, key, ...others } = Object.fromEntries(parameters)
  if (Object.keys(others).length > 0 || (req !== undefined && req !== true)) return undefined
  const of = req === true ? message.request : message
  if (of === undefined) return undefined
  if (name.startsWith('@')) return key === undefined ? derivedComponent(of, name) : undefined
  const value = of.headers.get(name)
  if (value === null || value.length > MOST_CHARACTERS) return undefined
  const text = unfold(value)
  return key === undefined ? text : memberText(text, key)
}

/** Begins with a line break: a pattern that begins with white space would be tried at each space of a long run. */
const FOLD = /\r?\n(?=[ \t])/
/** Strips white space at both ends and replaces each folded line break with one space (section 2.1). */
const unfold = (value: string) => value.split(FOLD).map(trimSpace).join(' ')

function memberText(text: string, key: unknown): string | undefined {
  const member = typeof key === 'string' ? readDictionary(text)?.get(key) : undefined
  return member && writeMember(member)
}

/** Derived components (section 2.2). Does not support single query parameters; `@query` covers the query as a whole. */
function derivedComponent({ method, url, status }: HttpMessage, name: string): string | undefined {
  if (name === '@status') return status === undefined ? undefined : String(status)
  if (status !== undefined || method === undefined || url === undefined) return undefined
  if (name === '@method') return method
  const address = new URL(url)
  switch (name) {
    case '@target-uri':
      address.hash = ''
      return address.href
    case '@authority':
      return address.host
    case '@scheme':
      return address.protocol.slice(0, -1)
    case '@request-target':
      return address.pathname + address.search
    case '@path':
      return address.pathname
    case '@query':
      return address.search === '' ? '?' : address.search
    default:
      return undefined
  }
}

// Structured fields (RFC 9651), as far as message signatures use them: dictionaries of items and inner lists. Refuses
// decimals, dates and display strings, which occur in none of them.

interface Token {
  readonly token: string
}

export type Bare = string | number | boolean | Uint8Array<ArrayBuffer> | Token
type Parameters = ReadonlyMap<string, Bare>

interface Item {
  readonly value: Bare
  readonly parameters: Parameters
}

export interface InnerList {
  readonly items: readonly Item[]
  readonly parameters: Parameters
}

export type Member = Item | InnerList
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
    if (error instanceof MalformedField || error instanceof KeyError) return undefined
    throw error
  }
}

/** Strips spaces and tabs at both ends in one pass: `/ +$/` would start again at each space of a long run. */
function trimSpace(text: string): string {
  const isSpace = (at: number) => text[at] === ' ' || text[at] === '\t'
  let [from, to] = [0, text.length]
  while (from < to && isSpace(from)) from++
  while (to > from && isSpace(to - 1)) to--
  return text.slice(from, to)
}

class MalformedField extends Error {}

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
      if (members.size > MOST_MEMBERS) throw new MalformedField()
      this.#need(SPACE)
      if (this.#at === this.#text.length) break
      if (!this.#take(',')) throw new MalformedField()
      this.#need(SPACE)
      if (this.#at === this.#text.length) throw new MalformedField()
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
      if (items.length > MOST_MEMBERS || !' )'.includes(this.#text[this.#at] ?? 'x')) throw new MalformedField()
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
      if (parameters.size > MOST_MEMBERS) throw new MalformedField()
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
    if (found === null) throw new MalformedField()
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
