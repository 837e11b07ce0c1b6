// The identity of a host: of its agent, or else of the directory.
import { versionOf } from '../a2a/binding.ts'
import type { Call } from '../access/route.ts'
import { agentDid, agentKeys, didDocument } from '../agents/did.ts'
import { a2aCard } from '../agents/metadata.ts'
import { aboutIn } from '../directory/settings.ts'
import { directoryMap } from '../env.ts'
import { didOf } from '../http/origins.ts'
import { Problem } from '../http/problem.ts'
import { madeAnswer } from '../http/published.ts'

/** The name of the directory's key in DIDs, key sets and signatures. */
const KEY = 'key-1'
const keyOf = (url: URL): string => `${didOf(url)}#${KEY}`

/** `GET /.well-known/did.json`: the key of the host's agent, else the directory's, as did:web resolution finds it. */
export async function ownDid(call: Call): Promise<Response> {
  if (call.agent !== undefined) return agentDid(call)
  const { request, url, env } = call
  const { id: agent, jwk } = await directoryMap(env).identity()
  const id = didOf(url)
  const { contact } = aboutIn(env)
  const service = [
    ...(contact === undefined ? [] : [{ id: `${id}#contact`, type: 'Contact', serviceEndpoint: contact }]),
    { id: `${id}#directory`, type: 'AgentDirectory', serviceEndpoint: `${url.origin}/adp/discover` },
  ]
  const document = didDocument(id, [[KEY, jwk]], { alsoKnownAs: [agent], service })
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

/**
 * `GET /.well-known/agent-card.json`: the A2A card of the host's agent, or else of the directory, signed with the key in
 * jwks.json.
 */
export async function ownA2aCard(call: Call): Promise<Response> {
  const { request, url, env } = call
  const version = versionOf(call)
  if (version === undefined) throw new Problem('bad-request', 'This server supports A2A-Version 1.0 and 0.3.')
  if (call.agent !== undefined) return a2aCard(call, version, 'a2a-version')
  const card = await directoryMap(env).a2aCard(version, keyOf(url))
  return madeAnswer(request, card, 'application/json', { own: { vary: 'a2a-version' } })
}
