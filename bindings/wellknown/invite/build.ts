import { encodeBase64url } from '../../keys/base64.ts'
import { importKey } from '../../keys/platform.ts'
import type { JsonObject } from '../../text/members.ts'
import { type AgentIdentity, agentUri, domainOf, PROTOCOL, publicKeyBlock } from '../identity.ts'

/** 128 bits. */
const CODE_BYTES = 16

export interface InviteOptions {
  readonly expires: Date
  /** The address of the metadata. Default: at the agent's own domain. */
  readonly wellKnown?: string
  /** 22 characters of base64url. Default: random. */
  readonly code?: string
}

/**
 * Builds an unsigned invitation. The agent admits callers that present the code.
 *
 * @example
 * const invitation = await invite({ domain: 'alice.example.com', key }, { expires: new Date('2026-12-31T00:00:00Z') })
 *
 * @throws {KeyError} for a key that is not for Ed25519, {TypeError} for an invalid domain, {RangeError} for an invalid
 * time.
 */
export async function invite(agent: AgentIdentity, options: InviteOptions): Promise<JsonObject> {
  const domain = domainOf(agent)
  const key = await importKey(agent.key, { algorithm: 'Ed25519' })
  return {
    protocol: PROTOCOL,
    invite: {
      code: options.code ?? newCode(),
      agent: agentUri(domain),
      wellKnown: options.wellKnown ?? `https://${domain}/.well-known/agent.json`,
      pubkey: publicKeyBlock(key).fingerprint,
      expires: options.expires.toISOString().replace(/\.\d+Z$/, 'Z'),
    },
  }
}

function newCode(): string {
  return encodeBase64url(crypto.getRandomValues(new Uint8Array(CODE_BYTES)))
}
