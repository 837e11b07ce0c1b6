import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dohResolver, type Resolver } from '../../../bindings/discover/dns/lookup.ts'
import { decodeMessage, typeName } from '../../../bindings/discover/dns/message.ts'
import { verify } from '../../../bindings/discover/index.ts'
import { replay } from '../../../bindings/discover/trace/verify.ts'
import { type Discovery, discover } from '../../../bindings/discover/trust/discover.ts'
import { listAgents } from '../../../bindings/discover/trust/domain.ts'
import type { Level } from '../../../bindings/discover/trust/levels.ts'
import type { Trace } from '../../../bindings/discover/trust/trace.ts'
import { validate } from '../../../bindings/index.ts'
import type { GuardedFetch } from '../../../bindings/net/fetch.ts'
import { udpResolver } from '../../../bindings/node/dns.ts'
import { casesOf } from '../../support/cases.ts'
import { bind, startDoh } from '../../support/dns-lab.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { freePort } from '../../support/port.ts'
import { random } from '../../support/random.ts'
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

if (!bind.available) console.warn(`NOT RUN: discovery against bind9: ${bind.reason}`)

const DOMAIN = 'example.test'
/** Agents of the signed zone, each with its peculiarity. */
const AGENTS = [
  'alice',
  'swapped',
  'spki',
  'foreign',
  'stranger',
  'by-authority',
  'wrong-cert',
  'many-tlsa',
  'lost-tlsa',
  'escape',
  'absolute',
  'inside',
  'redirect',
  'large',
  'slow',
  'two-keys',
  'no-text',
  'no-tlsa',
  'fallback',
  'beside',
  'hosted',
  'provider',
  'elsewhere',
  'tls12',
  'html',
  'json',
  'no-full',
  'invalid',
  'bad-proof',
  'chat',
  'cached',
  'alias',
  'pieces',
  'mandatory',
  'nowhere',
  'nothing',
  'silent-cache',
  'unusable',
  'cname',
  'local',
  'hints',
  'two-faced',
  'no-srv',
  'own-port',
  'claims',
  'other-path',
  'bomb',
  'homeless',
] as const
const at = (name: string) => `${name}.${DOMAIN}`

const txt =
  (name: string, pk = KEY.fingerprint, url?: string) =>
  (port: number) =>
    `_agent.${name} TXT "v=ADP1.1; pk=${pk}; wk=${url ?? `https://${at(name)}:${port}/.well-known/agent.json`}"`

const without = (pattern: RegExp) => (text: string) =>
  text
    .split('\n')
    .filter((line) => !pattern.test(line))
    .join('\n')

/** The records of a correct agent. */
function well(name: string, { port, spki }: { port: number; spki: string }): string {
  return [
    `${name} A ${PUBLIC}`,
    `${name} SVCB 1 . alpn="a2a,h2" port=${port} key65402="a2a"`,
    txt(name)(port),
    `_${port}._tcp.${name} TLSA 3 1 1 ${spki}`,
  ].join('\n')
}

