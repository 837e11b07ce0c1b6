// Parses agent:// URIs (Agent Card section 3.3) by hand: URL parsers lower-case the authority, which changes a key.
import { quoted, shown } from '../text/words.ts'

/** An agent:// URI, with the letter case of the original. */
export interface AgentUri {
  /** The part between `agent://` and the path: a name, or a key in the form of a name. */
  readonly authority: string
  /** The path: empty, or with its leading `/`, such as `/zh-en`. */
  readonly path: string
}

/** The reason that a text is not an agent:// URI. */
export interface AgentUriFault {
  /** The position of the fault, in UTF-16 units. */
  readonly at: number
  readonly detail: string
}

const SCHEME = 'agent://'

/** AIP sets no limit. DIDs and URLs in use are far shorter. */
const LONGEST_AGENT_URI = 2048

// The grammar of RFC 3986 section 3.3, and of 3.2 without user information.
const AUTHORITY = /(?:[\w.~!$&'()*+,;=:-]|%[\da-f]{2})*/iy
const PATH = /(?:[\w.~!$&'()*+,;=:@/-]|%[\da-f]{2})*/iy

/** Why these characters are not allowed in an agent:// URI. */
const MISPLACED: Readonly<Record<string, string>> = {
  '?': 'an id has no query',
  '#': 'an id has no fragment',
  '@': 'an authority has no user information',
  '%': 'two hexadecimal digits stand behind %',
  '\\': 'segments are separated by /',
}

/**
 * Parses an agent:// URI, or returns what is wrong with it. Nothing is decoded or normalized: ids are compared as
 * written.
 *
 * @example
 * readAgentUri('agent://Translate/zh-en') // { authority: 'Translate', path: '/zh-en' }
 * readAgentUri('https://example.com') // { at: 0, detail: "expected agent://, found 'https://example.com'" }
 */
export function readAgentUri(text: string): AgentUri | AgentUriFault {
  if (!text.startsWith(SCHEME)) {
    const letters = text.slice(0, SCHEME.length).toLowerCase() === SCHEME
    return { at: 0, detail: `expected agent://${letters ? ' in small letters' : ''}, found ${shown(text)}` }
  }
  if (text.length > LONGEST_AGENT_URI) {
    return { at: LONGEST_AGENT_URI, detail: `expected at most ${LONGEST_AGENT_URI} characters, found ${text.length}` }
  }
  const slash = endOf(AUTHORITY, text, SCHEME.length)
  if (slash === SCHEME.length && (slash === text.length || text[slash] === '/')) {
    return { at: slash, detail: 'expected the name of an agent behind agent://, found none' }
  }
  if (slash < text.length && text[slash] !== '/') return misplaced(text, slash)
  const end = endOf(PATH, text, slash)
  if (end < text.length) return misplaced(text, end)
  const path = text.slice(slash)
  const empty = path.search(/\/(?:\.{0,2}(?:\/|$))/)
  if (empty >= 0) {
    const detail = 'expected segments with a name, found one that is empty, . or ..'
    return { at: slash + empty, detail }
  }
  return { authority: text.slice(SCHEME.length, slash), path }
}

/**
 * True when a text is an agent:// URI.
 *
 * @example
 * isAgentUri('agent://translate/zh-en') // true
 */
export function isAgentUri(text: string): boolean {
  return 'authority' in readAgentUri(text)
}

/** Returns where the longest match of a sticky expression that begins at `from` ends. */
function endOf(expression: RegExp, text: string, from: number): number {
  expression.lastIndex = from
  expression.test(text)
  return expression.lastIndex
}

function misplaced(text: string, at: number): AgentUriFault {
  const character = String.fromCodePoint(text.codePointAt(at)!)
  const why = MISPLACED[character] ?? 'other characters are percent-encoded'
  return { at, detail: `expected a character of a URI, found ${quoted(character)}: ${why}` }
}

/** The forms of names that are keys, for code that only needs to tell them from other names. */
export const KEY_NAMES = {
  multibase: /^(did:key:)?(z6Mk[1-9A-HJ-NP-Za-km-z]{44})$/,
  peerId: /^12D3KooW[1-9A-HJ-NP-Za-km-z]{44}$/,
  base36: /^k[\da-z]{61}$/,
  base32: /^b[a-z2-7]{64}$/,
} as const

/** True for a name in the form of a key. Only `keyOfName` decides whether it is a valid key. */
export function isKeyName(name: string): boolean {
  return Object.values(KEY_NAMES).some((form) => form.test(name))
}
