// The command with real parts: a signed zone, and a server over TLS 1.3.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Resolver } from '../../bindings/discover/dns/lookup.ts'
import { toHex } from '../../bindings/text/bytes.ts'
import { KEY, metadata, OTHER_KEY, PUBLIC, send, signed, startWorld, type World } from '../discover/trust/lab.ts'
import { bind } from '../support/dns-lab.ts'
import { blazon, type Setting } from './terminal.ts'

if (!bind.available) console.warn(`NOT RUN: blazon discover against bind9: ${bind.reason}`)

const ALICE = 'alice.example.test'
/** What the domain publishes in addition to its agent, by path. */
const OTHERS: Readonly<Record<string, object>> = {
  'adl-agents': {
    adl_discovery: '1.0',
    agents: [{ id: `https://${ALICE}/a`, name: 'A', version: '1.0.0', adl_document: `https://${ALICE}/a.adl.json` }],
  },
  'agent-card.json': {
    name: 'Alice',
    supportedInterfaces: [{ url: `https://${ALICE}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    skills: [],
  },
  'ai-catalog.json': { specVersion: '1.0', entries: [] },
}

let world: World
let setting: Setting
beforeAll(async () => {
  if (!bind.available) return
  const txt = (name: string, port: number, key: string) =>
    `_agent.${name} TXT "v=ADP1.1; pk=${key}; wk=https://${name}.example.test:${port}/.well-known/agent.json"`
  world = await startWorld({
    names: [ALICE, 'bob.example.test', 'dave.example.test'],
    zones: ({ port, spki }) => [
      signed('.', ''),
      signed('test', ''),
      signed(
        'example.test',
        [
          `alice A ${PUBLIC}`,
          `alice SVCB 1 . port=${port} key65402="a2a"`,
          txt('alice', port, KEY.fingerprint),
          `_${port}._tcp.alice TLSA 3 1 1 ${spki}`,
          `bob A ${PUBLIC}\nbob SVCB 1 . port=${port}`,
          txt('bob', port, OTHER_KEY.fingerprint),
          '_agents.alice SVCB 0 bob',
          `dave A ${PUBLIC}`,
          txt('dave', port, KEY.fingerprint),
        ].join('\n'),
      ),
    ],
    answer: (to, response, { port }) => {
      const [host = '', ...path] = to.split('/')
      const other = OTHERS[path.at(-1)!]
      if (other !== undefined) return send(response, other)
      if (path.at(-1) !== 'agent.json') return response.writeHead(404).end()
      const more = host.startsWith('dave')
        ? { dns: { svcbVerified: true, dane: { supported: true }, own: 'kept' } }
        : {}
      const wellKnown = `https://${host}:${port}/.well-known/agent.json`
      return send(response, metadata({ domain: host, wellKnown, more }))
    },
  })
  const [root] = world.dns.anchors['.']!
  const { keyTag, algorithm, digestType, digest } = root!
  const anchors = `; of this test\n. 60 IN DS ${keyTag} ${algorithm} ${digestType} ${toHex(digest).toUpperCase()}\n`
  setting = { files: { anchors }, fetch: world.options.fetch!, resolver: () => world.options.resolver }
})
afterAll(() => world?.close())

const run = (argv: readonly string[], more: Setting = {}) =>
  blazon(['discover', ...argv], { ...setting, ...more, files: { ...setting?.files, ...more.files } })

