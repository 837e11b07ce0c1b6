import { describe, expect, test } from 'vitest'
import { validate } from '../../bindings/adl/index.ts'
import { CLEAN } from './support.ts'

const found = (id: string) =>
  validate({ ...CLEAN, id } as never)
    .diagnostics.filter(({ code }) => code === 'BADL-124')
    .map(({ source }) => source.pointer)

describe('URNs by RFC 8141 [adl/17.3-1]', () => {
  test.each(['urn:', 'urn:x', 'urn:a:b', 'URN:-x:b', 'urn:example:', 'urn:example:a?b'])(
    '%s is not a valid URN',
    (id) => {
      expect(found(id)).toEqual(['/id'])
    },
  )

  test.each(['urn:example:a', 'URN:ISBN:0451450523', 'urn:example:a?+b', 'https://a.example'])(
    '%s has no finding',
    (id) => {
      expect(found(id)).toEqual([])
    },
  )
})
