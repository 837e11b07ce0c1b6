// Parses agent:// URIs (Agent Card section 3.3) by hand: URL parsers lower-case the authority, which changes a key.

import { KeyError } from '../keys/base64.ts'
import { decodeBase58, exportKey, readMultikey } from '../keys/export.ts'
import { importKey } from '../keys/import.ts'
import { checkFit, type Key, toBytes } from '../keys/key.ts'
import type { Subtle } from '../keys/platform.ts'
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
  if (slash < text.length && text[slash] !== '/') return misplacedFault(text, slash)
  const end = endOf(PATH, text, slash)
  if (end < text.length) return misplacedFault(text, end)
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

function misplacedFault(text: string, at: number): AgentUriFault {
  const character = String.fromCodePoint(text.codePointAt(at)!)
  const why = MISPLACED[character] ?? 'other characters are percent-encoded'
  return { at, detail: `expected a character of a URI, found ${quoted(character)}: ${why}` }
}

/** The forms of names that are keys, for code that only needs to tell them from other names. */
const KEY_NAMES = {
  multibase: /^(did:key:)?(z6Mk[1-9A-HJ-NP-Za-km-z]{44})$/,
  peerId: /^12D3KooW[1-9A-HJ-NP-Za-km-z]{44}$/,
  base36: /^k[\da-z]{61}$/,
  base32: /^b[a-z2-7]{64}$/,
} as const

/** True for a name in the form of a key. Only `keyOfName` decides whether it is a valid key. */
export function isKeyName(name: string): boolean {
  return Object.values(KEY_NAMES).some((form) => form.test(name))
}

// Names that are keys: libp2p peer ids, multibase keys and did:key. Their use as the authority of an agent:// URI is a
// convention of Blazon: AIP and ANS define no such form. Other names give no key.

/** A key that was read from a name. */
export interface NamedKey {
  /** For messages: `libp2p peer id`. */
  readonly form: string
  readonly key: Key
}

/** Identity multihash of a protobuf PublicKey of type Ed25519 with 32 bytes (libp2p peer ids). */
const MULTIHASH = [0x00, 0x24, 0x08, 0x01, 0x12, 0x20]
/** CIDv1 with the codec libp2p-key. */
const CID = [0x01, 0x72, ...MULTIHASH]

const CID_BYTES = CID.length + 32

/** RFC 4648 section 6 in lower case, as multibase `b`. 64 digits hold the bytes exactly. */
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
/** Multibase `k`. */
const BASE36 = '0123456789abcdefghijklmnopqrstuvwxyz'

type Form = readonly [
  pattern: RegExp,
  form: string,
  prefix: readonly number[],
  decode: (name: string) => Uint8Array<ArrayBuffer>,
]

/** How each form is spelled. The length is fixed because the prefix is fixed. */
const FORMS: readonly Form[] = [
  [KEY_NAMES.peerId, 'libp2p peer id', MULTIHASH, decodeBase58],
  [KEY_NAMES.base36, 'libp2p peer id in base36', CID, (name) => decodeDigits(name.slice(1), BASE36)],
  [KEY_NAMES.base32, 'libp2p peer id in base32', CID, (name) => decodeDigits(name.slice(1), BASE32)],
]

/**
 * Reads the Ed25519 key that a name encodes. Undefined for other names.
 *
 * @example
 * (await keyOfName('z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw', subtle))?.form // 'multibase key'
 */
export async function keyOfName(name: string, subtle: Subtle): Promise<NamedKey | undefined> {
  const [, did, multibase] = KEY_NAMES.multibase.exec(name) ?? []
  try {
    if (multibase !== undefined) {
      return { form: did === undefined ? 'multibase key' : 'did:key', key: readMultikey(multibase) }
    }
    for (const [pattern, form, prefix, decode] of FORMS) {
      if (!pattern.test(name)) continue
      const bytes = decode(name)
      if (bytes.length !== prefix.length + 32 || prefix.some((byte, i) => byte !== bytes[i])) return undefined
      const raw = bytes.slice(prefix.length)
      return { form, key: await importKey(raw, { format: 'raw', subtle }) }
    }
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
  }
  return undefined
}

/**
 * Returns the agent:// URI that encodes an Ed25519 key: the id alone is enough to verify the agent's cards. It uses
 * base32, the only form that survives programs that lower-case the authority of a URI.
 *
 * @example
 * await agentIdOf(key) // 'agent://bafzaajaiaejcbv22taayfmikw7kux7wtzfsaooqo4fzphwvgems26aq2nd3qoui2'
 *
 * @throws {KeyError} KEY-103 for a key of another type.
 */
export async function agentIdOf(key: Key): Promise<string> {
  checkFit(key, 'Ed25519')
  const bytes = [...CID, ...(await exportKey(key.publicKey, 'raw'))]
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return `agent://b${bits.replace(/.{5}/g, (digit) => BASE32[Number.parseInt(digit, 2)]!)}`
}

function decodeDigits(text: string, digits: string): Uint8Array<ArrayBuffer> {
  const base = BigInt(digits.length)
  let number = 0n
  for (const digit of text) number = number * base + BigInt(digits.indexOf(digit))
  return toBytes(number, CID_BYTES)
}
