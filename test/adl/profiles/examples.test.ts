import { describe, expect, it } from 'vitest'
import { EXAMPLES, findings } from './support.ts'

describe.runIf(EXAMPLES.length > 0)('the published examples of the four profiles', () => {
  it.each(EXAMPLES)('$file satisfies what it declares', ({ text }) => {
    const found = findings(text)
    // They follow the revision without tiers of autonomy, which are a recommendation.
    expect(found.filter(({ rule }) => rule !== 'GOV-10')).toEqual([])
    expect(found.every(({ severity }) => severity === 'warning')).toBe(true)
  })
})
