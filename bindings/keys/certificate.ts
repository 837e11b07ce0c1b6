// X.509 certificates (RFC 5280): what they say. Whether anybody should believe it is the matter of chain.ts.
import { toHex } from '../text/bytes.ts'
import { sha256 } from '../wasm/sha256.ts'
import { decodeBase64, KeyError } from './base64.ts'
import {
  BIT_STRING,
  BOOLEAN,
  CONTEXT_0,
  CONTEXT_3,
  DerReader,
  der,
  INTEGER,
  OCTET_STRING,
  OID,
  onlySequence,
  SEQUENCE,
  SET,
} from './der.ts'

/** A certificate of an agent has a kilobyte. */
const MOST_CERTIFICATE_BYTES = 16_384
/** A text with a chain of certificates. */
const LONGEST_TEXT = 1 << 20
/** The first block, which in the file of a chain is the server's own certificate (RFC 8446 section 4.4.2). */
const BLOCK = /-----BEGIN CERTIFICATE-----\r?\n([A-Za-z0-9+/=\r\n]*)-----END CERTIFICATE-----/

const BASIC_CONSTRAINTS = '2.5.29.19'
const KEY_USAGE = '2.5.29.15'
/** The bits of KeyUsage, in their order. */
const USAGES = [
  'digitalSignature',
  'contentCommitment',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
] as const

export type KeyUsage = (typeof USAGES)[number]

/** A name, as its bytes and its usual parts. */
export interface DistinguishedName {
  readonly bytes: Uint8Array
  readonly commonName?: string
  readonly organization?: string
  readonly unit?: string
}

export interface CertificateExtension {
  readonly critical: boolean
  readonly value: Uint8Array
}

export interface Certificate {
  readonly bytes: Uint8Array
  /** In hexadecimal digits. */
  readonly serial: string
  readonly issuer: DistinguishedName
  readonly subject: DistinguishedName
  readonly notBefore: Date
  readonly notAfter: Date
  /** The SubjectPublicKeyInfo. */
  readonly spki: Uint8Array<ArrayBuffer>
  /** By object identifier: `2.5.29.15`. */
  readonly extensions: ReadonlyMap<string, CertificateExtension>
  /** True for an authority (basicConstraints). */
  readonly isAuthority: boolean
  /** How many authorities may follow below this one. */
  readonly pathLength: number | undefined
  /** Undefined when the certificate does not restrict it. */
  readonly keyUsage: readonly KeyUsage[] | undefined
  readonly signature: { readonly algorithm: string; readonly over: Uint8Array<ArrayBuffer>; readonly bytes: Uint8Array }
}

/**
 * Reads a certificate in PEM or DER; of a chain in PEM, the first one. Refuses every encoding but the shortest.
 *
 * @example
 * readCertificate(pem).subject.commonName // 'Agent:invoice-checker'
 *
 * @throws {KeyError} KEY-102 and KEY-160 to KEY-163 for anything else.
 */
export function readCertificate(source: string | Uint8Array): Certificate {
  return parseCertificate(derOfCertificate(source))
}

/**
 * `sha256:` and the SHA-256 of the certificate, as `openssl x509 -fingerprint -sha256` shows it.
 *
 * @throws {KeyError} for a text without a certificate in PEM.
 */
export function certificateFingerprint(source: string | Uint8Array): string {
  return `sha256:${toHex(sha256(derOfCertificate(source)))}`
}

/**
 * The DER of a certificate in PEM or DER.
 *
 * @throws {KeyError} KEY-102 for a text without a certificate in PEM.
 */
export function derOfCertificate(source: string | Uint8Array): Uint8Array {
  if (typeof source !== 'string') return source
  const body = source.length > LONGEST_TEXT ? undefined : BLOCK.exec(source)?.[1]
  // The error quotes none of the text: it may be a private key.
  if (body === undefined) throw new KeyError('KEY-102', 'expected a CERTIFICATE in PEM, found none')
  return decodeBase64(body.replace(/[\r\n]/g, ''))
}

/**
 * The SubjectPublicKeyInfo of any certificate (RFC 5280 section 4.1). Unlike `readCertificate`, it does not look at the
 * rest: servers have certificates that agents must not have.
 *
 * @throws {KeyError} KEY-102 when the bytes are not a DER certificate.
 */
