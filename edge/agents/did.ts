// The keys of an agent in other formats: did:web, JWK Sets, and HTTP message signatures.
import { parseJson } from 'blazon/document'
import { exportKey, fingerprint, importKey, KeyError } from 'blazon/keys'
import type { Call } from '../access/route.ts'
import { agentStub, type Env } from '../env.ts'
import { madeAnswer } from '../http/answer.ts'
import { didOf } from '../http/origins.ts'
import { Problem } from '../http/problem.ts'
import { definitionOrRefuse } from './definitions.ts'
import { type AgentHere, agentOrRefuse } from './find.ts'

const DIRECTORY_TYPE = 'application/http-message-signatures-directory+json'

/** The DID document of a subject whose keys may do everything (did:web section 3.2). Keys are named by fragments. */
export function didDocument(
  id: string,
  keys: readonly (readonly [fragment: string, jwk: JsonWebKey])[],
  { alsoKnownAs, service }: { readonly alsoKnownAs?: readonly string[]; readonly service: readonly object[] },
) {
  const verificationMethod = keys.map(([fragment, publicKeyJwk]) => {
    return { id: `${id}#${fragment}`, type: 'JsonWebKey2020', controller: id, publicKeyJwk }
  })
  const names = verificationMethod.map((method) => method.id)
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
    id,
    ...(alsoKnownAs !== undefined && { alsoKnownAs }),
    verificationMethod,
    authentication: names,
    assertionMethod: names,
    service,
  }
}

/** `GET /agents/{name}/did.json`: made from the identity in the agent's definition. */
export async function readDidDocument(call: Call<'name'>): Promise<Response> {
  const { request, url, parts } = call
  const { name } = parts
  const { bytes, isPrivate } = await definitionOrRefuse(call)
  const id = `${didOf(url)}:agents:${name}`
  const identity = identityOf(parseJson(new Uint8Array(bytes)).document!.value)
  if (identity.did !== undefined && identity.did !== id)
    throw new Problem('not-found', `The identity of ${name} is ${identity.did}, which is not resolved here.`)
  const jwk = await readKey(identity.public_key, name)
  const address = `${url.origin}/agents/${name}/adl.json`
  const service = [{ id: `${id}#adl`, type: 'AgentDefinition', serviceEndpoint: address }]
  return madeAnswer(request, didDocument(id, [['key-1', jwk]], { service }), 'application/did+json', { isPrivate })
}

interface Identity {
  readonly did?: string
  readonly public_key?: { readonly algorithm: string; readonly value: string }
}

function identityOf(document: unknown): Identity {
  return (document as { readonly cryptographic_identity?: Identity }).cryptographic_identity ?? {}
}

async function readKey(key: Identity['public_key'], name: string): Promise<JsonWebKey> {
  if (key === undefined) throw new Problem('not-found', `${name} has no public key: there is nothing to resolve.`)
  try {
    return await exportKey((await importKey(key.value)).publicKey, 'jwk')
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    throw new Problem('not-found', `The public key of ${name} cannot be used: ${error.message}`)
  }
}

/** `GET /.well-known/did.json` at the host of an agent. */
export async function agentDid(call: Call): Promise<Response> {
  const agent = await agentOrRefuse(call)
  const { env, url, request } = call
  const id = didOf(url)
  const keys = (await keysOf(env, agent)).all.map(({ jwk, thumbprint }) => [thumbprint, jwk] as const)
  const address = `${url.origin}/.well-known/agent.json`
  const service = [{ id: `${id}#adp`, type: 'AgentMetadata', serviceEndpoint: address }]
  const document = didDocument(id, keys, { alsoKnownAs: [agent.metadata.identity.id], service })
  return madeAnswer(request, document, 'application/did+json', { isPrivate: agent.isPrivate })
}

/** `GET /.well-known/jwks.json` at the host of an agent. */
export async function agentKeys(call: Call): Promise<Response> {
  const agent = await agentOrRefuse(call)
  const id = didOf(call.url)
  const keys = (await keysOf(call.env, agent)).all.map(({ jwk, thumbprint }) => {
    return { ...jwk, kid: `${id}#${thumbprint}`, use: 'sig', alg: 'EdDSA' }
  })
  return madeAnswer(call.request, { keys }, 'application/jwk-set+json', { isPrivate: agent.isPrivate })
}

/**
 * `GET /.well-known/http-message-signatures-directory` (draft-meunier-http-message-signatures-directory): the keys that
 * sign the agent's requests. Each of them signs the answer, so the answer is 404 if the private key is not here.
 */
export async function readKeyDirectory(call: Call): Promise<Response> {
  const { request, env, url } = call
  const agent = await agentOrRefuse(call)
  const keys = (await keysOf(env, agent)).kept.map(({ jwk, thumbprint }) => ({ ...jwk, kid: thumbprint, use: 'sig' }))
  if (keys.length === 0) throw new Problem('not-found', 'No agent is published here.')
  const signatures = await agentStub(env, agent.name).signDirectory(agent.name, url.href)
  const own = {
    'signature-input': signatures.map((each) => each['signature-input']).join(', '),
    signature: signatures.map((each) => each.signature).join(', '),
  }
  return madeAnswer(request, { keys }, DIRECTORY_TYPE, { own, isPrivate: agent.isPrivate })
}

interface NamedKey {
  readonly jwk: JsonWebKey
  /** The JWK thumbprint (RFC 7638): the name of the key in every format. */
  readonly thumbprint: string
}

/**
 * The keys of an agent. The key comes from its metadata, so no format can name a different one. If its private key is
 * here, `kept` has it and the next one, and is empty otherwise.
 */
export async function keysOf(env: Env, { name, metadata }: AgentHere) {
  const { full } = metadata.identity.publicKey
  if (full === undefined) throw new Problem('not-found', 'No agent is published here.')
  const own = await nameKey(await exportKey((await importKey(full)).publicKey, 'jwk'))
  const stored = await Promise.all((await agentStub(env, name).published(name)).map(nameKey))
  const kept = stored.some(({ thumbprint }) => thumbprint === own.thumbprint) ? stored : []
  return { all: kept.length > 0 ? kept : [own], kept }
}

async function nameKey(jwk: JsonWebKey): Promise<NamedKey> {
  return { jwk, thumbprint: await fingerprint(await importKey(jwk)) }
}
