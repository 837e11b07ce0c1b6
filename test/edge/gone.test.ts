// An agent that becomes private or is removed: its peers are disconnected, and nothing of it is served or stored.
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { jcs, type OraclePair, signed } from '../agp/oracle.ts'
import { type Raw, raw } from '../agp/sockets.ts'
import { bind } from '../support/dns-lab.ts'
import { cardOf, createAgent } from './directory/agents.ts'
import { bearer, GRANTER } from './tokens.ts'
import { HERE, startWorld, type World } from './world.ts'

const BOB = 'bob.example.com'
let world: World
let alice: OraclePair
let carol: OraclePair

beforeAll(async () => {
  world = await startWorld([{ label: 'alice' }, { label: 'carol' }])
  ;[alice, carol] = world.callers as [OraclePair, OraclePair]
})
afterAll(() => world?.end())

const open: Raw[] = []
afterEach(() => {
  for (const socket of open.splice(0)) socket.close()
})

const place = (name: string, body: object) => world.at(`/v1/agents/${name}`, { method: 'PUT', body })
const remove = (name: string) => world.at(`/v1/agents/${name}`, { method: 'DELETE' })
const state = () => world.json('/v1/agents/bob/state')
const definition = {
  adl_spec: '0.1.0',
  name: 'Bob',
  description: 'Reviews code.',
  version: '1.0.0',
  lifecycle: { status: 'active' },
  data_classification: { sensitivity: 'public' },
}

async function publish(isPrivate = false): Promise<string> {
  await place('bob', { host: BOB, private: isPrivate })
  const endpoints = { chat: `wss://${BOB}/agent/chat`, tasks: `https://${BOB}/agent/tasks` }
  const { text } = await world.at('/agents/bob/agent.json', { method: 'POST', body: { name: 'Bob', endpoints } })
  await world.at('/agents/bob/adl.json', { method: 'PUT', body: definition })
  return JSON.parse(text).fingerprint
}

const message = (of: OraclePair, type: string, content: unknown) => ({
  id: randomUUID(),
  from: of.uri,
  to: `agent:${BOB}`,
  type,
  timestamp: new Date().toISOString(),
  body: { content: typeof content === 'string' ? content : jcs(content), contentType: 'text/plain' },
})

/** A conversation with Bob, with the headers of its caller. */
async function talk(of: OraclePair, headers: Record<string, string> = {}): Promise<Raw> {
  const socket = await raw(`${world.origin().replace('http', 'ws')}/agent/chat`, { headers: { host: BOB, ...headers } })
  open.push(socket)
  const nonce = randomBytes(16).toString('base64url')
  const hello = { hello: 1, agent: of.uri, fingerprint: of.fingerprint, protocol: 'ADP/1.1', nonce }
  socket.send(signed(message(of, 'system', hello), of))
  const answer = await socket.next()
  socket.send(signed(message(of, 'ack', { ack: answer.id }), of))
  await expect
    .poll(async () => (await state()).conversations.map(({ agent }: { agent: string }) => agent))
    .toContain(of.uri)
  return socket
}

async function say(socket: Raw, of: OraclePair): Promise<void> {
  socket.send(signed(message(of, 'chat', 'Good morning'), of))
  expect((await socket.next()).type).toBe('ack')
}

describe.runIf(bind.available)('[wellknown/8.3-1] [agp/gone-1] an agent that is made private', () => {
  const invited = bearer(HERE, { scope: 'read-one', holder: '/agents/bob' })

  test('disconnects all peers without a token for it, and no others', async () => {
    await publish()
    const [stranger, guest] = [await talk(alice), await talk(carol, invited)]
    await place('bob', { host: BOB, private: true })
    expect(await stranger.closed).toBe(1008)
    await say(guest, carol)
    expect((await state()).conversations.map(({ agent }: { agent: string }) => agent)).toEqual([carol.uri])
  })

  test('disconnects peers whose invitation is revoked', async () => {
    await publish(true)
    const made = await world.json('/agents/bob/invitations', { method: 'POST', body: {} })
    const { id, invitation } = made
    const guest = await talk(carol, invited)
    expect(invitation.invite.agent).toBe(`agent:${BOB}`)
    expect((await world.at(`/agents/bob/invitations?id=${id}`, { method: 'DELETE' })).status).toBe(204)
    expect(await guest.closed, 'whose token still counts has to come again').toBe(1008)
    await talk(carol, invited)
  })

  test('has no card in the directory, even if another agent publishes one, and gets the same answers as an unknown agent', async () => {
    await place('bob', { host: BOB })
    const words = { 'agent://bob': 'code', [`agent://${BOB}`]: 'contracts', 'agent://other': 'music' }
    const cards = await Promise.all(
      Object.entries(words).map(async ([id, word]) =>
        cardOf({ id, key: (await createAgent()).key }, 1, { description: `Listed for ${word}.` }),
      ),
    )
    const advertise = async (card: string) =>
      JSON.parse((await world.at('/adp/advertise', { method: 'POST', body: JSON.parse(card) })).text)
    for (const card of cards) expect((await advertise(card)).stored).toBe(true)
    const places = async () => {
      const bodies = [
        ['/adp/discover', { query: 'listed' }],
        ['/search', { query: { text: 'listed' } }],
      ] as const
      const catalogs = ['ai-catalog.json', 'ard.json', 'api-catalog'].map((name) => `/.well-known/${name}`)
      const lists = ['/agents', '/agents?orderBy=newest', ...catalogs]
      const answers = [
        ...(await Promise.all(lists.map((path) => world.at(path)))),
        ...(await Promise.all(bodies.map(([path, body]) => world.at(path, { method: 'POST', body })))),
      ]
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      expect(answers.map(({ text }) => /other/.test(text))).toEqual(answers.map(() => true))
      // Whole words: the three letters may occur in signatures by chance.
      return answers.flatMap(({ text }) => /.{0,40}\bbob\b.{0,40}/i.exec(text) ?? [])
    }
    expect(await places()).toHaveLength(7)
    await place('bob', { host: BOB, private: true })
    expect(await places()).toEqual([])
    for (const name of ['bob', BOB]) {
      const absent = 'x'.repeat(name.length)
      for (const path of ['/agents/NAME', '/agents/NAME/card.json']) {
        const [hidden, nobody] = await Promise.all(
          [name, absent].map((one) => world.at(path.replace('NAME', one), { headers: {} })),
        )
        expect([hidden!.status, hidden!.text.replaceAll(name, absent)], path).toEqual([404, nobody!.text])
      }
      const [described, nobody] = await Promise.all(
        [name, absent].map((one) =>
          world.at('/adp/describe', { method: 'POST', headers: {}, body: { id: `agent://${one}` } }),
        ),
      )
      expect([described!.status, described!.text.replaceAll(name, absent)]).toEqual([404, nobody!.text])
    }
    for (const card of cards.slice(0, 2))
      expect(await advertise(card)).toMatchObject({ stored: false, reason: 'policy' })
    expect(await places()).toEqual([])
    await place('bob', { host: BOB })
    expect((await advertise(cards[0]!)).stored).toBe(true)
  })

  test('stays blocked in the directory if the operator has blocked it', async () => {
    const block = { rules: [{ id: 'agent://bob', verdict: 'block', reason: 'spam' }] }
    expect((await world.at('/v1/directory/rules', { method: 'POST', body: block })).status).toBe(200)
    await place('bob', { host: BOB, private: true })
    await place('bob', { host: BOB })
    expect((await world.at('/agents/bob/card.json')).status).toBe(410)
    const lift = { rules: [{ id: 'agent://bob', verdict: 'none' }] }
    await world.at('/v1/directory/rules', { method: 'POST', body: lift })
  })
})

