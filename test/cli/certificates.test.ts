// Certificates on the command line: validate and explain take one, and faults name the option they came by.
import { X509Certificate } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { exportKey, generateKey } from '../../bindings/keys/index.ts'
import { createAuthority, issueCertificate } from '../../bindings/runs/identity/certificates.ts'
import { REVIEW } from '../runs/records.ts'
import { blazon } from './terminal.ts'

const TENANT = '00000000-0000-4000-8000-000000000123'
const files: Record<string, string | Uint8Array> = { 'run.json': JSON.stringify(REVIEW), 'broken.pem': '' }

beforeAll(async () => {
  const [key, { publicKey }] = await Promise.all([generateKey('ES256'), generateKey('ES256')])
  const authority = await createAuthority({ key, name: 'Harbour' })
  const agent = await issueCertificate({
    authority,
    authorityKey: key,
    publicKey,
    agent: 'coach',
    tenant: TENANT,
    capabilities: ['perm:files:read'],
  })
  const der = (pem: string) => new Uint8Array(new X509Certificate(pem).raw)
  Object.assign(files, {
    'authority.pem': authority,
    'authority.der': der(authority),
    'authority.key': await exportKey(key, 'pem'),
    'agent.pem': agent,
    'agent.der': der(agent),
    'broken.pem': agent.replace(/\n[^\n]{4}/, '\nAAAA'),
    'cut.der': der(agent).subarray(0, 200),
  })
})

const json = async (line: string) => {
  const { code, stdout } = await blazon([...line.split(' '), '--format', 'json'], { files })
  const { results } = JSON.parse(stdout)
  return [
    code,
    ...results.map((one: { kind: string; diagnostics: { code: string }[] }) => [
      one.kind,
      ...one.diagnostics.map((found) => found.code),
    ]),
  ]
}

describe('validate', () => {
  test.each([
    ['agent.pem agent.der', 0, [['certificate'], ['certificate']]],
    ['authority.pem', 1, [['certificate', 'AIP-103', 'AIP-103', 'AIP-103', 'AIP-105', 'AIP-108']]],
    [
      'broken.pem cut.der',
      1,
      [
        ['certificate', 'AIP-101'],
        ['certificate', 'AIP-101'],
      ],
    ],
  ])('%s: checks the certificate by the profile of AIP-1', async (names, code, results) => {
    expect(await json(`validate ${names}`)).toEqual([code, ...results])
  })

  test('a private key is still named as one', async () => {
    expect(await json('validate authority.key')).toEqual([1, [null, 'DOC-129']])
  })
})

describe('explain', () => {
  test.each(['agent.pem', 'agent.der'])('%s: shows what the certificate contains', async (name) => {
    const { code, stdout } = await blazon(['explain', name], { files })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^subject {7}Agent:coach, 00000000-/)
    expect(stdout).toMatch(/\nissuer {8}Harbour\n/)
    const { fingerprint256, validFrom, validTo } = new X509Certificate(files['agent.pem'] as string)
    expect(stdout).toContain(`sha256:${fingerprint256.replaceAll(':', '').toLowerCase()}`)
    const [from, to] = [validFrom, validTo].map((time) => new Date(time).toISOString())
    expect(stdout).toContain(`\nvalid         ${from} to ${to}\nauthority     no\nkey usage     digitalSignature\n`)
    expect(stdout).toMatch(/\ncapabilities {2}perm:files:read\n/)
  })

  test('a file and a code are explained together', async () => {
    const { code, stdout } = await blazon(['explain', 'agent.pem', 'AIP-101'], { files })
    expect([code, stdout.includes('Agent:coach'), stdout.includes('AIP-101 aip/certificate')]).toEqual([0, true, true])
  })

  test('a broken certificate has findings, a missing file is one that cannot be read', async () => {
    expect(await json('explain broken.pem')).toEqual([1, ['certificate', 'AIP-101']])
    expect((await blazon(['explain', 'missing.pem'], { files })).code).toBe(3)
    const other = await blazon(['explain', 'a.json'], { files: { 'a.json': '{}' } })
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('blazon validate a.json checks a document')])
  })
})

test.each(['anchor', 'chain'])('verify names --%s for a malformed certificate there', async (option) => {
  const line = [
    'verify',
    'run.json',
    '--certificate',
    'agent.pem',
    '--anchor',
    'authority.der',
    `--${option}`,
    'cut.der',
  ]
  const { code, stderr } = await blazon(line, { files })
  expect([code, stderr]).toEqual([2, expect.stringContaining(`--${option}: cut.der: expected DER`)])
})

test('verify reports a malformed --certificate as a failed step', async () => {
  const line = ['verify', 'run.json', '--certificate', 'cut.der', '--anchor', 'authority.pem']
  const { code, stdout, stderr } = await blazon(line, { files })
  expect([code, stderr.includes('--key')]).toEqual([4, false])
  expect(stdout).toContain('A certificate of an agent: expected DER')
})

test('aip issue refuses a lifetime beyond 15 minutes, and writes nothing', async () => {
  const line = `aip issue --agent a --tenant ${TENANT} --capability perm:x --authority authority.pem --key n.key --out n.pem --minutes 16`
  const { code, stderr, saved } = await blazon(line.split(' '), { files })
  expect([code, stderr, saved.size]).toEqual([2, expect.stringContaining('--minutes'), 0])
  expect(stderr).toContain('see blazon aip issue --help')
})

test('aip issue takes the authority in DER', async () => {
  const line = `aip issue --agent a --tenant ${TENANT} --capability perm:x --authority authority.der --key n.key --out n.pem`
  const { code, saved } = await blazon(line.split(' '), { files })
  expect([code, new X509Certificate(saved.get('n.pem')!).issuer]).toEqual([0, 'CN=Harbour'])
})
