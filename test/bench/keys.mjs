// A proof with all its steps (`verify` of a definition) against what nobody can leave out: Web Crypto reading the key from
// SPKI and verifying the signature over canonical bytes that somebody else made. And keys that are opened once, for many
// messages, against CryptoKeys that were imported once.
import { sign, verify } from 'blazon'
import { canonicalizeWithout } from 'blazon/core'
import { decodeBase64url, exportKey, generateKey, openSigner, openVerifier } from 'blazon/keys'
import { median } from './harness.mjs'

export const title = 'Signatures: a proof against Web Crypto alone'

const ROUNDS = 101

const ALGORITHMS = [
  ['Ed25519', { name: 'Ed25519' }, 'Ed25519'],
  ['ES256', { name: 'ECDSA', namedCurve: 'P-256' }, { name: 'ECDSA', hash: 'SHA-256' }],
  ['RS256', { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, 'RSASSA-PKCS1-v1_5'],
]

/** About 4 KB. */
const DEFINITION = {
  adl_spec: '0.1.0',
  name: 'Scout',
  description: 'Finds the way. '.repeat(20),
  version: '1.0.0',
  data_classification: { sensitivity: 'public' },
  tools: Array.from({ length: 14 }, (_, i) => ({
    name: `tool_${i}`,
    description: 'Looks something up. '.repeat(7),
    parameters: { type: 'object', properties: { query: { type: 'string' } } },
  })),
}

export async function cases() {
  const rows = await Promise.all(ALGORITHMS.map(async (row) => [await proof(...row), ...(await opened(...row))]))
  return rows.flat()
}

/** A message of 1 KB: what a log of many small statements is made of. */
const MESSAGE = new Uint8Array(1000).fill(7)

async function opened(algorithm, parameters, use) {
  const key = await generateKey(algorithm, { modulusLength: 2048 })
  const [checked, unchecked, verifier] = await Promise.all([
    openSigner(key, { algorithm, checks: 'each' }),
    openSigner(key, { algorithm, checks: 'once' }),
    openVerifier(key, { algorithm }),
  ])
  const hashed = { hash: 'SHA-256', ...parameters }
  const own = await crypto.subtle.importKey('pkcs8', await exportKey(key, 'pkcs8'), hashed, false, ['sign'])
  const other = await crypto.subtle.importKey('spki', await exportKey(key, 'spki'), hashed, false, ['verify'])
  const signature = await checked.sign(MESSAGE)
  const sign = async () => (await crypto.subtle.sign(use, own, MESSAGE)).byteLength === signature.length
  const signed = async (by) => (await by.sign(MESSAGE)).length === signature.length
  const row = (what, atMost, aim, ours, alone) => ({
    name: `${algorithm}, ${what}, times the time of Web Crypto`,
    unit: 'x',
    atMost,
    aim,
    measure: () => byTurns(ours, alone),
  })
  return [
    row(
      'verifying with a key opened once',
      1.5,
      1.2,
      () => verifier.verify(MESSAGE, signature),
      () => crypto.subtle.verify(use, other, signature, MESSAGE),
    ),
    row('signing with a key opened once, each signature checked', 4, 3.2, () => signed(checked), sign),
    row('signing with a key opened once, one signature checked', 1.5, 1.2, () => signed(unchecked), sign),
  ]
}

/** How many times as long the one takes as the other: medians of calls that take turns. */
async function byTurns(...contestants) {
  const times = contestants.map(() => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, work] of contestants.entries()) {
      const start = performance.now()
      if (!(await work())) throw new Error('the signature is not valid')
      times[i].push(performance.now() - start)
    }
  }
  return median(times[0]) / median(times[1])
}

async function proof(algorithm, keyParameters, use) {
  const key = await generateKey(algorithm, { modulusLength: 2048 })
  const { bytes, document } = await sign(JSON.stringify(DEFINITION), key, { algorithm, embedKey: true })
  const { payload } = canonicalizeWithout(bytes, ['/security/attestation/signature'])
  const signature = decodeBase64url(document.value.security.attestation.signature.value)
  const spki = await exportKey(key, 'spki')
  const ours = async () => (await verify(bytes)).verdict === 'verified'
  const alone = async () => {
    const imported = await crypto.subtle.importKey('spki', spki, keyParameters, false, ['verify'])
    return crypto.subtle.verify(use, imported, signature, payload)
  }
  return {
    name: `${algorithm}, ${(bytes.length / 1000).toFixed(1)} KB, times the time of Web Crypto`,
    unit: 'x',
    atMost: 4,
    aim: 2,
    measure: () => byTurns(ours, alone),
  }
}
