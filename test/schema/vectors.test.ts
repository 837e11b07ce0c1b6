import { expect, test } from 'vitest'
import * as schema from '../../bindings/schema/index.ts'
import { type Api, runBody } from '../conformance/body.ts'
import { bodyDisagreements } from '../conformance/check.ts'
import { readVectors } from '../conformance/vectors.ts'

// The vectors that test/hosts runs on every platform: quick to run separately.
test('the vectors of schemas and formats', () => {
  const vectors = readVectors('api').filter(({ id }) => /^(schemas|formats)\//.test(id))
  expect(vectors.length).toBeGreaterThan(30)
  const api = { ...schema, DocumentError: Error, PatternError: Error } as Api
  expect(bodyDisagreements(vectors, runBody(api, vectors))).toEqual([])
})
