// A client's session with made-up servers of MCP 2025-11-25 and 2026-07-28.
import { describe, expect, test } from 'vitest'
import { type McpResult, type McpSession, openMcp } from '../../bindings/mcp/peer.ts'
import type { JsonObject } from '../../bindings/text/members.ts'
import { type Message, madeServer, modern, ok, old, unknownMethod } from './made-server.ts'

const CLIENT = { name: 'test', version: '1.0.0' }

type Made = ReturnType<typeof madeServer>

async function sessionWith({ transport }: Made, options: object = {}): Promise<McpSession> {
  const opened = await openMcp(transport, { client: CLIENT, ...options })
  if ('fault' in opened) throw new Error(opened.fault.detail)
  return opened.ok
}
const reasonOf = (result: McpResult<unknown>) => ('fault' in result ? result.fault.reason : 'ok')
const soon = () => new Promise((resolve) => setTimeout(resolve, 5))

describe('opening a session', () => {
  test('a server of 2026-07-28 gets no handshake, and its version and client with each request', async () => {
    const made = modern(({ id }) => [ok(id, { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' })])
    const session = await sessionWith(made)
    expect(session).toMatchObject({ era: 'stateless', version: '2026-07-28', instructions: 'Be brief.' })
    expect(session.server).toEqual({ name: 'made', version: '1.0.0' })
    expect(await session.listTools()).toEqual({ ok: { tools: [], isWhole: true } })
    expect(made.methods()).toEqual(['server/discover', 'tools/list'])
    for (const { params } of made.sent)
      expect(params!['_meta']).toEqual({
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': CLIENT,
      })
  })

  test('a server of 2025-11-25 gets the handshake, and requests without its version', async () => {
    const made = old(({ id, method }) => (method === 'tools/list' ? [ok(id, { tools: [{ name: 'a' }] })] : undefined))
    const session = await sessionWith(made)
    expect(session).toMatchObject({ era: 'handshake', version: '2025-11-25', instructions: 'Be brief.' })
    expect(await session.listTools()).toEqual({ ok: { tools: [{ name: 'a' }], isWhole: true } })
    expect(made.methods()).toEqual(['server/discover', 'initialize', 'notifications/initialized', 'tools/list'])
    expect(made.sent[1]!.params).toEqual({ protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT })
    expect(made.sent[3]!.params).toEqual({})
  })

  test.each<[string, JsonObject]>([
    [
      'an error',
      { error: { code: -32022, message: 'x', data: { supported: ['2025-11-25'], requested: '2026-07-28' } } },
    ],
    ['a result without versions', { result: {} }],
    ['other versions only', { result: { supportedVersions: ['2027-01-01'] } }],
    ['a text of versions', { result: { supportedVersions: '2026-07-28' } }],
    ['input that is required', { result: { resultType: 'input_required', supportedVersions: ['2026-07-28'] } }],
    ['neither result nor error', {}],
  ])('%s as answer of server/discover leads to the handshake', async (_, answer) => {
    const made = madeServer(({ id, method }) => {
      if (method === 'server/discover') return [{ jsonrpc: '2.0', id, ...answer }]
      return method === 'initialize' ? [ok(id, { protocolVersion: '2025-06-18' })] : undefined
    })
    expect(await sessionWith(made)).toMatchObject({ era: 'handshake', version: '2025-06-18', server: undefined })
  })

  test('a server that does not answer server/discover gets the handshake in half of the time', async () => {
    const made = madeServer(({ id, method }) =>
      method === 'initialize' ? [ok(id, { protocolVersion: '2024-11-05' })] : undefined,
    )
    expect((await sessionWith(made, { timeoutMs: 100 })).version).toBe('2024-11-05')
    expect(made.methods()).not.toContain('notifications/cancelled')
  })

  test.each([['2027-01-01'], [null], [7], ['2026-07-28']])(
    'the version %s in a handshake closes the transport, because the client cannot support it',
    async (version) => {
      const made = old(undefined, version)
      expect(reasonOf(await openMcp(made.transport, { client: CLIENT }))).toBe('invalid')
      expect((await made.transport.messages[Symbol.asyncIterator]().next()).done).toBe(true)
    },
  )

  test('begins with the handshake when asked, and then takes the server for one of 2026-07-28', async () => {
    const made = madeServer(({ id, method }) =>
      method === 'tools/list' ? [ok(id, { tools: [] })] : [unknownMethod(id)],
    )
    const session = await sessionWith(made, { begin: 'initialize' })
    expect(session).toMatchObject({ era: 'stateless', server: undefined, instructions: undefined })
    expect(reasonOf(await session.listTools())).toBe('ok')
    expect(made.methods()).toEqual(['initialize', 'tools/list'])
  })

  test('a silent server, an ended one and an aborted opening are faults', async () => {
    const silent = madeServer(() => undefined)
    expect(reasonOf(await openMcp(silent.transport, { client: CLIENT, timeoutMs: 20 }))).toBe('timeout')
    const ended = madeServer(() => undefined)
    ended.break(new Error('it is gone'))
    expect(await openMcp(ended.transport, { client: CLIENT })).toEqual({
      fault: { reason: 'closed', detail: 'initialize: it is gone' },
    })
    const aborted = madeServer(() => undefined)
    const signal = AbortSignal.abort()
    expect(reasonOf(await openMcp(aborted.transport, { client: CLIENT, signal }))).toBe('cancelled')
    expect(aborted.sent).toEqual([])
  })

  test('an invalid timeout is a RangeError', async () => {
    await expect(openMcp(modern().transport, { client: CLIENT, timeoutMs: Number.NaN })).rejects.toThrow(RangeError)
  })
})

describe('a list of tools', () => {
  const pages = (next: (page: number) => JsonObject) => {
    let page = 0
    return modern(({ id }) => [ok(id, next(page++))])
  }

  test('continues with the cursor of each page', async () => {
    const made = pages((page) => ({ tools: [{ name: `t${page}` }], ...(page < 2 && { nextCursor: `c${page}` }) }))
    const session = await sessionWith(made)
    expect(await session.listTools()).toEqual({
      ok: { tools: [{ name: 't0' }, { name: 't1' }, { name: 't2' }], isWhole: true },
    })
    expect(made.sent.slice(1).map(({ params }) => params!['cursor'])).toEqual([undefined, 'c0', 'c1'])
  })

  test.each<[string, (page: number) => JsonObject, number, number]>([
    ['endless pages', (page) => ({ tools: [{}], nextCursor: String(page) }), 100, 100],
    ['one cursor forever', () => ({ tools: [{}], nextCursor: 'x' }), 2, 2],
    ['more than 10,000 tools', () => ({ tools: Array(6000).fill({}), nextCursor: String(Math.random()) }), 10_000, 2],
    ['more than 16 MiB', () => ({ tools: ['x'.repeat(3 << 20)], nextCursor: String(Math.random()) }), 5, 6],
  ])('with %s is not whole', async (_, next, tools, requests) => {
    const made = pages(next)
    const listed = await (await sessionWith(made)).listTools()
    expect('ok' in listed && [listed.ok.tools.length, listed.ok.isWhole]).toEqual([tools, false])
    expect(made.sent.length - 1).toBe(requests)
  })

  test.each<[string, JsonObject]>([
    ['no list', {}],
    ['an object', { tools: { length: 1 } }],
    ['an unknown type of result', { resultType: 'later', tools: [] }],
  ])('that is %s is invalid', async (_, result) => {
    expect(reasonOf(await (await sessionWith(pages(() => result))).listTools())).toBe('invalid')
  })

  test('ends in the time of one request, however many pages it has', async () => {
    const made = modern(({ id, params }) => {
      const cursor = String(Math.random())
      setTimeout(() => made.say(ok(id, { tools: [], nextCursor: cursor })), params!['cursor'] === undefined ? 0 : 60)
      return undefined
    })
    const session = await sessionWith(made, { timeoutMs: 150 })
    expect(reasonOf(await session.listTools())).toBe('timeout')
    expect(made.methods().filter((method) => method === 'tools/list').length).toBeLessThan(6)
  })
})

describe('a call', () => {
  test('returns the result of the tool, also one with isError', async () => {
    const result = { content: [{ type: 'text', text: 'x' }], isError: true }
    const made = old(({ id, method }) => (method === 'tools/call' ? [ok(id, result)] : undefined))
    expect(await (await sessionWith(made)).callTool('t', { a: 1 })).toEqual({ ok: result })
    expect(made.sent.at(-1)!.params).toEqual({ name: 't', arguments: { a: 1 } })
  })

  test('reports the error of the server, with its hidden characters shown', async () => {
    const error = { code: -32602, message: 'a\u202eb' }
    const made = modern(({ id }) => [{ jsonrpc: '2.0', id, error }])
    const result = await (await sessionWith(made)).callTool('t', {})
    expect(result).toMatchObject({ fault: { reason: 'refused', code: -32602 } })
    expect(JSON.stringify(result)).not.toContain('\u202e')
  })

  test('input for a user is not given', async () => {
    const asks = { resultType: 'input_required', requestState: 's', inputRequests: {} }
    const made = modern(({ id }) => [ok(id, asks)])
    expect(reasonOf(await (await sessionWith(made)).callTool('t', {}))).toBe('input-required')
    expect(made.methods()).toEqual(['server/discover', 'tools/call'])
  })

  test('answers in another order, twice, with unknown ids or other types of ids reach only their request', async () => {
    const calls: Message[] = []
    const made = modern((message) => {
      if (message.method === 'tools/call') calls.push(message)
      return undefined
    })
    const session = await sessionWith(made)
    const results = [session.callTool('a', {}), session.callTool('b', {})]
    await soon()
    const [a, b] = calls.map(({ id }) => id!)
    for (const id of [String(a), null, 99, [a], { a }, true]) made.say(ok(id, { for: 'nobody' }))
    made.say({ jsonrpc: '2.0', result: {} })
    made.say(ok(b, { for: 'b' }))
    made.say(ok(b, { for: 'b again' }))
    made.say(ok(a, { for: 'a' }))
    expect(await Promise.all(results)).toEqual([{ ok: { for: 'a' } }, { ok: { for: 'b' } }])
  })

  test('is cancelled by its signal and by its timeout, and the server is notified', async () => {
    const made = modern()
    const session = await sessionWith(made)
    const abort = new AbortController()
    const call = session.callTool('t', {}, { signal: abort.signal })
    await soon()
    abort.abort()
    expect(reasonOf(await call)).toBe('cancelled')
    expect(made.sent.at(-1)).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: made.sent.at(-2)!.id },
    })
    expect(reasonOf(await session.callTool('t', {}, { timeoutMs: 5 }))).toBe('timeout')
    expect(made.methods().slice(-2)).toEqual(['tools/call', 'notifications/cancelled'])
  })

  test('an abort after the answer sends nothing', async () => {
    const abort = new AbortController()
    const made = modern(({ id }) => [ok(id, {})])
    await (await sessionWith(made)).callTool('t', {}, { signal: abort.signal })
    abort.abort()
    await soon()
    expect(made.methods()).toEqual(['server/discover', 'tools/call'])
  })

  test('ends when the session is closed or the server ends', async () => {
    const [closed, ended] = [modern(), modern()]
    const [first, second] = [await sessionWith(closed), await sessionWith(ended)]
    const [one, two] = [first.callTool('t', {}), second.callTool('t', {})]
    await first.close()
    ended.break(new Error('killed'))
    expect(await one).toMatchObject({ fault: { reason: 'closed' } })
    expect(await two).toEqual({ fault: { reason: 'closed', detail: 'killed' } })
    expect(reasonOf(await first.callTool('t', {}))).toBe('closed')
  })

  test('with arguments that are not JSON is a fault, and with wrong types a TypeError', async () => {
    const session = await sessionWith(modern())
    expect(reasonOf(await session.callTool('t', { big: 1n }))).toBe('closed')
    await expect(session.callTool(1 as never, {})).rejects.toThrow(TypeError)
    await expect(session.callTool('t', [] as never)).rejects.toThrow(TypeError)
  })
})

describe('requests of the server', () => {
  test.each(['sampling/createMessage', 'roots/list', 'elicitation/create', 'tasks/get', '__proto__'])(
    '%s is refused as an unknown method',
    async (method) => {
      const made = old()
      await sessionWith(made)
      made.say({ jsonrpc: '2.0', id: 'their-1', method, params: {} })
      await soon()
      expect(made.sent.at(-1)).toEqual(unknownMethod('their-1'))
    },
  )

  test('ping is answered, and notifications are ignored', async () => {
    const made = old()
    await sessionWith(made)
    const before = made.sent.length
    made.say({ jsonrpc: '2.0', id: 1, method: 'ping' })
    made.say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
    made.say({ jsonrpc: '2.0', id: null, method: 'ping' })
    await soon()
    expect(made.sent.slice(before)).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
  })

  test('a request with the id of ours is not our answer', async () => {
    const made = modern(({ id, method }) =>
      method === 'tools/call' ? [{ jsonrpc: '2.0', id, method: 'roots/list', result: { for: 'us' } }] : undefined,
    )
    expect(reasonOf(await (await sessionWith(made)).callTool('t', {}, { timeoutMs: 20 }))).toBe('timeout')
  })
})
