// The model that reviews the prompts of an agent.
import type { Agent } from '../../bindings/agentlang/folder.ts'
import { modelOf, modelReviewer } from '../../bindings/agentlang/run/session.ts'
import type { Tools } from '../command.ts'
import { readToken } from '../keys.ts'
import { modelFrom } from './run-parts.ts'

/** Opens the reviewer that --reviewer names, until `end`. */
export async function openReviewer(name: string, token: string | undefined, agent: Agent, tools: Tools) {
  const endings: (() => Promise<unknown>)[] = []
  const key = token && (await readToken('model-key', token, tools))
  const adapter = await modelFrom({ option: '--reviewer', name, key }, (work) => endings.push(work), tools)
  const review = modelReviewer(adapter, modelOf({ value: agent.root.value }))
  return { review, end: async () => void (await Promise.allSettled(endings.map((end) => end()))) }
}
