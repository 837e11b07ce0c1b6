// Keys that are their own names: libp2p peer ids, multibase keys and did:key. As the authority of an agent:// URI they are
// a convention of Blazon: AIP and ANS confirm no such form, and a name that is no key gives none.
import { KeyError } from '../keys/error.ts'
import { exportKey } from '../keys/export.ts'
import { importKey } from '../keys/import.ts'
import { checkFit, type Key } from '../keys/key.ts'
import { decodeBase58, readMultikey } from '../keys/multikey.ts'
import { toBytes } from '../keys/numbers.ts'
import type { Subtle } from '../keys/platform.ts'
import { KEY_NAMES } from './key-name.ts'

/** A key in its own name. */
export interface NamedKey {
  /** In words: `libp2p peer id`. */
  readonly form: string
  readonly key: Key
}

/** Identity multihash of a protobuf PublicKey of type Ed25519 with 32 bytes (libp2p peer ids). */
const MULTIHASH = [0x00, 0x24, 0x08, 0x01, 0x12, 0x20]
/** CIDv1 with the codec libp2p-key. */
const CID = [0x01, 0x72, ...MULTIHASH]

const CID_BYTES = CID.length + 32

/** RFC 4648 section 6 in small letters, as multibase `b`; 64 digits are the bytes exactly. */
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
/** Multibase `k`. */
const BASE36 = '0123456789abcdefghijklmnopqrstuvwxyz'

type Form = readonly [
  pattern: RegExp,
  form: string,
  prefix: readonly number[],
  decode: (name: string) => Uint8Array<ArrayBuffer>,
]

/** The spelling of a name of each form; the length follows from the prefix, which never differs. */
const FORMS: readonly Form[] = [
  [KEY_NAMES.peerId, 'libp2p peer id', MULTIHASH, decodeBase58],
  [KEY_NAMES.base36, 'libp2p peer id in base36', CID, (name) => decodeDigits(name.slice(1), BASE36)],
  [KEY_NAMES.base32, 'libp2p peer id in base32', CID, (name) => decodeDigits(name.slice(1), BASE32)],
]

/**
 * Reads the Ed25519 key that a name spells; undefined for a name that does not.
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
 * The agent:// URI that an Ed25519 key is: whoever has it can verify the cards of the agent. Of the forms of such names it is
 * the one in base32, which survives programs that write the authority of a URI in small letters.
 *
 * @example
 * await agentIdOf(key) // 'agent://bafzaajaiaejcbv22taayfmikw7kux7wtzfsaooqo4fzphwvgems26aq2nd3qoui2'
 *
 * @throws {KeyError} KEY-103 for a key of another kind.
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
