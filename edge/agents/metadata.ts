// The metadata of agents (ADP/1.1), their capabilities, and the A2A cards that are made from it.
import { convert } from 'blazon/convert'
import type { Call } from '../access/route.ts'
import type { A2aVersion } from '../contracts/directory.ts'
import { agentStub, isOn } from '../env.ts'
import { madeAnswer, publishedAnswer } from '../http/answer.ts'
import { didOf } from '../http/origins.ts'
import { Problem } from '../http/problem.ts'
import { takes } from '../http/query.ts'
import { keysOf } from './did.ts'
import { type AgentHere, agentOrRefuse } from './find.ts'

const TYPE = 'application/vnd.adp+json'
/** Accepted until the type is registered (section 6.2). */
const TRANSITIONAL = 'application/json'

/**
 * `GET /.well-known/agent.json`: the metadata of the agent of this host (ADP/1.1 section 6.1). A2A clients read that
 * address as well, without asking for the type of metadata.
 */
export async function readMetadata(call: Call): Promise<Response> {
  const isA2a = isOn(call.env, 'A2A_LEGACY') && !takes(call.request, TYPE, { named: true })
  return isA2a ? a2aCard(call, '0.3', 'accept') : readMetadataOf(call)
}

/**
 * `GET /.well-known/agents/{name}/agent.json`: the same for an agent that is hosted here (section 4.1.2). The bytes are
 * as they were signed. A client that accepts neither type gets the first one, which helps more than a refusal.
 */
export async function readMetadataOf(call: Call): Promise<Response> {
  const { part, isPrivate } = await agentOrRefuse(call)
  const { request } = call
  const type = takes(request, TYPE) || !takes(request, TRANSITIONAL) ? TYPE : TRANSITIONAL
  return publishedAnswer(request, part.bytes, part.etag, type, { own: { vary: 'accept' }, isPrivate })
}

/**
 * `GET /capabilities/a2a.json`, `GET /agents/{name}/capabilities.json`: the descriptor that the SvcParamKey `cap` names;
 * `cap-sha256` is the hash of these bytes.
 */
export async function readCapabilities(call: Call): Promise<Response> {
  const { capabilities, isPrivate } = await agentOrRefuse(call)
  return publishedAnswer(call.request, capabilities.bytes, capabilities.etag, TRANSITIONAL, { isPrivate })
}

/** The agent's A2A card, made from its metadata, and signed with the key in the metadata if that key is kept here. */
export async function a2aCard(call: Call, version: A2aVersion, vary: string): Promise<Response> {
  const agent = await agentOrRefuse(call)
  const { part, metadata, isPrivate } = agent
  const { a2a: spoken } = metadata.endpoints
  const { document } = convert(new Uint8Array(part.bytes), {
    from: 'wellknown',
    to: `a2a-${version}`,
    carry: 'nothing',
    ...(typeof spoken === 'string' && { url: spoken }),
  })
  // Agents without an A2A endpoint have no A2A card: their other endpoints don't speak it.
  if (document === undefined) throw new Problem('not-found', 'No agent is published here.')
  const signed = await signedCard(call, agent, document.bytes)
  return madeAnswer(call.request, signed ?? document.bytes, 'application/json', { own: { vary }, isPrivate })
}

async function signedCard({ env, url }: Call, agent: AgentHere, card: Uint8Array): Promise<Uint8Array | null> {
  const { fingerprint: of, full } = agent.metadata.identity.publicKey
  if (full === undefined) return null
  const kid = `${didOf(url)}#${(await keysOf(env, agent)).all[0]!.thumbprint}`
  return agentStub(env, agent.name).signA2a(agent.name, new TextDecoder().decode(card), { of, kid })
}
