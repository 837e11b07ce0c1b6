import type { Subtle } from '../../bindings/keys/platform.ts'
import { sha256 } from '../../bindings/wasm/sha256.ts'

/**
 * Web Crypto with the digest of the core: the browser computes one on another thread, and the way there and back costs a
 * card more than all the rest of reading it. Undefined where the browser has no Web Crypto.
 */
export function nearSubtle(): Subtle | undefined {
  const far = globalThis.crypto?.subtle
  if (far === undefined) return undefined
  return {
    digest: async (algorithm, data) =>
      algorithm === 'SHA-256' && data instanceof Uint8Array ? sha256(data).buffer : far.digest(algorithm, data),
    exportKey: far.exportKey.bind(far),
    generateKey: far.generateKey.bind(far),
    importKey: far.importKey.bind(far),
    sign: far.sign.bind(far),
    verify: far.verify.bind(far),
  } as Subtle
}
