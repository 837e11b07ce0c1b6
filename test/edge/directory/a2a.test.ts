// The directory as an A2A agent: its card is correct for the official A2A SDKs of both versions.
import { createPublicKey } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { verify } from '../../../bindings/a2a/index.ts'
import { parse } from '../../../bindings/document/index.ts'
import { importKey } from '../../../bindings/keys/index.ts'
import { validate } from '../../../bindings/verbs.ts'
import { faults, hasData, type Json } from '../../convert/samples.ts'
import { peer } from '../../support/peers.mjs'
import type { Runtime } from '../../support/runtime.ts'
import { workersOf } from '../../support/workers.ts'
import { checkContract } from '../contract.ts'
import { cardOf, createAgent } from './agents.ts'

const workers = workersOf()
let runtime: Runtime
let slow: Runtime
let agent: Awaited<ReturnType<typeof createAgent>>

interface Client {
  sendMessage(params: object): Promise<Json>
  sendMessageStream(params: object): AsyncIterable<Json>
  getTask(params: object): Promise<Json>
}
interface Sdk {
  readonly ClientFactory: new () => { createFromUrl(url: string): Promise<Client> }
}
const sdks: Partial<Record<'1.0' | '0.3', Sdk>> = {}
let signatures: { verifyAgentCardSignature(of: (kid: string) => Promise<unknown>): (card: unknown) => Promise<void> }

beforeAll(async () => {
  runtime = await workers.start()
  slow = await workers.start({ requests: 1 })
  agent = await createAgent()
  const card = await cardOf(agent, 1, { name: 'Heron', description: 'Translates\ncontracts about gold.' })
  await send('/adp/advertise', { method: 'POST', body: card })
  try {
    sdks['1.0'] = await peer('@a2a-js/sdk/client', 'sdk')
    sdks['0.3'] = await peer('a2a-sdk-0.3/client', 'sdk')
    signatures = await peer('@a2a-js/sdk', 'sdk')
  } catch (error) {
    console.warn(`NOT RUN: the directory asked by the SDKs of A2A: ${(error as Error).message}`)
  }
})

async function send(path: string, init: RequestInit = {}, { origin }: Runtime = runtime): Promise<Response> {
  return checkContract(init.method ?? 'GET', origin + path, await fetch(origin + path, init))
}
const post = (path: string, body: unknown, headers: Record<string, string> = {}, to?: Runtime) =>
  send(
    path,
    {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    },
    to,
  )
async function eventsOf(stream: AsyncIterable<Json>): Promise<Json[]> {
  const events: Json[] = []
  for await (const event of stream) events.push(event)
  return events
}
const CURRENT = { 'a2a-version': '1.0' }
const asking = (...parts: Json[]) => ({ message: { messageId: '1', role: 'ROLE_USER', parts } })

describe('the SDK of 1.0', () => {
  const question = (text: string) => ({
    tenant: '',
    message: {
      ...{
        messageId: 'm',
        contextId: 'c',
        taskId: '',
        role: 1,
        metadata: undefined,
        extensions: [],
        referenceTaskIds: [],
      },
      parts: [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: '' }],
    },
    configuration: undefined,
    metadata: undefined,
  })

  test('finds an agent by a message, and by a stream', async () => {
    if (sdks['1.0'] === undefined) return
    const client = await new sdks['1.0'].ClientFactory().createFromUrl(runtime.origin)
    const answer = await client.sendMessage(question('translate contracts about gold'))
    expect(answer).toMatchObject({
      contextId: 'c',
      parts: [
        {
          content: {
            $case: 'text',
            value: expect.stringMatching(/^1\. Heron <agent:\/\/.*> \(signature\) Translates contracts/),
          },
        },
        { content: { $case: 'data', value: { results: [{ agent_card: { id: agent.id }, standing: 'signature' }] } } },
      ],
    })
    const events = await eventsOf(client.sendMessageStream(question('gold')))
    expect(events).toMatchObject([{ payload: { $case: 'message', value: { parts: [{}, {}] } } }])
  })

  test('gets known errors', async () => {
    if (sdks['1.0'] === undefined) return
    const client = await new sdks['1.0'].ClientFactory().createFromUrl(runtime.origin)
    await expect(client.getTask({ tenant: '', id: 'x' })).rejects.toMatchObject({ name: 'TaskNotFoundError' })
    await expect(client.sendMessage(question(''))).rejects.toMatchObject({ reason: 'INVALID_PARAMS' })
  })

  test('verifies the signature of the card, with the key of the same origin', async () => {
    if (sdks['1.0'] === undefined) return
    const card = (await (await send('/.well-known/agent-card.json', { headers: CURRENT })).json()) as Json
    const { keys } = (await (await send('/.well-known/jwks.json')).json()) as { keys: { kid: string }[] }
    const find = async (kid: string) =>
      createPublicKey({ key: keys.find((key) => key.kid === kid) as never, format: 'jwk' })
    await signatures.verifyAgentCardSignature(find)(card)
    await expect(signatures.verifyAgentCardSignature(find)({ ...card, name: 'Other' })).rejects.toThrow()
  })
})

