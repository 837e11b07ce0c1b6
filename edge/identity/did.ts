// The keys of a host's agent for did:web, JOSE, and HTTP message signatures.
import type { Call } from '../access/route.ts'
import { agentStub } from '../env.ts'
import { didOf } from '../http/origins.ts'
import { Problem } from '../http/problem.ts'
import { madeAnswer } from '../http/published.ts'
import { agentOrRefuse } from './find.ts'
import { keptKeysOf, keysOf } from './own-keys.ts'

const DIRECTORY_TYPE = 'application/http-message-signatures-directory+json'

/** `GET /.well-known/did.json` at the host of an agent (did:web section 3.2). */
export async function agentDid(call: Call): Promise<Response> {
  const agent = await agentOrRefuse(call, call.agent)
  const id = didOf(call.url)
  const methods = (await keysOf(call.env, agent)).map(({ jwk: publicKeyJwk, thumbprint }) => {
    return { id: `${id}#${thumbprint}`, type: 'JsonWebKey2020', controller: id, publicKeyJwk }
  })
  const names = methods.map((method) => method.id)
  const document = {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
    id,
    alsoKnownAs: [agent.metadata.identity.id],
    verificationMethod: methods,
    authentication: names,
    assertionMethod: names,
    service: [{ id: `${id}#adp`, type: 'AgentMetadata', serviceEndpoint: `${call.url.origin}/.well-known/agent.json` }],
  }
  return madeAnswer(call.request, document, 'application/did+json', { isPrivate: agent.isPrivate })
}

/** `GET /.well-known/jwks.json` at the host of an agent. */
export async function agentKeys(call: Call): Promise<Response> {
  const agent = await agentOrRefuse(call, call.agent)
  const id = didOf(call.url)
  const keys = (await keysOf(call.env, agent)).map(({ jwk, thumbprint }) => {
    return { ...jwk, kid: `${id}#${thumbprint}`, use: 'sig', alg: 'EdDSA' }
  })
  return madeAnswer(call.request, { keys }, 'application/jwk-set+json', { isPrivate: agent.isPrivate })
}

/**
 * `GET /.well-known/http-message-signatures-directory` (draft-meunier-http-message-signatures-directory): the keys that
 * sign the agent's requests. Each of them signs the answer, so the answer is 404 if the private key is not here.
 */
export async function readDirectory(call: Call): Promise<Response> {
  const { request, env, url } = call
  const agent = await agentOrRefuse(call, call.agent)
  const keys = (await keptKeysOf(env, agent)).map(({ jwk, thumbprint }) => ({ ...jwk, kid: thumbprint, use: 'sig' }))
  if (keys.length === 0) throw new Problem('not-found', 'No agent is published here.')
  const signatures = await agentStub(env, agent.name).signDirectory(agent.name, url.href)
  const own = {
    'signature-input': signatures.map((each) => each['signature-input']).join(', '),
    signature: signatures.map((each) => each.signature).join(', '),
  }
  return madeAnswer(request, { keys }, DIRECTORY_TYPE, { own, isPrivate: agent.isPrivate })
}