let world: World
beforeAll(async () => {
  if (!bind.available) return
  world = await startWorld({
    names: [
      ...AGENTS.map(at),
      'alice.plain.test',
      'alice.stripped.test',
      'alice.past.test',
      'alice.foreign.test',
      'alice.bogus.test',
      'plainly.plain.test',
    ],
    zones: (making) => {
      const { port, spki, authority } = making
      const base = (name: string, params = '') => `${name} A ${PUBLIC}\n${name} SVCB 1 . port=${port} ${params}`
      const tlsa = (name: string, row: string) => `_${port}._tcp.${name} TLSA ${row}`
      const records = [
        ...[
          'alice',
          'foreign',
          'redirect',
          'large',
          'slow',
          'elsewhere',
          'html',
          'json',
          'no-full',
          'invalid',
          'bad-proof',
          'chat',
          'cached',
          'silent-cache',
          'provider',
          'claims',
          'other-path',
          'bomb',
        ].map((name) => well(name, making)),
        base('swapped'),
        txt('swapped', OTHER_KEY.fingerprint)(port),
        base('spki'),
        txt('spki', KEY.ofSpki)(port),
        base('stranger'),
        txt('stranger')(port),
        tlsa('stranger', `3 1 1 ${'0'.repeat(64)}`),
        base('by-authority'),
        txt('by-authority')(port),
        tlsa('by-authority', `2 1 1 ${authority}`),
        base('wrong-cert'),
        txt('wrong-cert')(port),
        tlsa('wrong-cert', `2 1 1 ${spki}`),
        ...[
          ['many-tlsa', 'f'],
          ['lost-tlsa', '0'],
        ].flatMap(([name = '', digit = '']) => [
          well(name, making),
          ...Array.from({ length: 40 }, (_, i) => tlsa(name, `3 1 1 ${String(i).padStart(64, digit)}`)),
        ]),
        base('unusable'),
        txt('unusable')(port),
        tlsa('unusable', `9 1 1 ${spki}`),
        base('escape', 'key65409="../../admin"'),
        txt('escape')(port),
        base('absolute', 'key65409="/etc/agent.json"'),
        txt('absolute')(port),
        base('mandatory', 'mandatory=key667 key667="x"'),
        txt('mandatory')(port),
        `inside A 10.0.0.7\ninside SVCB 1 . port=${port}`,
        txt('inside')(port),
        base('two-keys'),
        txt('two-keys')(port),
        txt('two-keys', OTHER_KEY.fingerprint)(port),
        base('no-text'),
        tlsa('no-text', `3 1 1 ${spki}`),
        base('no-tlsa'),
        txt('no-tlsa')(port),
        `fallback A 192.0.2.1\n_agent._tcp.fallback SRV 10 5 ${port} provider`,
        txt('fallback', KEY.fingerprint, `https://${at('fallback')}/.well-known/fallback.json`)(port),
        base('beside'),
        txt('beside')(port),
        `_agent.beside TXT "v=spf1 -all"`,
        `_agent.beside TXT "v=aid2;u=https://x.test;p=mcp"`,
        `hosted SVCB 1 provider port=${port} key65409="hosted.json"`,
        txt('hosted')(port),
        `alias SVCB 0 hosted-alias\nhosted-alias SVCB 1 provider port=${port} key65409="alias.json"`,
        txt('alias')(port),
        `cname CNAME alice`,
        `homeless SVCB 1 ghost port=${port}`,
        txt('homeless')(port),
        'loop SVCB 0 loop-too\nloop-too SVCB 0 loop',
        ...Array.from({ length: 10 }, (_, i) => `chain${i} SVCB 0 chain${i + 1}`),
        `local A 127.0.0.1\nlocal SVCB 1 . port=${port}`,
        txt('local')(port),
        'nowhere SVCB 0 .',
        // Labels of the DNS that no URL parser accepts.
        'xn-target SVCB 1 xn--a.example.',
        'xn-alias SVCB 0 xn--a.example.test.',
        'xn-cname CNAME xn--a.example.test.',
        'xn--a SVCB 1 .',
        txt('xn-target')(port),
        txt('xn-alias')(port),
        `xn-srv A ${PUBLIC}`,
        txt('xn-srv', KEY.fingerprint, `https://${at('xn-srv')}/.well-known/agent.json`)(port),
        `_agent._tcp.xn-srv SRV 0 0 ${port} xn--a.example.`,
        `hints A ${PUBLIC}\nhints SVCB 1 . port=${port} ipv4hint=10.0.0.9 ipv6hint=fd00::9`,
        txt('hints')(port),
        `two-faced A ${PUBLIC}\ntwo-faced AAAA fd00::7\ntwo-faced SVCB 1 . port=${port}`,
        txt('two-faced')(port),
        `no-srv A ${PUBLIC}`,
        txt('no-srv', KEY.fingerprint, `https://${at('no-srv')}/.well-known/agent.json`)(port),
        `own-port A ${PUBLIC}`,
        `_agent.own-port TXT "v=ADP1.1; pk=${KEY.fingerprint}; wk=https://${at('own-port')}/.well-known/agent.json; port=8443"`,
        'mixed SVCB 0 mixed0\nmixed0 CNAME mixed1\nmixed1 CNAME mixed2\nmixed2 CNAME mixed3\nmixed3 CNAME mixed4',
        'mixed4 SVCB 0 mixed5\nmixed5 CNAME mixed6\nmixed6 CNAME mixed7\nmixed7 CNAME mixed8\nmixed8 CNAME alice',
        '_agents SVCB 0 alice\n_agents SVCB 0 hosted\n_agents SVCB 0 192.0.2.7.\n_index._agents SVCB 1 index port=8443',
        `pieces A ${PUBLIC}\n_agent.pieces TXT "v=ADP1.1; pk=${KEY.fingerprint}; "\n_agent.pieces TXT "wk=https://${at('pieces')}:${port}/agent.json"`,
      ].join('\n')
      const own = (name: string) => well(name, making)
      return [
        signed('.', ''),
        signed('test', ''),
        signed(DOMAIN, records),
        signed(
          'plain.test',
          `${own('alice')}\nplainly SVCB 1 provider.example.test. port=${port} key65409="plainly.json"\n${txt('plainly')(port)}`,
          { algorithm: undefined },
        ),
        signed('stripped.test', own('alice'), { afterwards: without(/\sRRSIG\s+SVCB\s/) }),
        signed('past.test', own('alice'), { times: ['-s', '20200101000000', '-e', '20200201000000'] }),
        signed('foreign.test', own('alice'), { vouch: (ds) => ds.replace(/[0-9A-F]{8}\s*$/, '00000000\n') }),
        signed('bogus.test', own('alice'), { afterwards: without(/\sRRSIG\s+TLSA\s/) }),
      ]
    },
    answer(to, response, { port }) {
      const [host] = to.split('/')
      const url = `https://${host}:${port}${to.slice(host!.length)}`
      const plain = (more: object = {}) => metadata({ domain: host!, wellKnown: url, more })
      const own = plain()
      const key = own.identity.publicKey
      const answers: Record<string, () => unknown> = {
        [`${at('foreign')}/.well-known/agent.json`]: () =>
          send(response, metadata({ domain: 'bank.example', wellKnown: url })),
        [`${at('redirect')}/.well-known/agent.json`]: () =>
          response.writeHead(302, { location: 'https://169.254.169.254/latest/meta-data/' }).end(),
        [`${at('large')}/.well-known/agent.json`]: () => send(response, plain({ meta: 'x'.repeat(70_000) })),
        [`${at('bomb')}/.well-known/agent.json`]: () =>
          response
            .writeHead(200, { 'content-type': 'application/vnd.adp+json', 'content-encoding': 'gzip' })
            .end(gzipSync(Buffer.alloc(10 << 20, ' '))),
        [`${at('slow')}/.well-known/agent.json`]: () => response.writeHead(200).write('{'),
        [`${at('elsewhere')}/.well-known/agent.json`]: () =>
          send(response, metadata({ domain: host!, wellKnown: 'https://bank.example/.well-known/agent.json' })),
        [`${at('html')}/.well-known/agent.json`]: () => send(response, own, { 'content-type': 'text/html' }),
        [`${at('json')}/.well-known/agent.json`]: () =>
          send(response, own, { 'content-type': 'application/json; charset=utf-8' }),
        [`${at('no-full')}/.well-known/agent.json`]: () =>
          send(response, {
            ...own,
            identity: { ...own.identity, publicKey: { algorithm: 'ed25519', fingerprint: KEY.fingerprint } },
          }),
        [`${at('invalid')}/.well-known/agent.json`]: () =>
          send(response, { ...own, security: { tlsRequired: false, authMethods: [] } }),
        [`${at('bad-proof')}/.well-known/agent.json`]: () =>
          send(response, {
            ...own,
            identity: { ...own.identity, publicKey: { ...key, proof: `ed25519:${'A'.repeat(86)}` } },
          }),
        [`${at('chat')}/.well-known/agent.json`]: () =>
          send(response, { ...own, endpoints: { ...own.endpoints, chat: `wss://${at('chat')}/agent/chat` } }),
        [`${at('cached')}/.well-known/agent.json`]: () =>
          send(response, own, { 'cache-control': 'max-age=60', etag: '"1"' }),
        [`${at('claims')}/.well-known/agent.json`]: () =>
          send(
            response,
            plain({ dns: { svcbVerified: true, dnssecSigned: false, dane: { supported: true }, more: 1 } }),
          ),
        [`${at('other-path')}/.well-known/agent.json`]: () =>
          send(response, metadata({ domain: host!, wellKnown: url.replace('agent.json', 'other.json') })),
        [`${at('provider')}/.well-known/hosted.json`]: () =>
          send(response, metadata({ domain: at('hosted'), wellKnown: url })),
        [`${at('provider')}/.well-known/alias.json`]: () =>
          send(response, metadata({ domain: at('alias'), wellKnown: `https://${at('alias')}/.well-known/agent.json` })),
        [`${at('provider')}/.well-known/fallback.json`]: () =>
          send(response, metadata({ domain: at('fallback'), wellKnown: url })),
        [`${at('provider')}/.well-known/plainly.json`]: () =>
          send(response, metadata({ domain: 'plainly.plain.test', wellKnown: url })),
      }
      return (answers[to] ?? (() => send(response, own)))()
    },
  })
})
afterAll(() => world?.close())
beforeEach(() => {
  if (world === undefined) return
  world.requests.length = 0
  world.agents.length = 0
})