describe('the SDK of 0.3', () => {
  const question = (text: string) => ({
    message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text }] },
  })

  test('finds an agent by a message, and by a stream', async () => {
    if (sdks['0.3'] === undefined) return
    const client = await new sdks['0.3'].ClientFactory().createFromUrl(runtime.origin)
    const expected = {
      kind: 'message',
      role: 'agent',
      parts: [
        { kind: 'text', text: expect.stringContaining('Heron') },
        { kind: 'data', data: { results: [{ agent_card: { id: agent.id } }] } },
      ],
    }
    expect(await client.sendMessage(question('gold'))).toMatchObject(expected)
    expect(await eventsOf(client.sendMessageStream(question('gold')))).toMatchObject([expected])
  })

  test('gets known errors', async () => {
    if (sdks['0.3'] === undefined) return
    const client = await new sdks['0.3'].ClientFactory().createFromUrl(runtime.origin)
    await expect(client.getTask({ id: 'x' })).rejects.toThrow(/^This agent has no tasks/)
    await expect(client.sendMessage(question(' '))).rejects.toThrow('Code: -32602')
  })
})

describe('the card', () => {
  test.each(['1.0', '0.3'] as const)('of %s is valid and signed, and lists only supported methods', async (version) => {
    const response = await send('/.well-known/agent-card.json', { headers: { 'a2a-version': version } })
    const text = await response.text()
    const card = JSON.parse(text)
    if (hasData) expect(faults(`a2a-${version}`, card)).toEqual([])
    expect(validate(text, { as: 'a2a' }).valid).toBe(true)
    const { keys } = (await (await send('/.well-known/jwks.json')).json()) as { keys: object[] }
    const key = await importKey(JSON.stringify(keys[0]))
    expect((await verify(text, { expect: { keys: [key] } })).verdict).toBe('verified')
    expect(card.capabilities.streaming).toBe(true)
    expect(card.skills.map(({ id }: { id: string }) => id)).toEqual(['adp.discover'])
    const { origin: url } = runtime
    if (version === '0.3') expect(card).toMatchObject({ url, preferredTransport: 'HTTP+JSON' })
    else
      expect(card.supportedInterfaces).toEqual(
        ['1.0', '0.3'].map((protocolVersion) => ({ url, protocolBinding: 'HTTP+JSON', protocolVersion })),
      )
  })
})

describe('a message', () => {
  test('may have the members of a search, and name the part types that it accepts', async () => {
    const found = async (body: object) => (await (await post('/message:send', body, CURRENT)).json()).message.parts
    const data = { data: { tags: ['nothing/such'], min_score: 0.9 } }
    expect(await found(asking({ text: 'gold' }, data))).toMatchObject([
      { text: 'No agent matches.' },
      { data: { results: [] } },
    ])
    const only = (...acceptedOutputModes: string[]) => ({
      ...asking({ text: 'gold' }),
      configuration: { acceptedOutputModes },
    })
    expect(await found(only('application/json'))).toMatchObject([{ mediaType: 'application/json' }])
    expect(await found(only('text/plain', 'image/png'))).toMatchObject([{ mediaType: 'text/plain' }])
    const old = await post('/v1/message:send', {
      message: { messageId: '1', content: [{ data: { data: { query: 'gold' } } }] },
    })
    expect((await old.json()).message.content[1].data.data.results).toHaveLength(1)
  })

  test('gets an answer of strict JSON, also if a line is cut inside a character', async () => {
    const name = `${'a'.repeat(296)}😀`
    await post('/adp/advertise', await cardOf(await createAgent(), 1, { name, description: 'Polishes silver.' }))
    const text = await (await post('/message:send', asking({ text: 'silver' }), CURRENT)).text()
    expect(parse(text).diagnostics).toEqual([])
    expect(JSON.parse(text).message.parts[0].text).toBe(`1. ${'a'.repeat(296)}`)
  })

  test.each([
    ['[]', 400, 'INVALID_PARAMS', /JSON object/],
    ['{', 400, 'BAD_REQUEST', /./],
    [{}, 400, 'INVALID_PARAMS', /^message: expected an object/],
    [{ message: { parts: [{ text: 'x' }] } }, 400, 'INVALID_PARAMS', /^message\.messageId/],
    [{ message: { messageId: '1' } }, 400, 'INVALID_PARAMS', /^message\.parts: expected a list/],
    [asking(), 400, 'INVALID_PARAMS', /^message\.parts/],
    [asking({ text: '  ' }), 400, 'INVALID_PARAMS', /describes the agent to find/],
    [asking({ url: 'https://a.example/x.png' }), 400, 'CONTENT_TYPE_NOT_SUPPORTED', /^message\.parts\[0\]/],
    [asking({ text: 'x', data: {} }), 400, 'INVALID_PARAMS', /^message\.parts\[0\]: expected .*not with both/],
    [asking({ data: 7 }), 400, 'INVALID_PARAMS', /^message\.parts\[0\]\.data/],
    [asking(...Array.from({ length: 65 }, () => ({ text: 'x' }))), 400, 'INVALID_PARAMS', /at most 64 parts/],
    [asking(...Array.from({ length: 64 }, () => ({ text: 'x' }))), 200, '', /./],
    [asking({ data: { limit: 'many' } }), 400, 'INVALID_PARAMS', /./],
    [
      asking({ data: Object.fromEntries(Array.from({ length: 115_000 }, (_, i) => [i.toString(36), 0])) }),
      400,
      'INVALID_PARAMS',
      /./,
    ],
    [asking({ text: 'x' }, JSON.parse('{"data":{"__proto__":{"a":1}}}')), 200, '', /./],
    [{ message: { ...asking({ text: 'x' }).message, taskId: 't' } }, 404, 'TASK_NOT_FOUND', /./],
    [{ message: { ...asking({ text: 'x' }).message, contextId: 'c'.repeat(257) } }, 400, 'INVALID_PARAMS', /256/],
    [{ ...asking({ text: 'x' }), configuration: 7 }, 400, 'INVALID_PARAMS', /^configuration/],
    [
      { ...asking({ text: 'x' }), configuration: { acceptedOutputModes: ['image/png'] } },
      400,
      'CONTENT_TYPE_NOT_SUPPORTED',
      /./,
    ],
    [
      { ...asking({ text: 'x' }), configuration: { taskPushNotificationConfig: {} } },
      400,
      'PUSH_NOTIFICATION_NOT_SUPPORTED',
      /./,
    ],
    [asking({ text: 'x'.repeat(1 << 20) }), 413, 'BODY_TOO_LARGE', /1048576/],
  ] as const)('%.90j is answered in the form of A2A', async (body, status, reason, message) => {
    for (const path of ['/message:send', '/message:stream']) {
      const response = await post(path, body, CURRENT)
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([status, '*'])
      if (status === 200) continue
      const { error } = await response.json()
      expect(error).toMatchObject({ code: status, message: expect.stringMatching(message) })
      expect(['BAD_REQUEST', reason]).toContain(error.details[0].reason)
    }
  })
})

