import { convert } from 'blazon/convert'
import type { Call } from '../access/route.ts'
import type { A2aVersion } from '../contracts/directory.ts'
import { agentStub } from '../env.ts'
import { didOf } from '../http/origins.ts'
import { Problem } from '../http/problem.ts'
import { etagOf, publishedAnswer } from '../http/published.ts'
import type { AgentHere } from './find.ts'
import { keysOf } from './own-keys.ts'

/** The agent's A2A card, made from its metadata, and signed with the key in the metadata if that key is kept here. */
export async function a2aAnswer(call: Call, agent: AgentHere, version: A2aVersion, vary: string): Promise<Response> {
  const bytes = await a2aCard(call, agent, version)
  const { isPrivate } = agent
  return publishedAnswer(call.request, bytes, await etagOf(bytes), 'application/json', { own: { vary }, isPrivate })
}

async function a2aCard({ env, url }: Call, agent: AgentHere, version: A2aVersion): Promise<Uint8Array<ArrayBuffer>> {
  const { name, part, metadata } = agent
  const { a2a: spoken } = metadata.endpoints
  const { document } = convert(new Uint8Array(part.bytes), {
    from: 'wellknown',
    to: `a2a-${version}`,
    carry: 'nothing',
    ...(typeof spoken === 'string' && { url: spoken }),
  })
  // Agents without an A2A endpoint have no A2A card: their other endpoints don't speak it.
  if (document === undefined) throw new Problem('not-found', 'No agent is published here.')
  const { fingerprint: of, full } = metadata.identity.publicKey
  const kid = full === undefined ? '' : `${didOf(url)}#${(await keysOf(env, agent))[0]!.thumbprint}`
  const signed =
    full === undefined
      ? null
      : await agentStub(env, name).signA2a(name, new TextDecoder().decode(document.bytes), { of, kid })
  return new Uint8Array(signed ?? document.bytes)
}

/** For A2A clients that read /.well-known/agent.json without asking for the metadata type. */
export function legacyCard(call: Call, agent: AgentHere): Promise<Response> {
  return a2aAnswer(call, agent, '0.3', 'accept')
}
