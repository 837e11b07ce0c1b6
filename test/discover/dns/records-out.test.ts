// The records that publish an agent: bind9 accepts them, and our readers (compared with others elsewhere) find the
// values of the metadata in them. Node computes the digest of a certificate's key.
import { spawnSync } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { LookupResult } from '../../../bindings/discover/dns/lookup.ts'
import { TYPES } from '../../../bindings/discover/dns/message.ts'
import { nameToWire } from '../../../bindings/discover/dns/name.ts'
import { writeSvcb } from '../../../bindings/discover/dns/svcb.ts'
import { type DnsRecord, dnsRecords, svcbFromText, writeDnsRecords } from '../../../bindings/discover/index.ts'
import { locate } from '../../../bindings/discover/trust/locate.ts'
import { findProgram } from '../../../scripts/setup.mjs'
import { certificateFor, newAuthority, spki } from '../../support/certificate.ts'
import { bind } from '../../support/dns-lab.ts'
import { random } from '../../support/random.ts'
import { KEY, metadata } from '../trust/lab.ts'

const DOMAIN = 'alice.example.com'
const CHAT = { chat: 'wss://alice.example.com/agent/chat' }

interface Told {
  readonly domain?: string
  readonly wellKnown?: string
  readonly endpoints?: object
}

function agent({ domain = DOMAIN, wellKnown = `https://${domain}/.well-known/agent.json`, endpoints = {} }: Told = {}) {
  return metadata({ domain, wellKnown, more: { endpoints: { wellKnown, ...endpoints } } })
}

const lines = (records: readonly DnsRecord[] | undefined) =>
  records?.map(({ name, type, data }) => `${name} ${type} ${data}`)

/** The bytes of the strings of a TXT record, by RFC 1035 section 5.1, for texts without escapes. */
const strings = (data: string) => [...data.matchAll(/"([^"\\]*)"/g)].map(([, text]) => Buffer.from(text!, 'latin1'))

function rdataOf({ type, data }: DnsRecord): Uint8Array {
  if (type === 'SVCB') return writeSvcb(svcbFromText(data))
  if (type === 'TXT') return Buffer.concat(strings(data).flatMap((text) => [Buffer.of(text.length), text]))
  if (type === 'TLSA') return Buffer.from(data.replace(/ /g, '').replace(/^(.)(.)(.)/, '0$10$20$3'), 'hex')
  const [priority, weight, port, target] = data.split(' ')
  const numbers = [priority, weight, port].flatMap((number) => [Number(number) >> 8, Number(number) & 0xff])
  return Buffer.concat([Buffer.from(numbers), nameToWire(target!)])
}

/** What discovery finds if there are only these records. */
function located(records: readonly DnsRecord[], domain: string) {
  const find = async (name: string, type: number) => {
    const found = records.filter((record) => record.name === name && TYPES[record.type] === type)
    return {
      name,
      aliases: [],
      quality: 'checked',
      why: undefined,
      records: found.map((one) => ({ rdata: rdataOf(one) })),
    }
  }
  return locate({
    domain,
    find: find as unknown as (name: string, type: number) => Promise<LookupResult>,
    draw: () => 0,
  })
}