/** A resolver that records the questions, and when none is in progress any more. */
function counting(resolver: Resolver) {
  const questions: string[] = []
  let open = 0
  let rounds = 0
  const counted = async (question: Uint8Array<ArrayBuffer>) => {
    if (open++ === 0) rounds++
    const [asked] = decodeMessage(question).questions
    questions.push(`${asked!.name} ${typeName(asked!.type)}`)
    try {
      return await resolver(question)
    } finally {
      open--
    }
  }
  return { resolver: Object.assign(counted, { isPrivate: resolver.isPrivate }), questions, rounds: () => rounds }
}

describe.runIf(bind.available)('an agent', () => {
  test('[wellknown/4.1-1] [wellknown/4.2-1] [wellknown/8.1-2] [wellknown/8.1-3] passes all checks', async () => {
    const found = await world.discover(at('alice'))
    expect(found.proof.verdict).toBe('verified')
    expect(found.proof.highest).toBe('key-verified')
    expect(found.proof.levels).toEqual([
      { level: 'dns-verified', quality: 'checked' },
      { level: 'dane-verified', quality: 'checked' },
      { level: 'key-verified', quality: 'checked' },
    ])
    expect(found.agent).toMatchObject({
      uri: 'agent:alice.example.test',
      host: at('alice'),
      port: world.port,
      addresses: [PUBLIC],
      alpn: ['a2a', 'h2'],
      bap: 'a2a',
      fingerprint: KEY.fingerprint,
    })
    expect(codes(found)).toEqual([])
    expect(world.requests).toEqual([`${at('alice')}/.well-known/agent.json`])
  })

  test('[wellknown/3-1] needs no request for the address alone', async () => {
    const found = await world.discover(at('alice'), { need: 'address' })
    expect(found.agent).toMatchObject({ host: at('alice'), metadata: undefined, fingerprint: KEY.fingerprint })
    expect(found.proof).toMatchObject({ verdict: 'verified', highest: 'dns-verified' })
    expect(world.requests).toEqual([])
  })

  test('is valid for the least of the TTLs and the HTTP freshness of the metadata', async () => {
    const { fetch } = world.options
    const says = (control: string) => {
      const saying: GuardedFetch = async (input, init) => {
        const response = await fetch!(input, init)
        const headers = { 'content-type': response.headers.get('content-type')!, 'cache-control': control }
        return new Response(await response.arrayBuffer(), { headers })
      }
      return { fetch: Object.assign(saying, fetch) }
    }
    const freshMs = async (more = {}) => (await world.discover(at('alice'), more)).freshMs
    // The zones have a TTL of 60 seconds. A server without caching headers means an hour (section 6.4).
    expect(await freshMs()).toBe(60_000)
    expect(await freshMs(says('max-age=600'))).toBe(60_000)
    expect(await freshMs(says('max-age=20'))).toBe(20_000)
    expect(await freshMs(says('no-cache'))).toBe(0)
  })

  test('takes two rounds of questions, also over HTTPS', async () => {
    const doh = await startDoh(world.dns.port)
    try {
      for (const resolver of [world.options.resolver, dohResolver(doh.url)]) {
        const { resolver: counted, questions, rounds } = counting(resolver)
        expect(endedBy(await world.discover(at('alice'), { resolver: counted }))).toBe('an agent')
        expect(rounds()).toBe(2)
        expect(questions.slice(0, 3).sort()).toEqual([
          `_agent._tcp.${at('alice')} SRV`,
          `_agent.${at('alice')} TXT`,
          `${at('alice')} SVCB`,
        ])
        expect(questions.slice(3).sort()).toEqual(
          [`${at('alice')} A`, `${at('alice')} AAAA`, `_${world.port}._tcp.${at('alice')} TLSA`]
            .concat(['. DNSKEY', 'test DS', 'test DNSKEY', 'example.test DS', 'example.test DNSKEY'])
            .sort(),
        )
      }
    } finally {
      await doh.close()
    }
  })

  test('[wellknown/4.1.2-1] may be hosted by a provider', async () => {
    const found = await world.discover(at('hosted'))
    expect(endedBy(found)).toBe('an agent')
    expect(found.agent).toMatchObject({
      host: at('provider'),
      url: `https://${at('provider')}:${world.port}/.well-known/hosted.json`,
    })
    expect(found.proof.highest).toBe('key-verified')
  })

  test('may be behind an alias', async () => {
    const { resolver, rounds } = counting(world.options.resolver)
    const found = await world.discover(at('alias'), { resolver })
    expect(endedBy(found)).toBe('an agent')
    expect(found.agent).toMatchObject({ uri: 'agent:alias.example.test', host: at('provider') })
    expect(rounds()).toBe(3)
  })

  test('[wellknown/5.3-1] [wellknown/5.3-2] [wellknown/5.2-1] is found by TXT and SRV, which is reported', async () => {
    const found = await world.discover(at('fallback'))
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(world.agents).toEqual([`blazon/${version} (adp-fallback)`])
    expect((await replay(found.trace, { anchors: world.dns.anchors })).proof).toEqual(found.proof)
    expect(endedBy(found)).toBe('an agent')
    expect(found.agent).toMatchObject({ host: at('provider'), port: world.port })
    expect(outcomes(found)).toMatchObject({ svcb: 'skipped', txt: 'passed', srv: 'passed', fallback: 'warning' })
    expect(codes(found)).toEqual(['DNS-133'])
    expect(found.proof.highest).toBe('key-verified')
  })

  test('[wellknown/5.3-2] sends a user agent only with the fallback', async () => {
    await world.discover(at('alice'))
    expect(world.agents).toEqual([undefined])
  })

  test.each([
    ['443 without SRV', 'no-srv', 443],
    ['the port of the TXT record without SRV', 'own-port', 8443],
  ])('[wellknown/5.2-1] [wellknown/5.1-4] %s', async (_, name, port) => {
    const found = await world.discover(at(name), { need: 'address' })
    expect(found.agent).toMatchObject({ host: at(name), port })
    expect(outcomes(found)).toMatchObject({ srv: 'skipped' })
  })

  test('ignores address hints of an SVCB record', async () => {
    const found = await world.discover(at('hints'))
    expect(endedBy(found)).toBe('an agent')
    expect(found.agent).toMatchObject({ addresses: [PUBLIC] })
  })

  test('[wellknown/6.3.6-2] compares its claims about its DNS with what was seen, and raises no level', async () => {
    const found = await world.discover(at('claims'))
    const plain = await world.discover(at('alice'))
    const step = found.proof.steps.find(({ name }) => name === 'claims')
    expect(step).toMatchObject({
      outcome: 'skipped',
      detail:
        'svcbVerified true, seen: an SVCB record; dnssecSigned false, seen: DNSSEC checked; dane.supported true, seen: the certificate that the DNS names',
    })
    expect([found.proof.verdict, found.proof.levels]).toEqual([plain.proof.verdict, plain.proof.levels])
    expect(outcomes(plain)).not.toHaveProperty('claims')
  })

  test('[wellknown/6.3.3-1] warns about metadata that names another path at the same host', async () => {
    const found = await world.discover(at('other-path'))
    expect(endedBy(found)).toBe('an agent')
    expect(codes(found)).toEqual(['WK-124'])
  })

  test('[wellknown/5.1-5] may have SPF and AID records next to its own', async () => {
    expect((await world.discover(at('beside'))).proof.highest).toBe('key-verified')
  })

  test('[wellknown/5.1-5] reports a joined record, or refuses pieces in another order', async () => {
    const found = await world.discover(at('pieces'))
    if (found.agent === undefined) expect(endedBy(found)).toBe('txt DNS-130')
    else expect(codes(found)).toEqual(['DNS-131', 'DNS-133'])
  })

  test('accepts either key during a change', async () => {
    const found = await world.discover(at('two-keys'))
    expect(found.agent?.fingerprint).toBe(KEY.fingerprint)
    expect(found.proof.highest).toBe('key-verified')
  })

  test('[wellknown/4.2-2] accepts a certificate named by its authority', async () => {
    const found = await world.discover(at('by-authority'), { require: 'dane-verified' })
    expect(endedBy(found)).toBe('an agent')
  })

  test.each([
    ['no-text', ['dane-verified'], ['WK-161']],
    ['no-tlsa', ['dns-verified', 'key-verified'], []],
    ['no-full', ['dns-verified', 'dane-verified'], ['WK-162']],
    ['many-tlsa', ['dns-verified', 'dane-verified', 'key-verified'], ['DNS-147']],
    ['unusable', ['dns-verified', 'key-verified'], ['DNS-142']],
    ['html', ['dns-verified', 'dane-verified', 'key-verified'], ['WK-163']],
    ['json', ['dns-verified', 'dane-verified', 'key-verified'], []],
  ])('[wellknown/6.2-1] [wellknown/8.1-1] [wellknown/8.1.2-1] %s reaches %j', async (name, levels, found) => {
    const discovery = await world.discover(at(name))
    expect(discovery.proof.levels.map(({ level }) => level)).toEqual(levels)
    expect(codes(discovery).filter((code) => code !== 'WK-166')).toEqual(found)
  })

  test('a certificate refused because of the 33rd TLSA record reports how many are compared', async () => {
    const lost = await world.discover(at('lost-tlsa'))
    expect([endedBy(lost), lost.proof.steps.at(-1)!.detail]).toEqual([
      expect.stringMatching(/DNS-140$/),
      expect.stringContaining('41 records, and only 32 are compared'),
    ])
  })

  test('[wellknown/7.2.2-1] needs a chat endpoint for need: peer', async () => {
    expect(endedBy(await world.discover(at('chat'), { need: 'peer' }))).toBe('an agent')
    expect(endedBy(await world.discover(at('alice'), { need: 'peer' }))).toBe('chat WK-169')
  })

  test('may have a domain in its own letters', async () => {
    const found = await world.discover('agent:Alice.Example.Test.')
    expect(found.domain).toEqual({ ascii: at('alice'), unicode: at('alice') })
    expect(endedBy(found)).toBe('an agent')
  })
})

