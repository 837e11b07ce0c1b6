import { expect, test } from 'vitest'
import { mayPublish } from '../../bindings/adl/publication.ts'
import { parse } from '../../bindings/document/parse.ts'

const check = (value: unknown, options = {}) => mayPublish(parse(JSON.stringify(value)).document!, options)

test.each([
  ['public', true],
  ['internal', true],
  ['confidential', false],
  ['restricted', false],
])('[adl/18.4-5] a %s document may be published without a review: %s', (sensitivity, allowed) => {
  const document = { data_classification: { sensitivity } }
  expect(check(document).allowed).toBe(allowed)
  expect(check(document, { reviewed: true }).allowed).toBe(true)
})

test('[adl/18.6-20] each bare wildcard is acknowledged by its own pointer', () => {
  const permissions = {
    network: { allowed_hosts: ['*', '*.example.com'] },
    environment: { allowed_variables: ['APP_*', '*'], denied_variables: ['*'] },
    execution: { allowed_commands: ['*'] },
  }
  const wildcards = ['/permissions/network/allowed_hosts/0', '/permissions/environment/allowed_variables/1']
  expect(check({ permissions }).needs.map(({ pointer }) => pointer)).toEqual(wildcards)
  const one = check({ permissions }, { acknowledged: [wildcards[1], '/not/there'] })
  expect(one).toMatchObject({ allowed: false, needs: [{ pointer: wildcards[0] }], acknowledged: [wildcards[1]] })
  expect(check({ permissions }, { acknowledged: wildcards })).toEqual({
    allowed: true,
    needs: [],
    acknowledged: wildcards,
    diagnostics: [],
  })
})

test.each([null, 7, [], 'a'])('%j cannot be published as a definition', (value) => {
  expect(check(value, { reviewed: true })).toMatchObject({ allowed: false, needs: [{ id: 'definition', pointer: '' }] })
})

test.each([{}, { permissions: 7 }, { permissions: { network: [] } }, { data_classification: null }])(
  '%j does not throw',
  (value) => expect(check(value)).toEqual({ allowed: true, needs: [], acknowledged: [], diagnostics: [] }),
)

test('[adl/18.2-10] a text that looks like a credential needs a review, however public it is', () => {
  const document = { data_classification: { sensitivity: 'public' }, system_prompt: 'Use AKIAIOSFODNN7EXAMPLE.' }
  expect(check(document)).toMatchObject({ allowed: false, needs: [{ id: 'review', pointer: '/system_prompt' }] })
  expect(check(document, { reviewed: true }).allowed).toBe(true)
})
