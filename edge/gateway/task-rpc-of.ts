// Passes a request over HTTP to the object of its agent.
import { type Env, gatewayStub } from '../env.ts'
import type { Call } from '../http/route.ts'
import { senderOf } from '../http/sender.ts'
import type { SentRequest } from './callers.ts'

/** Headers that agents don't sign: they are not passed to the object. */
const KEPT = ['authorization', 'cookie']

export function sentIn({ request, url, body, bearer }: Omit<Call, 'agent'>): SentRequest {
  const headers = Object.fromEntries([...request.headers].filter(([name]) => !KEPT.includes(name)))
  return { method: request.method, url: url.href, headers, body, sender: senderOf(request), holder: bearer?.holder }
}

/** The task methods of the agent, or of a host that has none. */
export const taskRpcOf = (env: Env, name = '') => gatewayStub(env, name).taskRpc(name)
