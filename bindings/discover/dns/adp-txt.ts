// The TXT records of an agent at _agent below its domain (ADP/1.1 section 5.1). Other protocols may use that name too.
import { readBase64url } from '../../keys/base64.ts'
import { isDomain } from '../../text/host-name.ts'
import { TXT_FORM } from './findings.ts'
import { DnsError, type Name } from './name.ts'

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
  /** Sorted by their texts, because servers return them in any order. */
  readonly records: readonly AdpTxt[]
  /** The number of records that the single one was joined from. */
  readonly joined: number
}

const VERSIONS: readonly string[] = ['ADP1', 'ADP1.0', 'ADP1.1']
const PREFIX = 'ed25519:'
const FINGERPRINT_BYTES = 32
const LONGEST = 4096
/** How a record begins: v=ADP1.1, or for other protocols v=spf1, v=aid2. */
const BEGINNING = /^ *v *= *([^; ]*)/

/**
 * Finds the ADP records among all records of a name. Each stands alone, unless one is full and the next continues it: a
 * single incomplete record is joined with those after it, in the order of the answer. Records of other protocols are
 * ignored.
 *
 * @param texts the strings of each record.
 * @throws {DnsError} DNS-130 if there are some, but none is usable.
 */
export function readAdpTxts(texts: readonly (readonly Uint8Array[])[], owner: Name): AdpTxts {
  const own = texts
    .map((strings): Text => ({ text: joinStrings(strings), isFull: strings.at(-1)?.length === FULL }))
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

/** The joined strings of a record, and whether the next record may continue its value because it is full. */
interface Text {
  readonly text: string
  readonly isFull: boolean
}

/** Joins the only incomplete record with those after it. A fitting continuation before it shows another order. */
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
 * False for a record of another protocol without `v`, such as `google-site-verification=...`: joined, the last value
 * would contain a `=` or a space, which no value of ADP does.
 */
function continues(text: string, piece: string): boolean {
  const [name = '', ...value] = `${text.split(';').at(-1)}${piece.split(';')[0]}`.split('=')
  return value.length < 2 && !/\S\s+\S/.test(value[0] ?? name)
}

const FULL = 255
const isHead = ({ text }: Text) => versionOf(text) !== undefined
const versionOf = (text: string) => BEGINNING.exec(text)?.[1]

/** Bytes beyond ASCII become a character that no member may have. */
const joinStrings = (strings: readonly Uint8Array[]) =>
  strings
    .map((bytes) => String.fromCharCode(...bytes))
    .join('')
    .slice(0, LONGEST + 1)

/** Reads a record, or says why it is invalid. */
function readAdpTxt(text: string): AdpTxt | string {
  if (text.length > LONGEST) return `more than ${LONGEST} characters`
  if (!/^[\x20-\x7e]*$/.test(text)) return 'a character beyond printable ASCII'
  const members = new Map<string, string>()
  for (const part of text.split(';')) {
    if (part.trim() === '') continue
    const [name = '', ...value] = part.split('=')
    if (value.length === 0) return `expected name=value, found ${excerptOf(part)}`
    if (members.has(name.trim())) return `${name.trim()} stands twice`
    members.set(name.trim(), value.join('=').trim())
  }
  return recordOf(members)
}

function recordOf(members: ReadonlyMap<string, string>): AdpTxt | string {
  const [version, fingerprint, wk, port] = ['v', 'pk', 'wk', 'port'].map((name) => members.get(name))
  if (version === undefined || !VERSIONS.includes(version)) return `v must be one of ${VERSIONS.join(', ')}`
  if (fingerprint === undefined || lengthOf(fingerprint) !== FINGERPRINT_BYTES) {
    return `pk must be ${PREFIX} and ${FINGERPRINT_BYTES} bytes in base64url, found ${excerptOf(fingerprint)}`
  }
  const url = wk !== undefined && URL.canParse(wk) ? new URL(wk) : undefined
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') {
    return `wk must be an https URL without a user name, found ${excerptOf(url?.username || url?.password ? url.host : wk)}`
  }
  if (!isDomain(url.hostname)) return `wk must be at a named host, found ${excerptOf(url.hostname)}`
  if (port !== undefined && !(/^[1-9]\d{0,4}$/.test(port) && Number(port) <= 0xffff))
    return `port: found ${excerptOf(port)}`
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

const excerptOf = (text: string | undefined) => (text === undefined ? 'none' : JSON.stringify(text.slice(0, 100)))
