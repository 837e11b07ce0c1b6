// The certificate in a stream: linked to the record, renewed, and trusted to sign the checkpoints.
import { beforeAll, describe, expect, test } from 'vitest'
import { canonicalizeValue } from '../../../bindings/core/value.ts'
import { encodeBase64 } from '../../../bindings/keys/base64.ts'
import { certificateFingerprint, readCertificate } from '../../../bindings/keys/certificate.ts'
import { derPair } from '../../../bindings/keys/chain.ts'
import { generateKey, type PrivateKey, signBytes } from '../../../bindings/keys/index.ts'
import { createAuthority, issueCertificate } from '../../../bindings/runs/identity/certificates.ts'
import { link } from '../../../bindings/runs/identity/link.ts'
import { noteKey, writeCheckpoint, writeNote } from '../../../bindings/runs/stream/note.ts'
import { seal, split } from '../../../bindings/runs/stream/seal.ts'
import { Leaves, leafHash } from '../../../bindings/runs/stream/tree.ts'
import { verifyStream } from '../../../bindings/runs/stream/verify.ts'
import { blazon } from '../../cli/terminal.ts'
import { REVIEW } from '../records.ts'

const START = new Date('2026-11-27T18:00:00Z')
const TENANT = '00000000-0000-4000-8000-000000000123'
const minutesOn = (minutes: number) => new Date(START.getTime() + minutes * 60_000)
const encode = (text: string) => new TextEncoder().encode(text)

let agent: PrivateKey
let other: PrivateKey
let authorityKey: PrivateKey
let authority: string
let certificate: string
const issue = (more: Partial<issueCertificate.Options> = {}) =>
  issueCertificate({
    authority,
    authorityKey,
    publicKey: agent.publicKey,
    agent: 'coach',
    tenant: TENANT,
    capabilities: ['agent:coach', 'perm:files:read'],
    now: START,
    ...more,
  })
const base64 = (pem: string) => encodeBase64(readCertificate(pem).bytes)

beforeAll(async () => {
  ;[agent, other, authorityKey] = (await Promise.all([1, 2, 3].map(() => generateKey('ES256')))) as PrivateKey[] as [
    PrivateKey,
    PrivateKey,
    PrivateKey,
  ]
  authority = await createAuthority({ key: authorityKey, name: 'Harbour', now: START })
  certificate = await issue()
})

const record = (minutes = 5) => ({
  ...REVIEW,
  tenant_id: TENANT,
  steps: [],
  metadata: {},
  started_at: minutesOn(1).toISOString(),
  completed_at: minutesOn(minutes).toISOString(),
  agent: {
    agent_id: 'coach',
    aip: {
      cert_fingerprint: certificateFingerprint(certificate),
      tenant_id: TENANT,
      capabilities: ['agent:coach', 'perm:files:read'],
    },
  },
})

/** A stream whose certificate is renewed between its first and its last line. */
async function renewed(chains: readonly (readonly unknown[])[], minutes = 25, key = agent) {
  const [first, last] = split(record(minutes), { chain: [base64(certificate)] }).lines!.map((line) =>
    JSON.parse(new TextDecoder().decode(line)),
  )
  const middle = chains.map((chain, i) => ({ type: 'certificate', run_id: first.run_id, seq: i + 1, chain }))
  const lines = [first, ...middle, { ...last, seq: middle.length + 1 }].map((line) => canonicalizeValue(line))
  const leaves = new Leaves()
  for (const line of lines) leaves.append(leafHash(line))
  const origin = `blazon.invalid/adp/${first.run_id}`
  const text = writeCheckpoint({ origin, size: leaves.size, root: leaves.root() })
  const { name, id } = noteKey(origin, key.publicKey)
  const bytes = derPair(await signBytes({ algorithm: 'ES256', privateKey: key, message: encode(text) }))
  const stream = encode(lines.map((line) => `${new TextDecoder().decode(line)}\n`).join(''))
  return { stream, checkpoints: writeNote({ text, signatures: [{ name, id, bytes }] }) }
}

const PLACE = { file: 'run.ndjson', line: 1, column: 1 }
const outcome = async (
  { stream, checkpoints }: { stream: Uint8Array | undefined; checkpoints: Uint8Array | undefined },
  more: object = {},
) => {
  const proof = await verifyStream(stream!, {
    ...{ checkpoints: checkpoints!, file: 'run.ndjson' },
    agent: { anchors: [authority] },
    ...more,
  })
  const bad = proof.steps.filter(({ outcome: one }) => one !== 'passed' && one !== 'skipped')
  // The record that the lines make is at no place of the file.
  for (const { diagnostic } of bad) expect(diagnostic?.source ?? {}).toMatchObject(diagnostic ? PLACE : {})
  return [proof.verdict, ...bad.map((step) => `${step.name} ${step.outcome} ${step.diagnostic?.code ?? ''}`.trim())]
}

