import type { Call } from '../access/route.ts'
import { aboutIn } from '../directory/settings.ts'
import { directoryMap } from '../env.ts'
import { agentDid, agentKeys } from '../identity/did.ts'
import { didOf, keyOf, madeAnswer } from './own.ts'

/** `GET /.well-known/did.json`: the key of the host's agent, else the directory's, as did:web resolution finds it. */
export async function ownDid(call: Call): Promise<Response> {
  if (call.agent !== undefined) return agentDid(call)
  const { request, url, env } = call
  const { id: agent, jwk: publicKeyJwk } = await directoryMap(env).identity()
  const id = didOf(url)
  const { contact } = aboutIn(env)
  const method = { id: keyOf(url), type: 'JsonWebKey2020', controller: id, publicKeyJwk }
  const document = {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
    id,
    alsoKnownAs: [agent],
    verificationMethod: [method],
    authentication: [method.id],
    assertionMethod: [method.id],
    service: [
      ...(contact === undefined ? [] : [{ id: `${id}#contact`, type: 'Contact', serviceEndpoint: contact }]),
      { id: `${id}#directory`, type: 'AgentDirectory', serviceEndpoint: `${url.origin}/adp/discover` },
    ],
  }
  return madeAnswer(request, document, 'application/did+json')
}

/** `GET /.well-known/jwks.json`: the same key, for verifiers of JOSE signatures. */
export async function ownKeys(call: Call): Promise<Response> {
  if (call.agent !== undefined) return agentKeys(call)
  const { request, url, env } = call
  const { jwk } = await directoryMap(env).identity()
  const keys = [{ ...jwk, kid: keyOf(url), use: 'sig', alg: 'EdDSA' }]
  return madeAnswer(request, { keys }, 'application/jwk-set+json')
}
