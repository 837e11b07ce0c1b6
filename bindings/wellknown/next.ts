import { importKey } from '../keys/import.ts'
import type { KeySource } from '../keys/read.ts'
import type { JsonObject } from '../text/members.ts'
import { publicKeyBlock } from './public-key.ts'

/**
 * Published metadata to go on with: without the proof, which holds for what it was, and with another key where there is one.
 *
 * @throws {KeyError} for a key of another kind than Ed25519.
 */
export async function nextMetadata(published: JsonObject, key: KeySource | undefined): Promise<JsonObject> {
  const { proof: _, ...identity } = published['identity'] as JsonObject
  const { proof: __, ...own } = identity['publicKey'] as JsonObject
  const publicKey = key === undefined ? own : publicKeyBlock(await importKey(key, { algorithm: 'Ed25519' }))
  return { ...published, identity: { ...identity, publicKey } }
}
