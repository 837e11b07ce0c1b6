// The key of an agent in other formats: did:web, JWK Sets, HTTP message signatures.
import { exportKey, fingerprint, importKey } from 'blazon/keys'
import { agentStub, type Env } from '../env.ts'
import { Problem } from '../http/problem.ts'
import type { AgentHere } from './find.ts'

export interface NamedKey {
  readonly jwk: JsonWebKey
  /** The JWK thumbprint (RFC 7638): the name of the key in every format. */
  readonly thumbprint: string
}

/**
 * The key in the agent's metadata, and also the next key if the agent's keys are kept here. The key comes from the
 * metadata, so no format can name a different one.
 */
export async function keysOf(env: Env, agent: AgentHere): Promise<readonly NamedKey[]> {
  const { own, kept } = await readKeys(env, agent)
  return kept.length > 0 ? kept : [own]
}

/** The same keys if the private key is here as well; empty if the agent signs by itself. */
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
