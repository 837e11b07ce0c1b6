import type { Env } from '../env.ts'
import type { AgentOn } from '../identity/agents.ts'
import { agentOn, originOf } from '../identity/hosts.ts'
import { atOrigin, ownUrl, publicOrigins } from './origins.ts'
import { Problem } from './problem.ts'

/** Where a request arrived. */
export interface Place {
  /** The public address. */
  readonly url: URL
  /** The agent of the host; undefined at a host of the deployment itself, whose agent is looked up when needed. */
  readonly on: AgentOn | undefined
}

/** The place of a request. Refuses a host that is not served here, and never repeats it in an answer. */
export async function placeOf(url: URL, env: Env): Promise<Place> {
  const origins = publicOrigins(env)
  if (origins.length === 0) {
    throw new Problem('unavailable', 'This server has no public address: its operator must set PUBLIC_ORIGIN.')
  }
  const own = ownUrl(url, env)
  if (own !== undefined) return { url: own, on: undefined }
  const on = await agentOn(env, url.host)
  if (on !== undefined) return { url: atOrigin(url, originOf(url.host)), on }
  throw new Problem('misdirected', `This host is not served here; ${origins[0]} is.`)
}
