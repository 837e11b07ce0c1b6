// Standby hosts: the DNS names several, which are tried in its order until one answers (RFC 9460 section 3, RFC 2782).
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkDns } from '../../../bindings/discover/check/check.ts'
import { replay } from '../../../bindings/discover/trace/verify.ts'
import { validate } from '../../../bindings/index.ts'
import { bind } from '../../support/dns-lab.ts'
import { freePort } from '../../support/port.ts'
import { codes, endedBy, KEY, metadata, PUBLIC, send, signed, startWorld, type World } from './lab.ts'

if (!bind.available) console.warn(`NOT RUN: hosts that stand by, against bind9: ${bind.reason}`)

const DOMAIN = 'example.test'
const at = (name: string) => `${name}.${DOMAIN}`
const PATH = '/.well-known/agent.json'
const text = (name: string, url = `https://${at(name)}${PATH}`) =>
  `_agent.${name} TXT "v=ADP1.1; pk=${KEY.fingerprint}; wk=${url}"`

let world: World
beforeAll(async () => {
  if (!bind.available) return
  // Nothing listens there.
  const closed = await freePort()
  world = await startWorld({
    names: ['up', 'other', 'slow', 'elsewhere', 'stranger'].map(at),
    zones: ({ port }) => {
      const hosts = ['up', 'down', 'other', 'slow', 'elsewhere', 'stranger'].map((name) => `${name} A ${PUBLIC}`)
      const services: Record<string, readonly string[]> = {
        refused: [`2 up port=${port}`, `1 down port=${closed}`],
        homeless: [`1 ghost port=${port}`, `2 up port=${port}`],
        'two-down': [`1 down port=${closed}`, `2 ghost`, `3 up port=${port}`],
        'all-down': [`1 down port=${closed}`, `2 ghost`],
        'one-place': [`1 down port=${closed}`, `2 down port=${closed} key65409="other.json"`],
        'first-slow': [`1 slow port=${port}`, `2 up port=${port}`],
        redirected: [`1 elsewhere port=${port}`, `2 up port=${port}`],
        'then-stranger': [`1 down port=${closed}`, `2 stranger port=${port}`, `3 up port=${port}`],
        'first-stranger': [`1 stranger port=${port}`, `2 up port=${port}`],
        'then-inside': [`1 down port=${closed}`, `2 inside port=${port}`, `3 up port=${port}`],
        'then-foreign': [`1 down port=${closed}`, `2 up port=${port} mandatory=key667 key667="x"`],
        'then-bad-path': [`1 down port=${closed}`, `2 up port=${port} key65409="../x"`],
        six: [...Array(5).keys()].map((i) => `${i + 1} ghost${i} port=${port}`).concat(`9 up port=${port}`),
      }
      const records = [
        ...hosts,
        'inside A 10.0.0.7',
        `_${port}._tcp.stranger TLSA 3 1 1 ${'0'.repeat(64)}`,
        ...Object.entries(services).flatMap(([name, rows]) => [
          ...rows.map((row) => `${name} SVCB ${row}`),
          text(name),
        ]),
        'by-srv A 192.0.2.1',
        text('by-srv'),
        `_agent._tcp.by-srv SRV 10 0 ${closed} down`,
        `_agent._tcp.by-srv SRV 20 0 ${port} up`,
        text('srv-elsewhere', `https://${at('down')}:${closed}${PATH}`),
        `_agent._tcp.srv-elsewhere SRV 10 0 ${closed} down`,
        `_agent._tcp.srv-elsewhere SRV 20 0 ${port} up`,
        text('srv-slow', `https://${at('slow')}:${port}${PATH}`),
        `_agent._tcp.srv-slow SRV 10 0 ${closed} down`,
        `_agent._tcp.srv-slow SRV 20 0 ${port} up`,
      ]
      return [signed('.', ''), signed('test', ''), signed(DOMAIN, records.join('\n'))]
    },
    answer(to, response, { port }) {
      if (to.startsWith(at('slow'))) return response.writeHead(200).write('{')
      if (to.startsWith(at('elsewhere'))) return response.writeHead(302, { location: 'https://example.com/' }).end()
      const domain = at(asked)
      return send(response, metadata({ domain, wellKnown: `https://${at('up')}:${port}${PATH}` }))
    },
  })
})
afterAll(() => world?.close())

