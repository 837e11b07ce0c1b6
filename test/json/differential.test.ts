import { beforeAll, describe, expect, test } from 'vitest'
import { canonicalizeBytes, Fault, isCanonicalBytes, readTape } from '../../bindings/wasm/json.ts'
import { oracle } from '../oracle/json.ts'
import { BUILDS } from '../support/builds.ts'
import { casesOf } from '../support/cases.ts'
import { documents } from '../support/documents.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

const CASES = casesOf(10_000)

/** The core's answer in the form of the oracle's. */
function core(bytes: Uint8Array): unknown {
  const canonical = canonicalizeBytes(bytes)
  if (canonical instanceof Fault) return { fault: { ...canonical } }
  const tape = readTape(bytes)
  if (tape instanceof Fault) return { tape: { ...tape } }
  const own = decode(bytes) === decode(canonical)
  if (isCanonicalBytes(bytes) !== own) return { isCanonical: !own }
  return { canonical: decode(canonical), warnings: tape.warnings }
}

describe.each(BUILDS)('$name, against the oracle', ({ name, use }) => {
  beforeAll(use)
  const make = documents(name.length)

  test('[rfc8785/3.2.1-1] [rfc8785/3.2.2.2-2] [rfc8785/3.1-4] random documents, plainly and oddly spelled', () => {
    for (let i = 0; i < CASES; i++) {
      const value = make.value(5)
      for (const document of [JSON.stringify(value), make.spell(value)]) {
        const bytes = encode(document)
        const came = core(bytes)
        const wanted = oracle(bytes)
        if (JSON.stringify(came) !== JSON.stringify(wanted)) expect(came, document).toEqual(wanted)
      }
    }
  })

  test('[rfc8259/6-1] [rfc8259/7-1] [rfc8259/8.1-1] damaged documents: the same fault at the same byte', () => {
    for (let i = 0; i < 2 * CASES; i++) {
      const bytes = make.damage(encode(make.spell(make.value(3))))
      const came = core(bytes)
      const wanted = oracle(bytes)
      if (JSON.stringify(came) !== JSON.stringify(wanted)) expect(came, JSON.stringify(decode(bytes))).toEqual(wanted)
    }
  })
})
