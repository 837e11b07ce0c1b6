// The certificate in a stream: linked to the record, renewed, and trusted to sign the checkpoints.
import { beforeAll, describe, expect, test } from 'vitest'
import { canonicalizeValue } from '../../../bindings/core/value.ts'
import { encodeBase64 } from '../../../bindings/keys/base64.ts'
import { certificateFingerprint, readCertificate } from '../../../bindings/keys/certificate.ts'
import { derPair } from '../../../bindings/keys/chain.ts'
import { generateKey, type PrivateKey, signBytes } from '../../../bindings/keys/index.ts'
import { createAuthority, type IssueOptions, issueCertificate } from '../../../bindings/runs/aip/issue.ts'
import { noteKey, writeCheckpoint, writeNote } from '../../../bindings/runs/stream/note.ts'
import { seal } from '../../../bindings/runs/stream/seal.ts'
import { split } from '../../../bindings/runs/stream/split.ts'
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
const issue = (more: Partial<IssueOptions> = {}) =>
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

const outcome = async (
  { stream, checkpoints }: { stream: Uint8Array | undefined; checkpoints: Uint8Array | undefined },
  more: object = {},
) => {
  const proof = await verifyStream(stream!, { checkpoints: checkpoints!, agent: { anchors: [authority] }, ...more })
  const bad = proof.steps.filter(({ outcome: one }) => one !== 'passed' && one !== 'skipped')
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

describe('a run that outlives its certificate', () => {
  test('is verified with renewed certificates, and has a warning without', async () => {
    const chains = [[base64(await issue({ now: minutesOn(12) }))]]
    expect(await outcome(await renewed(chains))).toEqual(['verified'])
    expect(await outcome(await renewed([]))).toEqual(['verified', 'time warning AIP-113'])
  })

  test.each<[string, () => Promise<unknown[]>]>([
    ['another key', async () => [base64(await issue({ publicKey: other.publicKey, now: minutesOn(12) }))]],
    ['another tenant', async () => [base64(await issue({ tenant: TENANT.replace('123', '124'), now: minutesOn(12) }))]],
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