describe.runIf(bind.available)('[agp/gone-1] an agent whose tokens are withdrawn', () => {
  test('disconnects peers that came with a token, and no others', async () => {
    await publish()
    const [stranger, guest] = [
      await talk(alice),
      await talk(carol, bearer(HERE, { scope: 'read-one', holder: '/agents/bob' })),
    ]
    const withdraw = (holder: string) => world.at(`/v1/tokens?holder=${holder}`, { method: 'DELETE', headers: GRANTER })
    expect((await withdraw('/agents/nobody')).status).toBe(200)
    await say(guest, carol)
    expect((await withdraw('/agents/bob')).status).toBe(200)
    expect(await guest.closed).toBe(1008)
    await say(stranger, alice)
    await expect(talk(carol, bearer(HERE, { scope: 'read-one', holder: '/agents/bob' }))).rejects.toThrow()
    await talk(carol, bearer(HERE, { scope: 'read-one', holder: '/agents/bob', generation: 1 }))
  })
})

describe.runIf(bind.available)('[agp/gone-1] an agent that is removed', () => {
  test('ends its conversations, and leaves no message, task, definition or key', async () => {
    const before = await publish()
    const socket = await talk(alice)
    await say(socket, alice)
    await world.at('/v1/agents/bob/messages', {
      method: 'POST',
      body: { to: 'agent:nobody.example.net', content: 'x' },
    })
    await world.at('/v1/agents/bob/tasks/settings', { method: 'PUT', body: { anonymous: true } })
    await world.at('/v1/agents/bob/speakers', { method: 'POST', body: { block: [carol.uri] } })
    const task = await world.at('/agent/tasks', { method: 'POST', host: BOB, headers: {}, body: { task: 'x' } })
    expect(task.status).toBe(202)
    await place('bob', { host: BOB, private: true })
    expect(await socket.closed).toBe(1008)
    expect((await remove('bob')).status).toBe(204)
    for (const path of ['/agents/bob', '/agents/bob/adl.json', '/agents/bob/agent.json', '/.well-known/adl-agents'])
      expect((await world.at(path, { headers: {} })).text, path).not.toContain('Reviews code')
    expect(await state()).toMatchObject({
      sockets: 0,
      messages: 0,
      ids: 0,
      outbox: { waiting: 0, agents: [] },
      tasks: { tasks: 0, outbox: { waiting: 0 } },
    })
    expect(await world.json('/v1/agents/bob/speakers')).toEqual({ speakers: 'anyone', allowed: [], blocked: [] })
    expect(await world.json('/v1/agents/bob/tasks/settings')).toEqual({ anonymous: false, origins: [], taker: null })
    expect((await remove('bob')).status).toBe(404)
    const said = { to: alice.uri, content: 'x' }
    expect((await world.at('/v1/agents/bob/messages', { method: 'POST', body: said })).status).toBe(404)
    expect(await publish(), 'whoever comes under its name has another key').not.toBe(before)
    await say(await talk(alice), alice)
  })

  test('disconnects its peers at once, as does an agent without metadata', async () => {
    await publish()
    const first = await talk(alice)
    expect((await remove('bob')).status).toBe(204)
    expect(await first.closed).toBe(1008)
    await publish()
    const second = await talk(alice)
    expect((await world.at('/agents/bob/agent.json', { method: 'DELETE' })).status).toBe(204)
    expect(await second.closed).toBe(1008)
  })
})
