// A model that follows a script: for tests, demonstrations, and the replay of a log of events.
import { isObject, isText, type JsonObject, objectOf } from '../../../text/members.ts'
import { quoted, shown } from '../../../text/words.ts'
import type { ModelAdapter, ModelTurn } from '../model.ts'

/** An answer of the script. Without an agent it is for any. */
interface ScriptTurn {
  readonly agent?: string
  readonly turn: ModelTurn
}

/**
 * A model that gives the answers of `{ turns: [{ agent, text, thought, calls: [{ tool, input }], usage }] }` in their
 * order, or those of the assistants in `{ events: [...] }`. Every agent gets the first answer that is left for it.
 *
 * @throws {TypeError} for another value.
 */
export function scriptModel(script: unknown): ModelAdapter {
  const { turns, events } = objectOf(script)
  const list = Array.isArray(events) ? turnsOf(events.filter(isObject)) : turns
  if (!Array.isArray(list) || !list.every(isObject))
    throw new TypeError(`script: expected an object with a list of turns or events, found ${shown(script)}`)
  const left: (ScriptTurn | undefined)[] = list.map(({ agent, ...turn }) => {
    return isText(agent) ? { agent, turn } : { turn }
  })
  return {
    async turn(_messages, _tools, { agent_id }) {
      const index = left.findIndex((one) => one !== undefined && (one.agent ?? agent_id) === agent_id)
      if (index < 0) throw new Error(`the script has no answer left for ${quoted(agent_id)}`)
      const [{ turn }] = left.splice(index, 1, undefined) as [ScriptTurn]
      return turn
    },
  }
}

/** Calls belong to the text before them, until one of them has a result. */
function turnsOf(events: readonly JsonObject[]): readonly JsonObject[] {
  const turns: { agent: unknown; text?: unknown; calls: JsonObject[] }[] = []
  const open = new Map<unknown, (typeof turns)[number]>()
  const callers = new Map<unknown, unknown>()
  const begin = (agent: unknown, text?: unknown) => {
    const turn = { agent, ...(text !== undefined && { text }), calls: [] }
    turns.push(turn)
    open.set(agent, turn)
    return turn
  }
  for (const { type, agent_id: agent, role, content, tool, input, call_id } of events) {
    if (type === 'agent.message' && role === 'assistant') begin(agent, content)
    else if (type === 'tool.call') {
      const turn = open.get(agent) ?? begin(agent)
      turn.calls.push({ tool, input })
      callers.set(call_id, agent)
    } else if (type === 'tool.result') open.delete(callers.get(call_id))
  }
  return turns
}