describe.runIf(bind.available)('unsigned DNS', () => {
  test('[wellknown/4.2-1] [wellknown/4.3-1] reports a TLSA record there, and does not use it', async () => {
    const found = await world.discover('alice.plain.test')
    expect(found.proof.levels).toEqual([
      { level: 'dns-verified', quality: 'not shown' },
      { level: 'key-verified', quality: 'not shown' },
    ])
    expect(codes(found)).toEqual(['DNS-141'])
    expect(found.proof.doesNotShow).toContain('that nobody changed the answers of the DNS in transit')
    expect(endedBy(await world.discover('alice.plain.test', { require: 'dane-verified' }))).toBe('level WK-166')
  })

  test('an unsigned path to a signed host is unsigned', async () => {
    const found = await world.discover('plainly.plain.test')
    expect(codes(found)).toEqual(['DNS-144'])
    expect(found.proof.levels.map(({ level }) => level)).toEqual(['dns-verified', 'key-verified'])
  })

  /** Sets the AD bit in every answer. */
  const saying = (isPrivate: boolean): Resolver =>
    Object.assign(
      async (question: Uint8Array<ArrayBuffer>) => {
        const answer = (await world.options.resolver(question)).slice()
        answer[3]! |= 0x20
        return answer
      },
      { isPrivate },
    )

  test('the AD bit only counts over a channel that nobody can change', async () => {
    // No anchor: nothing can be verified here, as in a host without our keys.
    const over = (isPrivate: boolean) => world.discover(at('alice'), { anchors: {}, resolver: saying(isPrivate) })
    expect((await over(true)).proof.levels).toContainEqual({ level: 'dane-verified', quality: 'resolver' })
    const plain = await over(false)
    expect(plain.proof.levels.map(({ quality }) => quality)).toEqual(['not shown', 'not shown'])
    expect(codes(plain)).toEqual(['DNS-141'])
  })

  test('the AD bit never outweighs a signed proof that the zone is unsigned', async () => {
    const { proof } = await world.discover('alice.plain.test', { resolver: saying(true) })
    expect(proof.levels).toEqual([
      { level: 'dns-verified', quality: 'not shown' },
      { level: 'key-verified', quality: 'not shown' },
    ])
  })

  test('a required level can require that the DNS was checked here', async () => {
    const requiring = (level: Level, dns?: 'checked') => ({ require: { level, ...(dns && { dns }) } })
    const resolver = saying(true)
    const unchecked = { anchors: {}, resolver }
    expect(endedBy(await world.discover(at('alice'), { ...unchecked, ...requiring('key-verified') }))).toBe('an agent')
    expect(endedBy(await world.discover(at('alice'), { ...unchecked, ...requiring('key-verified', 'checked') }))).toBe(
      'level WK-166',
    )
    expect(endedBy(await world.discover('alice.plain.test', requiring('key-verified', 'checked')))).toBe('level WK-166')
    const found = await world.discover(at('alice'), requiring('dane-verified', 'checked'))
    expect(endedBy(found)).toBe('an agent')
    expect(found.trace).toMatchObject({ require: 'dane-verified', requireDns: 'checked' })
    expect(validate(JSON.stringify(found.trace)).diagnostics).toEqual([])
    await expect(world.discover(at('alice'), requiring('key-verified', 'resolver' as 'checked'))).rejects.toThrow(
      RangeError,
    )
  })

  test('a trace of it shows no level: its recorder could invent answers, AD bit and channel', async () => {
    const { anchors } = world.dns
    const recorded = async (options: object) => {
      const { trace } = await world.discover('alice.plain.test', options)
      return JSON.parse(JSON.stringify({ ...trace, private: true }))
    }
    const trace = await recorded({ resolver: saying(true) })
    const again = await replay(trace, { anchors })
    expect(again.proof.verdict).toBe('unverifiable')
    expect(again.proof.steps.at(-1)).toMatchObject({
      name: 'level',
      outcome: 'unknown',
      detail: expect.stringMatching(/key-verified \(not shown\): nobody signed these answers/),
    })
    const proof = await verify(JSON.stringify(trace), {
      anchors,
      expect: { id: 'agent:alice.plain.test', keys: [KEY.pem] },
    })
    expect(proof.verdict).toBe('unverifiable')
    expect(proof.steps.find(({ name }) => name === 'recorder')?.detail).toMatch(/^answers of the DNS, TLS/)
    // With a required level no agent is returned; without one, the recorded agent is.
    expect(again.agent).toBeDefined()
    const required = await replay(await recorded({ require: 'key-verified' }), { anchors })
    expect([required.proof.verdict, required.agent]).toEqual(['unverifiable', undefined])
    // Without anchors, an invented trace of a signed domain shows no more.
    const unanchored = await world.discover(at('alice'), { anchors: {}, resolver: saying(true) })
    expect(unanchored.proof.highest).toBe('key-verified')
    expect((await replay({ ...unanchored.trace, private: true }, { anchors: {} })).proof.verdict).toBe('unverifiable')
  })
})

