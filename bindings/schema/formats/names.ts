import { parseAddress } from '../../text/address.ts'
import { ALPHA, ATEXT, DIGIT, HYPHEN, isIn, RESTRICTED, skip, TOKEN } from './characters.ts'

const ALPHANUMERIC = ALPHA | DIGIT

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
    const end = skip(text, at, ALPHANUMERIC | HYPHEN)
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
  return isIn(text.charCodeAt(at), ALPHANUMERIC) && end - at <= 127 ? end : -1
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
