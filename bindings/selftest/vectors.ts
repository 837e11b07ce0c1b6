/**
 * Vectors that ship with Blazon: those of RFC 8785, and small hand-made ones of our own.
 * @module
 */
import type { PatternKind } from '../core/patterns.ts'
import { DnsError } from '../discover/dns/name.ts'
import { readSvcb, writeSvcb } from '../discover/dns/svcb.ts'
import { svcbFromText, svcbToText } from '../discover/dns/zone-text.ts'
import { decodeBase64 } from '../keys/base64.ts'
import { certificateFingerprint, readCertificate } from '../keys/certificate.ts'
import { fingerprint } from '../keys/export.ts'
import { readDictionary, signatureBase, signMessage } from '../keys/http/sign.ts'
import { importKey } from '../keys/import.ts'
import { verifyBytes } from '../keys/verify.ts'
import { readNote, readNoteKey, verifyNote } from '../runs/stream/note.ts'
import { verifyLine, writeProof } from '../runs/stream/proof-file.ts'
import { seal } from '../runs/stream/seal.ts'
import { Leaves, leafHash } from '../runs/stream/tree.ts'
import { verifyStream } from '../runs/stream/verify.ts'
import { fromHex, toHex } from '../text/bytes.ts'
import runVectors from './runs.json' with { type: 'json' }
import vectors from './vectors.json' with { type: 'json' }

/** An answer of this runtime, and the published one. */
export type Answer = readonly [id: string, expected: string, got: string]

/** RFC 8785, appendix B: bits of a double, most significant first, and its text. */
export const NUMBERS = vectors.numbers as [bits: string, text: string][]

/** Documents and their canonical forms. The first two are RFC 8785, sections 3.2.2 to 3.2.4. */
export const CANONICAL = vectors.canonical as [document: string, canonical: string][]

/** Documents in hex, each with its fault (the rule of the diagnostic) and the offset where it is detected. */
export const REFUSED = vectors.refused as [hex: string, rule: string, offset: number][]

/** ADL section 4.4 and Agent Card section 3.6.1: texts that match, and texts that do not. */
export const PATTERNS = vectors.patterns as [kind: PatternKind, pattern: string, yes: string[], no: string[]][]

/** ADL section 7.2: template, variables, output. */
export const TEMPLATES = vectors.templates as [template: string, variables: Record<string, string>, output: string][]

/**
 * The sequence of doubles for which the authors of RFC 8785 publish hashes: 168 hand-picked ones, 2000 consecutive ones
 * from the smallest normal double, then four from each link of an endless SHA-256 chain, skipping zeros, infinities and
 * NaNs. Here are the number of lines, and the SHA-256 of that many lines `bits in hex,text\n`.
 * https://github.com/cyberphone/json-canonicalization/tree/master/testdata
 */
export const PUBLISHED = vectors.published as [lines: number, sha256: string][]

const LEAST_NORMAL = 0x0010_0000_0000_0000n
const IN_A_ROW = 2000

/** The bit patterns of the first `count` doubles of the sequence. */
export async function numberBits(count: number): Promise<BigUint64Array<ArrayBuffer>> {
  const bits = new BigUint64Array(count)
  let have = 0
  const add = (pattern: bigint) => {
    if (have < count) bits[have++] = pattern
  }

  // Big-endian, in base64.
  const byHand = new DataView(Uint8Array.from(atob(vectors.byHand), (character) => character.charCodeAt(0)).buffer)
  for (let at = 0; at < byHand.byteLength; at += 8) add(byHand.getBigUint64(at))
  for (let i = 0; i < IN_A_ROW; i++) add(LEAST_NORMAL + BigInt(i))

  let link: ArrayBuffer = new ArrayBuffer(32)
  while (have < count) {
    link = await crypto.subtle.digest('SHA-256', link)
    const view = new DataView(link)
    for (let at = 0; at < 32; at += 8) {
      const value = view.getFloat64(at, true)
      if (value !== 0 && Number.isFinite(value)) add(view.getBigUint64(at, true))
    }
  }
  return bits
}

/** RFC 9460 appendix D: record data in zone file form and in wire form, and (D.3) data that zone files must not contain. */
export function records(): Answer[] {
  const sound = (vectors.records as [text: string, hex: string][]).flatMap(([text, hex], i) => [
    [`record/${i}`, hex, wire(() => svcbFromText(text))] as const,
    [`record/${i}-read`, hex, wire(() => svcbFromText(svcbToText(readSvcb(fromHex(hex)!))))] as const,
  ])
  const faulty = vectors.faultyRecords.map((parameters, i) => {
    return [`record-faulty/${i}`, 'refused', wire(() => svcbFromText(`1 foo.example.com. ${parameters}`))] as const
  })
  return [...sound, ...faulty]
}

function wire(read: () => Parameters<typeof writeSvcb>[0]): string {
  try {
    return toHex(writeSvcb(read()))
  } catch (error) {
    if (!(error instanceof DnsError)) throw error
    return 'refused'
  }
}

