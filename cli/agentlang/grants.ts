import { askRows, inspectAgent } from '../../bindings/agentlang/inspect.ts'
import type { Key } from '../../bindings/keys/key.ts'
import type { Result } from '../outcome.ts'
import type { Readable } from '../reader.ts'
import { given } from '../usage.ts'
import { readAgent } from './agent.ts'

export { ASK_HEAD } from '../../bindings/agentlang/inspect.ts'

/** What an AgentLang agent asks for: its capabilities, limits, servers, tools and models, a row each. */
export async function agentGrants(
  read: Readable,
  keys: readonly Key[],
): Promise<{ readonly rows: readonly (readonly string[])[]; readonly result: Result }> {
  const { file, agent, container, diagnostics } = await readAgent(read, keys)
  const result = { file, kind: read.kind ?? null, valid: agent !== undefined, diagnostics }
  if (agent === undefined) return { rows: [], result }
  const inspection = inspectAgent(agent, given({ container }))
  return { rows: askRows(inspection), result: { ...result, inspection } }
}
