import { describe, expect, test } from 'vitest'
import * as adl from '../../../bindings/adl/index.ts'
import * as core from '../../../bindings/core/index.ts'
import { runBody } from '../../conformance/body.ts'
import { bodyDisagreements } from '../../conformance/check.ts'
import { readVectors } from '../../conformance/vectors.ts'

// Every host runs these vectors (test/hosts). Here they are tests with names.
const vectors = readVectors('api').filter(({ call }) => call === 'decide')

function disagreements(name: RegExp): string[] {
  const chosen = vectors.filter(({ id }) => name.test(id))
  if (chosen.length === 0) return [`no vector is called ${name}`]
  return bodyDisagreements(chosen, runBody({ ...core, ...adl }, chosen))
}

describe('decisions', () => {
  test.each([
    ['[adl/9.1-1] [adl/9.1-2] [adl/9.1-8] [adl/9.1-9] the complete permissions object of 9.6', /complete/],
    ['[adl/9.2-1] hosts in every spelling', /hosts/],
    ['[adl/9.2-1] deny_private: addresses, in every form, and names', /private/],
    ['[adl/9.2-1] protocols', /protocols/],
    ['[adl/9.3-1] [adl/9.1-9] paths', /paths/],
    ['[adl/9.3-1] [adl/4.4-1] Windows', /windows/],
    ['[adl/4.4-1] systems that know no case', /case-insensitive/],
    ['[adl/9.4-1] variables', /variables/],
    ['[adl/9.5-1] [adl/9.1-9] commands', /command/],
    ['[adl/9.5-1] shells', /shell/],
    ['[adl/18.12-2] tools', /tools/],
    ['[adl/18.12-3] what is refused first', /refusal/],
    ['[adl/9.2-2] [adl/9.3-2] [adl/9.4-2] [adl/9.5-2] [adl/9-1] [adl/18.12-1] malformed parts', /malformed/],
  ])('%s', (_, name) => expect(disagreements(name)).toEqual([]))

  test('covers every vector', () => {
    const known = /complete|hosts|private|protocols|paths|windows|case-|variables|command|shell|tools|refusal|malformed/
    expect(vectors.filter(({ id }) => !known.test(id)).map(({ id }) => id)).toEqual([])
  })
})
