import { expect, test } from 'vitest'
import * as api from '../../bindings/core/index.ts'
import { runBody } from '../conformance/body.ts'
import { bodyDisagreements } from '../conformance/check.ts'
import { readVectors } from '../conformance/vectors.ts'

test('[rfc8785/3.2.3-2] [rfc8785/3.2.2.2-1] the vectors for every JavaScript platform', () => {
  const vectors = readVectors('api').filter(({ call }) => call === 'canonicalizeValue')
  expect(vectors.length).toBeGreaterThan(30)
  expect(bodyDisagreements(vectors, runBody(api, vectors))).toEqual([])
})
