// The check of a domain with real parts: zones signed by bind9, a server over TLS 1.3, and one that accepts 1.2.
import { execFileSync } from 'node:child_process'
import { createHash, createPublicKey, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Resolver } from '../../bindings/discover/dns/lookup.ts'
import { udpResolver } from '../../bindings/node/dns.ts'
import { findProgram } from '../../scripts/setup.mjs'
import { KEY, OTHER_KEY, signed, startWorld, type World } from '../discover/trust/lab.ts'
import { bind } from '../support/dns-lab.ts'
import { startLiar, strip } from '../support/dns-liar.ts'
import { ANY_KEY, answer, at, NAMES, settingOf, startDomains, zoneOf } from './dns-check-world.ts'
import { blazon, type Setting } from './terminal.ts'

if (!bind.available) console.warn(`NOT RUN: blazon dns check against bind9: ${bind.reason}`)

let world: World
let setting: Setting
beforeAll(async () => {
  if (!bind.available) return
  world = await startDomains()
  setting = settingOf(world)
})
afterAll(() => world?.close())

interface Row {
  readonly name: string
  readonly state: string
  readonly detail: string
  readonly add: readonly { readonly name: string; readonly type: string; readonly data: string }[]
  readonly remove: Row['add']
  readonly caution?: string
  readonly hint?: string
}

async function check(domain: string, own: Setting = setting) {
  const ran = await blazon(['dns', 'check', domain, '--anchors', 'anchors', '--format', 'json'], own)
  const [result] = JSON.parse(ran.stdout).results
  const rows: readonly Row[] = result.dnsCheck.checks
  const codes: readonly string[] = result.diagnostics.map(({ code }: { code: string }) => code)
  return {
    code: ran.code,
    codes,
    highest: result.dnsCheck.highest,
    rows: Object.fromEntries(rows.map((row) => [row.name, row])) as Record<string, Row>,
    states: Object.fromEntries(rows.map(({ name, state }) => [name, state])),
  }
}

const WELL = {
  ...{ adp: 'valid', svcb: 'valid', txt: 'valid', srv: 'valid', 'dns-aid': 'valid', aid: 'valid', a2a: 'valid' },
  ...{ catalogs: 'valid', signing: 'absent', dnssec: 'valid', tlsa: 'valid', tls: 'valid' },
}

