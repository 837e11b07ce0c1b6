// Names that are keys: libp2p peer ids, multibase keys and did:key. Their use as the authority of an agent:// URI is a
// convention of Blazon: AIP and ANS define no such form. Other names give no key.
import { KeyError } from '../keys/base64.ts'
import { decodeBase58, exportKey, readMultikey } from '../keys/export.ts'
import { checkFit, type Key, toBytes } from '../keys/key.ts'
import { importKey, type Subtle } from '../keys/platform.ts'
import { KEY_NAMES } from './agent-uri.ts'

/** A key that was read from a name. */
export interface NamedKey {
  /** For messages: `libp2p peer id`. */
  readonly form: string
  readonly key: Key
}

/** Identity multihash of a protobuf PublicKey of type Ed25519 with 32 bytes (libp2p peer ids). */
const MULTIHASH = [0x00, 0x24, 0x08, 0x01, 0x12, 0x20]
/** CIDv1 with the codec libp2p-key. */
const CID = [0x01, 0x72, ...MULTIHASH]

const CID_BYTES = CID.length + 32

/** RFC 4648 section 6 in lower case, as multibase `b`. 64 digits hold the bytes exactly. */
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
/** Multibase `k`. */
const BASE36 = '0123456789abcdefghijklmnopqrstuvwxyz'

type Form = readonly [
  pattern: RegExp,
  form: string,
  prefix: readonly number[],
  decode: (name: string) => Uint8Array<ArrayBuffer>,
]

/** How each form is spelled. The length is fixed because the prefix is fixed. */
const FORMS: readonly Form[] = [
  [KEY_NAMES.peerId, 'libp2p peer id', MULTIHASH, decodeBase58],
  [KEY_NAMES.base36, 'libp2p peer id in base36', CID, (name) => decodeDigits(name.slice(1), BASE36)],
  [KEY_NAMES.base32, 'libp2p peer id in base32', CID, (name) => decodeDigits(name.slice(1), BASE32)],
]

/**
 * Reads the Ed25519 key that a name encodes. Undefined for other names.
 *
 * @example
 * (await keyOfName('z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw', subtle))?.form // 'multibase key'
 */
export async function keyOfName(name: string, subtle: Subtle): Promise<NamedKey | undefined> {
  const [, did, multibase] = KEY_NAMES.multibase.exec(name) ?? []
  try {
    if (multibase !== undefined) {
      return { form: did === undefined ? 'multibase key' : 'did:key', key: readMultikey(multibase) }
    }
    for (const [pattern, form, prefix, decode] of FORMS) {
      if (!pattern.test(name)) continue
      const bytes = decode(name)
      if (bytes.length !== prefix.length + 32 || prefix.some((byte, i) => byte !== bytes[i])) return undefined
      const raw = bytes.slice(prefix.length)
      return { form, key: await importKey(raw, { format: 'raw', subtle }) }
    }
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
  }
  return undefined
}

/**
 * Returns the agent:// URI that encodes an Ed25519 key: the id alone is enough to verify the agent's cards. It uses
 * base32, the only form that survives programs that lower-case the authority of a URI.
 *
 * @example
 * await agentIdOf(key) // 'agent://bafzaajaiaejcbv22taayfmikw7kux7wtzfsaooqo4fzphwvgems26aq2nd3qoui2'
 *
 * @throws {KeyError} KEY-103 for a key of another type.
 */
export async function agentIdOf(key: Key): Promise<string> {
  checkFit(key, 'Ed25519')
  const bytes = [...CID, ...(await exportKey(key.publicKey, 'raw'))]
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return `agent://b${bits.replace(/.{5}/g, (digit) => BASE32[Number.parseInt(digit, 2)]!)}`
}

function decodeDigits(text: string, digits: string): Uint8Array<ArrayBuffer> {
  const base = BigInt(digits.length)
  let number = 0n
  for (const digit of text) number = number * base + BigInt(digits.indexOf(digit))
  return toBytes(number, CID_BYTES)
}
