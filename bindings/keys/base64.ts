import type { Code } from './findings.ts'

/** A key, an algorithm or an encoding that cannot be used. An invalid signature is never an error. */
export class KeyError extends Error {
  override readonly name = 'KeyError'
  /** Stable: `KEY-104`. */
  readonly code: Code

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The result of a reading, or what follows from its KeyError; undefined by default. */
export function attempt<Result, Other = undefined>(
  read: () => Result,
  otherwise: (error: KeyError) => Other = () => undefined as Other,
): Result | Other {
  try {
    return read()
  } catch (error) {
    if (error instanceof KeyError) return otherwise(error)
    throw error
  }
}

// RFC 4648. The platform's decoders accept white space, missing padding and extra bits at the end, so one signature
// would have many spellings. These decoders are strict: every byte sequence has exactly one text.

interface Alphabet {
  readonly name: string
  /** The character of each value. */
  readonly codes: Uint8Array
  /** The value of each ASCII character, -1 for those without one. */
  readonly values: Int8Array
}

const decoder = new TextDecoder()
const COMMON = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const BASE64 = alphabet('base64', `${COMMON}+/`)
const BASE64URL = alphabet('base64url without padding', `${COMMON}-_`)

function alphabet(name: string, digits: string): Alphabet {
  const values = new Int8Array(128).fill(-1)
  for (let i = 0; i < digits.length; i++) values[digits.charCodeAt(i)] = i
  return { name, codes: new TextEncoder().encode(digits), values }
}

/** Builds the text as bytes: appending to a string digit by digit would create garbage many times its size. */
function encode(bytes: Uint8Array, { codes }: Alphabet): string {
  const text = new Uint8Array(Math.ceil((bytes.length * 4) / 3))
  let at = 0
  for (let i = 0; i < bytes.length; i += 3) {
    const group = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    // Writes past the end of the array are ignored.
    for (let shift = 18; shift >= 0; shift -= 6) text[at++] = codes[(group >> shift) & 63]!
  }
  return decoder.decode(text)
}

function decode(text: string, { name, values }: Alphabet): Uint8Array<ArrayBuffer> {
  if (text.length % 4 === 1) throw new KeyError('KEY-107', `expected ${name}, found ${text.length} digits`)
  const bytes = new Uint8Array((text.length * 3) >> 2)
  let bits = 0
  let at = 0
  for (let i = 0; i < text.length; i++) {
    const value = values[text.charCodeAt(i)] ?? -1
    if (value < 0) throw new KeyError('KEY-107', `expected ${name}, found another character at ${i}`)
    bits = (bits << 6) | value
    if (i % 4 > 0) bytes[at++] = bits >> (6 - 2 * (i % 4))
  }
  const unused = text.length % 4 === 2 ? bits & 15 : text.length % 4 === 3 ? bits & 3 : 0
  if (unused !== 0) throw new KeyError('KEY-107', `expected ${name}, found bits behind the last byte`)
  return bytes
}

/**
 * Base64 with padding (RFC 4648 section 4).
 *
 * @example
 * encodeBase64(Uint8Array.of(102)) // 'Zg=='
 */
export function encodeBase64(bytes: Uint8Array): string {
  const text = encode(bytes, BASE64)
  return text.padEnd(text.length + ((4 - (text.length % 4)) % 4), '=')
}

/**
 * The bytes of a base64 text (RFC 4648 section 4). Padding is required; white space is refused.
 *
 * @example
 * decodeBase64('Zg==') // Uint8Array [102]
 *
 * @throws {KeyError} KEY-107 for every text that `encodeBase64` does not write.
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  if (text.length % 4 !== 0) throw new KeyError('KEY-107', 'expected base64, found a text that is not padded')
  const digits = text.slice(0, text.length - padding)
  if ((4 - (digits.length % 4)) % 4 !== padding) throw new KeyError('KEY-107', 'expected base64, found wrong padding')
  return decode(digits, BASE64)
}

/**
 * Base64url without padding (RFC 4648 section 5).
 *
 * @example
 * encodeBase64url(Uint8Array.of(251, 240)) // '-_A'
 */
export function encodeBase64url(bytes: Uint8Array): string {
  return encode(bytes, BASE64URL)
}

/**
 * The bytes of a base64url text (RFC 4648 section 5). Padding and white space are refused.
 *
 * @example
 * decodeBase64url('-_A') // Uint8Array [251, 240]
 *
 * @throws {KeyError} KEY-107 for every text that `encodeBase64url` does not write.
 */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> {
  return decode(text, BASE64URL)
}

const readWith = (decode: (text: string) => Uint8Array<ArrayBuffer>) => (text: unknown) =>
  typeof text === 'string' ? attempt(() => decode(text)) : undefined

/** The bytes of a base64url text; undefined for any other text. */
export const readBase64url = readWith(decodeBase64url)

/** The bytes of a base64 text; undefined for any other text. */
export const readBase64 = readWith(decodeBase64)
