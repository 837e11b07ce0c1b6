import { importKey } from '../keys/import.ts'
import type { KeySource } from '../keys/read.ts'
import type { JsonObject } from '../text/members.ts'
import { publicKeyBlock } from './public-key.ts'

/**
 * Prepares published metadata for a new version: removes the proof, which covers the old one, and sets a new key if
 * given.
 *
 * @throws {KeyError} for a key that is not for Ed25519.
 */
export async function nextMetadata(published: JsonObject, key: KeySource | undefined): Promise<JsonObject> {
  const { proof: _, ...identity } = published['identity'] as JsonObject
  const { proof: __, ...own } = identity['publicKey'] as JsonObject
  const publicKey = key === undefined ? own : publicKeyBlock(await importKey(key, { algorithm: 'Ed25519' }))
  return { ...published, identity: { ...identity, publicKey } }
}
