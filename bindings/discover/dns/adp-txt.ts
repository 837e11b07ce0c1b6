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
 * The records of ADP among all of a name. Each stands alone, unless one is full and the next one continues it. A single record
 * that cannot stand alone is joined with what follows it, in the order of the answer. Records of other protocols are left out.
 *
 * @param texts the strings of each record.
 * @throws {DnsError} DNS-130 where there are some, and none can be used.
 */
export function readAdpTxts(texts: readonly (readonly Uint8Array[])[], owner: Name): AdpTxts {
  const own = texts
    .map((strings): Text => ({ text: textOf(strings), isFull: strings.at(-1)?.length === FULL }))
    .filter(({ text }) => VERSIONS.includes(versionOf(text) ?? 'ADP1'))
  const heads = own.filter(isHead)
  const cut = heads.filter(
    (head) => head.isFull && own.some((other) => !isHead(other) && continues(head.text, other.text)),
  )
  const alone = heads
    .filter((head) => !cut.includes(head))
    .map(({ text }) => text)
    .sort()
    .map(readAdpTxt)
  const records = alone.filter((record) => typeof record !== 'string')
  if (cut.length === 0 && (records.length > 0 || heads.length === 0)) return { records, joined: 0 }
  const { record, joined } = joinedFrom(own, cut.length > 0 ? cut : heads)
  if (typeof record !== 'string') return { records: [record, ...records], joined }
  const fault = cut.length > 0 ? `a record of ${FULL} bytes goes on: ${record}` : (alone[0] as string)
  throw new DnsError(TXT_FORM, `${owner}: ${fault}`)
}

/** One record: its strings in one, and whether its value may go on in the next record, since it has no room left. */
interface Text {
  readonly text: string
  readonly isFull: boolean
}

/** Joins the only record that goes on with those after it; what fits and stands before it shows another order. */
function joinedFrom(own: readonly Text[], [head, other]: readonly Text[]): { record: AdpTxt | string; joined: number } {
  if (other !== undefined) return { record: 'two records go on, and the pieces fit both', joined: 0 }
  const loose = own.filter((one) => one === head || !isHead(one))
  const at = loose.indexOf(head!)
  if (loose.slice(0, at).some(({ text }) => continues(head!.text, text)))
    return { record: 'its continuation stands before it', joined: 0 }
  let { text: whole, isFull } = head!
  let joined = 1
  for (const { text, isFull: isPieceFull } of loose.slice(at + 1)) {
    if (!continues(whole, text)) continue
    if (head!.isFull && !isFull) break
    whole += text
    isFull = isPieceFull
    joined++
  }
  return { record: readAdpTxt(whole), joined }
}

/**
 * False for a record of another protocol without `v`, such as `google-site-verification=...`: continued, the last value would
 * have a `=` or a space in it, and no value of ADP has one.
 */
function continues(text: string, piece: string): boolean {
  const [name = '', ...value] = `${text.split(';').at(-1)}${piece.split(';')[0]}`.split('=')
  return value.length < 2 && !/\S\s+\S/.test(value[0] ?? name)
}

const FULL = 255
const isHead = ({ text }: Text) => versionOf(text) !== undefined
const versionOf = (text: string) => BEGINNING.exec(text)?.[1]

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
