// What tools of HTTP and MCP do, with hostile servers as well.
import { describe, expect, test } from 'vitest'
import { pinsOf } from '../../../bindings/agentlang/lock/lock.ts'
import type { CallContext } from '../../../bindings/agentlang/run/models.ts'
import { callTool, httpTools, mcpTools, urlFits } from '../../../bindings/agentlang/run/tools.ts'
import { openMcp } from '../../../bindings/mcp/peer.ts'
import { guardedFetch } from '../../../bindings/node/fetch.ts'
import type { JsonObject } from '../../../bindings/text/members.ts'
import { modern, ok } from '../../mcp/made-server.ts'

const contextWith = (...allowedUrls: string[][]): CallContext => ({
  agent_id: 'a',
  signal: new AbortController().signal,
  allowedUrls,
  allowedPaths: [],
  limits: {},
})

describe('[agentlang/run-10] allowed_urls', () => {
  // The two patterns of the text, and their nearest neighbours.
  test.each([
    ['https://api.example.com', 'https://api.example.com/v1?x', true],
    ['https://api.example.com', 'http://api.example.com/', false],
    ['https://api.example.com', 'https://api.example.com:8443/', false],
    ['https://api.example.com', 'https://api.example.com.evil.example/', false],
    ['https://api.example.com', 'https://api.example.com@evil.example/', false],
    ['https://api.example.com', 'https://user@api.example.com/', false],
    ['https://*.googleapis.com', 'https://maps.googleapis.com/', true],
    ['https://*.googleapis.com', 'https://a.b.googleapis.com/', true],
    ['https://*.googleapis.com', 'https://googleapis.com/', false],
    ['https://*.googleapis.com', 'https://evilgoogleapis.com/', false],
    ['https://a.example/v1', 'https://a.example/v1', true],
    ['https://a.example/v1/', 'https://a.example/v1/x', true],
    ['https://a.example/v1', 'https://a.example/v10', false],
    ['https://a.example/v1', 'https://a.example/v1/../admin', false],
    ['https://a.example/v1', 'https://a.example/v1/%2e%2e/admin', false],
    ['https://a.example/v1', 'https://a.example/v1/..%2fadmin', false],
    ['https://a.example/v1', 'https://a.example/v1/..%2F..%2Fadmin', false],
    ['https://a.example/v1', 'https://a.example/v1/%2e%2e%2fadmin', false],
    ['https://a.example/v1', 'https://a.example/v1/x%2f..%2f..%2fadmin', false],
    ['https://a.example/v1', 'https://a.example/v1/%252e%252e%252fadmin', false],
    ['https://a.example/v1', 'https://a.example/v1/..%252fadmin', false],
    ['https://a.example/v1', 'https://a.example/v1/%25252e%25252e%25252fadmin', false],
    ['https://a.example/v1', `https://a.example/v1/%${'25'.repeat(20)}2e`, false],
    ['https://a.example/v1', 'https://a.example/v1/..%5cadmin', false],
    ['https://a.example/v1', 'https://a.example/v1/%2e%2e%255cadmin', false],
    ['https://a.example/v1', 'https://a.example/v1/..\\admin', false],
    ['https://a.example/v1', 'https://a.example/v1/..;/admin', false],
    ['https://a.example/v1', 'https://a.example/v1/..;x=1/admin', false],
    ['https://a.example/v1', 'https://a.example/v1/..%3b/admin', false],
    ['https://a.example/v1', 'https://a.example/v1/..%00/admin', false],
    ['https://a.example/v1', 'https://a.example/v1/..%20/admin', false],
    ['https://a.example/v1', 'https://a.example/v1/%c0%ae%c0%ae/admin', false],
    ['https://a.example/v1', 'https://a.example/v1/%ef%bc%8e%ef%bc%8e/admin', false],
    ['https://a.example/v1', 'https://a.example/v1%2fadmin', false],
    ['https://a.example/v1', 'https://a.example/v1/a%2fb', true],
    ['https://a.example/v1', 'https://a.example/v1/100%25?x=..%2f', true],
    ['https://a.example/v1', 'https://a.example/v1/50%/a..b/...', true],
    ['https://a.example/v1', 'https://a.example/v1/%C3%A9t%C3%A9.json', true],
    ['https://a.example', 'https://a.example/..%2fx', true],
    ['*', 'https://a.example/', false],
    ['https://*', 'https://a.example/', false],
  ])('%s and %s: %s', (pattern, url, fits) => {
    expect(urlFits(pattern, new URL(url))).toBe(fits)
  })
})

