import { parseAs } from '../frame/as.ts'
import type { Proof } from '../frame/proof.ts'
import type { VerifyOptions } from '../frame/signing.ts'
import type { Source } from '../frame/source.ts'
import { verifyParsed } from '../frame/verify.ts'
import { METADATA_READING } from './reading.ts'
import { METADATA_VERIFYING } from './verifying.ts'

export type { VerifyOptions } from '../frame/signing.ts'

/**
 * Verifies the metadata of an agent step by step: its key, the fingerprint and the proof. The key comes with the
 * document, so without a key that the caller knows, the verdict is at best `unverifiable`.
 *
 * @example
 * const { verdict, steps } = await verify(bytes, { expect: { id: 'agent:alice.example.com', keys: [alice] } })
 *
 * @throws {KeyError} for a malformed expected key, {TypeError} for wrong arguments.
 */
export async function verify(source: Source, options: VerifyOptions = {}): Promise<Proof> {
  return verifyParsed(METADATA_VERIFYING, parseAs(METADATA_READING, source, options), options)
}
