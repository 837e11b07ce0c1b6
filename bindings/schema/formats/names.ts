// Classes of ASCII characters, found with one look-up. Characters beyond ASCII are in no class.
import { parseAddress } from '../../text/address.ts'

const ALPHA = 1
const DIGIT = 2
const HEX = 4
/** RFC 3986 `unreserved` and `sub-delims`, the characters of a registered name. */
const REG_NAME = 8
/** RFC 3986 `pchar` without `%`. */
const PCHAR = 16
/** RFC 9110 section 5.6.2. */
const TOKEN = 32
/** RFC 5322 section 3.2.3. */
const ATEXT = 64
/** RFC 6838 section 4.2, `restricted-name-chars`. */
const RESTRICTED = 128
/** RFC 3986 `scheme` after its first letter. */
const SCHEME = 256
const SLASH = 512
const QUESTION = 1024
const COLON = 2048
const HYPHEN = 4096

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const DIGITS = '0123456789'
const ALPHANUMERIC = LETTERS + DIGITS
const REG_NAMES = `${ALPHANUMERIC}-._~!$&'()*+,;=`

const MEMBERS: readonly (readonly [mask: number, characters: string])[] = [
  [ALPHA, LETTERS],
  [DIGIT, DIGITS],
  [HEX, `${DIGITS}abcdefABCDEF`],
  [REG_NAME, REG_NAMES],
  [PCHAR, `${REG_NAMES}:@`],
  [TOKEN, `${ALPHANUMERIC}!#$%&'*+-.^_\`|~`],
  [ATEXT, `${ALPHANUMERIC}!#$%&'*+-/=?^_\`{|}~`],
  [RESTRICTED, `${ALPHANUMERIC}!#$&-^_.+`],
  [SCHEME, `${ALPHANUMERIC}+-.`],
  [SLASH, '/'],
  [QUESTION, '?'],
  [COLON, ':'],
  [HYPHEN, '-'],
]

const CLASSES = /* @__PURE__ */ (() => {
  const classes = new Uint16Array(128)
  for (const [mask, characters] of MEMBERS) {
    for (let i = 0; i < characters.length; i++) classes[characters.charCodeAt(i)]! |= mask
  }
  return classes
})()

/** True when a character is in any of the classes; the end of a text, where `charCodeAt` gives NaN, is in none. */
function isIn(code: number, mask: number): boolean {
  return code < 128 && (CLASSES[code]! & mask) !== 0
}

/** The end of the run of characters of these classes that begins at `at`. */
function skip(text: string, at: number, mask: number): number {
  while (isIn(text.charCodeAt(at), mask)) at++
  return at
}

/** Like `skip`, with `%` and two hexadecimal digits for any character (RFC 3986 section 2.1). */
function skipEncoded(text: string, at: number, mask: number): number {
  for (;;) {
    const code = text.charCodeAt(at)
    if (isIn(code, mask)) at++
    else if (code === 37 && isIn(text.charCodeAt(at + 1), HEX) && isIn(text.charCodeAt(at + 2), HEX)) at += 3
    else return at
  }
}

const LETTER_OR_DIGIT = ALPHA | DIGIT

/**
 * True when a text is a mail address (RFC 5321 section 4.1.2) with an unquoted local part; lengths are those of section
 * 4.5.3.1.
 *
 * @example
 * isEmail('first.last+tag@example.com') // true
 */
export function isEmail(text: string): boolean {
  let at = 0
  for (;;) {
    const end = skip(text, at, ATEXT)
    if (end === at) return false
    at = end + 1
    const code = text.charCodeAt(end)
    if (code === 64) break
    if (code !== 46) return false
  }
  // 64 characters and the `@`.
  if (at > 65) return false
  return text.charCodeAt(at) === 91 ? isAddressLiteral(text, at) : isDomain(text, at)
}

function isDomain(text: string, start: number): boolean {
  if (text.length - start > 255) return false
  for (let at = start; ; ) {
    const end = skip(text, at, LETTER_OR_DIGIT | HYPHEN)
    if (end === at || end - at > 63 || text.charCodeAt(at) === 45 || text.charCodeAt(end - 1) === 45) return false
    if (end === text.length) return true
    if (text.charCodeAt(end) !== 46) return false
    at = end + 1
  }
}

