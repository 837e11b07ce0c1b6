import type { SignOptions } from '../../frame/signing.ts'
import type { Proof, SignResult, Source, ValidationReport } from '../../frame/source.ts'
import { signAs, type ValidateOptions, validateAs, verifyAs } from '../../frame/verbs.ts'
import { encodeBase64url } from '../../keys/base64.ts'
import { importKey } from '../../keys/import.ts'
import type { KeySource } from '../../keys/read.ts'
import type { JsonObject } from '../../text/members.ts'
import { type AgentIdentity, agentUri, domainOf, PROTOCOL, publicKeyBlock } from '../identity.ts'
import { INVITE_SIGNING, INVITE_VERIFYING, type VerifyOptions } from './signing.ts'
import { INVITE } from './specification.ts'

export declare namespace validate {
  type Options = ValidateOptions
}

/**
 * Validates an invitation: its syntax, its members, and every rule of section 8.3.1.
 *
 * @example
 * validate('{"protocol": "ADP/1.1", "invite": {}}').valid // false
 *
 * @throws {TypeError} or {RangeError} for wrong arguments; never for the content of a document.
 */
export function validate(source: Source, options: ValidateOptions = {}): ValidationReport {
  return validateAs(INVITE, source, options)
}

export declare namespace sign {
  type Options = SignOptions
}

/**
 * Signs an invitation with the key of the inviting agent.
 *
 * @example
 * const { bytes, diagnostics } = await sign(invitation, privateKey)
 *
 * @throws {KeyError} for a key that cannot sign or is not for Ed25519, {TypeError} for wrong arguments.
 */
export async function sign(source: Source, key: KeySource, options: SignOptions = {}): Promise<SignResult> {
  return signAs({ signing: INVITE_SIGNING, specification: INVITE }, source, key, options)
}

export declare namespace verify {
  type Options = VerifyOptions
}

/**
 * Verifies an invitation step by step: its agent, its expiry, and its signature by a key that the caller knows.
 *
 * @example
 * const { verdict, steps } = await verify(bytes, { expect: { id: 'agent:alice.example.com', keys: [alice] } })
 *
 * @throws {KeyError} for an invalid expected key, {TypeError} for wrong arguments.
 */
export async function verify(source: Source, options: VerifyOptions = {}): Promise<Proof> {
  return verifyAs(INVITE_VERIFYING, source, options)
}

/** 128 bits. */
const CODE_BYTES = 16

export declare namespace invite {
  interface Options {
    readonly expires: Date
    /** The address of the metadata. Default: at the agent's own domain. */
    readonly wellKnown?: string
    /** 22 characters of base64url. Default: random. */
    readonly code?: string
  }
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
export async function invite(agent: AgentIdentity, options: invite.Options): Promise<JsonObject> {
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
