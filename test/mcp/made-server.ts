// A transport to a made-up server: a function that answers each message.
import type { McpTransport } from '../../bindings/mcp/peer.ts'
import type { JsonObject } from '../../bindings/text/members.ts'

export type Message = JsonObject & { readonly id?: number; readonly method?: string; readonly params?: JsonObject }

export function madeServer(respond: (message: Message) => Iterable<JsonObject> | undefined) {
  const sent: Message[] = []
  const arrived: JsonObject[] = []
  let wake: () => void = () => undefined
  let end: Error | true | undefined
  const finish = (reason: Error | true) => {
    end ??= reason
    wake()
  }
  const transport: McpTransport = {
    async send(message) {
      // As over a wire: no object is shared.
      const copy = JSON.parse(JSON.stringify(message)) as Message
      sent.push(copy)
      for (const answer of respond(copy) ?? []) arrived.push(answer)
      wake()
    },
    messages: (async function* () {
      while (end === undefined) {
        yield* arrived.splice(0)
        if (arrived.length === 0 && end === undefined)
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
      if (end !== true) throw end
    })(),
    async close() {
      finish(true)
    },
  }
  const say = (message: JsonObject) => {
    arrived.push(message)
    wake()
  }
  return { transport, sent, say, break: finish, methods: () => sent.map(({ method }) => method) }
}

export const ok = (id: unknown, result: JsonObject): JsonObject => ({ jsonrpc: '2.0', id, result })
export const unknownMethod = (id: unknown): JsonObject => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32601, message: 'Method not found' },
})

/** A server of 2026-07-28. `more` answers what is not `server/discover`. */
export const modern = (more: (message: Message) => Iterable<JsonObject> | undefined = () => undefined) =>
  madeServer((message) => {
    const { id, method } = message
    if (method !== 'server/discover') return more(message)
    return [
      ok(id, {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        ttlMs: 0,
        cacheScope: 'private',
        instructions: 'Be brief.',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'made', version: '1.0.0' } },
      }),
    ]
  })

/** A server of 2025-11-25. */
export const old = (
  more: (message: Message) => Iterable<JsonObject> | undefined = () => undefined,
  version: unknown = '2025-11-25',
) =>
  madeServer((message) => {
    const { id, method } = message
    if (method === 'server/discover') return [unknownMethod(id)]
    if (method !== 'initialize') return more(message)
    const serverInfo = { name: 'made', version: '1.0.0' }
    return [ok(id, { protocolVersion: version, capabilities: {}, serverInfo, instructions: 'Be brief.' })]
  })
