// Tasks sent by the library and the command line tool to the Worker: both find its agent in DNS, and sign their
// requests.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cancelTask, readTask, sendTask } from '../../bindings/agp/index.ts'
import { discover } from '../../bindings/discover/index.ts'
import { parseJson } from '../../bindings/document/index.ts'
import { type OraclePair, pairOf } from '../agp/oracle.ts'
import { blazon } from '../cli/terminal.ts'
import { bind } from '../support/dns-lab.ts'
import { tokenOf } from './tokens.ts'
import { HERE, startWorld, type World } from './world.ts'

const BOB = 'bob.example.net'
const TASKS = `https://${BOB}/agent/tasks`
let world: World
let alice: OraclePair

beforeAll(async () => {
  world = await startWorld([{ label: 'alice' }, { label: 'bob', here: 'bob' }])
  alice = world.callers[0]!
  await world.at('/v1/agents/bob', { method: 'PUT', body: { host: BOB } })
  const body = { name: 'Bob', endpoints: { tasks: TASKS, chat: `wss://${BOB}/agent/chat` } }
  expect((await world.at('/agents/bob/agent.json', { method: 'POST', body })).status).toBe(201)
})
afterAll(() => world?.end())

const caller = () => ({ key: alice.pem, as: alice.uri, fetch: world.fetch })
const find = (domain: string) =>
  discover(domain, {
    resolver: world.resolver(),
    ...world.dns,
    fetch: world.fetch,
    need: 'peer',
    require: 'key-verified',
  })
const finish = (id: string, end: object) => world.at(`/v1/agents/bob/tasks/${id}`, { method: 'POST', body: end })

describe.runIf(bind.available)('sendTask', () => {
  test('gives a task to an agent found in DNS, and reads its result', async () => {
    const sent = await sendTask(BOB, { task: 'review', input: { n: 1 } }, { ...caller(), discover: find })
    expect(sent).toMatchObject({ ok: true, task: { state: 'queued', statusUrl: expect.stringContaining(TASKS) } })
    if (!sent.ok) return
    const { statusUrl, id } = sent.task
    expect(await readTask(statusUrl, caller())).toMatchObject({
      ok: true,
      task: { state: 'queued', result: undefined },
    })
    await finish(id!, { state: 'completed', result: [1] })
    expect(await readTask(statusUrl, caller())).toMatchObject({ ok: true, task: { state: 'completed', result: [1] } })
    const late = await cancelTask(statusUrl, caller())
    expect(late).toMatchObject({ ok: false, diagnostic: { code: 'AGP-157', detail: expect.stringContaining('409') } })
  })

  test('gives a task to a private agent, with an invitation and the token that it gave', async () => {
    await world.at('/v1/agents/bob', { method: 'PUT', body: { host: BOB, private: true } })
    const { invitation } = await world.json('/agents/bob/invitations', { method: 'POST', body: {} })
    const files = {
      'alice.key': alice.pem,
      'root.ds': world.anchors,
      'invite.json': JSON.stringify(invitation),
      'task.json': '{"n": 1}',
    }
    const setting = { fetch: world.fetch, resolver: () => world.resolver(), files }
    const who = ['--as', alice.uri]
    const redeemed = await blazon(['invite', 'redeem', 'invite.json', ...who, '--signing-key', 'alice.key'], setting)
    const withToken = { ...setting, env: { BOB: redeemed.stdout.trim() } }
    const line = ['tasks', 'send', 'invite.json', 'review', ...who, '--key', 'alice.key', '--anchors', 'root.ds']
    const sent = await blazon([...line, '--input', 'task.json', '--token', 'env:BOB'], withToken)
    expect([sent.code, sent.stdout]).toEqual([0, expect.stringContaining(TASKS)])
    const asked = ['tasks', 'status', sent.stdout.trim(), ...who, '--key', 'alice.key']
    expect((await blazon([...asked, '--token', 'env:BOB'], withToken)).stdout).toContain('"queued"')
    expect([(await blazon(line, setting)).code, (await blazon(asked, setting)).code]).toEqual([3, 3])
    const canceled = await blazon(['tasks', 'cancel', ...asked.slice(2), '--token', 'env:BOB'], withToken)
    expect(canceled.stdout).toContain('"canceled"')
    await world.at('/v1/agents/bob', { method: 'PUT', body: { host: BOB } })
  })

  test('creates one task for each key, and can cancel it', async () => {
    const options = { ...caller(), discover: find, idempotencyKey: 'once' }
    const [a, b] = [await sendTask(BOB, { task: 'x' }, options), await sendTask(`agent:${BOB}`, { task: 'x' }, options)]
    expect(a.ok && b.ok && a.task.id === b.task.id).toBe(true)
    expect(a.ok && (await cancelTask(a.task.statusUrl, caller()))).toMatchObject({ task: { state: 'canceled' } })
  })

  test('reports a refusal of another key, or another agent’s name', async () => {
    const stranger = pairOf(alice.uri)
    const sent = await sendTask(BOB, { task: 'x' }, { ...caller(), key: stranger.pem, discover: find })
    expect(sent).toMatchObject({ ok: false, diagnostic: { code: 'AGP-157', detail: expect.stringContaining('401') } })
    const nobody = await sendTask('nobody.example.net', { task: 'x' }, { ...caller(), discover: find })
    expect(nobody).toMatchObject({ ok: false, diagnostic: { code: 'AGP-133' } })
    await expect(sendTask('no domain', { task: 'x' }, { ...caller(), discover: find })).rejects.toThrow(RangeError)
  })

  const metadata = (tasks: string) => async () => {
    const found = await find(BOB)
    const value = found.agent!.metadata!.value as { endpoints: object }
    const text = JSON.stringify({ ...value, endpoints: { ...value.endpoints, tasks } })
    return { uri: found.uri, agent: { ...found.agent!, metadata: parseJson(text).document! } }
  }

  test.each([
    ['http://bob.example.net/agent/tasks', 'DOC-180'],
    ['https://169.254.169.254/agent/tasks', 'DOC-180'],
    ['https://user:x@bob.example.net/agent/tasks', 'DOC-180'],
    ['https://localhost/agent/tasks', 'DOC-180'],
  ])('sends nothing to %s', async (tasks, code) => {
    const asked: string[] = []
    const fetch = async (url: string) => {
      asked.push(url)
      return new Response()
    }
    const sent = await sendTask(BOB, { task: 'x' }, { ...caller(), fetch, discover: metadata(tasks) })
    expect([sent.ok, asked]).toEqual([false, []])
    expect(sent).toMatchObject({ diagnostic: { code } })
  })

  test.each<[string, () => Response, string]>([
    ['redirects', () => new Response(null, { status: 307, headers: { location: 'http://10.0.0.1/' } }), 'DOC-183'],
    ['has no end', () => new Response('x'.repeat((1 << 20) + 1), { status: 202 }), 'DOC-184'],
    ['is 200', () => Response.json({ statusUrl: `${TASKS}/1` }), 'AGP-157'],
    ['is empty', () => new Response('', { status: 202 }), 'AGP-157'],
    ['leads elsewhere', () => Response.json({ statusUrl: 'https://evil.example/1' }, { status: 202 }), 'AGP-157'],
  ])('refuses an answer that %s', async (_, answer, code) => {
    const options = { ...caller(), fetch: async () => answer(), discover: find }
    expect(await sendTask(BOB, { task: 'x' }, options)).toMatchObject({ ok: false, diagnostic: { code } })
  })
})