test.each([
  ['GET', '/tasks/x', 404, 'TASK_NOT_FOUND', -32001],
  ['POST', '/tasks/x:cancel', 404, 'TASK_NOT_FOUND', -32001],
  ['POST', '/tasks/x:subscribe', 404, 'TASK_NOT_FOUND', -32001],
  ['POST', '/tasks/x/pushNotificationConfigs', 400, 'PUSH_NOTIFICATION_NOT_SUPPORTED', -32003],
  ['DELETE', '/tasks/x/pushNotificationConfigs/y', 400, 'PUSH_NOTIFICATION_NOT_SUPPORTED', -32003],
  ['GET', '/extendedAgentCard', 400, 'UNSUPPORTED_OPERATION', -32004],
  ['GET', '/message:send', 405, 'METHOD_NOT_ALLOWED', -32601],
])('%s %s is answered in the form of the version', async (method, path, status, reason, code) => {
  const current = await send(path, { method, headers: CURRENT })
  expect([current.status, current.headers.get('content-type')]).toEqual([status, 'application/a2a+json'])
  expect((await current.json()).error).toMatchObject({ code: status, details: [{ reason }] })
  const old = await send(path === '/extendedAgentCard' ? '/v1/card' : `/v1${path}`, { method })
  expect([old.status, old.headers.get('content-type')]).toEqual([status, 'application/json'])
  expect(await old.json()).toEqual({ code, message: expect.any(String) })
})

test('has no tasks, refuses an unknown version, and reads the version from the header or the parameter', async () => {
  expect(await (await send('/tasks?A2A-Version=1.0')).json()).toMatchObject({ tasks: [] })
  for (const version of ['2.0', 'x', '__proto__']) {
    const response = await post('/message:send', asking({ text: 'x' }), { 'a2a-version': version })
    expect([response.status, (await response.json()).error.details[0].reason]).toEqual([400, 'VERSION_NOT_SUPPORTED'])
  }
  expect((await post('/message:send', asking({ text: 'x' }), { 'a2a-version': '1.0.1' })).status).toBe(200)
  const typed = await post('/message:send', '<a/>', { ...CURRENT, 'content-type': 'application/xml' })
  expect([typed.status, (await typed.json()).error.status]).toEqual([415, 'INVALID_ARGUMENT'])
})

test('too many requests get an A2A error, with Retry-After', async () => {
  // The minute of the rate limit may end between two requests, but not twice.
  let last = await post('/message:send', asking({ text: 'x' }), CURRENT, slow)
  for (let i = 1; i < 4 && last.status !== 429; i++)
    last = await post('/message:send', asking({ text: 'x' }), CURRENT, slow)
  expect([last.status, last.headers.get('retry-after')]).toEqual([429, '60'])
  expect((await last.json()).error.status).toBe('RESOURCE_EXHAUSTED')
})