test('an argument cannot leave the path that allowed_urls allow', async () => {
  const get = { endpoint: 'https://a.example/v1/{id}', params: { id: { type: 'string' } } }
  const sent: string[] = []
  const fetch = async (url: string) => {
    sent.push(url)
    return Response.json({})
  }
  const [tool] = httpTools({ http_tools: { get } }, { fetch })
  const context = contextWith(['https://a.example/v1'])
  for (const id of [
    '../admin',
    '..',
    '%2e%2e/admin',
    '%2e%2e%2fadmin',
    '..\\admin',
    'x/../../admin',
    '%252e%252e%252f',
  ])
    expect(await callTool(tool!, { id }, context), id).not.toMatchObject({ kind: 'ok' })
  expect(sent).toEqual([])
  expect(await callTool(tool!, { id: 'a/b' }, context)).toMatchObject({ kind: 'ok' })
})

describe('HTTP tools', () => {
  const agent = {
    http_tools: {
      get: { endpoint: 'https://api.example.com/{id}', params: { id: { type: 'string' } } },
      post: {
        endpoint: '/tweets',
        method: 'POST',
        twitter_token: true,
        params: { text: { type: 'string' } },
        body_template: '{"text": "{{text}}"}',
      },
    },
  }
  const answering = (answers: readonly Response[]) => {
    const sent: { url: string; init: RequestInit }[] = []
    const fetch = async (url: string, init: RequestInit = {}) => {
      sent.push({ url, init })
      return answers[sent.length - 1]!
    }
    return { sent, fetch }
  }
  const json = (value: unknown) =>
    new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } })
  const redirect = (location: string) => new Response(null, { status: 302, headers: { location } })
  const toolIn = (tools: ReturnType<typeof httpTools>, name: string) =>
    tools.find(({ definition }) => definition.name === name)!

  test('a relative endpoint needs a base', () => {
    const { fetch } = answering([])
    expect(httpTools(agent, { fetch }).map(({ definition }) => definition.name)).toEqual(['get'])
  })

  test('a value does not break out of JSON', async () => {
    const { sent, fetch } = answering([json({ id: 1 })])
    const tools = httpTools(agent, { fetch, base: 'https://host.example/api', tokens: { twitter: 'abc' } })
    const text = '"}, "admin": true, {"x": "\n'
    expect(await toolIn(tools, 'post').call({ text }, contextWith())).toEqual({ kind: 'ok', value: { id: 1 } })
    expect(sent[0]!.url).toBe('https://host.example/api/tweets')
    expect(JSON.parse(String(sent[0]!.init.body))).toEqual({ text })
  })

  test('a redirect to a URL that is not allowed is not followed, and takes no credentials elsewhere', async () => {
    const lists = [['https://api.example.com', 'https://other.example']]
    const denied = answering([redirect('https://evil.example/')])
    const [tool] = httpTools(agent, denied)
    await expect(tool!.call({ id: 'x' }, contextWith(...lists))).rejects.toThrow('does not allow')
    expect(denied.sent).toHaveLength(1)
    const allowed = answering([redirect('https://other.example/'), json('fine')])
    await httpTools(agent, allowed)[0]!.call({ id: 'x' }, contextWith(...lists))
    expect(allowed.sent.map(({ url }) => url)).toEqual(['https://api.example.com/x', 'https://other.example/'])
  })

  test('each list of the chain must allow the URL, and an empty one allows nothing', async () => {
    const { sent, fetch } = answering([json(1)])
    const [tool] = httpTools(agent, { fetch })
    for (const lists of [
      [['https://api.example.com'], []],
      [[], ['https://api.example.com']],
    ])
      await expect(tool!.call({ id: 'x' }, contextWith(...lists))).rejects.toThrow('does not allow')
    expect(sent).toEqual([])
  })

  test('a policy is asked for each URL, also that of a redirect', async () => {
    const asked: object[] = []
    const permit = async (request: object) => {
      asked.push(request)
      return asked.length === 2 ? 'not there' : undefined
    }
    const denied = answering([redirect('https://other.example:8443/')])
    const call = httpTools(agent, denied)[0]!.call({ id: 'x' }, { ...contextWith(), permit })
    await expect(call).rejects.toThrow('not there')
    expect(denied.sent).toHaveLength(1)
    expect(asked).toEqual([
      { domain: 'network', host: 'api.example.com', port: 443, protocol: 'https' },
      { domain: 'network', host: 'other.example', port: 8443, protocol: 'https' },
    ])
  })

  test('endless redirects end, and a redirect of what was sent is refused', async () => {
    const circle = answering(Array.from({ length: 9 }, () => redirect('https://api.example.com/')))
    await expect(httpTools(agent, circle)[0]!.call({ id: 'x' }, contextWith())).rejects.toThrow('redirects')
    expect(circle.sent.length).toBeLessThan(6)
    const { sent, fetch } = answering([redirect('https://host.example/')])
    const post = toolIn(httpTools(agent, { fetch, base: 'https://host.example', tokens: { twitter: 'abc' } }), 'post')
    await expect(post.call({ text: 'x' }, contextWith())).rejects.toThrow('refused')
    expect(sent).toHaveLength(1)
  })

  test.each([
    'https://127.0.0.1/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/',
    'http://example.com/',
  ])('%s of the inner network is not asked', async (endpoint) => {
    const [tool] = httpTools({ http_tools: { get: { endpoint } } }, { fetch: guardedFetch() })
    await expect(tool!.call({}, contextWith())).rejects.toThrow()
  })

  test('a response of 100 MB is refused while it arrives', async () => {
    let chunks = 0
    const pull = (controller: ReadableStreamDefaultController) => {
      chunks++
      controller.enqueue(new Uint8Array(1 << 20))
    }
    const { fetch } = answering([new Response(new ReadableStream({ pull }))])
    const outcome = await httpTools(agent, { fetch })[0]!.call({ id: 'x' }, contextWith())
    expect(outcome.kind).toBe('execution_error')
    expect(chunks).toBeLessThan(10)
  })
})