// One record, sealed and proven, a signed note and a certificate.

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)

/** The expected texts were made with Python's hashlib and OpenSSL, the note is that of C2SP's signed-note. */
export async function runs(): Promise<Answer[]> {
  const { record, stream, checkpoint, root, proof, certificate, fingerprint, names, note } = runVectors
  const key = await importKey(fromHex(runVectors.seed)!, { format: 'raw-private' })
  const sealed = await seal(record, { key, domain: 'harbour.example' })
  const lines = stream.trimEnd().split('\n').map(encode)
  const leaves = new Leaves()
  for (const line of lines) leaves.append(leafHash(line))
  const checkpoints = encode(checkpoint)
  const own = writeProof({ index: 1, hashes: leaves.inclusionProof(1, lines.length), checkpoint: checkpoints })
  const proven = await verifyLine(encode(proof), { line: lines[1]!, keys: [key.publicKey] })
  const theirs = (await readNoteKey(runVectors.noteKey))!
  const { subject, notAfter } = readCertificate(certificate)
  const { verdict } = await verifyStream(encode(stream), { checkpoints, keys: [key.publicKey] })
  return [
    ['run/stream', stream, decode(sealed.stream)],
    ['run/checkpoint', checkpoint, decode(sealed.checkpoints)],
    ['run/root', root, toHex(leaves.root())],
    ['run/verdict', 'verified', verdict],
    ['run/proof', proof, decode(own)],
    ['run/proven', 'verified', proven.verdict],
    ['note', '1', String((await verifyNote(readNote(encode(note))!, [theirs]))?.length)],
    ['certificate', fingerprint, certificateFingerprint(certificate)],
    [
      'certificate/names',
      names,
      [subject.unit, subject.organization, subject.commonName, notAfter.toISOString()].join(', '),
    ],
  ]
}

/** The public test key of RFC 9421 appendix B.1.4, and the parts of the request in B.2 that B.2.6 covers. */
const {
  key: KEY,
  headers,
  method,
  url,
  components,
  keyid,
  created,
  input: INPUT,
  signature,
  base: BASE,
} = vectors.message
const REQUEST = { method, url, headers: { get: (name: string) => new Map(Object.entries(headers)).get(name) ?? null } }

/** Checks the base, its signature, and that signing again gives the same signature: Ed25519 is deterministic. */
export async function messages(): Promise<Answer[]> {
  const key = await importKey(KEY)
  const options = { components, keyid, created: new Date(created * 1000), label: 'sig-b26' }
  const made = await signMessage(REQUEST, key, options)
  return [
    ['message/base', BASE, new TextDecoder().decode(baseOf(INPUT))],
    ['message/verified', 'true', String(await holds(BASE))],
    ['message/changed', 'false', String(await holds(BASE.replace('/foo', '/bar')))],
    ['message/input', INPUT, made['signature-input']],
    ['message/signature', `sig-b26=:${signature}:`, made.signature],
  ]
}

function baseOf(input: string): Uint8Array {
  const covered = readDictionary(input)?.get('sig-b26')
  const made = covered !== undefined && 'items' in covered ? signatureBase(REQUEST, covered) : { fault: 'no input' }
  return 'base' in made ? made.base : new TextEncoder().encode(made.fault)
}

const holds = async (base: string) =>
  verifyBytes({
    algorithm: 'Ed25519',
    publicKey: await importKey({ kty: KEY.kty, crv: KEY.crv, x: KEY.x }),
    message: new TextEncoder().encode(base),
    signature: decodeBase64(signature),
  })

const bytes = (hex: string) => fromHex(hex)!

async function check(key: string, message: string, signature: string): Promise<string> {
  const given = { publicKey: bytes(key), message: bytes(message), signature: bytes(signature) }
  return String(await verifyBytes({ algorithm: 'Ed25519', ...given }))
}

/**
 * RFC 8032 section 7.1, tests 1 to 3; the encodings of the points of small order, with which as the key anyone can forge
 * signatures; and the key of RFC 8037 appendix A.3 with its thumbprint (RFC 7638).
 */
export async function signatures(): Promise<Answer[]> {
  const sound = (vectors.signatures as [string, string, string][]).flatMap(([key, message, signature], i) => [
    check(key, message, signature).then((got) => [`signature/${i}`, 'true', got] as const),
    check(key, `${message}00`, signature).then((got) => [`signature/${i}-changed`, 'false', got] as const),
  ])
  const small = vectors.smallOrder.map(async (point, i) => {
    return [`small-order/${i}`, 'false', await check(point, '', point + '00'.repeat(32))] as const
  })
  const thumbprints = (vectors.thumbprints as [JsonWebKey, string][]).map(async ([jwk, expected], i) => {
    return [`thumbprint/${i}`, expected, await fingerprint(await importKey(jwk))] as const
  })
  return Promise.all([...sound, ...small, ...thumbprints])
}
