// Compares digests and signatures of ADP with the system's openssl, both ways. The signed bytes are built from the
// words of the draft.
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { sign as signMessage, verify as verifyMessage } from '../../bindings/agp/index.ts'
import { dnsRecords } from '../../bindings/discover/index.ts'
import { contentDigest } from '../../bindings/keys/index.ts'
import { build, sign, verify } from '../../bindings/wellknown/index.ts'
import { line } from '../agp/oracle.ts'
import { certificateFor } from '../support/certificate.ts'
import { hasPrograms } from '../support/programs.ts'

const hasOpenssl = hasPrograms('digests and signatures against openssl', ['openssl'])

const folder = mkdtempSync(join(tmpdir(), 'blazon-openssl-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(args: string, input: string | Uint8Array = ''): Buffer {
  const { status, stdout, stderr } = spawnSync('openssl', args.split(' '), { cwd: folder, input })
  if (status !== 0) throw new Error(`openssl ${args}: ${stderr}`)
  return stdout
}
const sha256 = (bytes: string | Uint8Array) => run('dgst -sha256 -binary', bytes)

/** Signed by openssl, in the form of the draft. */
function signed(bytes: string | Uint8Array): string {
  writeFileSync(join(folder, 'bytes'), bytes)
  return `ed25519:${run('pkeyutl -sign -rawin -inkey a.key -in bytes').toString('base64url')}`
}
function holds(bytes: string | Uint8Array, signature: string): boolean {
  writeFileSync(join(folder, 'bytes'), bytes)
  writeFileSync(join(folder, 'signature'), Buffer.from(signature.replace('ed25519:', ''), 'base64url'))
  const args = 'pkeyutl -verify -rawin -pubin -inkey a.pub -in bytes -sigfile signature'
  return spawnSync('openssl', args.split(' '), { cwd: folder }).status === 0
}

/** RFC 8785 for ASCII documents with whole numbers. */
function jcs(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jcs).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${jcs(one)}`).join(',')}}`
}

describe.runIf(hasOpenssl)('openssl', () => {
  const key = hasOpenssl ? run('genpkey -algorithm ed25519 -out -').toString() : ''
  writeFileSync(join(folder, 'a.key'), key)
  const full = hasOpenssl ? run('pkey -pubout', key).toString() : ''
  writeFileSync(join(folder, 'a.pub'), full)
  const made = () => build({ domain: 'alice.example.com', key }, { name: 'Alice' })

  test('[wellknown/8.1.2-1] reads the same key, and has the same fingerprint of its 32 bytes', async () => {
    const { publicKey } = (await made()).metadata!['identity'] as { publicKey: Record<string, string> }
    const raw = run('pkey -pubin -outform DER', full).subarray(-32)
    expect(publicKey).toEqual({
      algorithm: 'ed25519',
      fingerprint: `ed25519:${sha256(raw).toString('base64url')}`,
      full,
    })
  })

  test('[wellknown/6.3.2-5] and its proof of metadata, both ways', async () => {
    const { metadata } = await made()
    const document = JSON.parse(new TextDecoder().decode((await sign(JSON.stringify(metadata), key)).bytes))
    const { proof, ...publicKey } = document.identity.publicKey
    const bytes = jcs({ ...document, identity: { ...document.identity, publicKey } })
    expect([holds(bytes, proof), holds(`${bytes} `, proof)]).toEqual([true, false])
    document.identity.publicKey.proof = signed(jcs(metadata))
    const expected = { expect: { id: 'agent:alice.example.com', keys: [full] } }
    expect((await verify(JSON.stringify(document), expected)).verdict).toBe('verified')
    document.identity.name = 'Mallory'
    expect((await verify(JSON.stringify(document), expected)).verdict).toBe('failed')
  })

  test('[agp/7.2.5-1] signs messages as we do, and accepts ours', async () => {
    const [from, to] = ['agent:alice.example.com', 'agent:bob.example.com']
    const head = { id: randomUUID(), from, to, type: 'chat', timestamp: new Date().toISOString() } as const
    const draft = { ...head, body: { content: 'Good morning', contentType: 'text/plain' } } as const
    const { message } = await signMessage(draft, key)
    expect(holds(line(message), message.signature!)).toBe(true)
    const theirs = JSON.stringify({ ...draft, signature: signed(line(draft)) })
    expect((await verifyMessage(theirs, { key: full, expect: { from, to } })).verdict).toBe('verified')
  })

  test('[wellknown/4.2-2] has the same digests of a certificate’s key, of a descriptor and of a body', async () => {
    const { cert } = certificateFor(['alice.example.com'])
    const descriptor = Buffer.from('{"tools": []}')
    const options = { certificate: cert, cap: 'https://alice.example.com/cap.json', capSha256: sha256(descriptor) }
    const { records } = dnsRecords(JSON.stringify((await made()).metadata), options)
    const spki = run('pkey -pubin -outform DER', run('x509 -pubkey -noout', cert))
    expect(records!.find(({ type }) => type === 'TLSA')!.data).toBe(`3 1 1 ${sha256(spki).toString('hex')}`)
    expect(records![0]!.data).toContain(`key65401="${sha256(descriptor).toString('base64url')}"`)
    expect(contentDigest(descriptor)).toBe(`sha-256=:${sha256(descriptor).toString('base64')}:`)
  })
})
