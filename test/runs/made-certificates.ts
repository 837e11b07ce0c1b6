// Certificates that @peculiar/x509 made, valid or broken in one way, and what other programs say about them.
import 'reflect-metadata'
import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  BasicConstraintsExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { certificateFingerprint, readCertificate } from '../../bindings/keys/certificate.ts'
import { verifyChain } from '../../bindings/keys/chain.ts'
import { AIP_EXTENSIONS, readAgentCertificate } from '../../bindings/runs/identity/certificates.ts'
import { random } from '../support/random.ts'

const BASE = '1.3.6.1.4.1.59999.1'
const TENANT = '00000000-0000-4000-8000-000000000123'
const MINUTE = 60_000

const ALGORITHMS = [
  [{ name: 'ECDSA', namedCurve: 'P-256' }, 'SHA-256'],
  [{ name: 'ECDSA', namedCurve: 'P-384' }, 'SHA-384'],
  [
    { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
    'SHA-256',
  ],
  [{ name: 'Ed25519' }, ''],
] as const

/** What is broken, whether a chain is verified, and what the profile of AIP-1 says. */
const BREAKS = {
  nothing: [true, []],
  'through another authority': [true, []],
  'expired before': [false, []],
  'valid only later': [false, []],
  'authority expired before': [false, []],
  'issuer of another name': [false, []],
  'issuer of another key': [false, []],
  'signature changed': [false, []],
  'subject changed': [false, []],
  'authority that says it is not one': [false, []],
  'authority that may not sign': [false, []],
  'agent as authority': [false, []],
  'too long a path': [false, []],
  'unknown critical extension': [false, []],
  'an hour': [true, ['AIP-105']],
  'raw role': [true, ['AIP-102']],
  'tenant that is not a UUID': [true, ['AIP-104']],
  'no tenant': [true, ['AIP-103']],
  'version as text': [true, ['AIP-102']],
  'doubled capability': [true, ['AIP-104']],
  'bytes after the capabilities': [true, ['AIP-102']],
  'longer length than needed': [true, ['AIP-102']],
} as const satisfies Record<string, readonly [verified: boolean, codes: readonly string[]]>

type Break = keyof typeof BREAKS
const BREAK_NAMES = Object.keys(BREAKS) as Break[]

const element = (tag: number, content: Uint8Array | string): Uint8Array<ArrayBuffer> => {
  const bytes = Buffer.from(content)
  const head = bytes.length < 128 ? [tag, bytes.length] : [tag, 0x81, bytes.length]
  return Uint8Array.of(...head, ...bytes)
}

/** Non-critical extensions of an agent; `broken` is what is wrong with one of them. */
function agentExtensions(broken: Break, capabilities: readonly string[]) {
  const texts: [number, number, string][] = [
    [2, 0x0c, 'researcher'],
    [3, 0x0c, broken === 'tenant that is not a UUID' ? 'tenant-123' : TENANT],
    [4, 0x16, JSON.stringify(broken === 'doubled capability' ? [...capabilities, capabilities[0]] : capabilities)],
  ]
  const version = broken === 'version as text' ? element(0x0c, '1') : element(0x02, Uint8Array.of(1))
  const rows = texts.map(([number, tag, text]): [number, Uint8Array<ArrayBuffer>] => {
    if (number === 2 && broken === 'raw role') return [number, Uint8Array.from(Buffer.from(text))]
    if (number === 2 && broken === 'longer length than needed')
      return [number, Uint8Array.of(tag, 0x81, text.length, ...Buffer.from(text))]
    const value = element(tag, text)
    return [number, number === 4 && broken === 'bytes after the capabilities' ? Uint8Array.of(...value, 0) : value]
  })
  return [[1, version] as const, ...rows]
    .filter(([number]) => number !== 3 || broken !== 'no tenant')
    .map(([number, value]) => new Extension(`${BASE}.${number}`, false, value))
}

interface MadeCertificate {
  readonly broken: Break
  readonly leaf: Uint8Array
  readonly issuers: readonly Uint8Array[]
  readonly anchor: Uint8Array
  readonly at: Date
}

const SIGNS = new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true)
const DAY = 24 * 60 * MINUTE
/** Which moments of a chain are looked at: minutes after the start of the certificate. */
const LOOKED_AT: Partial<Record<Break, number>> = { 'expired before': 16, 'valid only later': -1 }
const WITH_MIDDLE: readonly Break[] = ['through another authority', 'agent as authority', 'too long a path']

