import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { numberBits } from '../../bindings/selftest/numbers.ts'
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

/** What of the public suites is here, as vectors, and which of them are not. They are read in place, never copied. */
export function suiteVectors(): { vectors: Vector[]; absent: string[] } {
  const absent = ['cyberphone-jcs', 'jsontestsuite'].filter((name) => !existsSync(join(SUITES, name)))
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
