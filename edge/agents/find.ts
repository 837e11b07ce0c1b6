// Finds the agent that a request concerns, for readers who may see it.
import { isAgentName } from 'blazon/adl'
import { parseJson } from 'blazon/document'
import type { Access, Call } from '../access/route.ts'
import { holderOfDefinition } from '../access/token.ts'
import type { Metadata, Part } from '../contracts/documents.ts'
import { documents, type Env } from '../env.ts'
import { Problem } from '../http/problem.ts'

type Place = Pick<Call<string>, 'parts' | 'agent'>

/** The agent that the path names, or else that of the host. */
const nameIn = ({ parts, agent }: Place): string | undefined => parts['name'] ?? agent

const of = (call: Place): string => holderOfDefinition(nameIn(call) ?? '')
export const PUBLISH: Access = { scope: 'publish', of }
/** Open to everyone, but a private agent requires a token. */
export const READ: Access = { scope: 'read', optional: true, of }

/** The name in the path. Refuses an invalid one. */
export function nameOf({ parts: { name } }: Pick<Call<'name'>, 'parts'>): string {
  if (isAgentName(name)) return name
  throw new Problem(
    'bad-request',
    'A name has 1 to 128 of a-z, 0-9, ".", "_" and "-", and begins and ends with a letter or digit.',
  )
}

/** The name from a path as problems show it: encoded again, because it is untrusted, and shortened. */
export function nameShown(name: string): string {
  return encodeURIComponent(name).slice(0, 130)
}

/** An agent that this reader may see. */
export interface AgentHere {
  readonly name: string
  readonly metadata: Metadata
  readonly part: Part
  readonly capabilities: Part
  readonly isPrivate: boolean
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

/** The agent of a call; throws a problem that doesn't reveal the reason. */
export async function agentOrRefuse(call: Reader & Place): Promise<AgentHere> {
  const agent = await findAgent(call, nameIn(call))
  if (agent !== undefined) return agent
  throw noAgent(call.env)
}

/** Section 8.3 allows 404 or 403 for a private agent. An unknown agent gets the same answer. */
function noAgent({ NO_AGENT: setting = '' }: Env): Problem {
  if (setting !== '403' && setting !== '404' && setting !== '')
    console.error(`NO_AGENT: expected 404 or 403, got ${setting}`)
  return new Problem(setting === '403' ? 'forbidden' : 'not-found', 'No agent is published here.')
}
