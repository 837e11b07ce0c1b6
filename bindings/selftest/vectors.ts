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
import vectors from './runs.json' with { type: 'json' }

/** RFC 8785, appendix B: bits of a double, most significant first, and its text. */
export const NUMBERS: readonly (readonly [bits: string, text: string])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
]

/** Documents and their canonical forms. The first two are RFC 8785, sections 3.2.2 to 3.2.4. */
export const CANONICAL: readonly (readonly [document: string, canonical: string])[] = [
  [
    String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
    // Not String.raw: Bun escapes the non-ASCII characters of raw templates.
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  ],
  [
    String.raw`{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}`,
    '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}',
  ],
  [' { "b" : [ 1.0 , -0 , 1E2 ] , "a" : { } } ', '{"a":{},"b":[1,0,100]}'],
  ['{"ab":1,"a":2,"":3}', '{"":3,"a":2,"ab":1}'],
  ['{"12345678b":1,"12345678a":2,"12345678":3}', '{"12345678":3,"12345678a":2,"12345678b":1}'],
  ['[1e21,1e20,0.000001,1e-7,5e-324]', '[1e+21,100000000000000000000,0.000001,1e-7,5e-324]'],
  ['"e\\u0301 \\u00e9 \\uD834\\uDD1E"', '"e\u0301 \u00e9 \ud834\udd1e"'],
]

/** Documents in hex, each with its fault (the rule of the diagnostic) and the offset where it is detected. */
export const REFUSED: readonly (readonly [hex: string, rule: string, offset: number])[] = [
  ['7b2261223a312c2261223a317d', 'json/duplicate-member', 7], // {"a":1,"a":1}
  ['7b2261223a312c225c7530303631223a317d', 'json/duplicate-member', 7], // the same, the second one escaped
  ['225c756438303022', 'json/lone-surrogate', 1], // "\ud800"
  ['22c0af22', 'json/utf-8', 1], // an overlong slash
  ['22eda08022', 'json/utf-8', 1], // an encoded surrogate
  ['efbbbf7b7d', 'json/byte-order-mark', 0],
  ['5b315d5d', 'json/trailing', 3], // [1]]
  ['5b31653430305d', 'json/number-overflow', 1], // [1e400]
]

/** ADL section 4.4 and Agent Card section 3.6.1: texts that match, and texts that do not. */
export const PATTERNS: readonly (readonly [kind: PatternKind, pattern: string, yes: string[], no: string[]])[] = [
  ['host', '*.example.com', ['api.example.com', 'API.Example.COM'], ['example.com', 'a.b.example.com']],
  ['path', '/data/**', ['/data/', '/data/foo', '/data/foo/bar/baz'], ['/data', '/database']],
  ['path', '/a/**/b', ['/a/b', '/a/x/y/b'], ['/a/bb', '/b']],
  ['path', '/tmp/*.txt', ['/tmp/a.txt', '/tmp/.txt'], ['/tmp/a/b.txt', '/tmp/A.TXT']],
  ['env', 'APP_*', ['APP_PORT', 'APP_'], ['app_port', 'XAPP_']],
  ['tag', 'nlp/*', ['nlp', 'nlp/translation', 'nlp/text-analysis/sentiment'], ['nlpx', 'vision']],
]

/** ADL section 7.2: template, variables, output. */
export const TEMPLATES: readonly (readonly [template: string, variables: Record<string, string>, output: string])[] = [
  ['Hello {{name}}!', { name: 'Ada' }, 'Hello Ada!'],
  ['{{a}}{{b}}{{a}}', { a: '{{b}}', b: '\u00e9\ud83d\ude00' }, '{{b}}\u00e9\ud83d\ude00{{b}}'],
  ['\\{{a}} { {{a}} }', { a: 'x' }, '{{a}} { x }'],
]

/**
 * The sequence of doubles for which the authors of RFC 8785 publish hashes: 168 hand-picked ones, 2000 consecutive ones
 * from the smallest normal double, then four from each link of an endless SHA-256 chain, skipping zeros, infinities and
 * NaNs.
 * https://github.com/cyberphone/json-canonicalization/tree/master/testdata
 * @module
 */

