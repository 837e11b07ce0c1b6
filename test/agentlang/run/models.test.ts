import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  chatModel,
  lineModel,
  type RunMessage,
  scriptModel,
  type TurnOptions,
} from '../../../bindings/agentlang/run/models.ts'
import { madeServer } from '../../mcp/made-server.ts'
import { freePort } from '../../support/port.ts'
import { ran } from './agents.ts'

const options: TurnOptions = {
  agent_id: 'a',
  model: 'gpt',
  provider: undefined,
  options: { temperature: 0.5, stream: true },
  maxTokens: 100,
  signal: new AbortController().signal,
}
const messages: readonly RunMessage[] = [
  { agent_id: 'a', role: 'user', content: 'Go' },
  {
    agent_id: 'a',
    role: 'assistant',
    content: '',
    calls: [{ id: 'call_1', tool: 'x', input: { q: 1 } }],
    call_ids: ['call_1'],
  },
  { agent_id: 'a', role: 'tool', content: '{"output":1}', call_ids: ['call_1'] },
]
const tools = [{ name: 'x', input_schema: { type: 'object' } }]

describe('a chat endpoint', () => {
  const asking = (body: unknown, status = 200) => {
    const sent: RequestInit[] = []
    const fetch = async (_: string, init: RequestInit) => {
      sent.push(init)
      return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })
    }
    return { sent, model: chatModel({ url: 'http://localhost/v1/chat/completions', fetch, key: 'k' }) }
  }
  const choice = (message: object, usage?: object) => ({ choices: [{ message }], usage })

  test('gets messages, calls and results as OpenAI has them', async () => {
    const { sent, model } = asking(choice({ content: 'Hi' }, { prompt_tokens: 3, completion_tokens: 1 }))
    expect(await model.turn(messages, tools, options)).toEqual({
      text: 'Hi',
      calls: [],
      usage: { input: 3, output: 1 },
    })
    expect(sent[0]!.redirect).toBe('error')
    expect(JSON.parse(String(sent[0]!.body))).toEqual({
      temperature: 0.5,
      model: 'gpt',
      max_tokens: 100,
      messages: [
        { role: 'user', content: 'Go' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'x', arguments: '{"q":1}' } }],
        },
        { role: 'tool', content: '{"output":1}', tool_call_id: 'call_1' },
      ],
      tools: [{ type: 'function', function: { name: 'x', parameters: { type: 'object' } } }],
    })
  })

  test('its calls are read from JSON in a text', async () => {
    const call = { id: 'z', function: { name: 'x', arguments: '{"q": 2}' } }
    const { model } = asking(choice({ content: null, tool_calls: [call] }))
    expect(await model.turn(messages, tools, options)).toEqual({ calls: [{ tool: 'x', input: { q: 2 } }] })
  })

  test.each([
    ['an error', { error: { message: 'no quota' } }, 429, 'no quota'],
    ['no choices', {}, 200, 'no message'],
    ['a page', '<html>', 200, 'no message'],
    [
      'arguments that are a list',
      choice({ tool_calls: [{ function: { name: 'x', arguments: '[]' } }] }),
      200,
      'invalid arguments',
    ],
    ['5 MiB', ' '.repeat(5 << 20), 200, 'larger than'],
  ])('%s is a failure with its reason', async (_, body, status, reason) => {
    await expect(asking(body, status).model.turn(messages, tools, options)).rejects.toThrow(reason)
  })
})

