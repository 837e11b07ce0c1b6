import { expect, test } from 'vitest'
import * as adl from '../../bindings/adl/index.ts'
import * as keys from '../../bindings/keys/index.ts'
import { type Api, runBody } from '../conformance/body.ts'
import { bodyDisagreements } from '../conformance/check.ts'
import { signatureVectors } from '../conformance/generated.ts'
import { readVectors } from '../conformance/vectors.ts'

// The vectors that test/hosts runs on every platform.
test('[adl/10.3-7] [adl/10.3-8] keys, signatures and signed definitions', async () => {
  const all = [...readVectors('api').filter(({ id }) => id.startsWith('signatures/')), ...signatureVectors()]
  expect(all.length).toBeGreaterThan(100)
  const api = { ...keys, ...adl, DocumentError: Error, PatternError: Error } as Api
  expect(bodyDisagreements(all, await Promise.all(runBody(api, all)))).toEqual([])
})