describe.runIf(bind.available)('blazon discover', () => {
  test('writes the steps, the ladder, the conclusions, and what else the domain publishes', async () => {
    const { code, stdout, stderr } = await run([`agent:${ALICE}`, '--anchors', 'anchors'])
    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(/^asking 192\.0\.2\.53 for alice\.example\.test, and the server that it names\n/)
    const rungs = stdout.split('\n').filter((line) => line.startsWith('  |'))
    expect(rungs.map((line) => line.slice(2, 22).trim())).toEqual([
      '|   |  peer-verified',
      '|===|  key-verified',
      '|===|  dane-verified',
      '|===|  dns-verified',
    ])
    expect(stdout).toContain(`  passed   Key that the DNS names: ${KEY.fingerprint}\n`)
    expect(stdout).toContain('does not show\n  - who answers at its endpoints')
    expect(stdout).toContain('also there\n  - agent that the DNS lists: agent:bob.example.test\n')
  })

  test('lists what else a domain publishes: a list of definitions, an A2A card, a catalog', async () => {
    // The other documents are at port 443; the server here has its own port.
    const { fetch } = world.options
    const moved: typeof fetch = Object.assign(
      (url: string, init?: RequestInit) => fetch!(url.replace(`${ALICE}/`, `${ALICE}:${world.port}/`), init),
      { checksAddresses: true, seesConnections: true },
    )
    const { code, stdout } = await run([ALICE, '--anchors', 'anchors', '--format', 'json'], { fetch: moved })
    const at = (name: string) => `https://${ALICE}/.well-known/${name}`
    expect(code).toBe(0)
    expect(JSON.parse(stdout).results[0].discovery.others).toEqual([
      { what: 'agent that the DNS lists', place: 'agent:bob.example.test' },
      { what: 'discovery document of 1 agent definition', place: at('adl-agents') },
      { what: 'A2A card', place: at('agent-card.json') },
      { what: 'AI catalog', place: at('ai-catalog.json') },
    ])
  })

  test('exits 4 for a swapped key', async () => {
    const { code, stdout, stderr } = await run(['bob.example.test', '--anchors', 'anchors'])
    expect(code).toBe(4)
    expect(stdout).toContain('  failed   Key that the DNS names')
    expect(stderr).toContain('WK-160')
  })

  test('exits 4 below --require; without the anchors of the test zone, no level is reached', async () => {
    expect((await run([ALICE, '--anchors', 'anchors', '--require', 'key-verified'])).code).toBe(0)
    expect((await run([ALICE, '--anchors', 'anchors', '--require', 'peer-verified'])).code).toBe(4)
    expect((await run([ALICE, '--anchors', 'anchors', '--require', 'key-verified:checked'])).code).toBe(0)
    expect((await run([ALICE, '--anchors', 'anchors', '--require', 'key-verified:said'])).code).toBe(2)
    expect((await run([ALICE])).code).toBe(4)
  })

  test('exits 1 without an agent, 3 if the network is silent', async () => {
    expect((await run(['nobody.example.test', '--anchors', 'anchors'])).code).toBe(1)
    const silent: Resolver = Object.assign(async () => new Uint8Array(0), { isPrivate: true })
    expect((await run([ALICE], { resolver: () => silent })).code).toBe(4)
    const broken: Resolver = Object.assign(() => Promise.reject(new Error('down')), { isPrivate: true })
    expect((await run([ALICE], { resolver: () => broken })).code).toBe(3)
    const noServer = async () => Promise.reject(new Error('down'))
    expect((await run([ALICE, '--anchors', 'anchors'], { fetch: noServer })).code).toBe(3)
  })

  test('--record writes a trace that --replay judges without a network', async () => {
    const recorded = await run([ALICE, '--anchors', 'anchors', '--record', 'a.trace.json', '--need', 'address'])
    expect(recorded.stdout).not.toContain('also there')
    const whole = await run([ALICE, '--anchors', 'anchors', '--record', 'a.trace.json'])
    const trace = Buffer.from(whole.saved.get('a.trace.json')!).toString()
    const files = { 'a.trace.json': trace, anchors: setting.files!['anchors']! }
    const again = await blazon(['discover', '--replay', 'a.trace.json', '--anchors', 'anchors'], { files })
    expect(again.code).toBe(0)
    expect(again.stdout).toBe(whole.stdout.slice(0, whole.stdout.indexOf('also there')))
    const more = ['discover', '--replay', 'a.trace.json', '--anchors', 'anchors', '--require', 'peer-verified']
    expect((await blazon(more, { files })).code).toBe(4)
    expect((await blazon(['validate', 'a.trace.json'], { files })).code).toBe(0)
    const verified = await blazon(['verify', 'a.trace.json'], { files })
    expect(verified.code).toBe(4)
    expect(verified.stdout).toContain('failed   SVCB record')
    const here = await blazon(['verify', 'a.trace.json', '--anchors', 'anchors'], { files })
    expect(here.stdout).toMatch(/^ {2}passed {3}Key that the DNS names: .*$/m)
    expect(here.stdout).not.toContain('failed')
    const other = await blazon(['verify', 'a.json', '--anchors', 'anchors'], {
      files: { ...files, 'a.json': '{"adl_spec":"0.1.0"}' },
    })
    expect(other.stderr).toContain('--anchors is for traces')
  })

  test('[wellknown/6.3.6-2] init --from fills the dns block only with what was seen', async () => {
    const more = { ...setting, files: setting.files! }
    const from = async (domain: string) => {
      const argv = ['init', 'a.json', '--kind', 'wellknown', '--from', domain, '--anchors', 'anchors']
      const { code, saved, stderr } = await blazon(argv, more)
      expect(code, stderr).toBe(0)
      return JSON.parse(Buffer.from(saved.get('a.json')!).toString())
    }
    const dane = { supported: true, usage: 'DANE-EE', selector: 'SPKI', matchingType: 'SHA-256' }
    expect((await from(ALICE)).dns).toEqual({ svcbVerified: true, dnssecSigned: true, dane })
    expect((await from('dave.example.test')).dns).toEqual({ dnssecSigned: true, own: 'kept' })
  })

  test('init --from claims no DNSSEC through a resolver that drops signatures', async () => {
    const plain = await startWorld({
      names: ['carol.plain.test'],
      zones: ({ port }) => [
        signed('.', '', { algorithm: undefined }),
        signed('test', '', { algorithm: undefined }),
        signed('plain.test', `carol A ${PUBLIC}\ncarol SVCB 1 . port=${port}`, { algorithm: undefined }),
      ],
      answer: (_, response, { port }) =>
        send(
          response,
          metadata({
            domain: 'carol.plain.test',
            wellKnown: `https://carol.plain.test:${port}/.well-known/agent.json`,
          }),
        ),
    })
    try {
      const more = { fetch: plain.options.fetch!, resolver: () => plain.options.resolver }
      const made = await blazon(['init', 'carol.json', '--kind', 'wellknown', '--from', 'carol.plain.test'], more)
      expect([made.code, made.saved.size]).toEqual([1, 0])
      expect(made.stderr).toContain('DNS-117')
    } finally {
      await plain.close()
    }
  })

  test.each(['json', 'jsonl', 'sarif', 'junit', 'github', 'gitlab', 'markdown', 'html', 'tap', 'adl', 'stylish'])(
    '--format %s',
    async (format) => {
      const { code, stdout } = await run([ALICE, '--anchors', 'anchors', '--format', format])
      expect(code).toBe(0)
      // The formats for people also show the ladder.
      expect(stdout.includes('|===|')).toBe(['markdown', 'html', 'stylish'].includes(format))
      if (format !== 'json') return
      const [result] = JSON.parse(stdout).results
      expect(result.discovery).toMatchObject({
        uri: `agent:${ALICE}`,
        agent: { bap: 'a2a', fingerprint: KEY.fingerprint },
      })
      expect(result.proof).toMatchObject({ verdict: 'verified', highest: 'key-verified' })
    },
  )
})

test.each([
  [[], 'discover takes one domain'],
  [['a.example', 'b.example'], 'discover takes one domain'],
  [['https://a.example/'], 'is not a domain'],
  [['localhost'], 'is not a domain'],
  [['--replay', 'x.json', 'a.example'], '--replay asks nobody'],
  [['--replay', 'x.json', '--resolver', '1.1.1.1'], '--replay asks nobody'],
  [['--replay', 'x.json'], 'is not a valid trace'],
  [['a.example', '--anchors', 'x.json'], 'expected DS records'],
])('%j is wrong usage', async (argv, words) => {
  const resolver: Resolver = Object.assign(async () => new Uint8Array(0), { isPrivate: true })
  const { code, stderr } = await blazon(['discover', ...argv], {
    files: { 'x.json': '{"trace": "blazon/discovery/1"}' },
    resolver: () => resolver,
  })
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
})
