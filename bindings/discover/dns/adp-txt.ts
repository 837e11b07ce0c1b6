// The TXT records of an agent at _agent below its domain (ADP/1.1 section 5.1). Others have records of theirs at that name.
import { readBase64url } from '../../keys/base64.ts'
import { isDomain } from '../../text/host-name.ts'
import { DnsError } from './error.ts'
import { TXT_FORM } from './findings.ts'
import type { Name } from './name.ts'

export interface AdpTxt {
  /** `ADP1`, `ADP1.0` or `ADP1.1`. */
  readonly version: string
  /** `ed25519:` and the fingerprint of the agent's key. */
  readonly fingerprint: string
  /** The URL of the metadata. */
  readonly wellKnown: URL
  readonly alpn: string | undefined
  readonly port: number | undefined
  readonly bap: string | undefined
}

export interface AdpTxts {
  /** In the order of their texts, since servers give them in any. */
  readonly records: readonly AdpTxt[]
  /** The one record was put together of so many. */
  readonly joined: number
}

const VERSIONS: readonly string[] = ['ADP1', 'ADP1.0', 'ADP1.1']
const PREFIX = 'ed25519:'
const FINGERPRINT_BYTES = 32
const LONGEST = 4096
/** How a record begins: v=ADP1.1, or of others v=spf1, v=aid2. */
const BEGINNING = /^ *v *= *([^; ]*)/

/**
 * The records of ADP among all of a name. Each stands alone, unless one is full and others go on with it. Those, or all where
 * none stands alone, are joined in the order in which they came; records of other protocols are left out.
 *
 * @param texts the strings of each record.
 * @throws {DnsError} DNS-130 where there are some, and none can be used.
 */
export function readAdpTxts(texts: readonly (readonly Uint8Array[])[], owner: Name): AdpTxts {
  const own = texts.filter((strings) => VERSIONS.includes(versionOf(strings) ?? 'ADP1'))
  const first = own.filter((strings) => versionOf(strings) !== undefined)
  if (first.length < own.length && first.some(isFull)) return continued(own, first.length, owner)
  const begun = first.map(textOf).sort()
  const read = begun.map(readAdpTxt)
  const records = read.filter((record) => typeof record !== 'string')
  if (records.length > 0) return { records, joined: 0 }
  if (begun.length === 0) return { records: [], joined: 0 }
  const whole = own.length > 1 ? readAdpTxt(own.map(textOf).join('')) : undefined
  if (whole !== undefined && typeof whole !== 'string') return { records: [whole], joined: own.length }
  throw new DnsError(TXT_FORM, `${owner}: ${read[0] as string}`)
}

/**
 * A record whose last string is full goes on in the next record: alone, its `wk` would be cut off and might name another
 * domain. Nothing says which of two such records a piece belongs to.
 */
function continued(own: readonly (readonly Uint8Array[])[], count: number, owner: Name): AdpTxts {
  const whole = count === 1 ? readAdpTxt(own.map(textOf).join('')) : 'two records go on, and the pieces fit both'
  if (typeof whole === 'string') throw new DnsError(TXT_FORM, `${owner}: a record of 255 bytes goes on: ${whole}`)
  return { records: [whole], joined: own.length }
}

const FULL = 255
const isFull = (strings: readonly Uint8Array[]) => strings.at(-1)?.length === FULL
const versionOf = (strings: readonly Uint8Array[]) => BEGINNING.exec(textOf(strings))?.[1]

/** Bytes beyond ASCII become what no member may have. */
const textOf = (strings: readonly Uint8Array[]) =>
  strings
    .map((bytes) => String.fromCharCode(...bytes))
    .join('')
    .slice(0, LONGEST + 1)

/** A record, or why it is none. */
function readAdpTxt(text: string): AdpTxt | string {
  if (text.length > LONGEST) return `more than ${LONGEST} characters`
  if (!/^[\x20-\x7e]*$/.test(text)) return 'a character beyond printable ASCII'
  const members = new Map<string, string>()
  for (const part of text.split(';')) {
    if (part.trim() === '') continue
    const [name = '', ...value] = part.split('=')
    if (value.length === 0) return `expected name=value, found ${shown(part)}`
    if (members.has(name.trim())) return `${name.trim()} stands twice`
    members.set(name.trim(), value.join('=').trim())
  }
  return recordOf(members)
}

function recordOf(members: ReadonlyMap<string, string>): AdpTxt | string {
  const [version, fingerprint, wk, port] = ['v', 'pk', 'wk', 'port'].map((name) => members.get(name))
  if (version === undefined || !VERSIONS.includes(version)) return `v is one of ${VERSIONS.join(', ')}`
  if (fingerprint === undefined || lengthOf(fingerprint) !== FINGERPRINT_BYTES) {
    return `pk is ${PREFIX} and ${FINGERPRINT_BYTES} bytes in base64url, found ${shown(fingerprint)}`
  }
  const url = wk !== undefined && URL.canParse(wk) ? new URL(wk) : undefined
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') {
    return `wk is an https URL without a user name, found ${shown(url?.username || url?.password ? url.host : wk)}`
  }
  if (!isDomain(url.hostname)) return `wk is at a host with a name, found ${shown(url.hostname)}`
  if (port !== undefined && !(/^[1-9]\d{0,4}$/.test(port) && Number(port) <= 0xffff))
    return `port: found ${shown(port)}`
  return {
    version,
    fingerprint,
    wellKnown: url,
    alpn: members.get('alpn'),
    port: port === undefined ? undefined : Number(port),
    bap: members.get('bap'),
  }
}

const lengthOf = (fingerprint: string) =>
  fingerprint.startsWith(PREFIX) ? readBase64url(fingerprint.slice(PREFIX.length))?.length : undefined

const shown = (text: string | undefined) => (text === undefined ? 'none' : JSON.stringify(text.slice(0, 100)))
