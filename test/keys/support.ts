import { expect } from 'vitest'
import { KeyError } from '../../bindings/keys/index.ts'
import type { Subtle } from '../../bindings/keys/platform.ts'
import { suiteFile } from '../support/suites.ts'

export const hex = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'hex'))
export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
export const suiteJson = (...path: string[]) => JSON.parse(new TextDecoder().decode(suiteFile(...path)))

const { subtle } = globalThis.crypto

/** Web Crypto as on platforms without Ed25519. */
const WITHOUT_ED25519 = new Proxy(subtle, {
  get(_target, name: keyof Subtle) {
    return async (...args: unknown[]) => {
      if (name === 'importKey' && (args[2] as Algorithm).name === 'Ed25519') {
        throw new DOMException('Ed25519 is not known', 'NotSupportedError')
      }
      return Reflect.apply(subtle[name], subtle, args)
    }
  },
}) as Subtle

/** Both implementations of Ed25519. */
export const ED25519_WAYS = [
  ['Web Crypto', {}],
  ['point arithmetic', { subtle: WITHOUT_ED25519 }],
] as const

/** The code of the KeyError that a promise rejects with; rethrows any other error. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(KeyError)
  return (error as KeyError).code
}