export function spkiOf(certificate: Uint8Array): Uint8Array<ArrayBuffer> {
  const content = new DerReader(certificate).enter(SEQUENCE).enter(SEQUENCE)
  // The version.
  if (content.follows(CONTEXT_0)) content.read(CONTEXT_0)
  content.read(INTEGER)
  // The algorithm, the issuer, the validity, the subject.
  for (let i = 0; i < 4; i++) content.read(SEQUENCE)
  // DER has only one encoding, and the reader refuses all others, so these are exactly the original bytes.
  return der(SEQUENCE, content.read(SEQUENCE))
}

const certificateError = (what: string) => new KeyError('KEY-160', `expected a certificate, found ${what}`)

function parseCertificate(bytes: Uint8Array): Certificate {
  if (bytes.length > MOST_CERTIFICATE_BYTES)
    throw certificateError(`${bytes.length} bytes, limit ${MOST_CERTIFICATE_BYTES}`)
  const whole = onlySequence(bytes)
  const content = whole.read(SEQUENCE)
  const algorithm = readAlgorithm(whole)
  const signature = { algorithm: algorithm.name, over: der(SEQUENCE, content), bytes: whole.bits() }
  whole.finish()
  return { ...readContent(new DerReader(content), algorithm.bytes), bytes, signature }
}

function readContent(reader: DerReader, outerAlgorithm: string): Omit<Certificate, 'bytes' | 'signature'> {
  const version = reader.follows(CONTEXT_0) ? reader.enter(CONTEXT_0).integer()[0]! : 0
  const serial = toHex(reader.integer())
  if (readAlgorithm(reader).bytes !== outerAlgorithm) throw certificateError('two signature algorithms')
  const issuer = readName(reader)
  const validity = reader.enter(SEQUENCE)
  const [notBefore, notAfter] = [readTime(validity), readTime(validity)]
  validity.finish()
  const subject = readName(reader)
  const spki = der(SEQUENCE, reader.read(SEQUENCE))
  const extensions = reader.follows(CONTEXT_3) ? readExtensions(reader.enter(CONTEXT_3)) : new Map()
  reader.finish()
  if (extensions.size > 0 && version !== 2)
    throw certificateError('extensions in a certificate of another version than 3')
  const common = { serial, issuer, subject, notBefore, notAfter, spki, extensions }
  return { ...common, ...readConstraints(extensions), keyUsage: readUsage(extensions) }
}

/** The object identifier, and all bytes for comparing. */
function readAlgorithm(reader: DerReader): { readonly name: string; readonly bytes: string } {
  const content = reader.read(SEQUENCE)
  return { name: oidText(new DerReader(content).read(OID)), bytes: toHex(content) }
}

const PARTS: Readonly<Record<string, 'commonName' | 'organization' | 'unit'>> = {
  '2.5.4.3': 'commonName',
  '2.5.4.10': 'organization',
  '2.5.4.11': 'unit',
}
/** UTF8String, PrintableString and IA5String. */
const TEXTS = [0x0c, 0x13, 0x16]
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function readName(reader: DerReader): DistinguishedName {
  const content = reader.read(SEQUENCE)
  const sets = new DerReader(content)
  const parts: Partial<Record<'commonName' | 'organization' | 'unit', string>> = {}
  while (!sets.atEnd) {
    const set = sets.enter(SET)
    while (!set.atEnd) {
      const attribute = set.enter(SEQUENCE)
      const part = PARTS[oidText(attribute.read(OID))]
      const tag = TEXTS.find((text) => attribute.follows(text))
      // The first of several attributes of one type counts.
      if (part !== undefined && tag !== undefined) parts[part] ??= decodeText(attribute.read(tag))
    }
  }
  return { bytes: content, ...parts }
}

