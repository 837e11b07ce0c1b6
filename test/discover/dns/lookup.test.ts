import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dohResolver, Lookup, type Quality, resolveDns } from '../../../bindings/discover/dns/lookup.ts'
import { TYPES, type TypeName } from '../../../bindings/discover/dns/message.ts'
import { udpResolver } from '../../../bindings/node/dns.ts'
import { bind, type DnsLab, startDns, startDoh, startUnbound, type Zone } from '../../support/dns-lab.ts'
import { freePort } from '../../support/port.ts'

if (!bind.available) console.warn(`NOT RUN: DNS against bind9: ${bind.reason}`)

const AGENT = [
  'alice SVCB 1 . alpn="a2a,h2" port=8443 key65402="a2a" key65409="agent.json"',
  'alice A 192.0.2.7',
  '_agent.alice TXT "v=ADP1.1; pk=ed25519:x" "; wk=https://alice.example/"',
  '_8443._tcp.alice TLSA 3 1 1 0000000000000000000000000000000000000000000000000000000000000000',
  'alias CNAME alice',
  // Names in capitals are signed in lower case, except the target of SVCB (RFC 4034 section 6.2, RFC 6840 section 5.1).
  'SHOUT CNAME ALICE',
  '_Loud._TCP SRV 0 0 443 ALICE',
  'loud SVCB 1 ALICE port=443',
  'many A 192.0.2.10\nmany A 192.0.2.9\nmany A 192.0.2.2',
  '*.wild TXT "any"',
  'a.deep.tree TXT "below what is only on the way"',
].join('\n')

const ALGORITHMS = ['RSASHA256', 'RSASHA512', 'ECDSAP256SHA256', 'ECDSAP384SHA384', 'ED25519']
const PAST = ['-s', '20200101000000', '-e', '20200201000000']
const FUTURE = ['-s', '20400101000000', '-e', '20400201000000']
const without = (pattern: RegExp) => (text: string) =>
  text
    .split('\n')
    .filter((line) => !pattern.test(line))
    .join('\n')

/** Ed25519 keys with the same tag (RFC 4034 appendix B): a sum of pairs of bytes, whose order does not count. */
const KEYS = Array.from({ length: 40 }, (_, i) => {
  const pairs = Array.from({ length: 16 }, (_, j) => j)
  const turned = [...pairs.slice(i % 16), ...pairs.slice(0, i % 16)]
  const order = i < 16 ? turned : i < 32 ? turned.toReversed() : [turned[1]!, turned[0]!, ...turned.slice(2)]
  return Buffer.from(order.flatMap((n) => [n, 255 - n]))
})
const TAG = (() => {
  const sum = [Buffer.of(1, 0, 3, 15), KEYS[0]!].reduce((all, part) => {
    for (let i = 0; i < part.length; i += 2) all += part.readUInt16BE(i)
    return all
  }, 0)
  return (sum + (sum >> 16)) & 0xffff
})()
const keyRows = (count: number) => KEYS.slice(0, count).map((key) => `@ DNSKEY 256 3 15 ${key.toString('base64')}`)
/** Eight signatures with that tag instead of those of SVCB. */
const entrapped = (text: string) => {
  const row = (i: number) =>
    `alice.trap.test. 60 IN RRSIG SVCB 15 3 60 20380101000000 20200101000000 ${TAG} trap.test. ${Buffer.alloc(64, i).toString('base64')}`
  return `${without(/\sRRSIG\s+SVCB\s/)(text)}\n${Array.from({ length: 8 }, (_, i) => row(i)).join('\n')}\n`
}
/** Each label may be a zone, whose DS is requested: 64 questions in all, with those of chains. */
const DEEP = `${'a.'.repeat(80)}deep.test`
/** Signed by a zone that does not contain this one. Signers write names in any order. */
const bySomebodyElse = (text: string) =>
  text.replace(/(\sRRSIG\s+SVCB\s(?:\S+\s+){6})other\.test\./g, '$1ed25519.test.')

const zone = (name: string, more: Partial<Zone> = {}): Zone => ({
  name,
  records: AGENT,
  algorithm: 'ECDSAP256SHA256',
  ...more,
})

