import { createPrivateKey, createPublicKey } from 'node:crypto'
import { statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { exportKey, fingerprint, importKey } from '../../bindings/keys/index.ts'
import { processHost } from '../../cli/host.ts'
import { DID, KEY, keyMember } from '../adl/signature/support.ts'
import { CLEAN } from '../adl/support.ts'
import { blazon } from './terminal.ts'

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
const definition = JSON.stringify(CLEAN, null, 2)
const secret = await exportKey(KEY, 'pem')
const open = await exportKey(KEY.publicKey, 'pem')
const files = { 'agent.json': definition, 'agent.key': secret, 'agent.pub': open }

describe('keygen', () => {
  it('writes a private key that OpenSSL reads, only for its owner, and the public key', async () => {
    const { code, stdout, stderr, saved } = await blazon(['keygen', '--out', 'a.key'])
    expect(code).toBe(0)
    const key = createPrivateKey(text(saved.get('a.key')))
    expect(createPublicKey(stdout).equals(createPublicKey(key))).toBe(true)
    expect([key.asymmetricKeyType, stderr]).toEqual(['ed25519', expect.stringContaining('thumbprint (RFC 7638): ')])
  })

  it('shows the agent id for Agent Cards, only for Ed25519', async () => {
    const { stderr, saved } = await blazon(['keygen', '--out', 'a.key'])
    const id = /agent id, for Agent Cards: (agent:\/\/b[a-z2-7]{64})\n/.exec(stderr)![1]!
    const card = JSON.stringify({ id, name: 'A', seq: 1 })
    const signed = await blazon(['sign', 'c.json', '--key', 'a.key'], {
      files: { 'c.json': card, 'a.key': saved.get('a.key')! },
    })
    expect([signed.code, signed.stderr]).toEqual([0, ''])
    expect((await blazon(['verify', '-'], { stdin: signed.stdout })).code).toBe(0)
    const [json, other] = await Promise.all(
      [[], ['--algorithm', 'ES256']].map((more) => blazon(['keygen', '--out', 'k', '--format', 'json', ...more])),
    )
    expect(JSON.parse(json!.stdout).results[0].key.agentId).toMatch(/^agent:\/\/b/)
    expect(JSON.parse(other!.stdout).results[0].key).not.toHaveProperty('agentId')
  })

  it('writes everything to stdout without files, as JSON on request', async () => {
    expect(createPrivateKey((await blazon(['keygen', '--algorithm', 'ES256'])).stdout).asymmetricKeyType).toBe('ec')
    const jwk = JSON.parse((await blazon(['keygen', '--jwk', '--algorithm', 'Ed448'])).stdout)
    expect(jwk).toMatchObject({ kty: 'OKP', crv: 'Ed448', alg: 'Ed448', d: expect.any(String) })
  })

  it('never overwrites a file', async () => {
    for (const line of [
      ['--out', 'agent.key'],
      ['--out', 'new.key', '--public', 'agent.pub'],
    ]) {
      const { code, stderr, saved } = await blazon(['keygen', ...line], { files })
      expect([code, [...saved.keys()]]).toEqual([2, []])
      expect(stderr).toContain('exists already')
    }
  })

  it('refuses one file for both keys, and names the private key if the public one cannot be written', async () => {
    const both = await blazon(['keygen', '--out', 'a.key', '--public', './a.key'])
    expect([both.code, both.saved.size]).toEqual([2, 0])
    expect(both.stderr).toContain('--out and --public name the same file')
    const { code, stderr, saved } = await blazon(['keygen', '--out', 'a.key', '--public', 'b'], { readOnly: ['b'] })
    expect([code, [...saved.keys()]]).toEqual([2, ['a.key']])
    expect(stderr).toMatch(
      /b cannot be written: permission denied\n {2}name another file; the private key is in a\.key\n$/,
    )
  })

  it('writes the private key with permissions 600', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'blazon-'))
    try {
      await processHost(new URL('core.wasm', import.meta.url)).write(
        join(folder, 'a.key'),
        new TextEncoder().encode('x'),
        { create: true, mode: 0o600 },
      )
      expect(statSync(join(folder, 'a.key')).mode & 0o777).toBe(0o600)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('a signature that nobody can verify', () => {
  const card = '{"id": "agent://scout", "name": "Scout", "seq": 1}'

  it('gets a warning when it is made, with a hint', async () => {
    const signed = await blazon(['sign', 'card.json', '--key', 'agent.key'], { files: { ...files, 'card.json': card } })
    expect([signed.code, signed.stderr]).toEqual([0, expect.stringContaining('warning CARD-169')])
    // The hint works.
    const [, id] = /hint: write "id": "(agent:\/\/b\w+)"/.exec(signed.stderr)!
    const own = { ...files, 'card.json': card.replace('agent://scout', id!) }
    const { stdout } = await blazon(['sign', 'card.json', '--key', 'agent.key'], { files: own })
    expect((await blazon(['verify', '-'], { stdin: stdout })).code).toBe(0)
    const adl = await blazon(['sign', 'agent.json', '--key', 'agent.key'], { files })
    expect(adl.stderr).toMatch(/warning KEY-133[\s\S]*hint: blazon sign --embed-key/)
  })

  it('is reported when it is verified, with a hint', async () => {
    for (const [file, code, hint] of [
      ['card.json', 'CARD-152', /hint: .*blazon init --kind card --key KEY/],
      ['agent.json', 'KEY-122', /hint: blazon sign --embed-key/],
    ] as const) {
      const { stdout } = await blazon(['sign', file, '--key', 'agent.key'], { files: { ...files, 'card.json': card } })
      const verified = await blazon(['verify', '-'], { stdin: stdout })
      expect([verified.code, verified.stderr]).toEqual([4, expect.stringContaining(code)])
      expect(verified.stderr).toMatch(hint)
    }
  })
})

describe('sign', () => {
  it('signs a document that then verifies', async () => {
    for (const more of [[], ['--mode', 'digest', '--digest', 'SHA-512']]) {
      const { code, stdout, stderr } = await blazon(
        ['sign', 'agent.json', '--key', 'agent.key', '--embed-key', ...more],
        { files },
      )
      expect([code, stderr]).toEqual([0, ''])
      expect(JSON.parse(stdout)).toMatchObject({
        ...CLEAN,
        cryptographic_identity: { public_key: await keyMember(KEY) },
      })
      const verified = await blazon(['verify', '-', '--key', 'agent.pub'], { files, stdin: stdout })
      expect([verified.code, verified.stdout.split('\n')[0]]).toEqual([0, '<stdin>: verified'])
    }
  })

  it('takes the key from the environment and from stdin, and writes a file', async () => {
    const signed = await blazon(['sign', 'agent.json', '--key', 'env:KEY', '--out', 'agent.json'], {
      files,
      env: { KEY: secret },
    })
    expect([signed.code, signed.stdout]).toEqual([0, ''])
    const again = await blazon(['sign', 'agent.json', '--key', '-'], { files, stdin: secret })
    expect(again.stdout).toBe(`${text(signed.saved.get('agent.json'))}`)
  })

  it('reads DER and JWK', async () => {
    const others = {
      ...files,
      'a.der': await exportKey(KEY, 'pkcs8'),
      'a.jwk': JSON.stringify(await exportKey(KEY, 'jwk')),
    }
    const [pem, der, jwk] = await Promise.all(
      ['agent.key', 'a.der', 'a.jwk'].map((name) => blazon(['sign', 'agent.json', '--key', name], { files: others })),
    )
    expect(pem!.stdout).toContain('"signature"')
    expect([der!.stdout, jwk!.stdout]).toEqual([pem!.stdout, pem!.stdout])
  })

  it('writes JSON for YAML', async () => {
    const yaml = {
      ...files,
      'agent.adl.yaml':
        'adl_spec: "0.1.0"\nname: Scout\ndescription: Finds papers and reads them.\nversion: 1.0.0\ndata_classification: {sensitivity: public}\n',
    }
    const { code, stdout } = await blazon(['sign', 'agent.adl.yaml', '--key', 'agent.key'], { files: yaml })
    expect([code, JSON.parse(stdout).name]).toEqual([0, 'Scout'])
    expect((await blazon(['sign', 'agent.json', '--key', 'agent.key', '--out', 'a.yaml'], { files })).code).toBe(2)
  })

  it.each<[string, string[], number, string]>([
    ['without a key', [], 2, 'sign needs --key'],
    ['with a public key', ['--key', 'agent.pub'], 2, 'KEY-105'],
    ['with a file that is no key', ['--key', 'agent.json'], 2, 'KEY-10'],
    ['with a file that is not there', ['--key', 'none'], 2, 'the file does not exist'],
    ['with a variable that is not there', ['--key', 'env:NONE'], 2, 'the environment has no NONE'],
    ['with another algorithm', ['--key', 'agent.key', '--algorithm', 'ES256'], 2, 'KEY-103'],
  ])('%s: nothing is written', async (_name, more, exit, message) => {
    const { code, stdout, stderr } = await blazon(['sign', 'agent.json', ...more], { files })
    expect([code, stdout]).toEqual([exit, ''])
    expect(stderr).toContain(message)
    expect(stderr).not.toContain(secret.split('\n')[1])
  })

  it.each([
    ['sign agent.json --key agent.key --out ./agent.key'],
    ['bump card.json --key agent.key --out agent.key'],
    ['verify agent.json --key agent.pub --format json:agent.pub'],
  ])('%s: the key is not overwritten', async (line) => {
    const card = '{"id": "agent://scout", "name": "Scout", "description": "Finds papers.", "seq": 1}'
    const { code, stderr, saved } = await blazon(line.split(' '), { files: { ...files, 'card.json': card } })
    expect([code, [...saved.keys()]]).toEqual([2, []])
    expect(stderr).toMatch(/agent\.(?:key|pub) exists already\n {2}it is never overwritten: name another file\n$/)
  })

  it('signs an invalid document only with --force, and says what it signs', async () => {
    const stdin = JSON.stringify({ ...CLEAN, permissions: { network: { ports: 1 } } })
    const validated = await blazon(['validate', '-'], { stdin })
    const code = /ADL-\d+/.exec(validated.stderr + validated.stdout)![0]
    const refused = await blazon(['sign', '-', '--key', 'agent.key', '--out', 'a.json'], { files, stdin })
    expect([validated.code, refused.code, refused.stdout, [...refused.saved.keys()]]).toEqual([1, 1, '', []])
    expect(refused.stderr).toContain(code)
    expect(refused.stderr).toContain('not signed: with --force, blazon signs a document with errors')
    const forced = await blazon(['sign', '-', '--key', 'agent.key', '--force'], { files, stdin })
    expect([forced.code, JSON.parse(forced.stdout)]).toMatchObject([
      0,
      { security: { attestation: { signature: {} } } },
    ])
    expect(forced.stderr).toContain(code)
    expect(forced.stderr).toContain('--force: the signed document has 1 error')
  })

  it('names a command that verifies what it wrote', async () => {
    const { stderr, saved } = await blazon(['sign', 'agent.json', '--key', 'agent.key', '--out', 's.json'], { files })
    const [, line] = /blazon (verify .*?) checks/.exec(stderr)!
    const verified = await blazon(line!.split(' '), { files: { ...files, 's.json': saved.get('s.json')! } })
    expect([verified.code, verified.stdout.split('\n')[0]]).toEqual([0, 's.json: verified'])
  })

  it('reports a document that cannot be signed', async () => {
    const { code, stdout, stderr } = await blazon(['sign', '-', '--key', 'agent.key'], {
      files,
      stdin: '{"n": 9007199254740993}',
    })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('KEY-131')
  })
})

describe('verify', () => {
  const signed = async (...more: string[]) =>
    (await blazon(['sign', 'agent.json', '--key', 'agent.key', ...more], { files })).stdout

  test('[adl/10.3-8] writes a line per step; exits 4 unless all are verified', async () => {
    const documents = { ...files, 'good.json': await signed('--embed-key'), 'none.json': '{}' }
    const good = await blazon(['verify', 'good.json'], { files: documents })
    expect([good.code, good.stderr]).toEqual([0, ''])
    expect(good.stdout).toMatch(/^good\.json: verified\n/)
    expect(good.stdout).toMatch(/\n {2}passed {3}Signature: valid, /)
    expect(good.stdout).toMatch(/\n {2}warning {2}What the key shows: integrity only/)
    const both = await blazon(['verify', 'good.json', 'none.json'], { files: documents })
    expect([both.code, both.stdout.split('\n').filter((line) => /^\w/.test(line))]).toEqual([
      4,
      ['good.json: verified', 'none.json: unverifiable'],
    ])
    const changed = await blazon(['verify', '-'], { stdin: documents['good.json'].replace('Invoice', 'invoice') })
    expect([changed.code, changed.stdout.split('\n')[0]]).toEqual([4, '<stdin>: failed'])
    expect(changed.stderr).toContain('ADL-4002')
  })

  test('checks expectations', async () => {
    const stdin = await signed('--embed-key')
    const run = async (...more: string[]) => (await blazon(['verify', '-', ...more], { files, stdin })).code
    expect(await run('--key', 'agent.pub')).toBe(0)
    expect(await run('--key', 'agent.pub', '--expect-id', 'https://acme.example.com/agents/x')).toBe(4)
    expect(await run('--expect-provider', 'acme.example.com')).toBe(4)
    expect(await run('--expect-provider', 'https://acme.example.com')).toBe(2)
    const other = await blazon(['keygen', '--out', 'other.key'])
    const untrusted = await blazon(['verify', '-', '--key', 'other.pub'], {
      stdin,
      files: { 'other.pub': other.stdout },
    })
    expect([untrusted.code, untrusted.stdout]).toEqual([4, expect.stringContaining('the signature is valid')])
    expect(untrusted.stderr).toContain('KEY-129')
    for (const key of [open, other.stdout]) {
      const print = await fingerprint(await importKey(key))
      for (const stream of [untrusted.stdout, untrusted.stderr]) expect(stream).toContain(print)
    }
    expect(untrusted.stderr).not.toContain('changed')
  })

  test('only --resolve asks the domain', async () => {
    const document = JSON.stringify({ ...CLEAN, cryptographic_identity: { did: DID } })
    const { stdout: stdin } = await blazon(['sign', '-', '--key', 'agent.key'], { files, stdin: document })
    const method = { id: '#a', controller: DID, publicKeyJwk: await exportKey(KEY.publicKey, 'jwk') }
    const fetch = Object.assign(async () => Response.json({ id: DID, assertionMethod: [method] }), {
      checksAddresses: true,
    })
    const asked = await blazon(['verify', '-', '--resolve', '--expect-provider', 'acme.example.com'], { stdin, fetch })
    expect(asked.code).toBe(0)
    expect(asked.stdout).toContain('What the key shows: acme.example.com publishes the key\n')
    expect((await blazon(['verify', '-'], { stdin, fetch })).code).toBe(4)
  })

  test('[adl/18.10-5] --inventory reports every difference from the approved version', async () => {
    const good = await signed('--embed-key')
    const documents = { ...files, 'good.json': good }
    const { saved } = await blazon(['approve', 'good.json', '--inventory', 'approved.json', '--key', 'agent.pub'], {
      files: documents,
    })
    const inventory = { 'approved.json': text(saved.get('approved.json')) }
    const run = (document: string) =>
      blazon(['verify', 'a.json', '--inventory', 'approved.json'], { files: { ...inventory, 'a.json': document } })
    expect(await run(good)).toMatchObject({ code: 0, stderr: '' })
    // Signed again by the same key, but not the approved version.
    const unsigned = good.replace('"version": "1.0.0"', '"version": "1.0.1"')
    const { stdout: newer } = await blazon(['sign', '-', '--key', 'agent.key'], { files, stdin: unsigned })
    const told = await run(newer)
    expect([told.code, told.stdout.split('\n')[0]]).toEqual([1, 'a.json: verified'])
    expect(told.stderr).toContain('BADL-155')
    expect((await run('[]')).code).toBe(4)
    const nothing = await blazon(['verify', 'a.json', '--inventory', 'none.json'], { files: { 'a.json': good } })
    expect(nothing.code).toBe(3)
  })

  test('an unreadable file is not a verified one', async () => {
    expect((await blazon(['verify', '-'], { stdin: '{"a":1,"a":2}' })).code).toBe(4)
    expect((await blazon(['verify', 'none.json'])).code).toBe(3)
  })
})