/** The number of lines, and the SHA-256 of that many lines `bits in hex,text\n`. */
export const PUBLISHED: readonly (readonly [lines: number, sha256: string])[] = [
  [1_000, 'be18b62b6f69cdab33a7e0dae0d9cfa869fda80ddc712221570f9f40a5878687'],
  [10_000, 'b9f7a8e75ef22a835685a52ccba7f7d6bdc99e34b010992cbc5864cd12be6892'],
  [100_000, '22776e6d4b49fa294a0d0f349268e5c28808fe7e0cb2bcbe28f63894e494d4c7'],
  [1_000_000, '49415fee2c56c77864931bd3624faad425c3c577d6d74e89a83bc725506dad16'],
]

// Big-endian, in base64.
const BY_HAND =
  'AAAAAAAAAACAAAAAAAAAAAAAAAAAAAABgAAAAAAAAAHEZpZpXb0cw8QyEe3kl0o1w/zpfKDyEFbDxyEwgMGmrMOSgPOaNIVWw12b' +
  'H10g1VfDJ69MSoCqrMLy8qNuzVVWwr5RBX4VVVjCiEDRMaqqrMJTZw3BVVVXwh8LSTVVVVfB6NXUKqqqrMGz3kNVVVVWwX/KBVVV' +
  'VVbBSW5qqqqqq8EUWFVVVVVVwOBGqqqqqqvAqgqqqqqqqsB01VVVVVVVwECqqqqqqqvACqqqqqqqq7/VVVVVVVVVv6ERERERERG/' +
  'a06BtOgbT7812GfD7OKlvwF57Jy9gh6+y/ZHYS82lr6WXp+A8pISvmHlTGcodNu+LKIT2EC6+L326A/gM8jGvcJTP+aP09K9jVH/' +
  '10yGHL1XdMysPTgXvSLD1vAw+ay87gYks4GPeby4BOopNHLHvIM3IbqQW9O8Tr6cXbPGHrwYmH0XwwTlu+OtMN/PNx27r3uBZhhY' +
  'L7t5L5q4E3m/u0QmFWAPlJm7EB53gAx24brZyljM4L41uqSh4KPm/pC6cIGAgx8yDbo6aM2emFAWRGaWaV29HMNEMhHt5JdKNUP8' +
  '6Xyg8hBWQ8chMIDBpqxDkoDzmjSFVkNdmx9dINVXQyevTEqAqqxC8vKjbs1VVkK+UQV+FVVYQohA0TGqqqxCU2cNwVVVV0IfC0k1' +
  'VVVXQejV1CqqqqxBs95DVVVVVkF/ygVVVVVWQUluaqqqqqtBFFhVVVVVVUDgRqqqqqqrQKoKqqqqqqpAdNVVVVVVVUBAqqqqqqqr' +
  'QAqqqqqqqqs/1VVVVVVVVT+hERERERERP2tOgbToG08/Ndhnw+zipT8BeeycvYIePsv2R2EvNpY+ll6fgPKSEj5h5UxnKHTbPiyi' +
  'E9hAuvg99ugP4DPIxj3CUz/mj9PSPY1R/9dMhhw9V3TMrD04Fz0iw9bwMPmsPO4GJLOBj3k8uATqKTRyxzyDNyG6kFvTPE6+nF2z' +
  'xh48GJh9F8ME5TvjrTDfzzcdO697gWYYWC87eS+auBN5vztEJhVgD5SZOxAed4AMduE62cpYzOC+NTqkoeCj5v6QOnCBgIMfMg06' +
  'OmjNnphQFkAkAAAAAAAAQBQAAAAAAAA/4AAAAAAAAD+pmZmZmZmaP3R64UeuFHs/QGJN0vGp/D8KNuLrHEMtPtT4tYjjaPE+oMb3' +
  'oLXtjT5q1/KavK9IPjV5juIwjDo+1TkiNYn6lT7U/ybNWneBPtT5WnYig/8+1PjGBwNSDD7U+LcvGc0NPtT4tbMcDI0+1Pi1jRxG' +
  'Gj7U+LWJT38OPtT4tYjuN/M+1Pi1iOR9pD7U+LWI44ScPtT4tYjja7U+1Pi1iONpNz7U+LWI42j4PtT4tYjjaPE/8AAAAAAAAL/w' +
  'AAAAAAAAv+////////q/7///////+z/v///////6P+////////s/7////////D/v///////+v+////////+/7////////z/v////' +
  '////P+////////8/0zMzMzMzMj/TMzMzMzMzP9MzMzMzMzQAEAAAAAAAAAAP///////9AA////////9/7//////////v////////' +
  'Q0AAAAAAAADDQAAAAAAAAEQwAAAAAAAARLUtAsfhSvVEtS0Cx+FK9kS1LQLH4Ur3REsa5Nbi705ESxrk1uLvT0RLGuTW4u9QPrDG' +
  '96C17Yw+sMb3oLXtjUGz3kNVVVVTQbPeQ1VVVVRBs95DVVVVVUGz3kNVVVVWQbPeQ1VVVVe+y/ZHYS82lkMUP/PBywlZ'