/** Makes certificates one after the other: each way to break one, with each kind of key. */
async function certificateMaker(seed: number): Promise<(index: number) => Promise<MadeCertificate>> {
  const next = random(seed)
  const below = (most: number) => Math.floor(next() * most)
  const word = () => Array.from({ length: 1 + below(20) }, () => 'aZ9 é漢.-'[below(8)]).join('')
  const serial = () => Array.from({ length: 1 + below(19) }, () => (16 + below(112)).toString(16)).join('')
  const pairs = ([algorithm]: (typeof ALGORITHMS)[number]) =>
    Promise.all([1, 2, 3].map(() => crypto.subtle.generateKey(algorithm as EcKeyGenParams, true, ['sign', 'verify'])))
  const keys = await Promise.all(ALGORITHMS.map(pairs))
  return async (index) => {
    const broken = BREAK_NAMES[index % BREAK_NAMES.length]!
    // The algorithms alternate, and each way to break meets all of them in three rounds.
    const kind = (index + Math.floor(index / BREAK_NAMES.length)) % ALGORITHMS.length
    const [algorithm, hash] = ALGORITHMS[kind]!
    const [root, middle, agent] = keys[kind] as CryptoKeyPair[] as [CryptoKeyPair, CryptoKeyPair, CryptoKeyPair]
    const start = Date.UTC(2026 + below(40), below(12), 1 + below(28), below(24))
    const make = (
      names: [string, string],
      pairOf: [CryptoKeyPair, CryptoKeyPair],
      ms: [number, number],
      all: Extension[],
    ) =>
      X509CertificateGenerator.create({
        serialNumber: serial(),
        issuer: [{ CN: [names[0]] }],
        subject: [{ CN: [names[1]] }],
        notBefore: new Date(start + ms[0]),
        notAfter: new Date(start + ms[1]),
        signingAlgorithm: { ...algorithm, hash } as EcdsaParams,
        signingKey: pairOf[0].privateKey,
        publicKey: pairOf[1].publicKey,
        extensions: all,
      })
    const usage = KeyUsageFlags.cRLSign | (broken === 'authority that may not sign' ? 0 : KeyUsageFlags.keyCertSign)
    const constraint = new BasicConstraintsExtension(
      broken !== 'authority that says it is not one',
      broken === 'too long a path' ? 0 : undefined,
      true,
    )
    const authority = [constraint, new KeyUsagesExtension(usage, true)]
    const capabilities = Array.from({ length: 1 + below(4) }, (_, i) => `perm:files${i}:read`)
    const own = [SIGNS, ...agentExtensions(broken, capabilities)]
    if (broken === 'unknown critical extension') own.push(new Extension('1.2.3.4', true, element(0x0c, 'x')))
    const [top, between] = [`Root ${word()}.`, `Middle ${word()}.`]
    const hasMiddle = WITH_MIDDLE.includes(broken)
    const issuer = hasMiddle ? between : broken === 'issuer of another name' ? `${top}!` : top
    const signer = hasMiddle || broken === 'issuer of another key' ? middle : root
    const lastDay = broken === 'authority expired before' ? -1 : 30
    const anchor = await make([top, top], [root, root], [-9 * DAY, lastDay * DAY], authority)
    const life = (broken === 'an hour' ? 60 : 15) * MINUTE
    const leaf = await make([issuer, `Agent:${word()}.`], [signer, agent], [0, life], own)
    const middleParts = broken === 'agent as authority' ? own : authority
    const issuers = hasMiddle ? [await make([top, between], [root, middle], [-DAY, DAY], middleParts)] : []
    const bytes = Buffer.from(leaf.rawData)
    if (broken === 'signature changed') bytes[bytes.length - 1]! ^= 1
    if (broken === 'subject changed') bytes[bytes.indexOf('Agent:') + 1]! ^= 1
    const at = new Date(start + (LOOKED_AT[broken] ?? 5) * MINUTE)
    return {
      broken,
      leaf: bytes,
      issuers: issuers.map(({ rawData }) => Buffer.from(rawData)),
      anchor: Buffer.from(anchor.rawData),
      at,
    }
  }
}

const pemOf = (der: Uint8Array) => {
  const rows = Buffer.from(der)
    .toString('base64')
    .match(/.{1,64}/g)!
  return `-----BEGIN CERTIFICATE-----\n${rows.join('\n')}\n-----END CERTIFICATE-----\n`
}