describe('the records of an agent', () => {
  test('[wellknown/4.1-1] [wellknown/5.1-2] [wellknown/5.1-3] at its own domain, as the draft’s figures have them', () => {
    const { records, diagnostics } = dnsRecords(agent({ endpoints: CHAT }))
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(lines(records)).toEqual([
      `${DOMAIN} SVCB 1 . alpn="a2a,h2,http/1.1" port="443" key65402="a2a"`,
      `_agent.${DOMAIN} TXT "v=ADP1.1; pk=${KEY.fingerprint}; wk=https://${DOMAIN}/.well-known/agent.json"`,
      `_agent._tcp.${DOMAIN} SRV 0 0 443 ${DOMAIN}.`,
    ])
  })

  test('writes no a2a without a chat endpoint', () => {
    expect(lines(dnsRecords(agent()).records)?.[0]).toBe(`${DOMAIN} SVCB 1 . alpn="h2,http/1.1" port="443"`)
  })

  test('[wellknown/4.1.2-1] at a provider, another path and port, with a descriptor', () => {
    const wellKnown = `https://${DOMAIN}:8443/.well-known/agents/alice.json`
    const options = {
      target: 'Provider.example',
      alpn: ['h2'],
      cap: 'urn:x:a;b',
      capSha256: new Uint8Array(32),
      ttl: 60,
    }
    const { records } = dnsRecords(agent({ wellKnown }), options)
    const path = 'key65409="agents/alice.json"'
    const digest = `key65401="${'A'.repeat(43)}"`
    expect(lines(records)?.[0]).toBe(
      `${DOMAIN} SVCB 1 provider.example. alpn="h2" port="8443" key65400="urn:x:a;b" ${digest} ${path}`,
    )
    expect(lines(records)?.[2]).toBe(`_agent._tcp.${DOMAIN} SRV 0 0 8443 provider.example.`)
    expect(records?.map(({ ttl }) => ttl)).toEqual([60, 60, 60])
  })

  test('[wellknown/4.2-2] TLSA of the first certificate of a chain, as Node reads it', () => {
    const authority = newAuthority()
    const server = certificateFor([DOMAIN], { issuer: authority })
    const { records } = dnsRecords(agent(), { certificate: `alice\n${server.cert}${authority.cert}` })
    const digest = createHash('sha256').update(spki(server)).digest('hex')
    expect(lines(records)?.[3]).toBe(`_443._tcp.${DOMAIN} TLSA 3 1 1 ${digest}`)
  })

  const label = 'a'.repeat(60)
  const long = `${label}.${label}.${label}.${label}.example`
  test.each([
    ['a query', { wellKnown: `https://${DOMAIN}/.well-known/agent.json?a` }, 'DNS-122', '/endpoints/wellKnown'],
    ['an escape', { wellKnown: `https://${DOMAIN}/.well-known/a%3bb.json` }, 'DNS-122', '/endpoints/wellKnown'],
    ['a semicolon', { wellKnown: `https://${DOMAIN}/.well-known/a;b` }, 'DNS-122', '/endpoints/wellKnown'],
    ['a way out', { wellKnown: `https://${DOMAIN}/.well-known/.../a` }, 'DNS-122', '/endpoints/wellKnown'],
    ['another place', { wellKnown: `https://${DOMAIN}/agent.json` }, 'DNS-122', '/endpoints/wellKnown'],
    ['a name too long', { domain: long }, 'DNS-108', '/identity/domain'],
  ])('refuses %s at its place', (_, told: Told, code, pointer) => {
    const { records, diagnostics } = dnsRecords(agent(told))
    expect(records).toBeUndefined()
    expect(diagnostics.at(-1)).toMatchObject({ code, severity: 'error', source: { pointer } })
  })
  test('refuses metadata at a third host, like discovery', () => {
    const { records, diagnostics } = dnsRecords(agent({ wellKnown: 'https://a.example/.well-known/agent.json' }), {
      target: 'b.example',
    })
    expect([records, diagnostics.at(-1)?.code]).toEqual([undefined, 'WK-165'])
  })
  test('returns findings and no records for other documents', () => {
    for (const text of ['', '{', '[]', '{"protocol": "ADP/1.1"}', new Uint8Array([0xff])]) {
      const { records, diagnostics } = dnsRecords(text)
      expect([records, diagnostics.length > 0]).toEqual([undefined, true])
    }
  })

  test.each([
    ['a target of two lines', { target: 'a.example\nb.example' }],
    ['a target with a record behind it', { target: 'a.example. TXT "x' }],
    ['an address as the target', { target: '192.0.2.1' }],
    ['no protocol', { alpn: [] }],
    ['a protocol with a space', { alpn: ['a b'] }],
    ['a quote in a URI', { cap: 'urn:x:"' }],
    ['a backslash in a URI', { cap: 'urn:x:\\' }],
    ['a URI of two lines', { cap: 'urn:x:a\r\nb' }],
    ['a long URI', { cap: `urn:${'x'.repeat(3000)}` }],
    ['a digest of nothing', { capSha256: new Uint8Array(32) }],
    ['a time before now', { ttl: -1 }],
  ])('refuses %s', (_, options) => {
    expect(() => dnsRecords(agent(), options)).toThrow(RangeError)
  })

  const { privateKey } = generateKeyPairSync('ed25519')
  const secret = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  test.each([
    ['a private key', secret],
    ['an empty certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
    ['DER that is cut off', new Uint8Array([0x30, 0x80])],
  ])('%s is not a certificate', (_, certificate) => {
    expect(() => dnsRecords(agent(), { certificate })).toThrow(expect.objectContaining({ code: 'KEY-102' }))
  })
  test('quotes nothing of a private key', () => {
    expect(() => dnsRecords(agent(), { certificate: secret })).toThrow(/^expected a CERTIFICATE in PEM, found none$/)
  })
})

const next = random(20_261_124)
const randomInt = (below: number) => Math.floor(next() * below)
const WORDS = ['a', 'x-1', 'Bücher', '_b', '9', 'example', 'q'.repeat(63)]
const pick = <Item>(items: readonly Item[]): Item => items[randomInt(items.length)]!
const some = <Item>(count: number, make: () => Item) => Array.from({ length: count }, make)
const host = () => new URL(`https://${some(1 + randomInt(2), () => pick(WORDS)).join('.')}.test`).hostname
const URI_CHARACTERS = "abcXYZ019-._~:/?#[]@!$&'()*+,;=%"

function anyAgent() {
  const domain = host()
  const port = pick(['', ':8443', ':65535'])
  const path = some(1 + randomInt(8), () => pick(['agent.json', 'b', '_c-d', 'e'.repeat(63)])).join('/')
  const target = pick([undefined, domain, host()])
  const wellKnown = `https://${pick([domain, target ?? domain])}${port}/.well-known/${path}`
  const cap = pick([undefined, `urn:${some(1 + randomInt(600), () => pick([...URI_CHARACTERS])).join('')}`])
  const endpoints = pick([{}, { chat: `wss://${domain}/chat` }])
  const certificate = pick([undefined, CERTIFICATE])
  const given = { ...(target && { target }), ...(cap && { cap }), ...(certificate && { certificate }) }
  return {
    domain,
    path,
    cap,
    target: target ?? domain,
    port: Number(port.slice(1) || 443),
    options: given,
    wellKnown,
    endpoints,
  }
}

const CERTIFICATE = certificateFor(['a.test']).cert

describe('a thousand agents of random names, paths, ports and descriptors', () => {
  const made = some(1_000, anyAgent).map((one) => ({ ...one, ...dnsRecords(agent(one), one.options) }))

  test('are found at their metadata, with and without SVCB', async () => {
    for (const { records, domain, path, cap, target, port, wellKnown, diagnostics } of made) {
      expect(records, JSON.stringify(diagnostics)).toBeDefined()
      const url = new URL(`https://${target}:${port}/.well-known/${path}`).href
      const found = await located(records!, domain)
      expect([found.url, found.host, found.port]).toEqual([url, target, port])
      expect(found.svcb.service).toMatchObject({ wellKnown: path, cap })
      expect(found.txt.texts.records[0]).toMatchObject({ version: 'ADP1.1', fingerprint: KEY.fingerprint })
      expect(found.txt.texts.records[0]!.wellKnown.href).toBe(new URL(wellKnown).href)
      const fallback = await located(
        records!.filter(({ type }) => type !== 'SVCB'),
        domain,
      )
      expect(fallback.url).toBe(url)
    }
  })

  test('have TXT strings of at most 255 bytes, some of them several', () => {
    const texts = made.map(({ records }) => strings(records![1]!.data))
    expect(Math.max(...texts.flat().map(({ length }) => length))).toBeLessThanOrEqual(255)
    expect(texts.some(({ length }) => length > 1)).toBe(true)
  })

  const folder = mkdtempSync(join(tmpdir(), 'blazon-zone-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  if (!bind.available) console.warn(`NOT RUN: named-checkzone on records of agents: ${bind.reason}`)

  test.runIf(bind.available)('are accepted and read correctly by named-checkzone', () => {
    const zone = join(folder, 'zone')
    const own = '$TTL 60\n. SOA ns. hostmaster. 1 3600 600 86400 60\n. NS ns.\nns. A 192.0.2.1\n'
    writeFileSync(zone, own + made.map(({ records }) => writeDnsRecords(records!, 'zone').text).join(''))
    const program = findProgram('named-checkzone') ?? findProgram('/usr/sbin/named-checkzone')
    const args = ['-i', 'none', '-F', 'raw', '-o', join(folder, 'raw'), '.', zone]
    const { status, stdout } = spawnSync(program!, args, { encoding: 'utf8' })
    expect(status, stdout).toBe(0)
    const raw = readFileSync(join(folder, 'raw'))
    for (const record of made.flatMap(({ records }) => records!))
      expect(raw.includes(Buffer.from(rdataOf(record))), record.data).toBe(true)
  })
})

describe('other formats', () => {
  const certificate = CERTIFICATE
  const written = (format: 'zone' | 'nsupdate' | 'cloudflare' | 'route53', endpoints: object = CHAT) =>
    writeDnsRecords(dnsRecords(agent({ endpoints }), { certificate }).records!, format)
  const digest = createHash('sha256')
    .update(spki({ cert: certificate, key: '' }))
    .digest('hex')
  const txt = `"v=ADP1.1; pk=${KEY.fingerprint}; wk=https://${DOMAIN}/.well-known/agent.json"`

  test('nsupdate gets a request for each record', () => {
    const { text, leftOut } = written('nsupdate')
    expect(leftOut).toEqual([])
    expect(text.split('send\n').slice(0, -1)).toHaveLength(4)
    expect(text).toContain(`update add _agent.${DOMAIN}. 3600 IN TXT ${txt}\nsend\n`)
  })

  test('Cloudflare gets the members of its records', () => {
    const { posts } = JSON.parse(written('cloudflare').text)
    const row = (name: string, type: string) => ({ type, name, ttl: 3600 })
    const value = 'alpn="a2a,h2,http/1.1" port="443" key65402="a2a"'
    expect(posts).toEqual([
      { ...row(DOMAIN, 'SVCB'), data: { priority: 1, target: '.', value } },
      { ...row(`_agent.${DOMAIN}`, 'TXT'), content: txt },
      { ...row(`_agent._tcp.${DOMAIN}`, 'SRV'), data: { priority: 0, weight: 0, port: 443, target: DOMAIN } },
      {
        ...row(`_443._tcp.${DOMAIN}`, 'TLSA'),
        data: { usage: 3, selector: 1, matching_type: 1, certificate: digest },
      },
    ])
  })

  test('Route 53 gets a change batch, without SVCB records with private keys', () => {
    const { text, leftOut } = written('route53')
    const { Changes } = JSON.parse(text)
    expect(leftOut.map(({ type }) => type)).toEqual(['SVCB'])
    expect(Changes.map((one: { ResourceRecordSet: { Type: string } }) => one.ResourceRecordSet.Type)).toEqual([
      'TXT',
      'SRV',
      'TLSA',
    ])
    expect(Changes[0]).toEqual({
      Action: 'CREATE',
      ResourceRecordSet: { Name: `_agent.${DOMAIN}.`, Type: 'TXT', TTL: 3600, ResourceRecords: [{ Value: txt }] },
    })
    expect(written('route53', {}).leftOut).toEqual([])
  })

  test.each([
    { name: 'a.test\nb.test', data: '1 .' },
    { name: 'a.test', data: '1 .\nb.test. A 192.0.2.1' },
    { name: 'a.test', data: '1 .', ttl: 1.5 },
  ])('refuses a record of several lines: %j', (odd) => {
    expect(() => writeDnsRecords([{ ttl: 60, type: 'SVCB', ...odd }], 'zone')).toThrow()
  })
})
