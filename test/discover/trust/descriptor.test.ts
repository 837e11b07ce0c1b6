// The capability descriptor: its digest from the DNS without a request, and the document on request.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { replay } from '../../../bindings/discover/index.ts'
import { bind } from '../../support/dns-lab.ts'
import { codes, endedBy, KEY, metadata, outcomes, PUBLIC, send, signed, startWorld, type World } from './lab.ts'

if (!bind.available) console.warn(`NOT RUN: descriptors against bind9: ${bind.reason}`)

const CAP = '{"skills": []}\n'
const DIGEST = createHash('sha256').update(CAP).digest()
const AGENTS = [
  ...['same', 'hex', 'padded', 'changed', 'odd', 'bare', 'none', 'urn', 'gone', 'inside', 'elsewhere', 'large'],
  ...['late', 'itself'],
]
const at = (name: string) => `${name}.example.test`

let world: World
let isLate = false
beforeAll(async () => {
  if (!bind.available) return
  world = await startWorld({
    names: AGENTS.map(at),
    zones: ({ port, spki }) => {
      const url = (name: string) => `https://${at(name)}:${port}/capabilities/a2a.json`
      const digest = DIGEST.toString('base64url')
      const params: Record<string, string> = {
        same: `key65400="${url('same')}" key65401="${digest}"`,
        hex: `key65400="${url('hex')}" key65401="${DIGEST.toString('hex').toUpperCase()}"`,
        padded: `key65400="${url('padded')}" key65401="${DIGEST.toString('base64')}"`,
        changed: `key65400="${url('changed')}" key65401="${digest}"`,
        odd: `key65400="${url('odd')}" key65401="${digest.slice(1)}"`,
        bare: `key65400="${url('bare')}"`,
        none: '',
        urn: `key65400="urn:example:cap" key65401="${digest}"`,
        gone: `key65400="https://${at('gone')}:${port}/gone" key65401="${digest}"`,
        inside: `key65400="https://private.example.test:${port}/" key65401="${digest}"`,
        elsewhere: `key65400="${url('same')}" key65401="${digest}"`,
        late: `key65400="${url('late')}" key65401="${digest}"`,
        itself: `key65400="https://${at('itself')}:${port}/.well-known/agent.json"`,
        large: `key65400="https://${at('large')}:${port}/large" key65401="${digest}"`,
      }
      const records = AGENTS.map((name) =>
        [
          `${name} A ${PUBLIC}`,
          `${name} SVCB 1 . port=${port} ${params[name]}`,
          `_agent.${name} TXT "v=ADP1.1; pk=${KEY.fingerprint}; wk=https://${at(name)}:${port}/.well-known/agent.json"`,
          `_${port}._tcp.${name} TLSA 3 1 1 ${spki}`,
        ].join('\n'),
      )
      return [
        signed('.', ''),
        signed('test', ''),
        signed('example.test', ['private A 10.0.0.7', ...records].join('\n')),
      ]
    },
    answer(to, response, { port }) {
      const [host = ''] = to.split('/')
      if (host === at('itself') && response.req.headers.accept === '*/*') {
        response.writeHead(200, { 'content-type': 'text/html' }).end('another')
      } else if (to.endsWith('/agent.json')) {
        send(response, metadata({ domain: host, wellKnown: `https://${host}:${port}/.well-known/agent.json` }))
      } else if (to.endsWith('/gone')) response.writeHead(410).end()
      else if (to.endsWith('/large')) response.end('x'.repeat(300_000))
      else if (host === at('late')) response.end(isLate ? 'before\n' : CAP)
      else response.end(host === at('changed') ? '{"skills": ["more"]}\n' : CAP)
    },
  })
})
afterAll(() => world?.close())
beforeEach(() => {
  if (world !== undefined) world.requests.length = 0
})

describe.runIf(bind.available)('the descriptor', () => {
  test('[wellknown/4.1.1-4] its digest is reported without fetching it, in one spelling', async () => {
    for (const name of ['same', 'hex', 'changed']) {
      const { agent } = await world.discover(at(name), { need: 'address' })
      expect(agent).toMatchObject({ capSha256: DIGEST.toString('base64url'), descriptor: undefined })
    }
    expect((await world.discover(at('odd'), { need: 'address' })).agent?.capSha256).toBeUndefined()
    expect(world.requests).toEqual([])
  })

  test.each(['same', 'hex', 'padded', 'elsewhere'])(
    '[wellknown/4.1.1-5] fetched and compared when asked: %s',
    async (name) => {
      const found = await world.discover(at(name), { descriptor: true })
      expect(endedBy(found)).toBe('an agent')
      expect(outcomes(found)['descriptor']).toBe('passed')
      expect(Buffer.from(found.agent!.descriptor!).toString()).toBe(CAP)
      expect(world.requests).toHaveLength(2)
      const again = await replay(JSON.parse(JSON.stringify(found.trace)), { anchors: world.dns.anchors })
      expect(again.proof).toEqual(found.proof)
      expect(again.agent!.descriptor).toEqual(found.agent!.descriptor)
    },
  )

  test.each([
    ['[wellknown/4.1.1-5] another document', 'changed', 'descriptor DNS-145'],
    ['[wellknown/4.1.1-5] a digest that is none', 'odd', 'descriptor DNS-145'],
    ['a host inside', 'inside', 'descriptor DOC-180'],
  ])('%s ends the discovery', async (_, name, expected) => {
    expect(endedBy(await world.discover(at(name), { descriptor: true }))).toBe(expected)
    expect(endedBy(await world.discover(at(name)))).toBe('an agent')
  })

  test('[wellknown/6.4-2] is never taken from the cache, because the digest shows changes', async () => {
    const cache = new Map()
    isLate = true
    expect(endedBy(await world.discover(at('late'), { descriptor: true, cache }))).toBe('descriptor DNS-145')
    isLate = false
    const found = await world.discover(at('late'), { descriptor: true, cache })
    expect([endedBy(found), Buffer.from(found.agent!.descriptor!).toString()]).toEqual(['an agent', CAP])
    expect([...cache.keys()].map((url) => new URL(url).pathname)).toEqual(['/.well-known/agent.json'])
  })

  test('at the URL of the metadata is a separate answer, also in a replay', async () => {
    const found = await world.discover(at('itself'), { descriptor: true })
    expect(codes(found)).toEqual(['DNS-146'])
    const again = await replay(JSON.parse(JSON.stringify(found.trace)), { anchors: world.dns.anchors })
    expect(again.proof).toEqual(found.proof)
    expect(Buffer.from(again.agent!.descriptor!).toString()).toBe('another')
  })

  test.each([
    ['without a digest', 'bare', ['DNS-146'], true],
    ['a name that is no address', 'urn', ['DNS-146'], false],
    ['a document that is gone', 'gone', ['DNS-146'], false],
    ['one that is too large', 'large', ['DNS-146'], false],
    ['none', 'none', [], false],
  ])('%s is reported', async (_, name, expected, isThere) => {
    const found = await world.discover(at(name), { descriptor: true })
    expect([codes(found), found.agent?.descriptor !== undefined]).toEqual([expected, isThere])
  })
})