describe('[runs/7.3-1] a stream with the certificate of its agent', () => {
  const sealed = (key = agent, chain = [base64(certificate)], value: object = record()) =>
    seal(JSON.stringify(value), { key, chain })

  test('the key of a trusted certificate signs the checkpoints', async () => {
    expect(await outcome(await sealed())).toEqual(['verified'])
    const proof = await verifyStream((await sealed()).stream!, {
      checkpoints: (await sealed()).checkpoints!,
      agent: { anchors: [authority] },
    })
    expect(proof.steps.filter(({ name }) => ['fingerprint', 'tenant', 'capabilities'].includes(name))).toHaveLength(3)
    expect(proof.shows?.join()).toContain('the agent of the certificate signed them')
    // ADP-1 section 8.1: level 2 is about the certificate; no record shows that each action has a step.
    expect(proof.conformance?.level).toBe(2)
    const missing = proof.conformance?.demands.filter(({ outcome: one }) => one !== 'met').map(({ title }) => title)
    expect(missing).toContain('a step for every action')
    expect(missing).not.toContain('linkage to the certificate')
  })

  test('a key that stands only in the stream proves nothing', async () => {
    const stream = await sealed()
    expect(await outcome(stream, { agent: undefined })).toEqual(['unverifiable', 'signature unknown RUN-210'])
    expect(await outcome(stream, { agent: { anchors: [] } })).toEqual([
      'unverifiable',
      'signature unknown RUN-210',
      'chain unknown AIP-118',
    ])
    const own = await createAuthority({ key: other, name: 'Harbour', now: START })
    expect(await outcome(stream, { agent: { anchors: [own] } })).toEqual([
      'failed',
      'signature unknown RUN-210',
      'chain failed AIP-111',
    ])
  })

  test('a recorder signs with its own key, which the caller must trust', async () => {
    const stream = await sealed(other)
    expect(await outcome(stream)).toEqual(['failed', 'signature failed RUN-207'])
    expect(await outcome(stream, { keys: [other.publicKey] })).toEqual(['verified'])
    const { stream: lines, checkpoints } = stream
    const proof = await verifyStream(lines!, {
      checkpoints: checkpoints!,
      keys: [other.publicKey],
      agent: { anchors: [authority] },
    })
    expect(proof.doesNotShow?.join()).toContain('who wrote the record')
    expect(proof.shows?.join()).not.toContain('agent of the certificate')
  })

  test.each<[string, () => Promise<unknown[]>, string]>([
    ['another certificate', async () => [base64(await issue({ minutes: 5 }))], 'fingerprint failed AIP-110'],
    ['no certificate', async () => [], 'certificates failed AIP-119'],
    ['text that is not a certificate', async () => ['AAAA'], 'certificates failed AIP-119'],
    [
      'five certificates',
      async () => Array.from({ length: 5 }, () => base64(certificate)),
      'certificates failed AIP-119',
    ],
    ['a number', async () => [1], 'certificates failed AIP-119'],
  ])('%s in the first line fails', async (_, chain, expected) => {
    expect(await outcome(await sealed(agent, (await chain()) as string[]))).toContain(expected)
  })

  test('a certificate that the caller gives wins over that in the stream', async () => {
    expect(await outcome(await sealed(agent, ['AAAA']), { agent: { anchors: [authority], certificate } })).toContain(
      'certificates failed AIP-119',
    )
    const stream = await seal(JSON.stringify(record()), { key: agent })
    expect(await outcome(stream, { agent: { anchors: [authority], certificate } })).toEqual(['verified'])
    expect(await outcome(stream)).toEqual(['unverifiable', 'signature unknown RUN-210', 'certificate unknown AIP-118'])
  })
})

describe('[runs/7.3-2] the agent, tenant and capabilities of the record are those of the certificate', () => {
  const own = { cert_fingerprint: '', tenant_id: TENANT, capabilities: ['perm:files:read'] }
  const of = (agent_id: unknown, more: object = {}) => {
    const { agent: held, ...value } = record()
    return { ...value, agent: { agent_id, aip: { ...own, cert_fingerprint: held.aip.cert_fingerprint, ...more } } }
  }
  const verdict = async (value: object, options: object = {}) => {
    const proof = await link(JSON.stringify(value), { certificate, anchors: [authority], ...options })
    return [proof.verdict, ...proof.steps.filter(({ outcome: one }) => one === 'failed').map(({ name }) => name)]
  }

  test('may leave out capabilities, also those that repeat the agent', async () => {
    expect(await verdict(of('coach'))).toEqual(['verified'])
  })

  test.each(['mallory', 'Coach', 'coach ', 'Agent:mallory', 'coach:x', ''])('%j is another agent', async (name) => {
    expect(await verdict(of(name))).toEqual(['failed', 'names'])
  })

  test('is another agent when only a capability of the certificate says so', async () => {
    const bare = await issue({ agent: 'mallory', capabilities: ['agent:coach', 'perm:files:read'] })
    const value = of('mallory', { cert_fingerprint: certificateFingerprint(bare) })
    expect(await verdict(value, { certificate: bare })).toEqual(['failed', 'names'])
  })

  test('fails for another or a missing tenant, in the record and in its block about the certificate', async () => {
    const { tenant_id: _, ...none } = of('coach')
    expect(await verdict(none)).toEqual(['failed', 'tenant'])
    expect(await verdict({ ...none, tenant_id: 'mallory' })).toEqual(['failed', 'tenant'])
    expect(await verdict(of('coach', { tenant_id: 'mallory' }))).toEqual(['failed', 'tenant'])
  })

  test('fails for a tenant capability of the certificate that names another tenant', async () => {
    const odd = await issue({ capabilities: ['tenant:mallory', 'perm:files:read'] })
    expect(await verdict(of('coach', { cert_fingerprint: certificateFingerprint(odd) }), { certificate: odd })).toEqual(
      ['failed', 'names'],
    )
  })
})

