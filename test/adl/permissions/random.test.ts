import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compile, decide } from '../../../bindings/adl/policy.ts'
import { casesOf } from '../../support/cases.ts'
import { documents, requests } from './generate.ts'
import { oracle } from './oracle.ts'

test('[adl/9.1-1] [adl/9.1-8] decisions agree with a literal reading of the specification', () => {
  let allowed = 0
  let all = 0
  fc.assert(
    fc.property(documents, fc.array(requests, { minLength: 10, maxLength: 10 }), (document, asked) => {
      const policy = compile(document)
      for (const request of asked) {
        const wanted = oracle(document, request)
        const { trace, ...decision } = decide(document, request)
        const allows = policy.allows(request)
        // A denial is the last step of its trace, and no earlier step failed.
        const failed = trace.findIndex(({ outcome }) => outcome === 'failed')
        if (decision.allowed !== wanted || allows !== wanted || failed !== (wanted ? -1 : trace.length - 1)) {
          expect({ request, allows, failed, decision }).toEqual({ wanted })
        }
        all++
        if (wanted) allowed++
      }
    }),
    { numRuns: casesOf(800), seed: 9 },
  )
  expect(allowed / all).toBeGreaterThan(0.1)
})

test('[adl/18.12-1] decisions on any document are booleans, and never throw', () => {
  const anything = fc.jsonValue({ maxDepth: 3 })
  const odd = fc.oneof(anything, fc.constantFrom(['**'], ['***'], [''], '\ud800'.toWellFormed(), -1, null, {}))
  const members = [
    ...[
      'allowed_hosts',
      'allowed_ports',
      'allowed_protocols',
      'deny_private',
      'allowed_paths',
      'denied_paths',
      'allow_shell',
    ],
    ...[
      'allowed_variables',
      'denied_variables',
      'allowed_commands',
      'denied_commands',
      'max_memory_mb',
      '__proto__',
      'x_y',
    ],
  ]
  const domains = ['network', 'filesystem', 'environment', 'execution', 'resource_limits', '__proto__']
  const domain = fc.oneof(odd, fc.dictionary(fc.constantFrom(...members), odd))
  const strange = fc.record(
    {
      permissions: fc.oneof(odd, fc.dictionary(fc.constantFrom(...domains), domain)),
      tools: odd,
      lifecycle: fc.oneof(fc.constant({ status: 'active' }), odd),
      security: fc.oneof(odd, fc.record({ attestation: odd })),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(strange, requests, fc.boolean(), (document, request, windows) => {
      const { allowed, reason } = decide(document, request, { windows })
      const told = typeof allowed === 'boolean' && reason !== ''
      if (!told || compile(document, { windows }).allows(request) !== allowed)
        expect({ document, reason }).toBe(allowed)
    }),
    { numRuns: casesOf(1500), seed: 10 },
  )
})
