// Finds private keys in any text, even if the text is incomplete, broken or quoted inside another one.

export interface PrivateKeySpan {
  readonly start: number
  readonly end: number
  /**
   * False for a value that looks like a key only because of its member's name (`d`, `k`). Reports hide it; the page
   * accepts such a document, because the member may have another meaning.
   */
  readonly isCertain: boolean
}

/**
 * A key has at least 16 characters of base64, base58 or hex in one line; RSA of 16,384 bits has 12,000. V8 runs out of
 * stack in runs of millions.
 */
const RUN = /[\w+/-]{16,20000}={0,2}/g
/** PEM (RFC 7468), and PGP's `PGP PRIVATE KEY BLOCK` (RFC 9580 section 6.2). */
const PEM =
  /BEGIN[\sA-Z\d]{1,40}(?:PRIVATE|SECRET)\s{1,4}KEY(?:\s{1,4}BLOCK)?(?:\s?[-–—]){0,5}([\s\S]*?)(?=-{2,5}\s?END|$)/g
/** PEM headers may precede the key; they are at most this long. */
const PEM_HEADERS = 600

const CONTEXT = 96
/** The name of a private JWK member (RFC 7518 sections 6.2.2, 6.3.2, 6.4.1), and what may precede its value. */
const MEMBER =
  /[\s,{"'](?:d|p|q|dp|dq|qi|k|priv)\s{0,8}["']?(?=[\s"':=,;[({])([\s:=,;[({|>+-]{0,40})(?:[!&][\w!]{1,12}\s)?["']?$/
const JWK = /\b(?:kty|crv)\b/
/**
 * A name that marks its value as a private key; not the name of a key's id, digest or location. The last alternative is
 * PuTTY's.
 */
const NAME =
  /(?:(?:priv(?:ate)?|secret)[\s_.-]?key(?:[\s_.-]?(?:hex|pem|der|raw|seed|bytes|value|multibase|b(?:ase)?(?:58|64)(?:url)?))?|\bseed|\bsk|private-lines: \d{1,4})[\s:=|>,"'([{+-]{1,40}$/i

/** The beginnings of age, Nostr, BIP 32, `openssh-key-v1` and minisign keys; the last two are in base64. */
const BEGINNING = /^(?:AGE-SECRET-KEY-|age-secret-key-|nsec1|[xyz]prv|b3BlbnNzaC1rZXktdjE|RWRTY0Iy)[\w+/-]{16}/
/**
 * DER in hex: a sequence of a version and a key (PKCS #1, PKCS #8, SEC 1, PKCS #12), or a key encrypted with a scheme
 * of PKCS #5 or PKCS #12. A public key begins with its algorithm instead.
 */
const DER =
  /^30(?:[0-7].|81..|82....|83.{6})(?:02010[013](?:02|04|30)|30(?:[0-7].|81..|82....)06..2a864886f70d01(?:05|0c))/
/** A multicodec from 0x1300 to 0x137f in hex, with the lengths of such keys, some including the public half. */
const MULTIKEY = /^[89a-f].26.{64}(?:.{32}|.{64}|.{68})?$/
const LONGEST_MULTIBASE = 140
/** Base64 of `{"`, `{ `, `[{` and `---`, which may contain a key. */
const WRAPPED = /^(?:e[wy]|W3|LS0t)/
/** The further lines of a key that is split into lines; does not match members. */
const NEXT_LINES = /(?:\s{1,40}[\w+/-]{4,1000}={0,2}(?![\w+/=:-])){0,2000}/y

/** True when a text contains a private key. */
export const holdsPrivateKey = (text: string): boolean => privateKeySpans(text).some(({ isCertain }) => isCertain)

/** The private keys in a text; ranges may overlap. Takes time linear in the length of the text. */
export function privateKeySpans(text: string): PrivateKeySpan[] {
  const plain = text.includes('\\') ? replaceEscapes(text) : text
  const spans: PrivateKeySpan[] = []
  for (const { 0: whole, 1: body, index } of plain.matchAll(PEM)) {
    const isCertain = (body!.slice(0, PEM_HEADERS).match(RUN) ?? []).some(isRandom)
    const end = index + whole.length
    if (isCertain) spans.push({ start: end - body!.length, end, isCertain })
  }
  const inJwk = JWK.test(plain)
  let end = 0
  for (const { 0: run, index } of plain.matchAll(RUN)) {
    if (index < end) continue
    const before = index < CONTEXT ? `\n${plain.slice(0, index)}` : plain.slice(index - CONTEXT, index)
    const isCertain = isKey(run) || (isRandom(run) && (NAME.test(before) || isMember(run, before, inJwk)))
    if (isCertain) {
      NEXT_LINES.lastIndex = index + run.length
      end = NEXT_LINES.lastIndex + NEXT_LINES.exec(plain)![0].length
      spans.push({ start: index, end, isCertain })
    } else if (mayBeMember(run, before)) spans.push({ start: index, end: index + run.length, isCertain })
  }
  return spans
}

/**
 * Replaces the escapes of JSON and YAML, also of strings within strings, with their characters. Each result is as long
 * as its escape, so that positions stay valid. An escaped slash may be part of base64, so it is not padded with spaces.
 */
const replaceEscapes = (text: string) =>
  text
    .replace(/\\{1,8}\//g, ({ length }) => '/'.repeat(length))
    .replace(/\\{1,8}(?:u00|x)([0-7][\da-f])/gi, ({ length }, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)).padStart(length),
    )
    .replace(/\\[nrt]/g, ' \n')
    .replaceAll('\\', ' ')

/** A value of 32 bytes in base64url counts anywhere; a shorter one, perhaps half-typed, counts only in a JWK. */
const isMember = (run: string, before: string, inJwk: boolean) => (inJwk || run.length >= 43) && MEMBER.test(before)

/**
 * Ignores numbers, which are counts or times. Without a colon, the value may be a list element, which is more often a
 * word than a key.
 */
function mayBeMember(run: string, before: string): boolean {
  const between = MEMBER.exec(before)?.[1]
  if (between === undefined || !/^[\w-]+$/.test(run) || /^-?\d+$/.test(run)) return false
  return /[:=]/.test(between) || (run.length >= 22 && /[a-z]/.test(run) && /[A-Z]/.test(run))
}

/** True when the run is a private key by its content. */
function isKey(run: string): boolean {
  if (BEGINNING.test(run)) return true
  if (/^M[A-I]/.test(run)) return DER.test(hexOf(run.slice(0, 32)))
  if (WRAPPED.test(run)) return holdsPrivateKey(decodeRun(run))
  return /^30[\da-f]+$/i.test(run) ? DER.test(run.toLowerCase()) : MULTIKEY.test(multibase(run))
}

/** The bytes of a multibase text in hex; '' for any other text. */
function multibase(run: string): string {
  const rest = run.slice(1)
  if (run.length > LONGEST_MULTIBASE) return ''
  if (/^z[1-9A-HJ-NP-Za-km-z]+$/.test(run)) return base58Hex(rest)
  if (/^f[\da-f]+$/.test(run)) return rest
  return /^[mu]/.test(run) ? hexOf(rest) : ''
}

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

function base58Hex(text: string): string {
  let value = 0n
  for (const digit of text) value = value * 58n + BigInt(DIGITS.indexOf(digit))
  const hex = value.toString(16)
  return hex.length % 2 === 0 ? hex : `0${hex}`
}

/** The bytes of base64 or base64url, one per character. */
function decodeRun(run: string): string {
  const digits = run.replace(/=/g, '').replace(/-/g, '+').replace(/_/g, '/')
  return atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits)
}

const hexOf = (run: string) =>
  Array.from(decodeRun(run), (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')

/** True for a value that nobody types by hand: hex, or many capitals and digits, which words and paths do not have. */
function isRandom(run: string): boolean {
  const distinct = new Set(run).size
  if (/^(?:0x)?[\da-f]{32,}$/i.test(run)) return distinct >= 8
  const others = run.replace(/[A-Z\d]/g, '')
  return (
    distinct >= 10 && others.length <= run.length * 0.75 && others.replace(/[^a-z]/g, '').length >= run.length * 0.1
  )
}