describe('a chat endpoint over HTTP', () => {
  const asked: {
    readonly path: string
    readonly key: string | undefined
    readonly body: { readonly model: string }
  }[] = []
  const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
    fine: (response) =>
      response.end('{"choices":[{"message":{"content":"Hi"}}],"usage":{"prompt_tokens":9,"completion_tokens":1}}'),
    denied: (response) => response.writeHead(401).end('{"error":{"message":"no such key: k-secret-k"}}'),
    busy: (response) => response.writeHead(429).end('{"error":{"message":"slow down"}}'),
    broken: (response) => response.writeHead(500).end('<html>oops</html>'),
    cut: (response) => {
      response.writeHead(200, { 'content-length': 1000 }).write('{"choices":[{"message":{"content":"Hi')
      setTimeout(() => response.destroy(), 20)
    },
    chunk: (response) => {
      response.write('{"choices":')
      setTimeout(() => response.destroy(), 20)
    },
    endless: (response) => {
      const pour = () => {
        while (!response.destroyed && response.write(' '.repeat(1 << 16)));
      }
      response.on('drain', pour)
      pour()
    },
    silent: (response) => response.write('{'),
    page: (response) => response.end('<html>Welcome</html>'),
    twice: (response) => response.end('{"choices":[{"message":{"content":"Hi"}}],"choices":[]}'),
    elsewhere: (response) => response.writeHead(307, { location: '/fine' }).end(),
  }
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    let text = ''
    for await (const part of request) text += part
    const path = request.url!.slice(1)
    asked.push({ path, key: request.headers.authorization, body: JSON.parse(text) })
    answers[path]!(response)
  }
  const server = createServer((request, response) => void respond(request, response))
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const running = async (path: string, more = '') => {
    asked.length = 0
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`
    const model = chatModel({ url, fetch: (to, init) => fetch(to, init), key: 'k-secret-k' })
    const secrets = { 'model-key': 'k-secret-k' }
    return ran(`name: a\nmodels: { small: {} }\n${more}`, [], { model, secrets })
  }

  test('gets the question with the token, and its answer is that of the agent', async () => {
    expect(await running('fine')).toMatchObject({ status: 'completed', output: 'Hi' })
    expect(asked).toMatchObject([{ path: 'fine', key: 'Bearer k-secret-k', body: { model: 'small' } }])
  })

  test('is named with the reason when it is down, without what its query holds', async () => {
    const url = `http://127.0.0.1:${await freePort()}/v1`
    const { turn } = chatModel({ url: `${url}?key=hidden`, fetch: (to, init) => fetch(to, init) })
    await expect(turn(messages, tools, options)).rejects.toThrow(
      `${url} cannot be reached: nothing answers at that port (ECONNREFUSED)`,
    )
  })

  test.each([
    ['denied', "status 401: 'no such key: [model-key]'"],
    ['busy', "status 429: 'slow down'"],
    ['broken', 'status 500'],
    ['cut', 'terminated'],
    ['chunk', ''],
    ['endless', 'larger than 4194304 bytes'],
    ['page', 'the answer has no message'],
    ['twice', 'the answer has no message'],
    ['elsewhere', 'unexpected redirect'],
  ])('an answer that is %s fails the run: %s', async (path, reason) => {
    const failed = await running(path)
    expect(failed).toMatchObject({ status: 'failed', output: undefined })
    expect(failed.reason).toMatch(/^the model failed: /)
    expect(failed.reason).toContain(reason)
    expect(asked.map((one) => one.path)).toEqual([path])
  })

  test('a body that never ends costs the time of the agent', async () => {
    const late = await running('silent', 'constraints: { limits: { timeout: 0.2 } }\n')
    expect([late.status, late.reason]).toEqual(['timeout', 'a: no answer within 0.2 s'])
  })
})

describe('a model over lines', () => {
  test('answers belong to turns by their id, in any order, and only the first counts', async () => {
    const held: number[] = []
    const server = madeServer(({ id }) => {
      held.push(id!)
      if (held.length < 2) return []
      return [
        { id: 99, text: 'stray' },
        { id: held[1], text: 'second' },
        { id: held[0], text: 'first' },
        { id: held[0], text: 'again' },
      ]
    })
    const model = lineModel(server.transport)
    const answers = await Promise.all([model.turn(messages, tools, options), model.turn(messages, [], options)])
    expect(answers.map(({ text }) => text)).toEqual(['first', 'second'])
    expect(server.sent[0]).toMatchObject({ type: 'turn', id: 1, agent_id: 'a', max_tokens: 100 })
  })

  test('an error, and the end of the program, fail the turn', async () => {
    const failing = lineModel(madeServer(({ id }) => [{ id, error: 'no key' }]).transport)
    await expect(failing.turn(messages, tools, options)).rejects.toThrow('no key')
    const server = madeServer(() => [])
    const model = lineModel(server.transport)
    const turn = model.turn(messages, tools, options)
    await server.transport.close()
    await expect(turn).rejects.toThrow('ended')
    await expect(model.turn(messages, tools, options)).rejects.toThrow('ended')
  })
})

test.each([undefined, [], 'x', { turns: 3 }, { turns: [3] }])('%j is not a script', (script) => {
  expect(() => scriptModel(script)).toThrow(TypeError)
})
