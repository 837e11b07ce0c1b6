import type { Call } from '../access/route.ts'
import { isOn } from '../env.ts'
import { takes } from '../http/accept.ts'
import { publishedAnswer } from '../http/published.ts'
import { legacyCard } from './a2a.ts'
import { type AgentHere, agentOrRefuse } from './find.ts'

const TYPE = 'application/vnd.adp+json'
/** Accepted until the type is registered (section 6.2). */
const TRANSITIONAL = 'application/json'

/** `GET /.well-known/agent.json`: the metadata of the agent of this host (ADP/1.1 section 6.1). */
export async function readMetadata(call: Call): Promise<Response> {
  const agent = await agentOrRefuse(call, call.agent)
  if (isOn(call.env, 'A2A_LEGACY') && !takes(call.request, TYPE, { named: true })) return legacyCard(call, agent)
  return metadataAnswer(call.request, agent)
}

/** `GET /.well-known/agents/{name}/agent.json`: the same for an agent that is hosted here (section 4.1.2). */
export async function readMetadataOf(call: Call<'name'>): Promise<Response> {
  return metadataAnswer(call.request, await agentOrRefuse(call, call.parts.name))
}

/**
 * The bytes as they were signed. A client that accepts neither type gets the first one, which helps more than a
 * refusal.
 */
function metadataAnswer(request: Request, { part, isPrivate }: AgentHere): Response {
  const type = takes(request, TYPE) || !takes(request, TRANSITIONAL) ? TYPE : TRANSITIONAL
  return publishedAnswer(request, part.bytes, part.etag, type, { own: { vary: 'accept' }, isPrivate })
}

/**
 * `GET /capabilities/a2a.json`: the descriptor that the SvcParamKey `cap` names; `cap-sha256` is the hash of these
 * bytes.
 */
export async function readCapabilities(call: Call): Promise<Response> {
  return capabilitiesAnswer(call.request, await agentOrRefuse(call, call.agent))
}

export async function readCapabilitiesOf(call: Call<'name'>): Promise<Response> {
  return capabilitiesAnswer(call.request, await agentOrRefuse(call, call.parts.name))
}

function capabilitiesAnswer(request: Request, { capabilities: { bytes, etag }, isPrivate }: AgentHere): Response {
  return publishedAnswer(request, bytes, etag, TRANSITIONAL, { isPrivate })
}
