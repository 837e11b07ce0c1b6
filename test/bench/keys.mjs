// A proof with all its steps (`verify` of a definition) against what nobody can leave out: Web Crypto reading the key from
// SPKI and verifying the signature over canonical bytes that somebody else made.
import { sign, verify } from 'blazon'
import { canonicalizeWithout } from 'blazon/core'
import { decodeBase64url, exportKey, generateKey } from 'blazon/keys'
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
  return Promise.all(ALGORITHMS.map(([algorithm, key, use]) => figure(algorithm, key, use)))
}

async function figure(algorithm, keyParameters, use) {
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
    async measure() {
      const times = [[], []]
      for (let round = 0; round < ROUNDS; round++) {
        for (const [i, work] of [ours, alone].entries()) {
          const start = performance.now()
          if (!(await work())) throw new Error(`${algorithm}: the signature is not valid`)
          times[i].push(performance.now() - start)
        }
      }
      return median(times[0]) / median(times[1])
    },
  }
}