/** What we say about a certificate, where another program says something else; undefined where all agree. */
async function flawOfCertificate(made: MadeCertificate, folder: string | undefined): Promise<string | undefined> {
  const { leaf, issuers, anchor, at, broken } = made
  const [verified, codes] = BREAKS[broken]
  const faults = [...readingFaults(leaf), ...readingFaults(anchor)]
  const found = (await readAgentCertificate(leaf)).diagnostics.map(({ code }) => code)
  const own = found.filter((code) => code !== 'AIP-107')
  if (own.join() !== codes.join()) faults.push(`expected ${codes.join() || 'no code'}, found ${own.join()}`)
  const chain = await verifyChain({ chain: [leaf, ...issuers], anchors: [anchor], at, understood: AIP_EXTENSIONS })
  if (chain.ok !== verified) faults.push(`the chain: expected ${verified}, found ${chain.ok ? 'true' : chain.reason}`)
  const signer = new X509Certificate(issuers[0] ?? anchor)
  if (chain.ok && !new X509Certificate(leaf).verify(signer.publicKey)) faults.push('Node does not verify it')
  if (folder !== undefined) faults.push(...opensslFaults(made, folder, verified))
  return faults.length === 0 ? undefined : `${broken}: ${faults.join('; ')}`
}

/** Compares what is read with Node's reader. */
function readingFaults(der: Uint8Array): string[] {
  const [ours, theirs] = [readCertificate(der), new X509Certificate(der)]
  const pairs = {
    fingerprint: [
      certificateFingerprint(pemOf(der)),
      `sha256:${theirs.fingerprint256.replaceAll(':', '').toLowerCase()}`,
    ],
    serial: [ours.serial.replace(/^0+/, '').toUpperCase(), theirs.serialNumber.replace(/^0+/, '')],
    subject: [`CN=${ours.subject.commonName}`, theirs.subject],
    issuer: [`CN=${ours.issuer.commonName}`, theirs.issuer],
    from: [ours.notBefore.getTime(), Date.parse(theirs.validFrom)],
    to: [ours.notAfter.getTime(), Date.parse(theirs.validTo)],
    // Node asks for both extensions.
    authority: [ours.isAuthority && ours.keyUsage?.includes('keyCertSign') === true, theirs.ca],
    key: [
      Buffer.from(ours.spki).toString('hex'),
      theirs.publicKey.export({ type: 'spki', format: 'der' }).toString('hex'),
    ],
  }
  return Object.entries(pairs).flatMap(([name, [a, b]]) => (a === b ? [] : [`${name}: ${a}, Node says ${b}`]))
}

function opensslFaults({ leaf, issuers, anchor, at }: MadeCertificate, folder: string, verified: boolean): string[] {
  const write = (name: string, all: readonly Uint8Array[]) => {
    writeFileSync(join(folder, name), all.map(pemOf).join(''))
    return join(folder, name)
  }
  const [agent, others, ca] = [write('agent', [leaf]), write('others', issuers), write('ca', [anchor])]
  const time = String(Math.floor(at.getTime() / 1000))
  const between = issuers.length === 0 ? [] : ['-untrusted', others]
  const { status } = spawnSync('openssl', ['verify', '-attime', time, '-CAfile', ca, ...between, agent])
  const shown = spawnSync('openssl', ['x509', '-in', agent, '-noout', '-fingerprint', '-sha256']).stdout.toString()
  const print = shown.trim().split('=')[1]?.replaceAll(':', '').toLowerCase()
  return [
    ...((status === 0) === verified ? [] : [`openssl verify ends with ${status}`]),
    ...(certificateFingerprint(leaf) === `sha256:${print}` ? [] : [`openssl shows the fingerprint ${print}`]),
  ]
}

/** Compares this many certificates; returns what differs, at most ten. */
export async function compareCertificates(
  count: number,
  seed: number,
  onProgress = (_: number) => {},
): Promise<string[]> {
  const make = await certificateMaker(seed)
  const hasOpenssl = spawnSync('openssl', ['version']).status === 0
  if (!hasOpenssl) console.warn('NOT RUN: openssl: it is not installed')
  const folder = hasOpenssl ? mkdtempSync(join(tmpdir(), 'blazon-certificates-')) : undefined
  const flaws: string[] = []
  for (let index = 0; index < count && flaws.length < 10; index++) {
    const flaw = await flawOfCertificate(await make(index), folder)
    if (flaw !== undefined) flaws.push(`${index}: ${flaw}`)
    onProgress(index + 1)
  }
  if (folder !== undefined) rmSync(folder, { recursive: true })
  return flaws
}
