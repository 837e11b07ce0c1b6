// Classes of ASCII characters, found with one look-up. Characters beyond ASCII are in no class.

export const ALPHA = 1
export const DIGIT = 2
export const HEX = 4
/** RFC 3986 `unreserved` and `sub-delims`, the characters of a registered name. */
export const REG_NAME = 8
/** RFC 3986 `pchar` without `%`. */
export const PCHAR = 16
/** RFC 9110 section 5.6.2. */
export const TOKEN = 32
/** RFC 5322 section 3.2.3. */
export const ATEXT = 64
/** RFC 6838 section 4.2, `restricted-name-chars`. */
export const RESTRICTED = 128
/** RFC 3986 `scheme` after its first letter. */
export const SCHEME = 256
export const SLASH = 512
export const QUESTION = 1024
export const COLON = 2048
export const HYPHEN = 4096

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
export function isIn(code: number, mask: number): boolean {
  return code < 128 && (CLASSES[code]! & mask) !== 0
}

/** The end of the run of characters of these classes that begins at `at`. */
export function skip(text: string, at: number, mask: number): number {
  while (isIn(text.charCodeAt(at), mask)) at++
  return at
}

/** Like `skip`, with `%` and two hexadecimal digits for any character (RFC 3986 section 2.1). */
export function skipEncoded(text: string, at: number, mask: number): number {
  for (;;) {
    const code = text.charCodeAt(at)
    if (isIn(code, mask)) at++
    else if (code === 37 && isIn(text.charCodeAt(at + 1), HEX) && isIn(text.charCodeAt(at + 2), HEX)) at += 3
    else return at
  }
}
