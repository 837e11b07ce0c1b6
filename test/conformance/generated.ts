import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { numberBits } from '../../bindings/selftest/vectors.ts'
import type { Vector } from './content.ts'

/** As many of the published sequence as every host formats and reads; the soak run does ten million in Node. */
const NUMBERS = 10_000

/** The published sequence both ways. Texts are this engine's own; that they are right is what the published hash says. */
export async function numberVectors(): Promise<Vector[]> {
  const patterns = await numberBits(NUMBERS)
  const doubles = new Float64Array(patterns.buffer)
  return Array.from(patterns, (pattern, i): Vector[] => {
    const bits = pattern.toString(16).padStart(16, '0')
    const text = String(doubles[i])
    return [
      { id: `es6/${i}`, call: 'formatNumber', bits, gives: { text } },
      // ECMAScript writes -0 as 0.
      { id: `es6/${i}-back`, call: 'readNumber', text, gives: { bits: doubles[i] === 0 ? '0'.repeat(16) : bits } },
    ]
  }).flat()
}

const SUITES = resolve(process.env['BLAZON_SUITES'] ?? '../shared/suites')

/** RFC 8785 section 3.1 refuses duplicate names, which RFC 8259 only advises against. */
const DUPLICATES = ['y_object_duplicated_key.json', 'y_object_duplicated_key_and_value.json']

/** Cases of public suites that are not run as the suite means them, and why. Printed with every run. */
export const SKIPPED: readonly string[] = DUPLICATES.map(
  (file) => `${file}: duplicate names are refused (RFC 8785, 3.1)`,
)

/** Signatures of public suites that hosts are known to disagree about, for the API alone. */
export function signatureVectors(): Vector[] {
  const read = (...path: string[]) => {
    const file = join(SUITES, ...path)
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
  }
  const check = (id: string, key: string, message: string, signature: string, valid: boolean): Vector => {
    return { id, call: 'verifyBytes', algorithm: 'Ed25519', key: { hex: key }, message, signature, gives: { valid } }
  }
  const { w3c = [] } = read('speccheck', 'expected.json') as { w3c?: boolean[] }
  const speccheck = read('speccheck', 'cases.json') as { message: string; pub_key: string; signature: string }[]
  const zip215 = read('zip215', 'zip215.json') as { vk_bytes: string; sig_bytes: string }[]
  const zcash = Buffer.from('Zcash').toString('hex')
  return [
    ...speccheck.map(({ message, pub_key, signature }, i) =>
      check(`speccheck/${i}`, pub_key, message, signature, w3c[i]!),
    ),
    ...zip215.map(({ vk_bytes, sig_bytes }, i) => check(`zip215/${i}`, vk_bytes, zcash, sig_bytes, false)),
  ]
}

/** What of the public suites is here, as vectors, and which of them are not. They are read in place, never copied. */
export function suiteVectors(): { vectors: Vector[]; absent: string[] } {
  const absent = ['cyberphone-jcs', 'jsontestsuite', 'speccheck', 'zip215'].filter(
    (name) => !existsSync(join(SUITES, name)),
  )
  const vectors: Vector[] = []
  const hex = (...path: string[]) => readFileSync(join(SUITES, ...path)).toString('hex')
  const files = (...path: string[]) => readdirSync(join(SUITES, ...path)).sort()

  if (!absent.includes('cyberphone-jcs')) {
    for (const file of files('cyberphone-jcs', 'input')) {
      const gives = { hex: hex('cyberphone-jcs', 'output', file) }
      vectors.push({ id: `cyberphone/${file}`, call: 'canonicalize', hex: hex('cyberphone-jcs', 'input', file), gives })
    }
  }
  if (!absent.includes('jsontestsuite')) {
    for (const folder of ['test_parsing', 'test_transform']) {
      for (const file of files('jsontestsuite', folder)) {
        const document = hex('jsontestsuite', folder, file)
        const refused = DUPLICATES.includes(file) || file.startsWith('n_')
        // An i_ file may go either way; that it goes the same way everywhere is what the hosts compare.
        const wanted = refused ? { refused } : file.startsWith('y_') ? { accepted: true } : {}
        vectors.push({ id: `jsontestsuite/${file}`, call: 'canonicalize', hex: document, ...wanted })
      }
    }
  }
  return { vectors, absent }
}
