import { isAgentName } from 'blazon/adl'
import { parseJson } from 'blazon/document'
import { holderOfDefinition } from '../access/holders.ts'
import type { Access, Call } from '../access/route.ts'
import type { Part } from '../contracts/documents.ts'
import { documents, type Env } from '../env.ts'
import { Problem } from '../http/problem.ts'

/** The members of an agent's metadata that this server reads. The metadata was valid when it was stored. */
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

/** An agent that this reader may see. */
export interface AgentHere {
  readonly name: string
  readonly metadata: Metadata
  readonly part: Part
  readonly capabilities: Part
  readonly isPrivate: boolean
}

/** Access to the routes of an agent: open to everyone, but a private agent requires a token. */
export const READ: Access = { scope: 'read', optional: true, of: ({ agent }) => holderOfDefinition(agent ?? '') }
export const READ_NAMED: Access<'name'> = {
  scope: 'read',
  optional: true,
  of: ({ parts: { name } }) => holderOfDefinition(name),
}

type Reader = Pick<Call, 'env' | 'bearer'> & Partial<Pick<Call, 'agent' | 'identity'>>

/**
 * Finds an agent by its name. A private agent is looked up like any other, and is undefined for readers who may not see
 * it.
 */
export async function findAgent(reader: Reader, name: string | undefined): Promise<AgentHere | undefined> {
  if (name === undefined || !isAgentName(name)) return undefined
  const known = name === reader.agent ? reader.identity : undefined
  const { isPrivate, metadata: part, capabilities } = known ?? (await documents(reader.env).identity(name))
  if (part === null || capabilities === null || (isPrivate && reader.bearer === undefined)) return undefined
  let read: Metadata | undefined
  return {
    name,
    // Parsed on demand: most answers are the bytes as they are.
    get metadata() {
      read ??= parseJson(new Uint8Array(part.bytes)).document!.value as Metadata
      return read
    },
    part,
    capabilities,
    isPrivate,
  }
}

/** The same; throws a problem that doesn't reveal the reason. */
export async function agentOrRefuse(call: Reader, name: string | undefined): Promise<AgentHere> {
  const agent = await findAgent(call, name)
  if (agent !== undefined) return agent
  throw noAgent(call.env)
}

/** Section 8.3 allows 404 or 403 for a private agent. An unknown agent gets the same answer. */
function noAgent({ NO_AGENT: setting = '' }: Env): Problem {
  if (setting !== '403' && setting !== '404' && setting !== '')
    console.error(`NO_AGENT: expected 404 or 403, got ${setting}`)
  return new Problem(setting === '403' ? 'forbidden' : 'not-found', 'No agent is published here.')
}