describe('[agentlang/run-4] MCP tools', () => {
  const TOOLS: readonly JsonObject[] = ['read', 'write', 'drop'].map((name) => ({
    name,
    description: name,
    inputSchema: { type: 'object' },
  }))
  const offered = async (
    tools: readonly JsonObject[],
    more: { pins?: mcpTools.Server['pins']; whitelist?: string[] } = { pins: 'unpinned' },
    result: JsonObject = {},
  ) => {
    const server = modern(({ id, method }) => [ok(id, method === 'tools/call' ? result : { tools })])
    const opened = await openMcp(server.transport, { client: { name: 'test', version: '1.0.0' } })
    if ('fault' in opened) throw new Error(opened.fault.detail)
    const { pins, whitelist } = more
    const notices: string[] = []
    const listed = { name: 's', session: opened.ok, pins, whitelist, needs: ['shell'] }
    return { tools: await mcpTools(listed, (notice) => notices.push(notice))(), notices }
  }
  const names = ({ tools }: Awaited<ReturnType<typeof offered>>) => tools.map(({ definition }) => definition.name)
  const pins = pinsOf({ tools: TOOLS })
  const MISSING = 's: agent.lock does not pin its tools'

  test('all are offered as they are locked', async () => {
    const all = await offered(TOOLS, { pins })
    expect([names(all), all.notices]).toEqual([['read', 'write', 'drop'], []])
  })

  test('only those of the whitelist are offered, and a missing one is named', async () => {
    const some = await offered(TOOLS, { pins, whitelist: ['read', 'fly'] })
    expect([names(some), some.notices]).toEqual([['read'], ["s: the server has no tool 'fly'"]])
  })

  test('a new, a renamed and a changed tool are not offered', async () => {
    const [read, write, drop] = TOOLS as unknown as [JsonObject, JsonObject, JsonObject]
    const changed = { ...write, description: 'writes, and sends a copy' }
    const some = await offered([read, changed, { ...drop, name: 'remove' }], { pins })
    expect(names(some)).toEqual(['read'])
    expect(some.notices).toEqual([
      "s: the server has no tool 'drop'",
      "s: the tool 'write' is not as agent.lock has it, so it is not offered",
      "s: the tool 'remove' is not in agent.lock, so it is not offered",
    ])
  })

  test('a tool that hides text is not offered, also without a lockfile', async () => {
    const some = await offered([{ name: 'a', description: 'x\u{e0041}' }, { name: 'b' }])
    expect(names(some)).toEqual(['b'])
    expect(some.notices.join()).toContain('hidden text')
  })

  test('none is offered without pins, unless the user accepts that', async () => {
    expect(await offered(TOOLS, {})).toMatchObject({ tools: [], notices: expect.arrayContaining([MISSING]) })
    const some = await offered(TOOLS)
    expect([names(some), some.notices]).toEqual([['read', 'write', 'drop'], [MISSING]])
  })

  test('a tool whose name has control characters is not offered', async () => {
    const some = await offered([{ name: 'a\nb' }, { name: 'a\u001b[2Jb' }, { name: 'b' }])
    expect(names(some)).toEqual(['b'])
    expect(some.notices.filter((notice) => notice.includes('hidden characters in its name'))).toHaveLength(2)
  })

  test('a list that is not whole is not used', async () => {
    expect(names(await offered([{ name: 'a' }, { name: 'a' }]))).toEqual([])
  })

  test.each([
    [{ content: [{ type: 'text', text: 'x' }] }, { kind: 'ok', value: 'x' }],
    [
      { content: [], structuredContent: { n: 1 } },
      { kind: 'ok', value: { n: 1 } },
    ],
    [
      { content: [{ type: 'text', text: 'no' }], isError: true },
      { kind: 'execution_error', message: 'no' },
    ],
    [{ content: 7 }, { kind: 'ok', value: '' }],
  ])('%j is read as %j', async (result, outcome) => {
    const { tools } = await offered(TOOLS, { pins: 'unpinned' }, result)
    expect(await tools[0]!.call({}, contextWith())).toEqual(outcome)
  })
})
