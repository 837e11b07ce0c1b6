import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compile, diff } from '../../../bindings/adl/index.ts'
import { documents, requests } from '../permissions/generate.ts'

/** The place of each permission domain in a document. */
const PLACES = {
  network: '/permissions/network',
  filesystem: '/permissions/filesystem',
  environment: '/permissions/environment',
  execution: '/permissions/execution',
  resource: '/permissions/resource_limits',
  tool: '/tools',
}

/** A document and a similar one, with some members of a third. */
const pairs = fc.tuple(documents, documents, fc.constantFrom('all', 'some', 'lists')).map(([a, b, how]) => {
  if (how === 'all') return [a, b] as const
  const before = { ...a, permissions: { ...b.permissions, ...a.permissions } }
  if (how === 'some') return [before, { ...b, permissions: { ...before.permissions, ...b.permissions } }] as const
  const network = { ...before.permissions.network, ...b.permissions?.network }
  return [before, { ...before, permissions: { ...before.permissions, network } }] as const
})

test('[adl/9.1-1] [adl/5.5-3] every newly allowed request is a breaking change, and every newly denied one is a change', () => {
  let wider = 0
  let narrower = 0
  fc.assert(
    fc.property(pairs, fc.array(requests, { minLength: 12, maxLength: 12 }), ([before, after], asked) => {
      const [old, now] = [compile(before), compile(after)]
      const { changes } = diff(before, after)
      for (const request of asked) {
        const about = changes.filter(({ pointer }) => pointer.startsWith(PLACES[request.domain]))
        const breaking = about.some(({ breaking }) => breaking)
        const less = about.some(({ kind }) => kind === 'narrowed' || kind === 'removed')
        const [was, is] = [old.allows(request), now.allows(request)]
        if (was === is) continue
        // A new tool is a new capability: MINOR by section 5.5.
        const known = request.domain !== 'tool' || before.tools?.some(({ name }) => name === request.name)
        if (is && known) wider++
        if (was) narrower++
        if ((is && known && !breaking) || (was && !less)) expect({ before, after, request, changes }).toBe('told')
      }
    }),
    { numRuns: 500, seed: 5 },
  )
  expect(Math.min(wider, narrower)).toBeGreaterThan(50)
})

test('a document compared with itself has no changes', () => {
  fc.assert(
    fc.property(documents, (document) => {
      expect(diff(document, structuredClone(document)).changes).toEqual([])
    }),
    { numRuns: 200, seed: 6 },
  )
})

test('[adl/18.12-1] compares any two JSON values', () => {
  const strange = fc.dictionary(
    fc.constantFrom(
      'permissions',
      'tools',
      'lifecycle',
      'security',
      'data_classification',
      'version',
      '__proto__',
      'id',
    ),
    fc.jsonValue({ maxDepth: 4 }),
  )
  fc.assert(
    fc.property(strange, strange, (before, after) => {
      for (const { pointer, detail } of diff(before, after).changes)
        if (pointer === undefined || detail === '') expect(pointer).toBe('told')
    }),
    { numRuns: 400, seed: 7 },
  )
})
