// The sender of a request to an agent at the Worker: proved by a signature, with its key found in DNS, in the real
// runtime.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pairOf } from '../agp/oracle.ts'
import { signedHeaders, type Wrong } from '../agp/signing.ts'
import { bind } from '../support/dns-lab.ts'
import { startWorld, type World } from './world.ts'

const BOB = 'bob.example.com'
const URL = `https://${BOB}/agent/invite`
let world: World

beforeAll(async () => {
  world = await startWorld([
    { label: 'alice' },
    { label: 'carol' },
    { label: 'plain', endpoints: { chat: undefined } },
    { label: 'worker', endpoints: { chat: undefined, tasks: 'https://worker.example.net/tasks' } },
  ])
  await world.at('/v1/agents/bob', { method: 'PUT', body: { host: BOB, private: true } })
  expect((await world.at('/agents/bob/agent.json', { method: 'POST', body: { name: 'Bob' } })).status).toBe(201)
})
afterAll(() => world?.end())

async function codeOf(): Promise<string> {
  const { invitation } = await world.json('/agents/bob/invitations', { method: 'POST', body: {} })
  return invitation.invite.code
}
const redeem = (body: string, headers: Record<string, string>, host = BOB) =>
  world.at('/agent/invite', { method: 'POST', host, headers, body })
const bodyOf = (code: string) => JSON.stringify({ code })

describe.runIf(bind.available)('[wellknown/8.3.1-3] [agp/requests-1] POST /agent/invite', () => {
  test('gives a token to the signing agent, once', async () => {
    const [alice] = world.callers
    const body = bodyOf(await codeOf())
    const headers = signedHeaders({ method: 'POST', url: URL, body }, alice!)
    const { status, text } = await redeem(body, headers)
    expect(status).toBe(200)
    const metadata = { host: BOB, headers: { authorization: `Bearer ${JSON.parse(text).token}` } }
    expect((await world.at('/.well-known/agent.json', metadata)).status).toBe(200)
  })

  test('[wellknown/6.3.3-1] gives a token to an agent whose only endpoint is its metadata', async () => {
    const [, , plain] = world.callers
    const body = bodyOf(await codeOf())
    const { status } = await redeem(body, signedHeaders({ method: 'POST', url: URL, body }, plain!))
    expect(status).toBe(200)
  })

  test('an agent with tasks and without chat can be given a task, and one without tasks cannot', async () => {
    const [, , plain, worker] = world.callers
    const given = (to: string) => world.at('/v1/agents/bob/tasks/given', { method: 'POST', body: { to, task: 'x' } })
    expect((await given(worker!.uri)).status).toBe(202)
    expect((await given(plain!.uri)).text).toContain('no endpoint')
  })

  const now = () => Math.floor(Date.now() / 1000)
  test.each<[string, string, () => Wrong]>([
    [
      'with a key that is not in the metadata',
      'AGP-156',
      () => ({ keyid: 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U' }),
    ],
    ['by another key under the right name', 'AGP-154', () => ({ by: pairOf('agent:alice.example.net') })],
    ['for another body', 'AGP-153', () => ({ body: '{"code":"another"}' })],
    ['that has expired', 'AGP-152', () => ({ created: now() - 120, expires: now() - 60 })],
    ['that lasts too long', 'AGP-152', () => ({ expires: now() + 301 })],
    ['that is created in the future', 'AGP-152', () => ({ created: now() + 120, expires: now() + 180 })],
    [
      'that does not cover the address',
      'AGP-151',
      () => ({ components: ['@method', 'content-digest', 'signature-agent'] }),
    ],
    ['that does not cover the body', 'AGP-151', () => ({ components: ['@method', '@target-uri', 'signature-agent'] })],
    ['that does not cover the signer', 'AGP-151', () => ({ components: ['@method', '@target-uri', 'content-digest'] })],
    ['without a nonce', 'AGP-151', () => ({ nonce: null })],
    ['with a short nonce', 'AGP-151', () => ({ nonce: 'x' })],
    ['by an unknown agent', 'AGP-133', () => ({ agent: '"https://nobody.example.net"' })],
    ['by an address with a path', 'AGP-150', () => ({ agent: '"https://alice.example.net/x"' })],
    ['by an internal address', 'AGP-150', () => ({ agent: '"http://169.254.169.254"' })],
    ['by an IP address', 'AGP-150', () => ({ agent: '"https://169.254.169.254"' })],
  ])('refuses a signature %s, and the code stays valid', async (_, code, wrong) => {
    const [alice] = world.callers
    const body = bodyOf(await codeOf())
    const refused = await redeem(body, signedHeaders({ method: 'POST', url: URL, body }, alice!, wrong()))
    expect([refused.status, JSON.parse(refused.text).diagnostics?.[0].code]).toEqual([401, code])
    expect(JSON.parse(refused.text).diagnostics[0].source.file).toMatch(/^(Signature|Content)/)
    expect((await redeem(body, signedHeaders({ method: 'POST', url: URL, body }, alice!))).status).toBe(200)
  })

  test('refuses signatures for another host or method, unsigned requests, and repeated ones', async () => {
    const [alice] = world.callers
    const body = bodyOf(await codeOf())
    const codeIn = async (headers: Record<string, string>, host = BOB) => {
      const { status, text } = await redeem(body, headers, host)
      return [status, JSON.parse(text).diagnostics?.[0].code]
    }
    const other = { method: 'POST', url: 'https://carol.example.net/agent/invite', body }
    expect(await codeIn(signedHeaders(other, alice!))).toEqual([401, 'AGP-154'])
    expect(await codeIn(signedHeaders({ method: 'PUT', url: URL, body }, alice!))).toEqual([401, 'AGP-154'])
    expect(await codeIn({})).toEqual([401, 'AGP-150'])
    const { signature: _, ...half } = signedHeaders({ method: 'POST', url: URL, body }, alice!)
    expect(await codeIn(half)).toEqual([401, 'AGP-150'])
    const once = signedHeaders({ method: 'POST', url: URL, body }, alice!)
    expect((await redeem(body, once)).status).toBe(200)
    expect(await codeIn(once)).toEqual([401, 'AGP-155'])
  })

  test('a nonce is remembered after the process was killed', async () => {
    const [, carol] = world.callers
    const body = bodyOf(await codeOf())
    const once = signedHeaders({ method: 'POST', url: URL, body }, carol!)
    expect((await redeem(body, once)).status).toBe(200)
    await world.restart()
    const again = await redeem(body, once)
    expect(JSON.parse(again.text).diagnostics[0].code).toBe('AGP-155')
  })
})