const ZONES: readonly Zone[] = [
  zone('.', { records: '' }),
  zone('test', { records: '' }),
  ...ALGORITHMS.map((algorithm) => zone(`${algorithm.toLowerCase()}.test`, { algorithm })),
  zone('unsigned.test', { algorithm: undefined }),
  zone('hashed.test', { nsec3: true }),
  zone('past.test', { times: PAST }),
  zone('future.test', { times: FUTURE }),
  zone('stripped.test', { afterwards: without(/\sRRSIG\s+SVCB\s/) }),
  zone('changed.test', { afterwards: (text) => text.replace(/192\.0\.2\.7/, '192.0.2.8') }),
  zone('foreign.test', { vouch: (ds) => ds.replace(/[0-9A-F]{8}\s*$/, '00000000\n') }),
  zone('sha1.test', { vouch: (ds) => ds.replace(/ 2 [0-9A-F ]+\s*$/, ` 1 ${'0'.repeat(40)}\n`) }),
  zone('deep.test', { records: `${DEEP}. A 192.0.2.7`, afterwards: without(/\sRRSIG\s+A\s/) }),
  zone('other.test', { afterwards: bySomebodyElse }),
  zone('keys.test', { afterwards: (text) => `${text}\n$ORIGIN keys.test.\n$TTL 60\n${keyRows(40).join('\n')}\n` }),
  zone('trap.test', { records: `${AGENT}\n${keyRows(31).join('\n')}`, afterwards: entrapped }),
  zone('no-denial.test', { afterwards: without(/^(?!no-denial).*\sNSEC\s/) }),
]

interface Row {
  readonly name: string
  readonly type: TypeName
  readonly quality?: Quality
  readonly code?: string
  readonly count?: number
  /** Where delv knows more than Blazon computes. */
  readonly delv?: string
}

const ROWS: readonly Row[] = [
  ...ALGORITHMS.flatMap((algorithm): Row[] => {
    const zone = `${algorithm.toLowerCase()}.test`
    return [
      { name: `alice.${zone}`, type: 'SVCB', quality: 'checked', count: 1 },
      { name: `_agent.alice.${zone}`, type: 'TXT', quality: 'checked', count: 1 },
      { name: `_8443._tcp.alice.${zone}`, type: 'TLSA', quality: 'checked', count: 1 },
      { name: `alias.${zone}`, type: 'A', quality: 'checked', count: 1 },
      { name: `alice.${zone}`, type: 'SRV', quality: 'checked', count: 0 },
      { name: `nobody.${zone}`, type: 'SVCB', quality: 'checked', count: 0 },
      { name: `x.y.wild.${zone}`, type: 'TXT', quality: 'checked', count: 1 },
      { name: `x.wild.${zone}`, type: 'A', quality: 'checked', count: 0 },
      { name: `deep.tree.${zone}`, type: 'TXT', quality: 'checked', count: 0 },
      { name: `shout.${zone}`, type: 'A', quality: 'checked', count: 1 },
      { name: `_loud._tcp.${zone}`, type: 'SRV', quality: 'checked', count: 1 },
      { name: `loud.${zone}`, type: 'SVCB', quality: 'checked', count: 1 },
      { name: `many.${zone}`, type: 'A', quality: 'checked', count: 3 },
    ]
  }),
  { name: 'alice.unsigned.test', type: 'SVCB', quality: 'not shown', count: 1 },
  { name: 'nobody.unsigned.test', type: 'SVCB', quality: 'not shown', count: 0 },
  { name: 'alice.hashed.test', type: 'SVCB', quality: 'checked', count: 1 },
  { name: 'nobody.hashed.test', type: 'SVCB', quality: 'checked', count: 0 },
  { name: 'x.wild.hashed.test', type: 'TXT', quality: 'checked', count: 1 },
  { name: 'alice.past.test', type: 'SVCB', code: 'DNS-112' },
  { name: 'alice.future.test', type: 'SVCB', code: 'DNS-112' },
  { name: 'alice.stripped.test', type: 'SVCB', code: 'DNS-111' },
  { name: 'alice.stripped.test', type: 'A', quality: 'checked', count: 1 },
  { name: 'alice.changed.test', type: 'A', code: 'DNS-110' },
  { name: 'alice.foreign.test', type: 'SVCB', code: 'DNS-114' },
  { name: 'alice.sha1.test', type: 'SVCB', quality: 'not shown', count: 1, delv: 'no valid signature found (DS)' },
  { name: DEEP, type: 'A', code: 'DNS-106' },
  { name: 'alice.other.test', type: 'SVCB', code: 'DNS-113' },
  { name: 'alice.keys.test', type: 'SVCB', code: 'DNS-116' },
  { name: 'alice.trap.test', type: 'SVCB', code: 'DNS-116' },
  { name: 'alice.trap.test', type: 'A', quality: 'checked', count: 1 },
  { name: 'nobody.no-denial.test', type: 'SVCB', code: 'DNS-115' },
]