/** The text of a string type, all of which are UTF-8 or a part of it here. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw certificateError('a text that is not UTF-8')
  }
}

function readExtensions(wrapper: DerReader): ReadonlyMap<string, CertificateExtension> {
  const list = wrapper.enter(SEQUENCE)
  wrapper.finish()
  const extensions = new Map<string, CertificateExtension>()
  while (!list.atEnd) {
    const extension = list.enter(SEQUENCE)
    const oid = oidText(extension.read(OID))
    const critical = readDefaultFalse(extension)
    const value = extension.read(OCTET_STRING)
    extension.finish()
    if (extensions.has(oid)) throw certificateError(`the extension ${oid} twice`)
    extensions.set(oid, { critical, value })
  }
  return extensions
}

function readConstraints(extensions: Certificate['extensions']): Pick<Certificate, 'isAuthority' | 'pathLength'> {
  const extension = extensions.get(BASIC_CONSTRAINTS)
  if (extension === undefined) return { isAuthority: false, pathLength: undefined }
  const reader = onlySequence(extension.value)
  const isAuthority = readDefaultFalse(reader)
  const length = reader.atEnd ? undefined : reader.integer()
  reader.finish()
  // A longer path than 255 restricts nothing here.
  return { isAuthority, pathLength: length === undefined ? undefined : length.length > 1 ? 255 : length[0]! }
}

function readUsage(extensions: Certificate['extensions']): readonly KeyUsage[] | undefined {
  const extension = extensions.get(KEY_USAGE)
  if (extension === undefined) return undefined
  const outer = new DerReader(extension.value)
  const isSet = readNamedBits(outer)
  outer.finish()
  return USAGES.filter((_, bit) => isSet(bit))
}

/** An object identifier in dotted form: `1.2.840`. */
function oidText(bytes: Uint8Array): string {
  const numbers: number[] = []
  let number = 0
  let isOpen = false
  for (const byte of bytes) {
    if (!isOpen && byte === 0x80) throw certificateError('an object identifier in a longer form than needed')
    number = number * 128 + (byte & 0x7f)
    if (number > Number.MAX_SAFE_INTEGER / 128) throw certificateError('an object identifier that is too long')
    isOpen = byte >= 0x80
    if (isOpen) continue
    numbers.push(number)
    number = 0
  }
  if (isOpen || numbers.length === 0) throw certificateError('an incomplete object identifier')
  const [first, ...rest] = numbers as [number, ...number[]]
  const root = Math.min(2, Math.floor(first / 40))
  return [root, first - root * 40, ...rest].join('.')
}

/** Bits that have names, by their number: the last byte may have unused ones, and ends with a bit that is set. */
function readNamedBits(reader: DerReader): (bit: number) => boolean {
  const [unused = 8, ...bytes] = reader.read(BIT_STRING)
  const last = bytes.at(-1)
  const isShortest =
    last === undefined ? unused === 0 : unused < 8 && ((last >> unused) & 1) === 1 && last % (1 << unused) === 0
  if (!isShortest) throw new KeyError('KEY-163', 'expected DER, found bits in a longer form than needed')
  return (bit) => ((bytes[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0
}

/** A BOOLEAN that is left out when it is false. */
function readDefaultFalse(reader: DerReader): boolean {
  if (!reader.follows(BOOLEAN)) return false
  const content = reader.read(BOOLEAN)
  if (content.length === 1 && content[0] === 0xff) return true
  throw new KeyError('KEY-161', 'expected DER, found a BOOLEAN other than TRUE where FALSE is left out')
}

const UTC_TIME = 0x17
const GENERALIZED_TIME = 0x18
const TIME = /^(\d\d|\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/

/** A moment in UTC, to the second (RFC 5280 section 4.1.2.5): with two digits of the year, or four. */
function readTime(reader: DerReader): Date {
  const isShort = reader.follows(UTC_TIME)
  const text = String.fromCharCode(...reader.read(isShort ? UTC_TIME : GENERALIZED_TIME))
  const [, year = '', month, day, hour, minute, second] = TIME.exec(text) ?? []
  const full = isShort ? `${Number(year) < 50 ? 20 : 19}${year}` : year
  const written = `${full}-${month}-${day}T${hour}:${minute}:${second}.000Z`
  const moment = new Date(written)
  if (Number.isNaN(moment.getTime()) || moment.toISOString() !== written)
    throw new KeyError('KEY-162', 'expected a time such as 20260101120000Z, found another text')
  return moment
}
