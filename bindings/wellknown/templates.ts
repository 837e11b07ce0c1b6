// Metadata to begin with, of `blazon init`.
import { descriptionOf, YOUR_HOST } from '../frame/placeholders.ts'
import { checkAlgorithm } from '../keys/algorithms.ts'
import { decodeBase64url } from '../keys/base64.ts'
import { exportKey } from '../keys/export.ts'
import { checkFit, type Key, publicMembers } from '../keys/key.ts'
import type { JsonObject } from '../text/members.ts'
import { agentUri } from './domain.ts'
import { fingerprintOf } from './public-key.ts'

/** Of a host that nobody can have. */
const PLACEHOLDER = `agent.${YOUR_HOST}`

/** Metadata with the key of its agent, that its author fills in, signs and publishes. */
export async function newMetadata(name: string, key: Key): Promise<JsonObject> {
  const origin = `https://${PLACEHOLDER}`
  return {
    protocol: 'ADP/1.1',
    identity: { id: agentUri(PLACEHOLDER), domain: PLACEHOLDER, name, publicKey: await publicKeyOf(key) },
    endpoints: { wellKnown: `${origin}/.well-known/agent.json`, discovery: `${origin}/` },
    capabilities: [{ id: 'chat', name: 'Chat', description: descriptionOf(name) }],
    security: { tlsRequired: true, minProtocolVersion: 'ADP/1.1', authMethods: ['pubkey'] },
  }
}

/**
 * What the metadata says of a key (section 6.3.2).
 *
 * @throws {KeyError} for a key that is none of Ed25519.
 */
async function publicKeyOf(key: Key): Promise<JsonObject> {
  checkFit(key, checkAlgorithm('Ed25519'))
  const fingerprint = fingerprintOf(decodeBase64url(publicMembers(key)['x']!))
  return { algorithm: 'ed25519', fingerprint, full: await exportKey(key.publicKey, 'pem') }
}

/** Metadata as it is published now, to go on with: without the proof, which holds for what it was; with another key, where there is one. */
export async function nextMetadata(published: JsonObject, key: Key | undefined): Promise<JsonObject> {
  const identity = published['identity'] as JsonObject
  const { proof: _, ...own } = identity['publicKey'] as JsonObject
  const { proof: __, ...kept } = identity
  return { ...published, identity: { ...kept, publicKey: key === undefined ? own : await publicKeyOf(key) } }
}
