// Certificates of agents (AIP-1), and whether a record belongs to one.
import 'reflect-metadata'
import { execFileSync, spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { describe, expect, test } from 'vitest'
import { certificateFingerprint, readCertificate } from '../../bindings/keys/certificate.ts'
import { verifyChain } from '../../bindings/keys/chain.ts'
import { generateKey } from '../../bindings/keys/index.ts'
import {
  AIP_EXTENSIONS,
  createAuthority,
  issueCertificate,
  readAgentCertificate,
} from '../../bindings/runs/identity/certificates.ts'
import { link } from '../../bindings/runs/identity/link.ts'
import { changed, REVIEW, sharedData } from './records.ts'

const pem = (name: string) => sharedData(`aip-fixtures/${name}.pem`) ?? ''
const KINDS = ['p256', 'rsa2048', 'ed25519'] as const
const isThere = pem('ca-p256') !== ''
const hasOpenssl = spawnSync('openssl', ['version']).status === 0
if (!hasOpenssl) console.warn('NOT RUN: openssl: it is not installed')

describe.skipIf(!isThere)('reading', () => {
  test.each(KINDS)('%s: says what OpenSSL says', (kind) => {
    for (const text of [pem(`agent-valid-${kind}`), pem(`ca-${kind}`)]) {
      const theirs = new X509Certificate(text)
      const ours = readCertificate(text)
      expect(certificateFingerprint(text)).toBe(`sha256:${theirs.fingerprint256.replaceAll(':', '').toLowerCase()}`)
      expect(ours.isAuthority).toBe(theirs.ca)
      expect([ours.notBefore, ours.notAfter]).toEqual([new Date(theirs.validFrom), new Date(theirs.validTo)])
      expect(ours.serial.replace(/^00/, '').toUpperCase()).toBe(theirs.serialNumber)
      expect(Buffer.from(ours.spki)).toEqual(theirs.publicKey.export({ type: 'spki', format: 'der' }))
      expect(theirs.subject).toContain(`CN=${ours.subject.commonName}`)
      expect(readCertificate(new Uint8Array(theirs.raw))).toEqual(ours)
    }
  })
})

describe.skipIf(!isThere)('the profile', () => {
  const codes = async (name: string, options = {}) =>
    (await readAgentCertificate(pem(name), options)).diagnostics.map(({ code, severity }) => `${code} ${severity}`)

  test('valid certificates meet it, the others are reported', async () => {
    expect(await codes('agent-valid-p256')).toEqual([])
    expect(await codes('agent-valid-rsa2048')).toEqual([])
    expect(await codes('agent-valid-ed25519')).toEqual(['AIP-107 warning'])
    expect(await codes('agent-lifetime-60min-p256')).toEqual(['AIP-105 error'])
    expect([...new Set(await codes('agent-raw-not-der-p256'))]).toEqual(['AIP-102 error'])
    expect([...new Set(await codes('agent-raw-not-der-p256', { lenient: true }))]).toEqual(['AIP-102 warning'])
    expect([...new Set(await codes('ca-p256'))]).toEqual(['AIP-103 error', 'AIP-105 error', 'AIP-108 error'])
  })
})

describe.skipIf(!isThere)('linkage', () => {
  const run = JSON.parse(sharedData('aip-fixtures/run-l2-valid.json') ?? '{}')
  const options = { certificate: pem('agent-valid-p256'), anchors: [pem('ca-p256')] }
  const outcome = async (record: unknown, more = {}) => {
    const { verdict, steps } = await link(JSON.stringify(record), { ...options, ...more })
    return [
      verdict,
      ...steps.filter(({ outcome }) => outcome !== 'passed').map(({ name, outcome }) => `${name} ${outcome}`),
    ]
  }

  test('[runs/4-1] [runs/7.1-4] [runs/7.3-1] [runs/7.3-2] [runs/7.3-3] a record with its certificate is verified', async () => {
    expect(await outcome(run)).toEqual(['verified', 'scope skipped'])
  })

  test('without a certificate or an anchor, nothing can be said', async () => {
    expect(await outcome(run, { certificate: undefined })).toEqual(['unverifiable', 'certificate unknown'])
    expect(await outcome(run, { anchors: [] })).toEqual(['unverifiable', 'chain unknown', 'scope skipped'])
  })

  test('says what it does not show', async () => {
    const { doesNotShow } = await link(JSON.stringify(run), options)
    expect(doesNotShow?.join()).toContain('anybody can copy a fingerprint')
  })

  test.each([
    [
      'another fingerprint',
      JSON.parse(sharedData('aip-fixtures/run-l2-wrong-fingerprint.json') ?? '{}'),
      {},
      'fingerprint failed',
    ],
    ['another authority', run, { anchors: [pem('ca-rsa2048')] }, 'chain failed'],
    ['another tenant', changed(run, { set: { '/tenant_id': 'tenant-123' } }), {}, 'tenant failed'],
    [
      'more capabilities',
      changed(run, { set: { '/agent/aip/capabilities/2': 'perm:files:write' } }),
      {},
      'capabilities failed',
    ],
    ['no capabilities', changed(run, { without: ['/agent/aip/capabilities'] }), {}, 'capabilities failed'],
    ['another environment', run, { environment: 'moon' }, 'scope failed'],
    ['another audience', run, { audience: 'moon' }, 'scope failed'],
    ['another agent', changed(run, { set: { '/agent/agent_id': 'coach' } }), {}, 'names failed'],
  ] as const)('%s fails', async (_, record, more, expected) => {
    const [verdict, ...others] = await outcome(record, more)
    expect([verdict, others.filter((step) => step.endsWith('failed'))]).toEqual(['failed', [expected]])
  })

  test('the certificate must be valid when the run started, not now', async () => {
    const { notBefore, notAfter } = readCertificate(options.certificate)
    const at = (time: Date, ms: number) =>
      changed(run, { set: { '/started_at': new Date(time.getTime() + ms).toISOString() } })
    expect((await outcome(at(notBefore, -60_000)))[0]).toBe('verified')
    expect((await outcome(at(notBefore, -61_000)))[0]).toBe('failed')
    expect((await outcome(at(notAfter, 60_000)))[0]).toBe('verified')
    expect((await outcome(at(notAfter, 61_000)))[0]).toBe('failed')
    expect((await outcome(at(new Date(), 0)))[0]).toBe('failed')
  })
})

describe('the authority for development', () => {
  const NOW = new Date('2026-11-27T18:00:00Z')
  const TENANT = '00000000-0000-4000-8000-000000000123'
  const capabilities = ['agent:coach', `tenant:${TENANT}`, 'perm:files:read']
  const made = async (more = {}) => {
    const [authorityKey, { publicKey }] = await Promise.all([generateKey('ES256'), generateKey('ES256')])
    const authority = await createAuthority({ key: authorityKey, name: 'Harbour authority', now: NOW })
    const options = {
      authority,
      authorityKey,
      publicKey,
      agent: 'coach',
      tenant: TENANT,
      capabilities,
      now: NOW,
      ...more,
    }
    return { authority, certificate: await issueCertificate(options) }
  }

  test('its certificates meet the profile, and OpenSSL verifies them', async () => {
    const { authority, certificate } = await made({ role: 'researcher', environment: 'production', audience: 'api' })
    const { agent, diagnostics } = await readAgentCertificate(certificate)
    expect(diagnostics).toEqual([])
    expect(agent).toMatchObject({ version: '1', tenant: TENANT, capabilities, role: 'researcher', audience: 'api' })
    const [theirs, issuer] = [certificate, authority].map((text) => new X509Certificate(text))
    expect([theirs!.verify(issuer!.publicKey), theirs!.checkIssued(issuer!), issuer!.ca]).toEqual([true, true, true])
    if (!hasOpenssl) return
    const folder = mkdtempSync(join(tmpdir(), 'blazon-aip-'))
    writeFileSync(join(folder, 'ca.pem'), authority)
    writeFileSync(join(folder, 'agent.pem'), certificate)
    const verify = ['verify', '-attime', String(NOW.getTime() / 1000), '-CAfile', 'ca.pem', 'agent.pem']
    expect(String(execFileSync('openssl', verify, { cwd: folder }))).toBe('agent.pem: OK\n')
    rmSync(folder, { recursive: true })
  })

  test('a record with such a certificate reaches level 2', async () => {
    const { authority, certificate } = await made({ environment: 'production' })
    const aip = { cert_fingerprint: certificateFingerprint(certificate), tenant_id: TENANT, capabilities }
    const times = { started_at: '2026-11-27T18:01:00Z', completed_at: '2026-11-27T18:02:00Z' }
    const run = { ...REVIEW, ...times, steps: [], metadata: {}, tenant_id: TENANT, agent: { agent_id: 'coach', aip } }
    const { verdict, conformance } = await link(JSON.stringify(run), {
      certificate,
      anchors: [authority],
      environment: 'production',
    })
    expect([verdict, conformance?.level]).toEqual(['verified', 2])
    expect((await link(JSON.stringify(run), { certificate })).conformance?.level).toBe(1)
    expect((await link(JSON.stringify(run), { anchors: [authority] })).conformance?.level).toBe(1)
  })

  test("a key that is not the authority's, and an agent as authority, throw", async () => {
    await expect(made({ authorityKey: await generateKey('ES256') })).rejects.toThrow(/authority/)
    await expect(made({ authority: (await made()).certificate })).rejects.toThrow(/authority/)
  })

  test.each([
    [{ minutes: 16 }, /minutes/],
    [{ tenant: 'tenant-123' }, /tenant/],
    [{ tenant: TENANT.toUpperCase().replace('4', 'A') }, /tenant/],
    [{ capabilities: [] }, /capabilities/],
    [{ capabilities: ['perm'] }, /capabilities/],
  ] as const)('%j throws', async (more, message) => {
    await expect(made(more)).rejects.toThrow(message)
  })
})

describe('certificates that another library made', () => {
  const at = new Date('2026-11-27T18:05:00Z')
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const make = async (more: Extension[], serialNumber = '01', onAuthority: Extension[] = []) => {
    const pairs = [1, 2].map(() => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']))
    const [root, agent] = (await Promise.all(pairs)) as [CryptoKeyPair, CryptoKeyPair]
    const shared = { signingAlgorithm: algorithm, signingKey: root.privateKey, issuer: 'CN=Root' }
    const [notBefore, notAfter] = [new Date('2026-11-27T18:00:00Z'), new Date('2026-11-27T18:15:00Z')]
    const ca = [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
    ]
    const anchor = { ...shared, subject: 'CN=Root', publicKey: root.publicKey, extensions: [...ca, ...onAuthority] }
    const leaf = { ...shared, subject: 'CN=Agent:coach', publicKey: agent.publicKey, extensions: more, serialNumber }
    const made = [anchor, leaf].map((one) => X509CertificateGenerator.create({ ...one, notBefore, notAfter }))
    return (await Promise.all(made)).map(({ rawData }) => new Uint8Array(rawData)) as [Uint8Array, Uint8Array]
  }
  const reasonOf = async (more: Extension[], onAuthority: Extension[] = []) => {
    const [anchor, leaf] = await make(more, '01', onAuthority)
    const result = await verifyChain({ chain: [leaf], anchors: [anchor], at })
    return result.ok ? 'ok' : result.reason
  }
  const usage = (flags: KeyUsageFlags) => new KeyUsagesExtension(flags, true)
  const codesOf = async (...more: Extension[]) =>
    (await readAgentCertificate((await make(more))[1])).diagnostics.map(({ code }) => code)
  const CLIENT = '1.3.6.1.5.5.7.3.2'
  const constraints = (critical: boolean) => new Extension('2.5.29.30', critical, Uint8Array.of(0x30, 0))

  test('an agent is not an authority, and its key may sign', async () => {
    expect(await codesOf(new BasicConstraintsExtension(true))).toContain('AIP-108')
    expect(await codesOf(usage(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyCertSign))).toContain('AIP-108')
    expect(await codesOf(usage(KeyUsageFlags.keyEncipherment))).toContain('AIP-108')
    expect(await codesOf(usage(KeyUsageFlags.digitalSignature))).not.toContain('AIP-108')
  })

  test('critical extended key usages are accepted for clients, and name constraints never', async () => {
    expect(await reasonOf([new ExtendedKeyUsageExtension([CLIENT], true)])).toBe('ok')
    expect(await reasonOf([new ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.1'], true)])).toContain('not for clients')
    expect(await reasonOf([new Extension('2.5.29.37', true, Uint8Array.of(1))])).toContain('not for clients')
    for (const critical of [true, false]) {
      expect(await reasonOf([constraints(critical)])).toContain('name constraints')
      expect(await reasonOf([], [constraints(critical)])).toContain('name constraints')
    }
  })

  test.each([
    ['empty', []],
    ['negative', [0x80]],
    ['longer than needed', [0, 1]],
  ])('a serial that is %s is refused', async (_, content) => {
    const [, leaf] = await make([new Extension('1.2.3', false, new Uint8Array(200))], '4242')
    const hex = Buffer.from(leaf).toString('hex')
    expect(hex).toContain('02024242')
    const serial = Buffer.from([2, content.length, ...content])
    // The lengths before it are those of the whole and of its content, two bytes each.
    const less = 4 - serial.length
    const bytes = Buffer.from(hex.replace('02024242', serial.toString('hex')), 'hex')
    for (const offset of [2, 6]) bytes.writeUInt16BE(bytes.readUInt16BE(offset) - less, offset)
    expect(() => readCertificate(new Uint8Array(bytes))).toThrow(/KEY-|integer/)
  })

  test('each extension of AIP-1 is read by its own number', async () => {
    const text = (number: number, value: string, tag = 0x0c) =>
      new Extension(`1.3.6.1.4.1.59999.1.${number}`, false, Uint8Array.of(tag, value.length, ...Buffer.from(value)))
    const [, leaf] = await make([text(2, 'r'), text(5, 'sha256:a'), text(6, 'desk'), text(7, 'test')])
    const expected = { role: 'r', anchorChain: 'sha256:a', audience: 'desk', environment: 'test' }
    expect((await readAgentCertificate(leaf)).agent).toMatchObject(expected)
  })

  test('a signature with RSA-PSS is named', async () => {
    const pss = { name: 'RSA-PSS', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' }
    const keys = await crypto.subtle.generateKey(pss, true, ['sign', 'verify'])
    const [notBefore, notAfter] = [new Date('2026-11-27T18:00:00Z'), new Date('2026-11-27T18:15:00Z')]
    const options = { name: 'CN=Agent:coach', keys, signingAlgorithm: { ...pss, saltLength: 32 }, notBefore, notAfter }
    const { rawData } = await X509CertificateGenerator.createSelfSigned(options)
    const result = await verifyChain({ chain: [new Uint8Array(rawData)], anchors: [], at })
    expect(result).toMatchObject({ ok: false, reason: expect.stringContaining('RSA-PSS') })
  })
})

describe('other encodings', () => {
  const der = async () => {
    const [key, { publicKey }] = await Promise.all([generateKey('ES256'), generateKey('ES256')])
    const authority = await createAuthority({ key, name: 'Harbour' })
    const tenant = '00000000-0000-4000-8000-000000000123'
    const parts = { authority, authorityKey: key, publicKey, agent: 'coach', tenant, capabilities: ['perm:files:read'] }
    return Buffer.from(new X509Certificate(await issueCertificate(parts)).raw)
  }
  const codes = async (bytes: Uint8Array) =>
    (await readAgentCertificate(new Uint8Array(bytes))).diagnostics.map(({ code }) => code)

  test('one extension twice is refused', async () => {
    const bytes = await der()
    // 1.3.6.1.4.1.59999.1.3 becomes the second 1.3.6.1.4.1.59999.1.1: Tenant-ID is AIP-Version again.
    const oid = Buffer.from('060a2b0601040183d45f0103', 'hex')
    bytes[bytes.indexOf(oid) + oid.length - 1] = 1
    expect(await codes(bytes)).toEqual(['AIP-101'])
  })

  test('a length of three bytes, and one with a zero before it, are refused', async () => {
    const bytes = await der()
    expect(await codes(bytes)).toEqual([])
    expect([...bytes.subarray(0, 2)]).toEqual([0x30, 0x82])
    expect(await codes(Buffer.concat([Buffer.from([0x30, 0x83, 0]), bytes.subarray(2)]))).toEqual(['AIP-101'])
  })
})

describe('hostile certificates', () => {
  const names = ['agent-valid-p256', 'agent-valid-rsa2048', 'agent-valid-ed25519', 'ca-p256', 'agent-raw-not-der-p256']
  const read = async (bytes: Uint8Array) => (await readAgentCertificate(bytes)).diagnostics.map(({ code }) => code)

  test.skipIf(!isThere).each(names)(
    '%s: every truncation is refused, and every changed byte ends in a report',
    async (name) => {
      const bytes = new Uint8Array(new X509Certificate(pem(name)).raw)
      for (let length = 0; length < bytes.length; length++)
        expect(await read(bytes.subarray(0, length))).toEqual(['AIP-101'])
      expect(await read(Uint8Array.of(...bytes, 0))).toEqual(['AIP-101'])
      const anchors = [pem(name.startsWith('ca') ? name : `ca-${name.split('-').at(-1)}`)]
      const at = readCertificate(bytes).notBefore
      for (let i = 0; i < bytes.length; i++) {
        const changed = bytes.slice()
        changed[i]! ^= 1 << (i % 8)
        const codes = await read(changed)
        if (codes.includes('AIP-101')) continue
        const { ok } = await verifyChain({ chain: [changed], anchors, at, understood: AIP_EXTENSIONS })
        expect([i, ok]).toEqual([i, false])
      }
    },
  )
})
