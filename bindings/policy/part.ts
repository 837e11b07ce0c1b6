// Reads `permissions` strictly: a domain with any unknown or invalid part grants nothing.

import { PatternError } from '../core/pattern-findings.ts'
import { compilePatterns, type PatternKind, type PatternSet } from '../core/patterns.ts'
import { escapeToken, isObject, type JsonObject, type PlacedValue } from '../text/members.ts'
import { quoted, shown } from '../text/words.ts'
import { insideAddress, insideName, isAddress, normalizeHost, spellHostPattern } from './host.ts'
import {
  mayHaveShortName,
  normalizeDenial,
  normalizePath,
  normalizeWindowsDenial,
  normalizeWindowsPath,
  pathFault,
  spellWindowsPattern,
  windowsPathFault,
} from './path.ts'
import type { FilesystemRequest, NetworkRequest, System, Trace } from './request.ts'

/** The reason that a domain grants nothing at all: it is absent, or violates the specification. */
export class Unusable {
  readonly pointer: string | undefined
  readonly detail: string

  constructor(detail: string, pointer?: string) {
    this.detail = detail
    this.pointer = pointer
  }
}

/** Reads the members of an object in the permissions, and checks that none of them is unknown. */
export class Part {
  readonly pointer: string
  readonly #value: JsonObject
  readonly #known = new Set<string>()

  /** @throws {Unusable} when the value is not an object, like all methods that read it. */
  constructor({ pointer, value }: PlacedValue<unknown>) {
    if (!isObject(value)) throw new Unusable(`expected an object, found ${shown(value)}`, pointer)
    this.pointer = pointer
    this.#value = value
  }