let asked = ''
beforeEach(() => {
  if (world !== undefined) world.requests.length = 0
})
const discover = (name: string, more = {}) => {
  asked = name
  return world.discover(at(name), more)
}

describe.runIf(bind.available)('of several hosts', () => {
  test.each(['refused', 'homeless', 'two-down', 'by-srv'])(
    '[wellknown/4.1-1] [wellknown/5.2-1] the first that answers is taken: %s',
    async (name) => {
      const found = await discover(name)
      expect(endedBy(found)).toBe('an agent')
      expect(found.agent).toMatchObject({ host: at('up'), port: world.port })
      expect(found.proof).toMatchObject({ verdict: 'verified', highest: 'key-verified' })
      expect(found.proof.levels).toEqual([
        { level: 'dns-verified', quality: 'checked' },
        { level: 'key-verified', quality: 'checked' },
      ])
      const silent = codes(found).filter((code) => code === 'WK-188')
      expect(silent).toHaveLength(name === 'two-down' ? 2 : 1)
      expect(world.requests).toEqual([`${at('up')}${PATH}`])
      expect(validate(JSON.stringify(found.trace)).diagnostics).toEqual([])
      const again = await replay(found.trace, { anchors: world.dns.anchors })
      expect(again.proof).toEqual(found.proof)
      expect(again.agent?.host).toBe(at('up'))
    },
  )

  test('checkDns reports it to the operator of the zone', async () => {
    asked = 'refused'
    const [adp] = (await checkDns(at('refused'), world.options)).things
    expect(adp).toMatchObject({
      name: 'adp',
      state: 'valid',
      detail: expect.stringContaining(at('down')),
      diagnostic: { code: 'WK-188', severity: 'warning', fix: { hint: expect.stringContaining('make each host') } },
    })
  })

  test('half of the time is left for the next', async () => {
    const found = await discover('first-slow', { timeoutMs: 6000 })
    expect(found.agent?.host).toBe(at('up'))
    const slow = found.proof.steps.find(({ diagnostic }) => diagnostic?.code === 'WK-188')!
    const [, waited] = /no answer within (\d+) ms/.exec(slow.detail)!
    expect(Number(waited)).toBeLessThanOrEqual(3000)
  })

  test('the only host gets all the time', async () => {
    const found = await discover('srv-slow', { timeoutMs: 6000 })
    expect(endedBy(found)).toBe('metadata DOC-185')
    const [, waited] = /within (\d+) ms/.exec(found.proof.steps.at(-1)!.detail)!
    const { after } = found.trace.steps.find(({ kind }) => kind === 'http')!
    expect(Number(waited)).toBeGreaterThan(0.75 * (6000 - after))
  })

  test.each([
    ['nobody answers: the last one says why, and TXT is no way around', 'all-down', 'addresses DNS-134'],
    ['two records name one place, which is asked once', 'one-place', 'metadata DOC-181'],
    ['an answer is an answer: the next is not asked for a better one', 'redirected', 'metadata DOC-183'],
    ['a certificate that the DNS does not name ends it', 'first-stranger', 'tlsa DNS-140'],
    ['each is judged like the first: its certificate', 'then-stranger', 'tlsa DNS-140'],
    ['its address', 'then-inside', 'addresses DOC-180'],
    ['what its record demands', 'then-foreign', 'metadata DOC-181'],
    ['its path', 'then-bad-path', 'svcb DNS-122'],
    ['a URL at another host is the only one', 'srv-elsewhere', 'metadata DOC-181'],
  ])('%s', async (_, name, end) => {
    const found = await discover(name)
    expect(endedBy(found)).toBe(end)
    expect(world.requests.filter((to) => to.startsWith(at('up')))).toEqual([])
    expect(found.proof.levels).toEqual([])
    expect((await replay(found.trace, { anchors: world.dns.anchors })).proof).toEqual(found.proof)
  })

  test('at most four are tried', async () => {
    const found = await discover('six')
    expect(endedBy(found)).toBe('addresses DNS-134')
    expect(found.proof.steps.at(-1)!.detail).toContain(at('ghost3'))
  })
})