describe.runIf(bind.available)('attacks', () => {
  test.each([
    ['[wellknown/8.1.2-2] a swapped key', at('swapped'), 'key WK-160'],
    ['[wellknown/8.1.2-1] a fingerprint of the SPKI', at('spki'), 'key WK-187'],
    ['metadata under another name', at('foreign'), 'identity WK-155'],
    ['metadata of another place', at('elsewhere'), 'place WK-165'],
    ['a name that is an alias of another agent', at('cname'), 'identity WK-155'],
    ['[wellknown/4.2-3] [wellknown/8.2-2] a certificate that the DNS does not name', at('stranger'), 'tlsa DNS-140'],
    ['the server’s own certificate as its authority', at('wrong-cert'), 'tlsa DNS-140'],
    ['[wellknown/4.1.1-2] well-known=../..', at('escape'), 'svcb DNS-122'],
    ['well-known=/etc', at('absolute'), 'svcb DNS-122'],
    [
      '[wellknown/4.1.1-1] every record demands what is not known: no way around by TXT',
      at('mandatory'),
      'svcb DNS-121',
    ],
    ['an address inside', at('inside'), 'addresses DOC-180'],
    ['a redirect inward', at('redirect'), 'metadata DOC-183'],
    ['too much', at('large'), 'metadata DOC-184'],
    ['a bomb: ten MB in ten KB, which is not even opened', at('bomb'), 'metadata DOC-181'],
    ['a host that has no address', at('homeless'), 'addresses DNS-134'],
    ['an alias loop', at('loop'), 'svcb DNS-105'],
    ['more than eight aliases', at('chain0'), 'svcb DNS-105'],
    ['more than eight aliases of two sorts', at('mixed'), 'svcb DNS-105'],
    ['an address inside beside a public one', at('two-faced'), 'addresses DOC-180'],
    ['an address of this machine', at('local'), 'addresses DOC-180'],
    ['an alias of nothing', at('nowhere'), 'svcb DNS-123'],
    ['a target that is no host of a URL', at('xn-target'), 'svcb DNS-108'],
    ['an alias that is no host of a URL', at('xn-alias'), 'svcb DNS-108'],
    ['a CNAME that is no host of a URL', at('xn-cname'), 'svcb DNS-108'],
    ['an SRV target that is no host of a URL', at('xn-srv'), 'srv DNS-108'],
    ['nothing', at('nothing'), 'txt DNS-132'],
    ['metadata that breaks the rules', at('invalid'), 'valid WK-141'],
    ['a proof that does not hold', at('bad-proof'), 'proof WK-150'],
    ['[wellknown/4.3-1] a stripped signature', 'alice.stripped.test', 'svcb DNS-111'],
    ['an expired signature', 'alice.past.test', 'svcb DNS-112'],
    ['a foreign key', 'alice.foreign.test', 'svcb DNS-114'],
    ['a bogus TLSA record', 'alice.bogus.test', 'tlsa DNS-111'],
  ])('%s', async (_, domain, expected) => {
    const found = await world.discover(domain)
    expect(endedBy(found), JSON.stringify(found.proof.steps.at(-1))).toBe(expected)
    if (expected !== 'an agent')
      expect(found.proof).toMatchObject({ verdict: 'failed', levels: [], highest: undefined })
    // The trace is enough to see the same.
    const again = await replay(JSON.parse(JSON.stringify(found.trace)), { anchors: world.dns.anchors })
    expect(again.proof).toEqual(found.proof)
  })

  test('[wellknown/4.2-3] judges the certificate before anything is sent', async () => {
    await world.discover(at('stranger'))
    expect(world.requests).toEqual([])
  })

  test('one deadline covers an endless server and an endless resolver', async () => {
    const slow = await world.discover(at('slow'), { timeoutMs: 5000 })
    expect(endedBy(slow)).toBe('metadata DOC-185')
    const silent = Object.assign(() => new Promise<Uint8Array>(() => {}), { isPrivate: true })
    expect(endedBy(await world.discover(at('alice'), { resolver: silent, timeoutMs: 50 }))).toBe('svcb DNS-104')
  })

  test('the caller may abort it', async () => {
    const signal = AbortSignal.timeout(30)
    const silent = Object.assign(() => new Promise<Uint8Array>(() => {}), { isPrivate: true })
    const error = await world.discover(at('alice'), { resolver: silent, signal }).catch((reason: unknown) => reason)
    expect(error).toBe(signal.reason)
  })

  /** The resolver of the test, which answers SERVFAIL to questions of a type. */
  const failingAt = (type: string): Resolver =>
    Object.assign(
      async (question: Uint8Array<ArrayBuffer>) => {
        const answer = (await world.options.resolver(question)).slice()
        if (typeName(decodeMessage(question).questions[0]!.type) === type) answer[3] = (answer[3]! & 0xf0) | 2
        return answer
      },
      { isPrivate: false },
    )

  test.each(['SVCB', 'TXT', 'A', 'TLSA', 'DNSKEY'])('SERVFAIL for %s causes no fallback', async (type) => {
    expect(endedBy(await world.discover(at('alice'), { resolver: failingAt(type) }))).toMatch(/ DNS-103$/)
    expect(world.requests).toEqual([])
  })

  test.each(['fallback', 'no-srv'])('SERVFAIL for SRV of %s, and for AAAA, causes no fallback', async (name) => {
    for (const type of ['SRV', 'AAAA'])
      expect(endedBy(await world.discover(at(name), { resolver: failingAt(type) }))).toMatch(/ DNS-103$/)
    expect(world.requests).toEqual([])
  })

  test.each([
    ['of five bytes', 'A', [1, 2, 3, 4, 5]],
    ['of none', 'AAAA', []],
    ['of the other sort', 'A', [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
  ])('an address %s ends it with a finding', async (_, type, rdata) => {
    const resolver: Resolver = Object.assign(
      async (question: Uint8Array<ArrayBuffer>) => {
        const [asked] = decodeMessage(question).questions
        if (asked!.name !== 'alice.plain.test' || typeName(asked!.type) !== type)
          return world.options.resolver(question)
        const head = [0, 0, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]
        const own = question.subarray(12, question.length - 11)
        const record = [0xc0, 12, asked!.type >> 8, asked!.type & 0xff, 0, 1, 0, 0, 0, 60, 0, rdata.length, ...rdata]
        return Uint8Array.from([...head, ...own, ...record])
      },
      { isPrivate: false },
    )
    expect(endedBy(await world.discover('alice.plain.test', { resolver }))).toBe('addresses DNS-101')
  })

  test('any answer of a resolver ends in a proof', async () => {
    const honest = new Map<string, Uint8Array>()
    const next = random(20_261_124)
    const below = (count: number) => Math.floor(next() * count)
    let rate = 0
    const liar: Resolver = Object.assign(
      async (question: Uint8Array<ArrayBuffer>) => {
        const key = Buffer.from(question).toString('base64')
        const heard = honest.get(key) ?? (await world.options.resolver(question))
        honest.set(key, heard)
        const answer = Uint8Array.from(heard)
        // One or more bits are changed, or the end is missing.
        if (rate === 0 || next() > rate) return answer
        for (let i = below(3); i >= 0; i--) answer[2 + below(answer.length - 2)]! ^= 1 << below(8)
        return below(20) === 0 ? answer.subarray(0, below(answer.length)) : answer
      },
      { isPrivate: false },
    )
    const ends = new Set<string>()
    for (const domain of ['alice.plain.test', 'plainly.plain.test', at('alice'), at('no-srv')]) {
      for (let round = 0; round < casesOf(250); round++) {
        rate = round === 0 ? 0 : 0.15
        ends.add(endedBy(await world.discover(domain, { resolver: liar, need: 'address', descriptor: true })))
      }
    }
    expect(ends.size, [...ends].join()).toBeGreaterThan(8)
    for (const end of ends) expect(end).toMatch(/^(an agent|\w+ (DNS|DOC)-\d{3})$/)
  })

  test('rebinding: connects to the address that was judged', async () => {
    // The system would give another address: it is not asked.
    const { guardedFetch } = await import('../../../bindings/node/fetch.ts')
    const asked: string[] = []
    const fetch = guardedFetch({
      resolve: async (host) => {
        asked.push(host)
        return ['127.0.0.1']
      },
      dial: (address) => {
        asked.push(address)
        return '127.0.0.1'
      },
    })
    await world.discover(at('alice'), { fetch })
    expect(asked).toEqual([PUBLIC])
  })

  test('[wellknown/8.2-1] refuses TLS 1.2 unless the caller allows it', async () => {
    const old = await startWorld({
      names: [at('tls12')],
      zones: (making) => [signed('.', ''), signed('test', ''), signed(DOMAIN, well('tls12', making))],
      answer: (to, response, { port }) =>
        send(
          response,
          metadata({
            domain: at('tls12'),
            wellKnown: `https://${at('tls12')}:${port}/${to.slice(to.indexOf('/') + 1)}`,
          }),
        ),
      server: { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' },
    })
    try {
      expect(endedBy(await old.discover(at('tls12')))).toBe('metadata DOC-181')
      const lower = await old.discover(at('tls12'), { leastTls: 'TLSv1.2' })
      expect(endedBy(lower)).toBe('an agent')
      expect(lower.proof.steps.find(({ name }) => name === 'tls')?.detail).toContain('TLSv1.2')
      expect(lower.proof.doesNotShow).toContain('TLS 1.3, which the draft requires: the caller allowed less')
    } finally {
      await old.close()
    }
  })
})

describe.runIf(bind.available)('on this machine, for development', () => {
  test('[wellknown/8.2-3] accepts a self-signed certificate by an explicit option, and reports it', async () => {
    const { guardedFetch } = await import('../../../bindings/node/fetch.ts')
    const fetch = guardedFetch()
    expect(endedBy(await world.discover(at('local'), { fetch }))).toBe('addresses DOC-180')
    const found = await world.discover(at('local'), { fetch, loopback: true })
    expect(endedBy(found)).toBe('an agent')
    expect(codes(found)).toEqual(['WK-168'])
    expect((await replay(found.trace, { anchors: world.dns.anchors })).proof).toEqual(found.proof)
  })
})

describe.runIf(bind.available)('where the host shows no connection', () => {
  test('reports what cannot be checked', async () => {
    const { fetch } = world.options
    const hidden = (input: string, init?: RequestInit) => fetch!(input, { ...init, addresses: [PUBLIC] })
    const found = await world.discover(at('alice'), { fetch: hidden })
    expect(codes(found)).toEqual(['WK-167', 'DNS-143'])
    expect(found.proof.levels.map(({ level }) => level)).toEqual(['dns-verified', 'key-verified'])
    expect(endedBy(await world.discover(at('alice'), { fetch: hidden, require: 'dane-verified' }))).toBe('level WK-166')
  })
})

describe.runIf(bind.available)('caching', () => {
  test('[wellknown/6.4-1] follows HTTP', async () => {
    const cache = new Map()
    const now = Date.now()
    const later = (seconds: number) => world.discover(at('cached'), { cache, now: new Date(now + seconds * 1000) })
    for (const seconds of [0, 59, 61]) expect(endedBy(await later(seconds))).toBe('an agent')
    expect(world.requests).toHaveLength(2)
    const hit = await later(62)
    expect(hit.trace.steps.find((step) => step.kind === 'http')).toMatchObject({ fromCache: true })
    expect(hit.proof.levels).toHaveLength(3)
    expect((await replay(hit.trace, { anchors: world.dns.anchors })).proof).toEqual(hit.proof)
  })
  test('[wellknown/6.4-2] lasts an hour without caching headers', async () => {
    const cache = new Map()
    const now = Date.now()
    const later = (seconds: number) =>
      world.discover(at('silent-cache'), { cache, now: new Date(now + seconds * 1000) })
    for (const seconds of [0, 3599, 3601]) expect(endedBy(await later(seconds))).toBe('an agent')
    expect(world.requests).toHaveLength(2)
  })
})

describe.runIf(bind.available)('a changed key', () => {
  test('[wellknown/8.1.2-2] makes a discovery fetch cached metadata again', async () => {
    const cache = new Map()
    await world.discover(at('cached'), { cache })
    const [url, kept] = [...cache][0]!
    const before = Buffer.from(JSON.stringify(metadata({ domain: at('cached'), wellKnown: url, key: OTHER_KEY })))
    cache.set(url, { ...kept, bytes: before })
    const found = await world.discover(at('cached'), { cache })
    expect(endedBy(found)).toBe('an agent')
    expect(found.agent?.fingerprint).toBe(KEY.fingerprint)
    expect(world.requests).toHaveLength(2)
    expect(cache.get(url).bytes).toEqual(kept.bytes)
    expect((await replay(found.trace, { anchors: world.dns.anchors })).proof).toEqual(found.proof)
  })
})

describe.runIf(bind.available)('a trace', () => {
  test('with a self-signed certificate gives no agent, unless that was allowed on this machine', async () => {
    const { trace } = await world.discover(at('alice'))
    const change = (step: Trace['steps'][number]) =>
      step.kind === 'http' ? { ...step, connection: { ...step.connection!, trusted: false } } : step
    const steps = trace.steps.map(change)
    for (const more of [{}, { loopback: true as const }]) {
      const local = steps.map((step) =>
        step.kind === 'http' ? { ...step, connection: { ...step.connection!, address: PUBLIC } } : step,
      )
      const again = await replay({ ...trace, ...more, steps: local }, { anchors: world.dns.anchors })
      expect(endedBy(again)).toBe('tls WK-168')
    }
  })

  test.each(['TLSv1.1', 'unknown', ''])('with TLS %j gives no agent', async (tls) => {
    const { trace } = await world.discover(at('alice'))
    const steps = trace.steps.map((step) =>
      step.kind === 'http' ? { ...step, connection: { ...step.connection!, tls } } : step,
    )
    for (const leastTls of ['TLSv1.2', 'TLSv1.3'] as const)
      expect(endedBy(await replay({ ...trace, leastTls, steps }, { anchors: world.dns.anchors }))).toBe('tls WK-164')
  })

  test('does not contain the address of a failing resolver, which may be a secret', async () => {
    const { guardedFetch } = await import('../../../bindings/node/fetch.ts')
    const port = await freePort()
    const inside: Resolver[] = [
      dohResolver(`http://127.0.0.1:${port}/secret?token=secret`),
      dohResolver('https://10.0.0.1/secret?token=secret', { fetch: guardedFetch() }),
      dohResolver(`https://localhost:${world.port}/secret`, { fetch: guardedFetch() }),
      udpResolver({ address: '127.0.0.1', port, timeoutMs: 100, retries: 0 }),
    ]
    for (const resolver of inside) {
      const { trace, proof } = await world.discover(at('alice'), { resolver })
      expect(proof.steps.at(-1)?.diagnostic?.code).toMatch(/DNS-10[47]/)
      expect(JSON.stringify([trace, proof])).not.toMatch(/secret|127\.0\.0\.1|10\.0\.0\.1|localhost/)
      expect((await replay(JSON.parse(JSON.stringify(trace)))).proof).toEqual(proof)
    }
  })

  test('gives the same proof, and another at another time or with other anchors', async () => {
    const found = await world.discover(at('alice'))
    const trace = JSON.parse(JSON.stringify(found.trace))
    const { anchors } = world.dns
    const again = await replay(trace, { anchors })
    expect(again.proof).toEqual(found.proof)
    expect(again.agent?.metadata?.value).toEqual(found.agent?.metadata?.value)
    const late = await replay(trace, { anchors, now: new Date('2060-01-01') })
    expect(endedBy(late)).toBe('svcb DNS-112')
    expect(endedBy(await replay(trace))).toMatch(/DNS-11\d$/)
  })

  test('names what vouches for each step, and contains nothing about the resolver', async () => {
    const doh = await startDoh(world.dns.port)
    try {
      const { trace } = await world.discover(at('alice'), { resolver: dohResolver(`${doh.url}?token=secret`) })
      expect(JSON.stringify(trace)).not.toContain('secret')
      expect(JSON.stringify(trace)).not.toContain(`:${new URL(doh.url).port}`)
      for (const step of nonEmpty(trace.steps)) {
        expect(step.by).toBe(step.kind === 'dns' ? 'signatures' : 'recorder')
        expect(step.section).toMatch(/^ADP\/1\.1 section \d/)
      }
    } finally {
      await doh.close()
    }
  })

  test('is a document: validate finds nothing, verify judges it', async () => {
    const found = await world.discover(at('alice'))
    const source = JSON.stringify(found.trace)
    expect(validate(source)).toMatchObject({ kind: 'trace', valid: true, diagnostics: [] })
    const { anchors } = world.dns
    const proof = await verify(source, { anchors, expect: { id: 'agent:alice.example.test', keys: [KEY.pem] } })
    expect(proof.verdict).toBe('verified')
    expect(proof.steps.map(({ diagnostic }) => diagnostic?.code).filter(Boolean)).toEqual(['WK-181'])
    const verdictOf = async (expected: object) => (await verify(source, { anchors, expect: expected })).verdict
    expect(await verdictOf({ id: 'agent:bank.example' })).toBe('failed')
    expect(await verdictOf({ keys: [OTHER_KEY.pem] })).toBe('failed')
    expect((await verify(source)).verdict).toBe('failed')
    const late = await verify(source, { anchors, now: new Date('2060-01-01') })
    expect(late.verdict).toBe('failed')
  })

  test('never gives another agent after a changed byte', async () => {
    const { trace } = await world.discover(at('alice'))
    const { anchors } = world.dns
    const said = ({ agent }: Discovery) => ({ ...agent!, metadata: agent?.metadata?.value })
    const honest = said(await replay(trace, { anchors }))
    let refused = 0
    for (const [i, step] of trace.steps.entries()) {
      if (step.kind !== 'dns' || step.answer === undefined) continue
      const answer = Buffer.from(step.answer, 'base64')
      for (let at = 12; at < answer.length; at += 29) {
        const changed = Buffer.from(answer)
        changed[at]! ^= 1
        const steps = trace.steps.with(i, { ...step, answer: changed.toString('base64') })
        const again = await replay({ ...trace, steps }, { anchors })
        if (again.agent === undefined) refused++
        else expect(said(again)).toEqual(honest)
      }
    }
    expect(refused).toBeGreaterThan(20)
  })
})

describe.runIf(bind.available)('the agents of an organization', () => {
  test('[wellknown/4.1.3-1] lists all aliases, sorted, and no addresses', async () => {
    const listed = await listAgents(DOMAIN, world.options)
    expect(listed).toEqual({
      ok: true,
      agents: [at('alice'), at('hosted')],
      index: `${at('index')}:8443`,
      quality: 'checked',
    })
  })
  test('may be empty', async () => {
    expect(await listAgents('plain.test', world.options)).toMatchObject({ ok: true, agents: [], index: undefined })
  })
  test('ignores an answer that may not be believed', async () => {
    expect(await listAgents('past.test', world.options)).toMatchObject({ ok: false, diagnostic: { code: 'DNS-112' } })
  })
})

describe('an invalid domain', () => {
  test.each([
    '',
    'localhost',
    '127.0.0.1',
    'https://alice.example/',
    'alice.example:443',
    'a@b.example',
    'a..example',
    'agent://x',
    '[::1]',
    '1.2.3',
    'x y.example',
    'a%2eexample.com',
    `${'a'.repeat(64)}.example`,
  ])('%j', async (domain) => {
    const resolver = Object.assign(async () => new Uint8Array(0), { isPrivate: true })
    await expect(discover(domain, { resolver })).rejects.toThrow(TypeError)
  })
})