const LEAST_NORMAL = 0x0010_0000_0000_0000n
const IN_A_ROW = 2000

/** The bit patterns of the first `count` doubles of the sequence. */
export async function numberBits(count: number): Promise<BigUint64Array<ArrayBuffer>> {
  const bits = new BigUint64Array(count)
  let have = 0
  const add = (pattern: bigint) => {
    if (have < count) bits[have++] = pattern
  }

  const byHand = new DataView(Uint8Array.from(atob(BY_HAND), (character) => character.charCodeAt(0)).buffer)
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

/** RFC 9460 appendices D.1 and D.2: record data in zone file form and in wire form. */
const RECORDS: readonly (readonly [text: string, hex: string])[] = [
  ['0 foo.example.com.', '000003666f6f076578616d706c6503636f6d00'],
  ['1 .', '000100'],
  ['16 foo.example.com. port=53', '001003666f6f076578616d706c6503636f6d00000300020035'],
  ['1 foo.example.com. key667=hello', '000103666f6f076578616d706c6503636f6d00029b000568656c6c6f'],
  ['1 foo.example.com. key667="hello\\210qoo"', '000103666f6f076578616d706c6503636f6d00029b000968656c6c6fd2716f6f'],
  [
    '1 foo.example.com. ipv6hint="2001:db8::1,2001:db8::53:1"',
    '000103666f6f076578616d706c6503636f6d000006002020010db800000000000000000000000120010db8000000000000000000530001',
  ],
  [
    '1 example.com. ipv6hint="2001:db8:122:344::192.0.2.33"',
    '0001076578616d706c6503636f6d000006001020010db80122034400000000c0000221',
  ],
  [
    '16 foo.example.org. alpn=h2,h3-19 mandatory=ipv4hint,alpn ipv4hint=192.0.2.1',
    '001003666f6f076578616d706c65036f7267000000000400010004000100090268320568332d313900040004c0000201',
  ],
  [
    '16 foo.example.org. alpn="f\\\\\\\\oo\\\\,bar,h2"',
    '001003666f6f076578616d706c65036f7267000001000c08665c6f6f2c626172026832',
  ],
  [
    '16 foo.example.org. alpn=f\\\\\\092oo\\092,bar,h2',
    '001003666f6f076578616d706c65036f7267000001000c08665c6f6f2c626172026832',
  ],
]

/** Appendix D.3: data that zone files must not contain. */
const FAULTY: readonly string[] = [
  'key123=abc key123=def',
  'mandatory',
  'alpn',
  'port',
  'ipv4hint',
  'ipv6hint',
  'no-default-alpn=abc',
  'mandatory=key123',
  'mandatory=mandatory',
  'mandatory=key123,key123 key123=abc',
]

export function records(): (readonly [id: string, expected: string, got: string])[] {
  const sound = RECORDS.flatMap(([text, hex], i) => [
    [`record/${i}`, hex, wire(() => svcbFromText(text))] as const,
    [`record/${i}-read`, hex, wire(() => svcbFromText(svcbToText(readSvcb(fromHex(hex)!))))] as const,
  ])
  const faulty = FAULTY.map((parameters, i) => {
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
export async function runs(): Promise<(readonly [id: string, expected: string, got: string])[]> {
  const { record, stream, checkpoint, root, proof, certificate, fingerprint, names, note } = vectors
  const key = await importKey(fromHex(vectors.seed)!, { format: 'raw-private' })
  const sealed = await seal(record, { key, domain: 'harbour.example' })
  const lines = stream.trimEnd().split('\n').map(encode)
  const leaves = new Leaves()
  for (const line of lines) leaves.append(leafHash(line))
  const checkpoints = encode(checkpoint)
  const own = writeProof({ index: 1, hashes: leaves.inclusionProof(1, lines.length), checkpoint: checkpoints })
  const proven = await verifyLine(encode(proof), { line: lines[1]!, keys: [key.publicKey] })
  const theirs = (await readNoteKey(vectors.noteKey))!
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

/** The public test key of RFC 9421 appendix B.1.4. */
const KEY = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU',
  x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs',
}
const HEADERS = new Map([
  ['date', 'Tue, 20 Apr 2021 02:07:55 GMT'],
  ['content-type', 'application/json'],
  ['content-length', '18'],
])
/** The parts of the request in appendix B.2 that B.2.6 covers. */
const REQUEST = {
  method: 'POST',
  url: 'https://example.com/foo?param=Value&Pet=dog',
  headers: { get: (name: string) => HEADERS.get(name) ?? null },
}
const COMPONENTS = ['date', '@method', '@path', '@authority', 'content-type', 'content-length']
const KEYID = 'test-key-ed25519'
const CREATED = 1618884473
const INPUT = `sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=${CREATED};keyid="${KEYID}"`
const SIGNATURE = 'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw=='
const BASE = `"date": Tue, 20 Apr 2021 02:07:55 GMT
"@method": POST
"@path": /foo
"@authority": example.com
"content-type": application/json
"content-length": 18
"@signature-params": ${INPUT.slice('sig-b26='.length)}`

/** Checks the base, its signature, and that signing again gives the same signature: Ed25519 is deterministic. */
export async function messages(): Promise<(readonly [id: string, expected: string, got: string])[]> {
  const key = await importKey(KEY)
  const options = { components: COMPONENTS, keyid: KEYID, created: new Date(CREATED * 1000), label: 'sig-b26' }
  const made = await signMessage(REQUEST, key, options)
  return [
    ['message/base', BASE, new TextDecoder().decode(baseOf(INPUT))],
    ['message/verified', 'true', String(await holds(BASE))],
    ['message/changed', 'false', String(await holds(BASE.replace('/foo', '/bar')))],
    ['message/input', INPUT, made['signature-input']],
    ['message/signature', `sig-b26=:${SIGNATURE}:`, made.signature],
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
    signature: decodeBase64(SIGNATURE),
  })

/** RFC 8032 section 7.1, tests 1 to 3: public key, message, signature. */
const SIGNATURES: readonly (readonly [key: string, message: string, signature: string])[] = [
  [
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
  [
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ],
]

/** The encodings of the points of small order: with one of them as the key, anyone can forge signatures. */
const SMALL_ORDER: readonly string[] = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000080',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
]

/** RFC 8037 appendix A.3: a key, and its thumbprint (RFC 7638). */
const THUMBPRINTS: readonly (readonly [jwk: JsonWebKey, thumbprint: string])[] = [
  [
    { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
    'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  ],
]

const bytes = (hex: string) => fromHex(hex)!

async function check(key: string, message: string, signature: string): Promise<string> {
  const given = { publicKey: bytes(key), message: bytes(message), signature: bytes(signature) }
  return String(await verifyBytes({ algorithm: 'Ed25519', ...given }))
}

export async function signatures(): Promise<(readonly [id: string, expected: string, got: string])[]> {
  const sound = SIGNATURES.flatMap(([key, message, signature], i) => [
    check(key, message, signature).then((got) => [`signature/${i}`, 'true', got] as const),
    check(key, `${message}00`, signature).then((got) => [`signature/${i}-changed`, 'false', got] as const),
  ])
  const small = SMALL_ORDER.map(async (point, i) => {
    return [`small-order/${i}`, 'false', await check(point, '', point + '00'.repeat(32))] as const
  })
  const thumbprints = THUMBPRINTS.map(async ([jwk, expected], i) => {
    return [`thumbprint/${i}`, expected, await fingerprint(await importKey(jwk))] as const
  })
  return Promise.all([...sound, ...small, ...thumbprints])
}
