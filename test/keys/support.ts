import { expect } from 'vitest'
import { KeyError, type Subtle } from '../../bindings/keys/index.ts'
import { suiteFile } from '../support/suites.ts'

export const hex = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'hex'))
export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
export const suiteJson = (...path: string[]) => JSON.parse(new TextDecoder().decode(suiteFile(...path)))

const { subtle } = globalThis.crypto

/** Web Crypto as it is in hosts without Ed25519. */
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

/** Both ways that Ed25519 goes. */
export const ED25519_WAYS = [
  ['Web Crypto', {}],
  ['point arithmetic', { subtle: WITHOUT_ED25519 }],
] as const

/** What a promise rejects with: the code of a KeyError, and nothing else. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(KeyError)
  return (error as KeyError).code
}
