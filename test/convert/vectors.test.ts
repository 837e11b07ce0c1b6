import { expect, test } from 'vitest'
import * as adl from '../../bindings/adl/index.ts'
import * as blazon from '../../bindings/index.ts'
import { runBody } from '../conformance/body.ts'
import { bodyDisagreements } from '../conformance/check.ts'
import { readVectors } from '../conformance/vectors.ts'

test('prompts, conversions and public copies match the vectors for every host', () => {
  const vectors = readVectors('api').filter(({ id }) => /^(definitions|conversions)\//.test(id))
  expect(vectors.length).toBeGreaterThan(30)
  expect(bodyDisagreements(vectors, runBody({ ...adl, ...blazon }, vectors))).toEqual([])
})
