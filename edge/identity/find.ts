import { isAgentName } from 'blazon/adl'
import { parseJson } from 'blazon/document'
import type { Access } from '../access/admit.ts'
import { holderOfDefinition } from '../access/holders.ts'
import { documents, type Env } from '../env.ts'
import { Problem } from '../http/problem.ts'
import type { Call } from '../http/route.ts'
import type { Part } from './agents.ts'

/** The metadata of an agent, as far as this reads it. Its rules held when it was stored. */
export interface Metadata {
  readonly identity: {
    readonly id: string
    readonly domain: string
    readonly name: string
    readonly publicKey: { readonly fingerprint: string; readonly full?: string }
  }
  readonly endpoints: Readonly<Record<string, unknown>>
  readonly capabilities: readonly Readonly<Record<string, unknown>>[]
  readonly security?: { readonly authMethods?: readonly string[] }
  readonly availability?: { readonly status?: unknown }
}

/** An agent that this reader may know of. */
export interface AgentHere {
  readonly name: string
  readonly metadata: Metadata
  readonly part: Part
  readonly capabilities: Part
  readonly isPrivate: boolean
}

/** Routes of an agent are for everybody; a token opens those of a private one. */
export const READ: Access = { scope: 'read', optional: true, of: ({ agent }) => holderOfDefinition(agent ?? '') }
export const READ_NAMED: Access<'name'> = {
  scope: 'read',
  optional: true,
  of: ({ parts: { name } }) => holderOfDefinition(name),
}

type Reader = Pick<Call, 'env' | 'bearer'> & Partial<Pick<Call, 'agent' | 'identity'>>

/** An agent by its name. One that is private is read like any other, and then is not there for who may not know of it. */
export async function findAgent(reader: Reader, name: string | undefined): Promise<AgentHere | undefined> {
  if (name === undefined || !isAgentName(name)) return undefined
  const known = name === reader.agent ? reader.identity : undefined
  const { isPrivate, metadata: part, capabilities } = known ?? (await documents(reader.env).identity(name))
  if (part === null || capabilities === null || (isPrivate && reader.bearer === undefined)) return undefined
  let read: Metadata | undefined
  return {
    name,
    // Most answers are the bytes as they are.
    get metadata() {
      read ??= parseJson(new Uint8Array(part.bytes)).document!.value as Metadata
      return read
    },
    part,
    capabilities,
    isPrivate,
  }
}

/** The same, or a problem that says nothing of why. */
export async function agentOrRefuse(call: Reader, name: string | undefined): Promise<AgentHere> {
  const agent = await findAgent(call, name)
  if (agent !== undefined) return agent
  throw noAgent(call.env)
}

/** Section 8.3 lets a private agent be answered with 404 or 403; where none is, the answer is the same. */
function noAgent({ NO_AGENT: setting = '' }: Env): Problem {
  if (setting !== '403' && setting !== '404' && setting !== '')
    console.error(`NO_AGENT: expected 404 or 403, got ${setting}`)
  return new Problem(setting === '403' ? 'forbidden' : 'not-found', 'No agent is published here.')
}
