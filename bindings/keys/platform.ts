import { KeyError } from './base64.ts'
import { ALGORITHMS, type Algorithm, type Key, membersOf, publicMembers } from './key.ts'

/** The part of Web Crypto that Blazon uses. */
export type Subtle = Pick<
  SubtleCrypto,
  'decrypt' | 'deriveBits' | 'digest' | 'encrypt' | 'exportKey' | 'generateKey' | 'importKey' | 'sign' | 'verify'
>

export interface PlatformOptions {
  /** Web Crypto; default: the platform's. */
  readonly subtle?: Subtle
}

/** The caller's Web Crypto, or the platform's. */
export function subtleOf({ subtle = globalThis.crypto?.subtle }: PlatformOptions): Subtle {
  if (subtle !== undefined) return subtle
  throw new KeyError('KEY-106', 'expected Web Crypto, which browsers have in secure contexts only, found none')
}

/** Imports a key into Web Crypto. */
export async function platformKey(
  subtle: Subtle,
  key: Key,
  algorithm: Algorithm,
  use: 'sign' | 'verify',
): Promise<CryptoKey> {
  const members = use === 'sign' ? membersOf(key) : publicMembers(key)
  try {
    return await subtle.importKey('jwk', { ...members }, ALGORITHMS[algorithm].key, false, [use])
  } catch (cause) {
    throw platformRefusal(algorithm, cause)
  }
}

/** Explains why the platform refused a key: an unsupported algorithm, or a malformed key. */
export function platformRefusal(algorithm: Algorithm, cause: unknown): KeyError {
  if (cause instanceof KeyError) return cause
  if ((cause as Error).name === 'NotSupportedError') {
    return new KeyError('KEY-106', `expected Web Crypto to know ${algorithm}, found that it does not`, { cause })
  }
  return new KeyError('KEY-102', `expected a key for ${algorithm}, found one that the platform refuses`, { cause })
}

// Loaded on demand with named imports: a dynamic import of a whole package would bundle all of it.
