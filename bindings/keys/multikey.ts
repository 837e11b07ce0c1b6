import { algorithmsOf, type KeyKind, WIDTHS } from './algorithms.ts'
import { KeyError } from './error.ts'
import { checkMaterial } from './jwk.ts'
import { Key } from './key.ts'
import { readPublic } from './spki.ts'

// Multibase base58btc of a multicodec followed by the key: `z6Mk...` (W3C Controlled Identifiers section 2.2.2,
// did:key).

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Longer texts are not keys, and decoding takes quadratic time. */
const LONGEST = 128

/** The multicodec of each kind, as an unsigned varint; points are compressed. */
const CODES: readonly (readonly [kind: KeyKind, first: number, second: number])[] = [
  ['Ed25519', 0xed, 0x01],
  ['Ed448', 0x83, 0x24],
  ['P-256', 0x80, 0x24],
  ['P-384', 0x81, 0x24],
  ['P-521', 0x82, 0x24],
]

export function decodeBase58(text: string): Uint8Array<ArrayBuffer> {
  if (text.length > LONGEST) throw new KeyError('KEY-102', `expected a key in base58, found ${text.length} characters`)
  const bytes: number[] = []
  for (const character of text) {
    let carry = DIGITS.indexOf(character)
    if (carry < 0) throw new KeyError('KEY-102', 'expected base58, found another character')
    for (let i = 0; i < bytes.length; i++) {
      carry += bytes[i]! * 58
      bytes[i] = carry & 0xff
      carry >>= 8
    }
    if (carry > 0) bytes.push(carry)
  }
  for (let i = 0; text[i] === '1'; i++) bytes.push(0)
  return Uint8Array.from(bytes.reverse())
}

/** The key of a `publicKeyMultibase`, or of a did:key after its prefix. */
export function readMultikey(text: string): Key {
  if (!text.startsWith('z'))
    throw new KeyError('KEY-111', 'expected a key in base58btc (z...), found another multibase')
  const bytes = decodeBase58(text.slice(1))
  const kind = CODES.find(([, first, second]) => bytes[0] === first && bytes[1] === second)?.[0]
  if (kind === undefined) throw new KeyError('KEY-111', 'expected a key for signatures, found another multicodec')
  const key = bytes.subarray(2)
  // Multikeys always use compressed points.
  if (key.length !== (kind.startsWith('P-') ? 1 : 0) + WIDTHS[kind as keyof typeof WIDTHS]) {
    throw new KeyError('KEY-102', `expected a key of ${kind}, found ${key.length} bytes`)
  }
  const { members } = checkMaterial({ kind, members: readPublic(kind, key), algorithms: [] })
  return new Key(kind, members, algorithmsOf(kind))
}