  /** The member, if it is present. */
  member(name: string): PlacedValue<unknown> | undefined {
    this.#known.add(name)
    if (!Object.hasOwn(this.#value, name)) return undefined
    return { pointer: `${this.pointer}/${escapeToken(name)}`, value: this.#value[name] }
  }

  text(name: string, choices: readonly string[] = []): PlacedValue<string> {
    const found = this.member(name)
    if (found === undefined) throw new Unusable(`expected a member ${name}`, this.pointer)
    const text = asText(found)
    if (choices.length === 0 || choices.includes(text.value)) return text
    throw new Unusable(`expected ${choices.join(' or ')}, found ${shown(text.value)}`, text.pointer)
  }

  flag(name: string): PlacedValue<boolean> | undefined {
    const found = this.member(name)
    if (found === undefined || typeof found.value === 'boolean') return found as PlacedValue<boolean> | undefined
    throw new Unusable(`expected true or false, found ${shown(found.value)}`, found.pointer)
  }

  number(name: string, least: number, most = Number.POSITIVE_INFINITY): PlacedValue<number> | undefined {
    const found = this.member(name)
    return found && asNumber(found, least, most)
  }

  list(name: string): PlacedValue<readonly PlacedValue<unknown>[]> | undefined {
    const found = this.member(name)
    if (found === undefined) return undefined
    const { pointer, value } = found
    if (!Array.isArray(value)) throw new Unusable(`expected an array, found ${shown(value)}`, pointer)
    return { pointer, value: value.map((element: unknown, i) => ({ pointer: `${pointer}/${i}`, value: element })) }
  }

  texts(name: string): PlacedValue<readonly PlacedValue<string>[]> | undefined {
    const list = this.list(name)
    return list && { pointer: list.pointer, value: list.value.map(asText) }
  }

  /**
   * Refuses unknown members: one may be a restriction that is not understood, such as a misspelt `denied_paths`.
   * Extension members are allowed (ADL 4.3).
   */
  close(): void {
    for (const name of Object.keys(this.#value)) {
      if (this.#known.has(name) || name.startsWith('x_')) continue
      throw new Unusable(
        'not a member of this object: it may be meant as a limit',
        `${this.pointer}/${escapeToken(name)}`,
      )
    }
  }
}

function asText({ pointer, value }: PlacedValue<unknown>): PlacedValue<string> {
  if (typeof value === 'string') return { pointer, value }
  throw new Unusable(`expected a string, found ${shown(value)}`, pointer)
}

function asNumber({ pointer, value }: PlacedValue<unknown>, least: number, most: number): PlacedValue<number> {
  if (typeof value === 'number' && value >= least && value <= most) return { pointer, value }
  const range = most === Number.POSITIVE_INFINITY ? `from ${least} on` : `from ${least} to ${most}`
  throw new Unusable(`expected a number ${range}, found ${shown(value)}`, pointer)
}

/** The domain, or the reason that it cannot be used. */
export function readPart<Value>(
  permissions: PlacedValue<unknown> | undefined,
  name: string,
  read: (part: Part) => Value,
): Value | Unusable {
  try {
    if (permissions === undefined) return new Unusable('the document has no permissions')
    const domain = new Part(permissions).member(name)
    if (domain === undefined) return new Unusable(`permissions has no ${name}`)
    const part = new Part(domain)
    const value = read(part)
    part.close()
    return value
  } catch (error) {
    if (error instanceof Unusable) return error
    throw error
  }
}

export interface ListOptions {
  /** Ignore the case of letters. */
  readonly ignoreCase?: boolean
  /** Changes the spelling of a pattern before it is compiled. */
  readonly spell?: ((pattern: string) => string) | undefined
}

/** The patterns of one array with their places. */
export class PatternList {
  readonly entries: readonly PlacedValue<string>[]
  /** The place of the array; undefined when it is absent. An absent array counts as empty. */
  readonly pointer: string | undefined
  readonly #set: PatternSet | undefined

  /** @throws {Unusable} when a pattern is invalid. */
  constructor(
    kind: PatternKind,
    list: PlacedValue<readonly PlacedValue<string>[]> | undefined,
    options: ListOptions = {},
  ) {
    const { ignoreCase = false, spell } = options
    const entries = list?.value ?? []
    this.entries = entries
    this.pointer = list?.pointer
    const patterns = entries.map(({ value }) => (spell === undefined ? value : spell(value)))
    this.#set = patterns.length === 0 ? undefined : compile(kind, patterns, entries, ignoreCase)
  }

  /** The first pattern that matches; with `whether`, any pattern if one matches. */
  find(subject: string, whether: boolean): PlacedValue<string> | undefined {
    if (this.#set === undefined) return undefined
    if (whether) return this.#set.test(subject) ? this.entries[0] : undefined
    return this.entries[this.#set.first(subject)]
  }
}

function compile(
  kind: PatternKind,
  patterns: readonly string[],
  entries: readonly PlacedValue<string>[],
  ignoreCase: boolean,
): PatternSet {
  try {
    return compilePatterns(kind, patterns, { ignoreCase })
  } catch (error) {
    if (error instanceof PatternError) {
      const [{ message, pattern }] = error.findings as [(typeof error.findings)[0]]
      throw new Unusable(`not a pattern: ${message}`, entries[pattern]!.pointer)
    }
    if (error instanceof RangeError) throw new Unusable(error.message, entries[0]!.pointer)
    throw error
  }
}

/**
 * Merges letters that some system treats as the same, beyond ASCII as well. Used for denials. Grants compare only ASCII
 * letters without case, so a letter that may or may not equal another is denied either way.
 */
export function foldBroadly(text: string): string {
  return isAscii(text) ? text : text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC')
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false
  return true
}

export interface Network {
  readonly hosts: PatternList
  /** Absent ports and protocols restrict nothing; empty lists allow nothing. */
  readonly ports: PlacedValue<readonly PlacedValue<number>[]> | undefined
  readonly protocols: PlacedValue<readonly PlacedValue<string>[]> | undefined
  readonly denyPrivate: PlacedValue<boolean> | undefined
}

export function readNetwork(part: Part): Network {
  const ports = part.list('allowed_ports')
  return {
    hosts: new PatternList('host', part.texts('allowed_hosts'), { spell: spellHostPattern }),
    ports: ports && { ...ports, value: ports.value.map((port) => asNumber(port, 1, 65_535)) },
    protocols: part.texts('allowed_protocols'),
    denyPrivate: part.flag('deny_private'),
  }
}

/** The request of a connection to a URL. */
export function requestForUrl({ hostname, port, protocol }: URL): NetworkRequest {
  const number = Number(port) || (protocol === 'http:' ? 80 : 443)
  return { domain: 'network', host: hostname, port: number, protocol: protocol.slice(0, -1) }
}

/** Schemes are case-insensitive (RFC 3986 section 3.1), and `URL.protocol` ends with a colon. */
export function normalizeProtocol(protocol: string): string {
  return protocol.replace(/:$/, '').toLowerCase()
}

export function judgeNetwork({ hosts, ports, protocols, denyPrivate }: Network) {
  const allowedPorts = ports && new Set(ports.value.map(({ value }) => value))
  const allowedProtocols = protocols && new Set(protocols.value.map(({ value }) => normalizeProtocol(value)))

  return ({ host: given, port, protocol, address }: NetworkRequest, trace: Trace | undefined): boolean => {
    const host = normalizeHost(given)
    if (host === undefined) {
      trace?.denied('network', `${quoted(given)} is neither a host name nor an address`)
      return false
    }
    const found = hosts.find(host, trace === undefined)
    if (found === undefined) {
      trace?.denied('network', `no pattern of allowed_hosts matches the host ${quoted(host)}`, hosts.pointer)
      return false
    }
    trace?.granted('network', `the host ${quoted(host)} matches ${quoted(found.value)} of allowed_hosts`, found.pointer)
    if (allowedPorts !== undefined) {
      if (port === undefined || !allowedPorts.has(port)) {
        const what = port === undefined ? 'the request names no port' : `port ${port} is not in allowed_ports`
        trace?.denied('network', what, ports!.pointer)
        return false
      }
      trace?.passed('network', `port ${port} is in allowed_ports`, ports!.pointer)
    }
    if (allowedProtocols !== undefined) {
      if (
        protocol === undefined ||
        !(allowedProtocols.has(protocol) || allowedProtocols.has(normalizeProtocol(protocol)))
      ) {
        const what =
          protocol === undefined ? 'the request names no protocol' : `${quoted(protocol)} is not in allowed_protocols`
        trace?.denied('network', what, protocols!.pointer)
        return false
      }
      trace?.passed('network', `${quoted(protocol)} is in allowed_protocols`, protocols!.pointer)
    }
    return denyPrivate?.value !== true || isPublic(host, address, denyPrivate.pointer, trace)
  }
}

/** `deny_private`: neither the host nor the address that it resolves to may be in a private network. */
function isPublic(host: string, address: string | undefined, pointer: string, trace: Trace | undefined): boolean {
  const inside = insideName(host) ?? (address === undefined ? undefined : insideAddress(address))
  if (inside !== undefined) {
    trace?.denied('network', `deny_private: ${inside}`, pointer)
    return false
  }
  if (address !== undefined || isAddress(host)) trace?.passed('network', 'deny_private: the address is public', pointer)
  else {
    trace?.passed('network', 'deny_private: the address that the name is resolved to has to be checked', pointer)
    trace?.oblige('check-address')
  }
  return true
}

/** The kinds of access that an entry of allowed_paths grants. */
export type Access = 'read' | 'write' | 'read_write'

interface AllowedPath {
  readonly path: PlacedValue<string>
  readonly access: Access
}

export interface Filesystem {
  readonly allowed: readonly AllowedPath[]
  readonly readable: PatternList
  readonly writable: PatternList
  readonly denied: PatternList
}

export function readFilesystem(part: Part, { windows, ignoreCase }: System): Filesystem {
  const list = part.list('allowed_paths')
  const allowed = list?.value.map(readEntry) ?? []
  const spell = windows ? spellWindowsPattern : undefined
  const granting = (access: Access) => {
    const entries = allowed.filter((entry) => entry.access === access || entry.access === 'read_write')
    const options: ListOptions = { ignoreCase, spell }
    return new PatternList('path', list && { pointer: list.pointer, value: entries.map(({ path }) => path) }, options)
  }
  const denials = part.texts('denied_paths')
  const normalize = windows ? normalizeWindowsDenial : normalizeDenial
  const blunt = denials?.value.find(({ value }) => value !== '' && normalize(value) === undefined)
  if (blunt !== undefined) throw new Unusable('not an absolute path: it would deny nothing', blunt.pointer)
  const spellDenial = (pattern: string) => {
    const plain = normalize(pattern) ?? pattern
    return ignoreCase ? foldBroadly(plain) : plain
  }
  return {
    allowed,
    readable: granting('read'),
    writable: granting('write'),
    denied: new PatternList('path', denials, { ignoreCase, spell: spellDenial }),
  }
}

function readEntry(entry: PlacedValue<unknown>): AllowedPath {
  const part = new Part(entry)
  const path = part.text('path')
  const access = part.text('access', ['read', 'write', 'read_write']).value as Access
  part.close()
  return { path, access }
}

export function judgeFilesystem({ readable, writable, denied }: Filesystem, { windows, ignoreCase }: System) {
  return ({ path: given, access }: FilesystemRequest, trace: Trace | undefined): boolean => {
    const fault = windows ? windowsPathFault(given) : pathFault(given)
    if (fault !== undefined) {
      trace?.denied('filesystem', `${quoted(given)}: ${fault}`)
      return false
    }
    const path = windows ? normalizeWindowsPath(given) : normalizePath(given)
    // A directory is checked with and without its final separator. Neither form may be denied; one of them must be
    // granted.
    const bare = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : undefined
    const folded = ignoreCase ? foldBroadly(path) : path
    const refused = findEither(denied, folded, bare && folded.slice(0, -1), trace)
    if (refused !== undefined) {
      trace?.denied('filesystem', `${quoted(path)} matches ${quoted(refused.value)} of denied_paths`, refused.pointer)
      return false
    }
    if (trace !== undefined && denied.pointer !== undefined) {
      trace.passed('filesystem', `no pattern of denied_paths matches ${quoted(path)}`, denied.pointer)
    }
    if (access !== 'write' && !isGranted('read', readable, path, bare, trace)) return false
    if (access !== 'read' && !isGranted('write', writable, path, bare, trace)) return false
    if (windows && mayHaveShortName(path)) trace?.oblige('resolve-short-names')
    return true
  }
}

function findEither(list: PatternList, path: string, bare: string | undefined, trace: Trace | undefined) {
  const whether = trace === undefined
  return list.find(path, whether) ?? (bare === undefined ? undefined : list.find(bare, whether))
}

function isGranted(
  access: string,
  allowed: PatternList,
  path: string,
  bare: string | undefined,
  trace: Trace | undefined,
): boolean {
  const found = findEither(allowed, path, bare, trace)
  if (found === undefined)
    trace?.denied('filesystem', `no entry of allowed_paths lets the agent ${access} ${quoted(path)}`, allowed.pointer)
  else
    trace?.granted(
      'filesystem',
      `${quoted(path)} matches ${quoted(found.value)} of allowed_paths, which lets the agent ${access}`,
      found.pointer,
    )
  return found !== undefined
}
