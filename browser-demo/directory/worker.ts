import type { Subtle } from '../../bindings/keys/platform.ts'
import { sha256 } from '../../bindings/wasm/sha256.ts'
import { type Port, serve } from './calls.ts'
import { CardCollection } from './card-collection.ts'

/** Serves a new collection through a port, in a worker or on the thread of the page. */
export function open(port: Port): void {
  serve(new CardCollection(), port)
}

/**
 * Web Crypto with the digest of the core. The browser computes a digest on another thread, and the switch of threads
 * costs more than everything else that is done for a card. Undefined if the browser has no Web Crypto.
 */
export function subtleWithOwnDigest(): Subtle | undefined {
  const platform = globalThis.crypto?.subtle
  if (platform === undefined) return undefined
  return {
    digest: async (algorithm, data) =>
      algorithm === 'SHA-256' && data instanceof Uint8Array ? sha256(data).buffer : platform.digest(algorithm, data),
    exportKey: platform.exportKey.bind(platform),
    generateKey: platform.generateKey.bind(platform),
    importKey: platform.importKey.bind(platform),
    sign: platform.sign.bind(platform),
    verify: platform.verify.bind(platform),
  } as Subtle
}