function isAddressLiteral(text: string, open: number): boolean {
  if (!text.endsWith(']')) return false
  const literal = text.slice(open + 1, -1)
  return /^ipv6:/i.test(literal) ? isIpv6(literal.slice(5)) : isIpv4(literal)
}

/**
 * True when a text is a media type: names by RFC 6838 section 4.2, then parameters (RFC 9110 section 8.3.1). A range
 * such as `text/*` is not one.
 *
 * @example
 * isMimeType('application/adl+json; profile="urn:adl:profile:governance:1.0"') // true
 */
export function isMimeType(text: string): boolean {
  const slash = endOfRestrictedName(text, 0)
  if (slash < 0 || text.charCodeAt(slash) !== 47) return false
  let at = endOfRestrictedName(text, slash + 1)
  if (at < 0) return false
  while (at < text.length) {
    at = skipBlanks(text, at)
    if (text.charCodeAt(at) !== 59) return false
    at = skipBlanks(text, at + 1)
    const end = skip(text, at, TOKEN)
    // A semicolon without a parameter is allowed.
    if (end === at) continue
    if (text.charCodeAt(end) !== 61) return false
    at = endOfParameterValue(text, end + 1)
    if (at < 0) return false
  }
  return true
}

function endOfRestrictedName(text: string, at: number): number {
  const end = skip(text, at, RESTRICTED)
  return isIn(text.charCodeAt(at), LETTER_OR_DIGIT) && end - at <= 127 ? end : -1
}

/** The end of a token or a quoted string (RFC 9110 section 5.6.4), or -1. */
function endOfParameterValue(text: string, at: number): number {
  if (text.charCodeAt(at) !== 34) {
    const end = skip(text, at, TOKEN)
    return end > at ? end : -1
  }
  for (at++; at < text.length; at++) {
    let code = text.charCodeAt(at)
    if (code === 34) return at + 1
    if (code === 92) code = text.charCodeAt(++at)
    if (!(code === 9 || (code >= 32 && code !== 127 && code <= 255))) return -1
  }
  return -1
}

function skipBlanks(text: string, at: number): number {
  while (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9) at++
  return at
}

/**
 * True when a text is three numbers separated by dots: the `semver` production of ADL appendix D, which allows leading
 * zeros and has no pre-release.
 *
 * @example
 * isSemver('1.2.3-rc.1') // false
 */
export function isSemver(text: string): boolean {
  let at = 0
  for (let part = 0; part < 3; part++) {
    if (part > 0 && text.charCodeAt(at++) !== 46) return false
    const end = skip(text, at, DIGIT)
    if (end === at) return false
    at = end
  }
  return at === text.length
}

/**
 * True when a text is a JSON Pointer (RFC 6901 section 3).
 *
 * @example
 * isJsonPointer('/a~1b/0') // true
 */
export function isJsonPointer(text: string): boolean {
  if (text !== '' && text.charCodeAt(0) !== 47) return false
  for (let at = text.indexOf('~'); at >= 0; at = text.indexOf('~', at + 1)) {
    const code = text.charCodeAt(at + 1)
    if (code !== 48 && code !== 49) return false
  }
  return true
}

/**
 * True when a text is an IPv4 address by RFC 3986: four decimal numbers without leading zeros.
 *
 * @example
 * isIpv4('192.0.2.010') // false
 */
export function isIpv4(text: string): boolean {
  return parseAddress(text)?.length === 4
}

/**
 * True when a text is an IPv6 address (RFC 4291 section 2.2), without brackets and zone.
 *
 * @example
 * isIpv6('::ffff:192.0.2.1') // true
 */
export function isIpv6(text: string): boolean {
  return parseAddress(text)?.length === 16
}

// Follows the grammar of RFC 3986 exactly: decodes, normalizes and guesses nothing. Each check reads the text once or
// twice.

const PATH = PCHAR | SLASH
const QUERY = PATH | QUESTION
const USER = REG_NAME | COLON

/** Matches most URIs, seven times faster than the full grammar. */
const COMMON = /^https?:\/\/[a-z0-9.-]+(?:\/[\w.~/-]*)?$/

/**
 * True when a text is a URI with a scheme (RFC 3986 section 3); a fragment may follow.
 *
 * @example
 * isUri('https://[2001:db8::7]/a%20b?c#d') // true
 */
