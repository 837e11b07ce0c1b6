// Ranks the protections that a definition names: versions of TLS, and ciphers for data at rest. Only whole names are
// recognized, because anything added to a name may take the protection away.

/** Each number ranks one property; greater numbers protect more. */
export type Strength = readonly number[]

/** `TLS1.3`, `1.2`, `TLSv1.2`, `TLS 1.3`, `SSLv3`. */
const VERSION = /^(?:ssl[ _v-]{0,2}([23])(?:[._]0)?|(?:tls[ _v-]{0,2}|v)?1[._]([0-3])|tls[ _v-]{0,2}1)$/i

export function tlsStrength(text: string): Strength | undefined {
  const match = VERSION.exec(text.trim())
  if (match === null) return undefined
  const [, ssl, minor = '0'] = match
  return [ssl === undefined ? 10 + Number(minor) : Number(ssl)]
}

/** Names without separators that have no modes. RC4 is broken regardless of its key. */
const STREAMS: readonly (readonly [name: RegExp, Strength])[] = [
  [/^(?:none|null|plain(?:text)?)$/, [0, 0]],
  [/^rc4$/, [1, 0]],
  [/^x?chacha20$/, [256, 2]],
  [/^x?chacha20poly1305$/, [256, 3]],
]

const BLOCKS =
  /^(?:(?:aes|a|camellia|aria)(128|192|256)|(3des|tripledes|tdea|desede3?)|des)(.*?)(?:pkcs[57](?:padding)?|nopadding)?$/

/**
 * Ranks modes by what they protect. The best detect changes of the stored bytes; ECB doesn't even hide equal blocks.
 */
const MODES: readonly (readonly [mode: RegExp, rank: number])[] = [
  [/^(?:gcm(?:siv)?|ccm|ocb3?|siv|eax|cbchs(?:256|384|512)|cbchmac(?:sha(?:1|256|384|512))?)$/, 3],
  [/^(?:|cbc|ctr|xts|cfb(?:1|8|128)?|ofb)$/, 2],
  [/^ecb$/, 1],
]

/** `AES-256-GCM`, `aes256gcm`, `A256GCM`, `AES_256/CBC/PKCS5Padding`, `ChaCha20-Poly1305`; undefined for an unknown name. */
export function cipherStrength(text: string): Strength | undefined {
  const name = text.toLowerCase().replace(/[\s_./-]/g, '')
  const block = BLOCKS.exec(name)
  if (block === null) return STREAMS.find(([known]) => known.test(name))?.[1]
  const [, bits, triple, mode = ''] = block
  const rank = MODES.find(([known]) => known.test(mode))?.[1]
  return rank === undefined ? undefined : [Number(bits ?? (triple === undefined ? 56 : 112)), rank]
}