describe.runIf(bind.available)('names of a real server', () => {
  let lab: DnsLab
  beforeAll(async () => {
    lab = await startDns(ZONES)
  })
  afterAll(() => lab?.close())

  const look = (name: string, type: TypeName) => {
    const resolver = udpResolver({ address: '127.0.0.1', port: lab.port })
    return new Lookup({ resolver, anchors: lab.anchors }).find(name, TYPES[type])
  }

  test.each(ROWS)('$name $type', async ({ name, type, quality, code, count, delv }) => {
    const outcome = await look(name, type).then(
      (found) => ({ quality: found.quality, count: found.records.length }),
      (error) => ({ code: error.kind?.code ?? String(error) }),
    )
    expect(outcome).toEqual(code === undefined ? { quality, count } : { code })
    const told = lab.delv(name, type)
    const expected =
      delv ?? (code !== undefined ? 'failed' : quality === 'checked' ? 'fully validated' : 'unsigned answer')
    expect(told).toContain(expected)
  })
  test('gets the same through a validating resolver (unbound), which withholds bogus answers and counts on this machine', async () => {
    const unbound = await startUnbound(lab)
    const resolver = udpResolver({ address: '127.0.0.1', port: unbound.port })
    const found = (row: Row, anchors: DnsLab['anchors']) =>
      new Lookup({ resolver, anchors }).find(row.name, TYPES[row.type]).then(
        ({ quality, records }) => [quality, records.length],
        (error) => [error.kind?.code ?? String(error)],
      )
    try {
      for (const row of ROWS) {
        const { name, quality, code, count, delv } = row
        const isKept = code !== undefined || delv?.startsWith('no valid') === true
        const isSaid = quality === 'checked' || delv === 'fully validated'
        const word = isSaid ? 'resolver' : 'not shown'
        const expected = isKept ? ['DNS-103'] : [quality === 'checked' ? quality : word, count]
        expect([name, ...(await found(row, lab.anchors))]).toEqual([name, ...expected])
        expect([name, ...(await found(row, {}))]).toEqual([name, ...(isKept ? expected : [word, count])])
      }
    } finally {
      await unbound.close()
    }
  })

  test('gets the same answer over HTTPS, and accepts nothing else', async () => {
    const doh = await startDoh(lab.port)
    try {
      const resolver = dohResolver(doh.url)
      const options = { resolver, anchors: lab.anchors }
      const answer = await resolveDns('Alice.ED25519.test.', 'SVCB', options)
      expect(answer).toMatchObject({
        ok: true,
        quality: 'checked',
        ttl: 60,
        aliases: [],
        records: [{ priority: 1, target: '.' }],
      })
      const text = await resolveDns('_agent.alice.ed25519.test', 'TXT', options)
      const strings = text.ok ? text.records[0]!.map((bytes) => new TextDecoder().decode(bytes)) : []
      expect(strings).toEqual(['v=ADP1.1; pk=ed25519:x', '; wk=https://alice.example/'])
      expect(await resolveDns('alias.ed25519.test', 'A', options)).toMatchObject({
        name: 'alice.ed25519.test',
        records: ['192.0.2.7'],
      })
      expect(await resolveDns('alice..test', 'A', options)).toMatchObject({ diagnostic: { code: 'DNS-108' } })
      const elsewhere = dohResolver(doh.url.replace('dns-query', 'other'))
      const refused = await resolveDns('alice.ed25519.test', 'A', { ...options, resolver: elsewhere })
      expect(refused).toMatchObject({ ok: false, diagnostic: { code: 'DNS-107' } })
    } finally {
      await doh.close()
    }
  })

  test('asks at most 24 questions for names', async () => {
    const resolver = udpResolver({ address: '127.0.0.1', port: lab.port })
    const lookup = new Lookup({ resolver, anchors: {} })
    const outcomes = Array.from({ length: 25 }, (_, i) =>
      lookup.find(`n${i}.unsigned.test`, TYPES.A).then(
        () => 'an answer',
        (error) => error.kind?.code,
      ),
    )
    expect(await Promise.all(outcomes)).toEqual([...Array.from({ length: 24 }, () => 'an answer'), 'DNS-106'])
  })

  test('reports a silent resolver', async () => {
    const resolver = udpResolver({ address: '127.0.0.1', port: await freePort(), timeoutMs: 50, retries: 1 })
    const answer = await resolveDns('alice.test', 'A', { resolver })
    expect(answer.ok ? undefined : answer.diagnostic.code).toMatch(/DNS-10[47]/)
  })
})

test.each(['ftp://dns.example/', 'http://dns.example/dns-query', 'dns.example'])('%s is not a resolver', (url) => {
  expect(() => dohResolver(url)).toThrow(TypeError)
})

// Over plain UDP anyone in between may set AD: it only counts on this machine, and over TLS.
test.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['192.0.2.53', false],
  ['10.0.0.1', false],
  ['169.254.1.1', false],
  ['fe80::1', false],
])('the AD bit of a resolver at %s counts: %s', (address, counts) => {
  expect(udpResolver({ address }).isPrivate).toBe(counts)
})
test('the AD bit of a resolver over HTTPS counts', () => {
  expect(dohResolver('https://dns.example/dns-query').isPrivate).toBe(true)
})