export function isUri(text: string): boolean {
  if (COMMON.test(text)) return true
  const scheme = endOfScheme(text)
  return scheme > 0 && isHierarchy(text, scheme)
}

/**
 * True when a text is a URI or a relative reference (RFC 3986 section 4.1).
 *
 * @example
 * isUriReference('../other.json#/$defs/a') // true
 */
export function isUriReference(text: string): boolean {
  const scheme = endOfScheme(text)
  if (scheme > 0) return isHierarchy(text, scheme)
  // Section 4.2: a colon in the first segment would turn the text before it into a scheme.
  return text.charCodeAt(skipEncoded(text, 0, REG_NAME)) !== 58 && isHierarchy(text, 0)
}

/**
 * True when a text is a URN (RFC 8141 section 2), with or without r-, q- and f-component.
 *
 * @example
 * isUrn('urn:adl:profile:governance:1.0') // true
 */
export function isUrn(text: string): boolean {
  if (endOfScheme(text) !== 4 || text.slice(0, 4).toLowerCase() !== 'urn:') return false
  let at = skip(text, 4, LETTER_OR_DIGIT | HYPHEN)
  const length = at - 4
  if (length < 2 || length > 32 || text.charCodeAt(4) === 45 || text.charCodeAt(at - 1) === 45) return false
  if (text.charCodeAt(at) !== 58) return false
  at = skipPart(text, at + 1, PATH)
  if (text.charCodeAt(at) === 63) {
    const kind = text.charCodeAt(at + 1)
    if (kind !== 43 && kind !== 61) return false
    at = skipPart(text, at + 2, QUERY)
  }
  return at > 0 && isFragmentOrEnd(text, at)
}

/** The end of a part of a URN that begins with a `pchar`; -1 when it does not. */
function skipPart(text: string, at: number, mask: number): number {
  const code = text.charCodeAt(at)
  if (code === 47 || code === 63) return -1
  const end = skipEncoded(text, at, mask)
  return end > at ? end : -1
}

/** The index after the scheme's colon; 0 without a scheme. */
function endOfScheme(text: string): number {
  if (!isIn(text.charCodeAt(0), ALPHA)) return 0
  const end = skip(text, 1, SCHEME)
  return text.charCodeAt(end) === 58 ? end + 1 : 0
}

/** `[ "//" authority ] path [ "?" query ] [ "#" fragment ]`, to the end of the text. */
function isHierarchy(text: string, at: number): boolean {
  if (text.charCodeAt(at) === 47 && text.charCodeAt(at + 1) === 47) {
    at = endOfAuthority(text, at + 2)
    // A path after an authority is empty or begins with a slash.
    if (at < 0 || isIn(text.charCodeAt(at), PCHAR)) return false
  }
  at = skipEncoded(text, at, PATH)
  if (text.charCodeAt(at) === 63) at = skipEncoded(text, at + 1, QUERY)
  return isFragmentOrEnd(text, at)
}

function isFragmentOrEnd(text: string, at: number): boolean {
  if (text.charCodeAt(at) === 35) at = skipEncoded(text, at + 1, QUERY)
  return at === text.length
}

/** The end of `[ userinfo "@" ] host [ ":" port ]`, or -1. */
function endOfAuthority(text: string, at: number): number {
  const user = skipEncoded(text, at, USER)
  if (text.charCodeAt(user) === 64) at = user + 1
  at = text.charCodeAt(at) === 91 ? endOfLiteral(text, at) : skipEncoded(text, at, REG_NAME)
  return at > 0 && text.charCodeAt(at) === 58 ? skip(text, at + 1, DIGIT) : at
}

/** The end of an address in brackets, or -1. */
function endOfLiteral(text: string, open: number): number {
  const close = skip(text, open + 1, USER)
  if (text.charCodeAt(close) !== 93) return -1
  if ((text.charCodeAt(open + 1) | 32) !== 118) return isIpv6(text.slice(open + 1, close)) ? close + 1 : -1
  // IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )
  const dot = skip(text, open + 2, HEX)
  return dot > open + 2 && text.charCodeAt(dot) === 46 && dot + 1 < close ? close + 1 : -1
}
