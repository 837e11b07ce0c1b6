// Ranks the protections that a definition names: versions of TLS, and ciphers for data at rest.

/** Each number tells one property, greater ones protect more. */
export type Strength = readonly number[]

/** `TLS1.3`, `1.2`, `TLSv1.2`, `TLS 1.3`, `SSLv3`. */
export function tlsStrength(text: string): Strength | undefined {
  const match = /^(ssl|tls)?[ _v-]{0,2}(\d)(?:[._](\d))?$/i.exec(text.trim())
  if (match === null) return undefined
  const [, protocol = 'tls', major, minor = '0'] = match
  const family = protocol.toLowerCase() === 'ssl' ? 0 : 100
  return [family + Number(major) * 10 + Number(minor)]
}

/** Bits that an attacker has to guess, by the beginnings of names without separators; the first that fits counts. */
const CIPHERS: readonly (readonly [name: RegExp, bits: number])[] = [
  [/^(?:none|null|plain(?:text)?|rc4)/, 0],
  [/^(?:3des|tripledes|tdea|desede)/, 112],
  [/^des/, 56],
  [/^(?:aes|a|camellia|aria)(?=128|192|256)/, 0],
  [/^x?chacha20/, 256],
]

/** Ranks modes by what they protect: the best notice changes of the stored bytes; ECB does not even hide equal blocks. */
const MODES: readonly (readonly [mode: RegExp, rank: number])[] = [
  [/gcm(?:siv)?$|ccm$|ocb3?$|siv$|eax$|poly1305$/, 3],
  [/cbchs\d*$|cbchmac/, 3],
  [/cbc$|ctr$|xts$|cfb$|ofb$/, 2],
  [/ecb$/, 1],
]

/** `AES-256-GCM`, `aes256gcm`, `A256GCM`, `ChaCha20-Poly1305`; undefined for an unknown cipher. */
export function cipherStrength(text: string): Strength | undefined {
  const name = text.toLowerCase().replace(/[\s_./-]/g, '')
  const cipher = CIPHERS.find(([known]) => known.test(name))
  if (cipher === undefined) return undefined
  const bits = Number(/(?<=^(?:aes|a|camellia|aria))(?:128|192|256)/.exec(name)?.[0] ?? cipher[1])
  return [bits, bits === 0 ? 0 : (MODES.find(([mode]) => mode.test(name))?.[1] ?? 2)]
}