describe('a run that outlives its certificate', () => {
  test('is verified with renewed certificates, and has a warning without', async () => {
    const chains = [[base64(await issue({ now: minutesOn(12) }))]]
    expect(await outcome(await renewed(chains))).toEqual(['verified'])
    expect(await outcome(await renewed([]))).toEqual(['verified', 'time warning AIP-113'])
  })

  test.each<[string, () => Promise<unknown[]>]>([
    ['another key', async () => [base64(await issue({ publicKey: other.publicKey, now: minutesOn(12) }))]],
    ['another tenant', async () => [base64(await issue({ tenant: TENANT.replace('123', '124'), now: minutesOn(12) }))]],
    ['another agent in its subject', async () => [base64(await issue({ agent: 'mallory', now: minutesOn(12) }))]],
    [
      'another agent among its capabilities',
      async () => [base64(await issue({ capabilities: ['agent:mallory', 'perm:files:read'], now: minutesOn(12) }))],
    ],
    ['a gap of ten minutes', async () => [base64(await issue({ now: minutesOn(26) }))]],
    [
      'another authority',
      async () => {
        const own = await createAuthority({ key: other, name: 'Harbour', now: START })
        return [base64(await issue({ authority: own, authorityKey: other, now: minutesOn(12) }))]
      },
    ],
    ['no certificate', async () => []],
    ['a text', async () => ['x']],
  ])('a renewal with %s fails', async (_, chain) => {
    const stream = await renewed([await chain()])
    expect(await outcome(stream)).toContain('certificates failed AIP-119')
    expect((await outcome(stream, { keys: [agent.publicKey] }))[0]).toBe('failed')
  })

  test('a renewal continues the certificate that the caller gives, not another one in the stream', async () => {
    const theirs = await issue({ publicKey: other.publicKey, agent: 'mallory', capabilities: ['agent:mallory'] })
    const value = { ...record(25) }
    const [first, last] = split(value, { chain: [base64(theirs)] }).lines!
    const later = await issue({
      publicKey: other.publicKey,
      agent: 'mallory',
      capabilities: ['agent:mallory'],
      now: minutesOn(12),
    })
    const middle = canonicalizeValue({ type: 'certificate', run_id: value.run_id, seq: 1, chain: [base64(later)] })
    const end = new TextDecoder().decode(last).replace('"seq":1', '"seq":2')
    const stream = encode(`${[first!, middle].map((line) => `${new TextDecoder().decode(line)}\n`).join('')}${end}\n`)
    const given = { checkpoints: new Uint8Array(), agent: { anchors: [authority], certificate } }
    expect((await verifyStream(stream, given)).verdict).toBe('failed')
  })

  test('1,001 renewals are refused', async () => {
    const one = [base64(await issue({ now: minutesOn(12) }))]
    expect(await outcome(await renewed(Array.from({ length: 1001 }, () => one)))).toContain(
      'certificates failed AIP-119',
    )
  })
})

test('the command line seals with a certificate and links by an anchor', async () => {
  const { exportKey } = await import('../../../bindings/keys/index.ts')
  const files = {
    'run.json': JSON.stringify(record()),
    'agent.key': String(await exportKey(agent, 'pem')),
    'agent.pem': certificate,
    'ca.pem': authority,
  }
  const sealed = await blazon(
    'runs seal run.json --key agent.key --certificate agent.pem --out run.ndjson'.split(' '),
    { files },
  )
  expect(sealed.code).toBe(0)
  const all = { ...files, ...Object.fromEntries(sealed.saved) }
  const verified = await blazon('verify run.ndjson --anchor ca.pem'.split(' '), { files: all })
  expect([verified.code, verified.stdout]).toEqual([
    0,
    expect.stringContaining('shows that the agent of the certificate signed them'),
  ])
  expect((await blazon('verify run.ndjson'.split(' '), { files: all })).code).toBe(4)
  expect((await blazon('verify run.ndjson --anchor ca.pem --environment moon'.split(' '), { files: all })).code).toBe(4)
})

test('the command line does not seal with a certificate of another key', async () => {
  const { exportKey } = await import('../../../bindings/keys/index.ts')
  const files = {
    'run.json': JSON.stringify(record()),
    'other.key': String(await exportKey(other, 'pem')),
    'agent.pem': certificate,
  }
  const line = 'runs seal run.json --key other.key --certificate agent.pem --out run.ndjson'
  const { code, saved, stderr } = await blazon(line.split(' '), { files })
  expect([code, saved.size, stderr]).toEqual([2, 0, expect.stringContaining('not the key of the certificate')])
})
