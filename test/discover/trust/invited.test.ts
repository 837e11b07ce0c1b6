// A private agent is found by an invitation: the DNS has only its addresses, and its server requires a token.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fetchDocument } from '../../../bindings/discover/index.ts'
import { replay } from '../../../bindings/discover/trace/verify.ts'
import type { discover } from '../../../bindings/discover/trust/discover.ts'
import { bind } from '../../support/dns-lab.ts'
import {
  codes,
  endedBy,
  KEY,
  metadata,
  OTHER_KEY,
  outcomes,
  PUBLIC,
  send,
  signed,
  startWorld,
  type World,
} from './lab.ts'

const DOMAIN = 'alice.example.test'
const TOKEN = 'blazon1.read-one.0.YWxpY2U.secret'
const CODE = 'iVbPLQ_VtSDqQvQq6wQ1xA'
let world: World
/** The header of each request, in order. */
const shown: (string | undefined)[] = []

beforeAll(async () => {
  if (!bind.available) return
  world = await startWorld({
    names: ['*.example.test', 'example.test'],
    zones: ({ port }) => [
      signed('.', ''),
      signed('test', ''),
      signed(
        'example.test',
        [
          `alice A ${PUBLIC}`,
          'inside A 10.0.0.7',
          `open A ${PUBLIC}`,
          `_agent.open TXT "v=ADP1.1; pk=${KEY.fingerprint}; wk=https://open.example.test:${port}/.well-known/agent.json"`,
          `hosted SVCB 1 provider alpn="h2" port="${port}" key65409="agents/hosted.json"`,
          `_agent.hosted TXT "v=ADP1.1; pk=${KEY.fingerprint}; wk=https://hosted.example.test/.well-known/agent.json"`,
          `provider A ${PUBLIC}`,
        ].join('\n'),
      ),
    ],
    answer(to, response) {
      const { authorization } = response.req.headers
      shown.push(authorization)
      const [host = ''] = to.split('/')
      const isOpen = host === 'provider.example.test' || authorization === `Bearer ${TOKEN}`
      if (!isOpen) return response.writeHead(404).end()
      const domain = host === 'provider.example.test' ? 'hosted.example.test' : host
      const wellKnown = `https://${domain}/.well-known/agent.json`
      const endpoints = { wellKnown, chat: `wss://${domain}/chat` }
      return send(response, metadata({ domain, wellKnown, more: { endpoints } }), { 'cache-control': 'max-age=60' })
    },
  })
})
afterAll(() => world?.close())
beforeEach(() => {
  shown.length = 0
  world?.requests.splice(0)
})

const invitation = (change: object = {}) => ({
  protocol: 'ADP/1.1',
  invite: {
    code: CODE,
    agent: `agent:${DOMAIN}`,
    wellKnown: `https://${DOMAIN}:${world.port}/.well-known/agent.json`,
    pubkey: KEY.fingerprint,
    expires: '2999-01-01T00:00:00Z',
    ...change,
  },
})
const find = (change: object = {}, more: Partial<discover.Options> = {}, domain = DOMAIN) =>
  world.discover(domain, { invitation: invitation(change), token: TOKEN, ...more })

