import { parseJson } from 'blazon/document'
import { exportKey, importKey, KeyError } from 'blazon/keys'
import type { Call } from '../access/route.ts'
import { Problem } from '../http/problem.ts'
import { etagOf, publishedAnswer } from '../http/published.ts'
import { findOrRefuse } from './document.ts'

/**
 * `GET /agents/{name}/did.json`: the DID document of the agent, made from its identity for did:web resolvers (did:web
 * section 3.2).
 */
export async function readDidDocument(call: Call<'name'>): Promise<Response> {
  const { request, url, parts } = call
  const { name } = parts
  const { bytes, isPrivate } = await findOrRefuse(call)
  // A port belongs to the host, with its colon percent-encoded.
  const id = `did:web:${url.host.replace(':', '%3A')}:agents:${name}`
  const identity = identityOf(parseJson(new Uint8Array(bytes)).document!.value)
  if (identity.did !== undefined && identity.did !== id) {
    throw new Problem('not-found', `The identity of ${name} is ${identity.did}, which is not resolved here.`)
  }
  const publicKeyJwk = await readKey(identity.public_key, name)
  const method = { id: `${id}#key-1`, type: 'JsonWebKey2020', controller: id, publicKeyJwk }
  const did = {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
    id,
    verificationMethod: [method],
    authentication: [method.id],
    assertionMethod: [method.id],
    service: [{ id: `${id}#adl`, type: 'AgentDefinition', serviceEndpoint: `${url.origin}/agents/${name}/adl.json` }],
  }
  const content = new TextEncoder().encode(JSON.stringify(did))
  return publishedAnswer(request, content, await etagOf(content), 'application/did+json', { isPrivate })
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
