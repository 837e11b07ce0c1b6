import { fingerprint } from '../keys/export.ts'
import { importKey } from '../keys/platform.ts'
import { verifyBytes } from '../keys/verify.ts'
import { fromHex } from '../text/bytes.ts'

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