describe.runIf(bind.available)('[wellknown/8.3-3] an invitation instead of the DNS', () => {
  test('leads to the agent, but to no level of trust', async () => {
    const found = await find({}, { need: 'peer' })
    expect(found.agent).toMatchObject({ uri: `agent:${DOMAIN}`, fingerprint: KEY.fingerprint })
    const { verdict, levels, highest, shows, doesNotShow } = found.proof
    expect([verdict, levels, highest]).toEqual(['unverifiable', [], undefined])
    expect(shows).toContain(`the key matches the invitation: ${KEY.fingerprint}`)
    expect(doesNotShow).toContain(
      'that the invitation is from the agent: it is as trustworthy as the channel that brought it',
    )
    expect(outcomes(found)).toMatchObject({ invitation: 'passed', 'invited-key': 'passed', chat: 'passed' })
    expect(outcomes(found)).not.toHaveProperty('svcb')
    const asked = found.trace.steps.flatMap((step) => (step.kind === 'dns' ? [`${step.type} ${step.name}`] : []))
    expect(asked.filter((question) => /^(?:64|16|33) /.test(question))).toEqual([])
    expect(world.requests).toHaveLength(1)
  })

  test('gives the same proof in a replay; the trace contains neither code nor token', async () => {
    const { trace, proof, agent } = await find()
    const text = JSON.stringify(trace)
    expect([text.includes(CODE), text.includes(TOKEN), text.includes('secret')]).toEqual([false, false, false])
    const again = await replay(JSON.parse(text), { anchors: world.dns.anchors })
    expect(again.proof).toEqual(proof)
    expect(again.agent?.fingerprint).toBe(agent?.fingerprint)
    const late = await replay(JSON.parse(text), { now: new Date('2999-01-02T00:00:00Z'), anchors: world.dns.anchors })
    expect([late.agent, endedBy(late)]).toEqual([undefined, 'invitation WK-184'])
  })

  test('finds nothing without the token', async () => {
    const { token: _, ...more } = { token: TOKEN }
    const found = await world.discover(DOMAIN, { invitation: invitation(), ...more })
    expect([found.agent, endedBy(found)]).toEqual([undefined, 'metadata DOC-182'])
    expect(shown).toEqual([undefined])
  })

  test('does not count as key-verified, and reaches no required level', async () => {
    for (const require of ['dns-verified', 'key-verified'] as const) {
      const found = await find({}, { require })
      expect([found.agent, endedBy(found)]).toEqual([undefined, 'level WK-166'])
    }
  })

  test('is refused for another protocol before anything else is read', async () => {
    for (const protocol of ['ADP/1.0', 'ADP/2.0', 'adp/1.1', 7, undefined]) {
      const found = await world.discover(DOMAIN, { invitation: { ...invitation(), protocol }, token: TOKEN })
      expect([found.agent, endedBy(found)], String(protocol)).toEqual([undefined, 'invitation WK-184'])
    }
    expect(world.requests).toEqual([])
  })

  test('is refused for another key', async () => {
    const found = await find({ pubkey: OTHER_KEY.fingerprint })
    expect([found.agent, endedBy(found)]).toEqual([undefined, 'invited-key WK-185'])
  })

  test.each<[string, object]>([
    ['over', { expires: '2020-01-01T00:00:00Z' }],
    ['over with a leap second', { expires: '2016-12-31T23:59:60Z' }],
    ['without an end', { expires: 'some day' }],
    ['of another agent', { agent: 'agent:bank.example' }],
    ['of no agent', { agent: 7 }],
    ['without TLS', { wellKnown: 'http://alice.example.test/.well-known/agent.json' }],
    ['at an address', { wellKnown: 'https://169.254.169.254/.well-known/agent.json' }],
    ['with credentials in the address', { wellKnown: 'https://a:b@alice.example.test/' }],
    ['with its code in the address', { wellKnown: `https://${DOMAIN}/.well-known/agent.json?invite=${CODE}` }],
    ['with a fingerprint of nothing', { pubkey: 'ed25519:abc' }],
  ])('sends no request if it is %s', async (_, change) => {
    const found = await find(change)
    expect([found.agent, endedBy(found), found.trace.steps]).toEqual([undefined, 'invitation WK-184', []])
    expect(JSON.stringify([found.trace, found.proof])).not.toContain(CODE)
    expect((await replay(JSON.parse(JSON.stringify(found.trace)))).proof).toEqual(found.proof)
  })

  test.each(['', '[]', '{}', '{"invite": 1}', '{"invite": {"agent": "a", "agent": "b"}}', 'invite: {}', '\ufeff{}'])(
    'what is none ends in a proof: %j',
    async (text) => {
      const found = await find({}, { invitation: text })
      expect(endedBy(found)).toEqual('invitation WK-184')
    },
  )

  test('does not connect to a private address', async () => {
    const wellKnown = `https://inside.example.test:${world.port}/.well-known/agent.json`
    const found = await find({ wellKnown, agent: 'agent:inside.example.test' }, {}, 'inside.example.test')
    expect([found.agent, codes(found).at(-1), world.requests]).toEqual([undefined, 'DOC-180', []])
  })
})

describe.runIf(bind.available)('[wellknown/8.3-2] a token', () => {
  test('is sent to the domain of the agent', async () => {
    const found = await world.discover('open.example.test', { token: TOKEN })
    expect([found.proof.highest, shown]).toEqual(['key-verified', [`Bearer ${TOKEN}`]])
  })

  test('is not sent to another host that the DNS names', async () => {
    const found = await world.discover('hosted.example.test', { token: TOKEN })
    expect([found.agent?.host, shown]).toEqual(['provider.example.test', [undefined]])
  })

  test('gives access to metadata that is not cached for others', async () => {
    const cache = new Map()
    await find({}, { cache })
    expect(cache.size).toBe(0)
    await find({}, { cache })
    expect(world.requests).toHaveLength(2)
  })

  test.each(['', 'a b', 'a\r\nx: y', 'ü', 'x'.repeat(4097)])('%j is invalid, and is not quoted', async (token) => {
    const error = await find({}, { token }).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(RangeError)
    expect(token !== '' && error.message.includes(token)).toBe(false)
  })
})

test('a token is not sent to the target of a redirect', async () => {
  const seen: [string, string | null][] = []
  const fetch = async (url: string, init: RequestInit = {}) => {
    seen.push([url, new Headers(init.headers).get('authorization')])
    if (seen.length > 1) return Response.json({})
    return new Response(null, { status: 302, headers: { location: 'https://evil.example/' } })
  }
  await fetchDocument('https://alice.example/', 'application/json', { fetch, token: TOKEN })
  expect(seen).toEqual([
    ['https://alice.example/', `Bearer ${TOKEN}`],
    ['https://evil.example/', null],
  ])
})
