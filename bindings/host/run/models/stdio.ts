// A model behind another program, by lines of JSON: a turn is `{ type: 'turn', id, agent_id, model, provider, options,
// max_tokens, messages, tools }`, its answer `{ id, text, thought, calls: [{ tool, input }], usage }` or `{ id, error }`.
import type { McpTransport } from '../../../mcp/peer.ts'
import { isText, type JsonObject, member } from '../../../text/members.ts'
import type { ModelAdapter, ModelTurn } from '../model.ts'

/** A model over a transport of messages. An answer to no turn, and a second one to the same turn, are ignored. */
export function lineModel(transport: McpTransport): ModelAdapter {
  const waiting = new Map<unknown, (answer: JsonObject | Error) => void>()
  let [turns, end]: [number, Error | undefined] = [0, undefined]
  const listen = async () => {
    for await (const answer of transport.messages) waiting.get(member(answer, 'id'))?.(answer)
    throw new Error('the program has ended')
  }
  listen().catch((error: Error) => {
    end = error
    for (const answer of waiting.values()) answer(error)
  })
  return {
    async turn(messages, tools, { maxTokens: max_tokens, signal, ...about }) {
      if (end !== undefined) throw end
      const id = ++turns
      try {
        const answered = new Promise<JsonObject | Error>((resolve) => waiting.set(id, resolve))
        await transport.send({ type: 'turn', id, ...about, max_tokens, messages, tools }, signal)
        const answer = await answered
        if (answer instanceof Error) throw answer
        if (isText(answer['error'])) throw new Error(answer['error'])
        return answer as ModelTurn
      } finally {
        waiting.delete(id)
      }
    },
  }
}
