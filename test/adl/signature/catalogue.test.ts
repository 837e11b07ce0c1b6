import { createPublicKey, verify as nodeVerify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { explained } from '../../../bindings/adl/findings.ts'
import { sign } from '../../../bindings/adl/verbs.ts'
import { canonicalize } from '../../../bindings/core/json.ts'
import type { Diagnostic } from '../../../bindings/document/types.ts'
import { SIGNATURE_UNTRUSTED_KEY } from '../../../bindings/frame/findings.ts'
import { ALL as KEY_FINDINGS } from '../../../bindings/keys/findings.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { check, KEY } from './support.ts'

interface Entry {
  readonly rule: string
  readonly code: string
  readonly severity: string
  readonly pointer: string
  readonly verdict: string
  readonly expect?: object
  /** The domain's response when its DID is resolved. */
  readonly did?: object
  readonly bad: Signed
  readonly good: Signed
}

interface Signed {
  readonly cryptographic_identity: { readonly public_key: { readonly value: string } }
  readonly security: { readonly attestation: { readonly signature?: { readonly value: string } } }
}

const catalogue: Readonly<Record<'verify' | 'sign', readonly Entry[]>> = parse(
  readFileSync('fixtures/adl/signatures.yaml', 'utf8'),
)
const SIGNATURE_FINDINGS = [...explained().filter(({ code }) => /^KEY-|^ADL-4002$/.test(code)), SIGNATURE_UNTRUSTED_KEY]
const page = readFileSync('docs/reference/diagnostics.md', 'utf8')
const told = (diagnostics: readonly Diagnostic[]) =>
  diagnostics.map(({ rule, code, severity, source: { pointer } }) => ({ rule, code, severity, pointer }))

test.each(catalogue.verify)('verify: $code $rule', async (entry) => {
  const { bad, good, did, expect: expected, verdict, ...finding } = entry
  const run = async (document: Signed) => {
    const resolve = did === undefined ? {} : { resolve: { fetch: async () => Response.json(did) } }
    const proof = await check(JSON.stringify(document), { ...resolve, ...(expected && { expect: expected }) })
    return { verdict: proof.verdict, findings: told(proof.steps.flatMap(({ diagnostic }) => diagnostic ?? [])) }
  }
  expect(await run(bad)).toEqual({ verdict, findings: [finding] })
  expect(await run(good)).toEqual({ verdict: 'verified', findings: [] })
})

test.each(catalogue.sign)('sign: $code $rule', async ({ bad, good, ...finding }) => {
  expect(told((await sign(JSON.stringify(bad), KEY)).diagnostics)).toEqual([finding])
  expect(told((await sign(JSON.stringify(good), KEY)).diagnostics)).toEqual([])
})

test('OpenSSL verifies the valid documents', () => {
  for (const { good } of catalogue.verify) {
    const { signature, ...attestation } = good.security.attestation
    const { value } = good.cryptographic_identity.public_key
    const payload = canonicalize(JSON.stringify({ ...good, security: { attestation } }))
    const key = createPublicKey({ key: Buffer.from(value, 'base64'), format: 'der', type: 'spki' })
    expect(nodeVerify(null, payload, key, Buffer.from(signature!.value, 'base64url'))).toBe(true)
  }
})

describe('every code', () => {
  test('is in the catalogue', () => {
    const rules = [...catalogue.verify, ...catalogue.sign].map(({ rule }) => rule)
    expect(SIGNATURE_FINDINGS.filter(({ id }) => !rules.includes(id))).toEqual([])
  })

  test('has a section in docs/reference/diagnostics.md', () => {
    for (const { code, title } of KEY_FINDINGS) expect(page).toContain(`### ${code} ${title}\n`)
    const ofKeys = SIGNATURE_FINDINGS.filter(({ code }) => code.startsWith('KEY'))
    for (const { id, code, title, severity, section } of nonEmpty(ofKeys)) {
      expect(page).toContain(`### ${code} ${title}\n\n\`${id}\` · ${severity} · ${section}\n`)
    }
  })
})
