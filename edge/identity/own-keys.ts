// The key of an agent in the dialects of others: did:web, JWK Sets, HTTP message signatures.
import { exportKey, fingerprint, importKey } from 'blazon/keys'
import { agentStub, type Env } from '../env.ts'
import { Problem } from '../http/problem.ts'
import type { AgentHere } from './find.ts'

export interface NamedKey {
  readonly jwk: JsonWebKey
  /** The JWK thumbprint (RFC 7638): what every dialect calls the key. */
  readonly thumbprint: string
}

/**
 * The key in the agent's metadata, and the one that is to follow it where the agent's key is kept here. They are read from the
 * metadata, so no dialect can name another key than that does.
 */
export async function keysOf(env: Env, agent: AgentHere): Promise<readonly NamedKey[]> {
  const { own, kept } = await readKeys(env, agent)
  return kept.length > 0 ? kept : [own]
}

/** The same where the private key is here, too; none where the agent signs by itself. */
export async function keptKeysOf(env: Env, agent: AgentHere): Promise<readonly NamedKey[]> {
  return (await readKeys(env, agent)).kept
}

async function readKeys(env: Env, { name, metadata }: AgentHere) {
  const { full } = metadata.identity.publicKey
  if (full === undefined) throw new Problem('not-found', 'No agent is published here.')
  const own = await named(await exportKey((await importKey(full)).publicKey, 'jwk'))
  const kept = await Promise.all((await agentStub(env, name).published(name)).map(named))
  const isKept = kept.some(({ thumbprint }) => thumbprint === own.thumbprint)
  return { own, kept: isKept ? kept : [] }
}

async function named(jwk: JsonWebKey): Promise<NamedKey> {
  return { jwk, thumbprint: await fingerprint(await importKey(jwk)) }
}