describe.runIf(bind.available)('blazon dns check', () => {
  test('reports a correct domain', async () => {
    const { code, codes, states, highest } = await check(at('good'))
    expect([code, codes, highest]).toEqual([0, [], 'key-verified'])
    expect(states).toEqual(WELL)
  })

  test('writes a line for each check, and the fix below it', async () => {
    const { code, stdout, stderr } = await blazon(['dns', 'check', at('tlsa'), '--anchors', 'anchors'], setting)
    expect(code).toBe(1)
    const lines = stdout.split('\n').filter((line) => /^ {2}\S/.test(line))
    expect(lines.map((line) => line.slice(2, 9).trim())).toHaveLength(12)
    const { publicKey } = new X509Certificate(world.certificate)
    const spki = createHash('sha256')
      .update(publicKey.export({ type: 'spki', format: 'der' }))
      .digest('hex')
    const name = `_${world.port}._tcp.${at('tlsa')}.`
    expect(stdout).toContain(`remove ${name} 60 IN TLSA 3 1 1 ${'0'.repeat(64)}\n`)
    expect(stdout).toContain(`add ${name} 3600 IN TLSA 3 1 1 ${spki}\n`)
    expect(stderr).toContain('DNS-140')
  })

  test.each([
    ['[wellknown/8.1.2-2] another key', 'other-key', 'txt', 'wrong', ['WK-160'], 1],
    ['a key that is left over', 'two-keys', 'txt', 'stale', ['WK-191'], 0],
    ['a port that the metadata has not', 'other-port', 'svcb', 'wrong', ['WK-192'], 1],
    ['no SVCB record', 'no-svcb', 'svcb', 'absent', ['WK-190'], 0],
    ['no TXT record', 'no-txt', 'txt', 'absent', ['WK-161'], 0],
    ['a TXT record that cannot be read', 'broken-txt', 'txt', 'wrong', ['DNS-130'], 1],
    ['an SRV record to another host', 'srv', 'srv', 'wrong', ['WK-192'], 1],
    ['no bap', 'no-bap', 'dns-aid', 'absent', ['WK-190'], 0],
    ['[wellknown/4.1.1-5] a descriptor that changed', 'bad-cap', 'dns-aid', 'stale', ['DNS-145'], 1],
    ['a digest that is none', 'odd-cap', 'dns-aid', 'wrong', ['WK-193'], 1],
    ['AID without an address', 'aid-form', 'aid', 'wrong', ['WK-193'], 1],
    ['AID with another key', 'aid-key', 'aid', 'wrong', ['WK-194'], 1],
    ['AID at another host', 'aid-host', 'aid', 'wrong', ['WK-192'], 1],
    ['a card of A2A that is none', 'a2a-form', 'a2a', 'wrong', ['WK-193'], 1],
    ['a card of A2A of another host', 'a2a-host', 'a2a', 'wrong', ['WK-192'], 1],
    ['a catalog that is none', 'catalog', 'catalogs', 'wrong', ['WK-193'], 1],
    ['a directory of other keys', 'dir-key', 'signing', 'wrong', ['WK-194'], 1],
    ['a directory whose signature is over', 'dir-old', 'signing', 'stale', ['WK-195'], 1],
    ['a directory that another key signed', 'dir-bad', 'signing', 'wrong', ['WK-193'], 1],
    ['[wellknown/4.2-3] another certificate', 'tlsa', 'tlsa', 'wrong', ['DNS-140'], 1],
    ['a certificate that is left over', 'two-tlsa', 'tlsa', 'stale', ['WK-191'], 0],
    ['more certificates than readers compare', 'many-tlsa', 'tlsa', 'wrong', ['DNS-147'], 0],
    ['nobody', 'no-agent', 'adp', 'absent', ['DNS-132'], 1],
  ])('%s', async (_, name, row, state, expected, exit) => {
    const { code, codes, states, rows } = await check(at(name))
    expect([states[row], code], JSON.stringify(rows[row])).toEqual([state, exit])
    expect([...new Set(codes)], JSON.stringify(rows)).toEqual(expected)
  })

  test('shows the correct record for each wrong one', async () => {
    const mended = async (name: string, row: string) => {
      const { rows } = await check(at(name))
      const { add, remove } = rows[row]!
      return [remove, add].map((list) => list.map(({ name, type, data }) => `${name} ${type} ${data}`))
    }
    const wk = (name: string) => `https://${at(name)}:${world.port}/.well-known/agent.json`
    const txt = (name: string, pk: string) => `_agent.${at(name)} TXT "v=ADP1.1; pk=${pk}; wk=${wk(name)}"`
    expect(await mended('other-key', 'txt')).toEqual([
      [txt('other-key', OTHER_KEY.fingerprint)],
      [txt('other-key', KEY.fingerprint)],
    ])
    expect(await mended('two-keys', 'txt')).toEqual([[txt('two-keys', OTHER_KEY.fingerprint)], []])
    const [, [svcb]] = (await mended('bad-cap', 'dns-aid')) as [string[], string[]]
    const fresh = createHash('sha256').update('{"skills": ["new"]}\n').digest('base64url')
    expect(svcb).toContain(`key65401="${fresh}"`)
    expect((await mended('srv', 'srv'))[1]).toEqual([`_agent._tcp.${at('srv')} SRV 0 0 ${world.port} ${at('srv')}.`])
    expect((await mended('bare', 'tlsa'))[1]).toHaveLength(1)
    // RFC 8037: x of a JWK is the public key.
    const k = (pem: string) => createPublicKey(pem).export({ format: 'jwk' }).x
    const aid = (name: string, key?: string) => [
      `_agent.${at(name)} TXT "v=aid2;u=https://${at(name)}/mcp;p=mcp;k=${key}"`,
    ]
    expect(await mended('aid-key', 'aid')).toEqual([aid('aid-key', k(OTHER_KEY.pem)), aid('aid-key', k(KEY.pem))])
    expect(await mended('aid-z', 'aid')).toEqual([aid('aid-z', ANY_KEY), aid('aid-z', k(KEY.pem))])
  })

  test.each([
    ['other-key', 'txt'],
    ['tlsa', 'tlsa'],
    ['aid-key', 'aid'],
    ['bad-cap', 'dns-aid'],
  ])('warns that a record that differs from the server may be an attack: %s', async (name, row) => {
    const { rows } = await check(at(name))
    expect(rows[row]!.caution).toMatch(/either the record is old, or an attacker.*Compare on the server itself/)
    const { stdout } = await blazon(['dns', 'check', at(name), '--anchors', 'anchors'], setting)
    const lines = stdout.split('\n').map((line) => line.trim().split(' ')[0])
    expect(lines.indexOf('either')).toBeGreaterThan(0)
    expect(lines.indexOf('either')).toBeLessThan(lines.indexOf('remove'))
  })

  test('shows what to do about everything wrong or stale', async () => {
    const left: string[] = []
    for (const name of NAMES) {
      const { rows } = await check(at(name))
      // The other lines cover the agent as a whole.
      for (const { state, add, remove, hint, detail } of Object.values({ ...rows, adp: rows['txt']! })) {
        const isMended = add.length + remove.length > 0 || hint !== undefined
        if ((state === 'wrong' || state === 'stale') && !isMended) left.push(`${name}: ${detail}`)
      }
    }
    expect(left).toEqual([])
  })

  test.each([
    ['[wellknown/4.3-1] a zone that is not signed', 'good.plain.test', 'absent', ['DNS-141', 'WK-196'], 0],
    ['signatures that have ended', 'good.past.test', 'stale', ['DNS-112'], 1],
    ['a signature that was taken away', 'good.bogus.test', 'wrong', ['DNS-111'], 1],
  ])('%s', async (_, domain, state, expected, exit) => {
    const { code, codes, states } = await check(domain)
    expect([states['dnssec'], code]).toEqual([state, exit])
    expect([...new Set(codes)].sort()).toEqual(expected)
  })

  test.each([
    ['bare.optout.test', /optout\.test again without NSEC3 opt-out/],
    ['bare.costly.test', /costly\.test again without extra NSEC3 iterations/],
  ])('does not advise signing for a signed zone that cannot prove an absence: %s', async (domain, hint) => {
    const { code, codes, rows } = await check(domain)
    expect([codes, code], JSON.stringify(rows)).toEqual([['WK-198'], 0])
    expect(rows['dnssec']).toMatchObject({ state: 'wrong', hint: expect.stringMatching(hint) })
    expect(rows['dnssec']!.detail).toContain('is signed')
  })

  test('advises signing for an unsigned zone below one with opt-out', async () => {
    const { rows } = await check('bare.open.optout.test')
    expect(rows['dnssec']).toMatchObject({ state: 'absent', hint: expect.stringContaining('DS added to') })
  })

  test.each([at('good'), 'good.plain.test'])(
    'a resolver that drops signatures leaves all unknown: %s',
    async (name) => {
      const liar = await startLiar(world.dns.port)
      strip(liar)
      const own = { ...setting, resolver: () => udpResolver({ address: '127.0.0.1', port: liar.port }) }
      try {
        const { code, codes, states, rows } = await check(name, own)
        expect([code, codes], JSON.stringify(rows)).toEqual([3, ['DNS-117']])
        for (const row of ['adp', 'svcb', 'txt', 'srv', 'dnssec', 'tlsa'])
          expect([row, states[row]]).toEqual([row, 'unknown'])
        expect(rows['dnssec']!.detail).toContain('--resolver https://')
        const found = await blazon(['discover', name, '--anchors', 'anchors', '--format', 'json'], own)
        expect(found.code).toBe(3)
        const [{ proof, diagnostics }] = JSON.parse(found.stdout).results
        expect([proof.verdict, diagnostics[0].detail]).toEqual([
          'unverifiable',
          expect.stringContaining('drops DNSSEC signatures'),
        ])
      } finally {
        await liar.close()
      }
    },
  )

  test.each(['json', 'jsonl', 'sarif', 'junit', 'github', 'gitlab', 'markdown', 'html', 'tap', 'adl', 'stylish'])(
    '--format %s',
    async (format) => {
      const ran = await blazon(['dns', 'check', at('other-key'), '--anchors', 'anchors', '--format', format], setting)
      expect(ran.code).toBe(1)
      expect(ran.stdout).toContain('WK-160')
    },
  )

  test.each([
    'other-key',
    'two-keys',
    'no-txt',
    'no-svcb',
    'no-bap',
    'broken-txt',
    'srv',
    'bad-cap',
    'aid-key',
    'tlsa',
    'two-tlsa',
  ])('the records it shows for %s fix the domain through nsupdate', async (name) => {
    const { rows } = await check(at(name))
    const todo = Object.values(rows).flatMap(({ add, remove }) => [
      ...remove.map(({ name, type, data }) => `update delete ${name}. IN ${type} ${data}`),
      ...add.map(({ name, type, data }) => `update add ${name}. 60 IN ${type} ${data}`),
    ])
    const input = `server 127.0.0.1 ${world.dns.port}\n${[...new Set(todo)].join('\n')}\nsend\n`
    execFileSync(findProgram('nsupdate')!, ['-v'], { input, timeout: 120_000, stdio: ['pipe', 'pipe', 'pipe'] })
    const { codes, highest, states } = await check(at(name))
    expect([codes, highest], JSON.stringify(states)).toEqual([[], 'key-verified'])
  })

  test('exits 3 if the network does not answer', async () => {
    const broken: Resolver = Object.assign(() => Promise.reject(new Error('down')), { isPrivate: true })
    const silent = await check(at('good'), { ...setting, resolver: () => broken })
    expect(silent.code).toBe(3)
    expect(new Set(Object.values(silent.states))).toEqual(new Set(['unknown']))
    const refusing: Setting['fetch'] = Object.assign(() => Promise.reject(new Error('down')), { seesConnections: true })
    const { states } = await check(at('good'), { ...setting, fetch: refusing })
    for (const name of ['a2a', 'catalogs', 'signing']) expect([name, states[name]]).toEqual([name, 'unknown'])
    expect((await blazon(['dns', 'check'], setting)).code).toBe(2)
    expect((await blazon(['dns', 'check', 'a b'], setting)).code).toBe(2)
  })

  test('[wellknown/8.2-4] reports a server that accepts TLS 1.2, or nothing newer', async () => {
    for (const [server, code, exit] of [
      [{ minVersion: 'TLSv1.2' }, 'WK-197', 0],
      [{ minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' }, 'WK-164', 1],
    ] as const) {
      const old = await startWorld({
        names: [at('good')],
        zones: (making) => [signed('.', ''), signed('test', ''), signed('example.test', zoneOf('good', making))],
        answer: (to, response, { port }) => answer(to, response, port),
        server,
      })
      try {
        const { code: found, codes, states, rows } = await check(at('good'), settingOf(old))
        expect([states['tls'], codes, found], JSON.stringify(rows)).toEqual(['wrong', [code], exit])
        expect(rows['tls']!.hint).toContain('docs/guide/edge.md')
      } finally {
        await old.close()
      }
    }
  })
})
