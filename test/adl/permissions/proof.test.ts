import { expect, test } from 'vitest'
import { decide, sign, verify } from '../../../bindings/adl/index.ts'
import { generateKey } from '../../../bindings/keys/index.ts'

const definition = (variable: string) =>
  JSON.stringify({
    adl_spec: '0.1.0',
    name: 'A',
    description: 'An agent to be signed',
    version: '1.0.0',
    data_classification: { sensitivity: 'public' },
    permissions: { environment: { allowed_variables: [variable] } },
  })

test('[adl/18.1-20] [adl/9.1-1] a proof counts only for its own document', async () => {
  const key = await generateKey()
  const [first, second] = await Promise.all(
    ['A', '*'].map(async (variable) => (await sign(definition(variable), key, { embedKey: true })).bytes),
  )
  const [proof, other] = await Promise.all([first!, second!].map((bytes) => verify(bytes)))
  expect([proof!.verdict, other!.verdict]).toEqual(['verified', 'verified'])
  const request = { domain: 'environment', variable: 'A' } as const
  expect(decide(first!, request, { proof: proof! }).allowed).toBe(true)
  expect(decide(first!, request).allowed).toBe(false)
  const mistaken = decide(second!, request, { proof: proof! })
  expect(decide(definition('A'), request, { proof: other! }).allowed).toBe(false)
  expect(mistaken).toMatchObject({ allowed: false, reason: 'the proof is of another document' })
})