describe.runIf(bind.available)('the command line tool', () => {
  const env = { BLAZON_TOKEN: tokenOf(HERE, { scope: 'publish-one', holder: '/agents/bob' }) }
  const server = async (request: Request) => {
    const body = await request.text()
    const { url, method, headers } = request
    return world.fetch(url, { method, headers, ...(body !== '' && { body }) })
  }
  const run = (line: readonly string[], files: Record<string, string> = {}) =>
    blazon(line, {
      env,
      server,
      fetch: world.fetch,
      resolver: () => world.resolver(),
      files: { 'alice.key': alice.pem, 'root.ds': world.anchors, ...files },
    })
  const me = () => ['--as', alice.uri, '--key', 'alice.key']
  const here = ['--directory', HERE]
  const found = ['--anchors', 'root.ds', '--resolver', 'https://dns.example/dns-query']

  test('sends a task, and its agent takes and completes it', async () => {
    const files = { 'change.json': '{"code":"x"}', 'fine.json': '{"verdict":"fine"}' }
    const sent = await run(['tasks', 'send', BOB, 'code-review', ...me(), ...found, '--input', 'change.json'], files)
    expect([sent.code, sent.stderr]).toEqual([0, expect.stringContaining('blazon tasks status')])
    const url = sent.stdout.trim()
    const queued = await run(['tasks', 'list', 'bob', ...here, '--state', 'queued'])
    expect(queued.stdout).toContain(`queued\tcode-review\t${alice.uri}`)
    const taken = JSON.parse((await run(['tasks', 'take', 'bob', ...here])).stdout)
    expect([taken.input, taken.state]).toEqual([{ code: 'x' }, 'taken'])
    const empty = await run(['tasks', 'take', 'bob', ...here])
    expect([empty.code, empty.stdout, empty.stderr]).toEqual([0, '', expect.stringContaining('no task waits')])
    const completed = await run(['tasks', 'complete', 'bob', taken.id, ...here, '--result', 'fine.json'], files)
    expect(completed.code).toBe(0)
    const status = await run(['tasks', 'status', url, ...me()])
    expect(JSON.parse(status.stdout)).toMatchObject({ state: 'completed', result: { verdict: 'fine' } })
    expect((await run(['tasks', 'cancel', url, ...me()])).code).toBe(3)
    expect((await run(['tasks', 'complete', 'bob', taken.id, ...here, '--error', 'x'])).code).toBe(3)
  })

  test('reports invalid arguments, and sends nothing then', async () => {
    const lines = [
      ['tasks', 'send', BOB, ...me()],
      ['tasks', 'send', BOB, 'x', '--as', alice.uri],
      ['tasks', 'send', BOB, 'x', '--as', 'no domain', '--key', 'alice.key', ...found],
      ['tasks', 'status', 'x', ...me()],
      ['tasks', 'list', ...here],
      ['tasks', 'complete', 'bob', ...here],
      ['tasks', 'complete', 'bob', 'x', ...here, '--result', 'alice.key', '--error', 'x'],
    ]
    for (const line of lines) expect((await run(line)).code, line.join(' ')).toBe(2)
  })

  test('redeems an invitation, signed by the invited agent', async () => {
    const made = await world.json('/agents/bob/invitations', { method: 'POST', body: {} })
    const files = { 'invite.json': JSON.stringify(made.invitation) }
    const redeem = ['invite', 'redeem', 'invite.json']
    const alone = await run(redeem, files)
    expect([alone.code, alone.stdout]).toEqual([3, ''])
    expect((await run([...redeem, '--as', alice.uri], files)).code).toBe(2)
    const redeemed = await run([...redeem, '--as', alice.uri, '--signing-key', 'alice.key'], files)
    expect([redeemed.code, redeemed.stdout]).toEqual([0, expect.stringMatching(/^blazon1\.read-one\./)])
  })
})
