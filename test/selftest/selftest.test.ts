import { beforeAll, describe, expect, test, vi } from 'vitest'
import { formatSelftest, runSelftest } from '../../bindings/selftest/index.ts'
import { BUILDS } from '../support/builds.ts'

describe.each(BUILDS)('$name', ({ use }) => {
  beforeAll(use)

  test('[rfc8785/B-1] [rfc8785/3.2.2.3-1] passes', async () => {
    const result = await runSelftest()
    expect(result.mismatches).toEqual([])
    expect(result.passed).toBe(true)
    expect(result.groups.map(({ title, failed }) => [title, failed])).toEqual([
      ['canonical forms', 0],
      ['refusals', 0],
      ['numbers', 0],
      ['10000 numbers by hash', 0],
      ['patterns', 0],
      ['templates', 0],
      ['signatures', 0],
      ['HTTP messages', 0],
      ['DNS records', 0],
      ['runs', 0],
    ])
    // All of RFC 9460 appendix D: ten records, written and read, and ten that are none.
    expect(result.groups.at(-2)!.ran).toBe(30)
    expect(result.digest).toMatch(/^[0-9a-f]{64}$/)
  })

  test('takes the counts that hashes are published for', async () => {
    const result = await runSelftest({ numbers: 1000 })
    expect(result.passed).toBe(true)
    await expect(runSelftest({ numbers: 5 })).rejects.toThrow(RangeError)
  })
})

test('both builds come to one digest', async () => {
  const digests: string[] = []
  for (const { use } of BUILDS) {
    use()
    digests.push((await runSelftest({ numbers: 1000 })).digest)
  }
  expect(digests[0]).toBe(digests[1])
})

test('a summary says what is wrong', async () => {
  const result = await runSelftest({ numbers: 1000 })
  expect(formatSelftest(result)).toMatch(/\npassed: \d+ vectors\ndigest [0-9a-f]{64}$/)
  const mismatches = [{ id: 'number/x', expected: '1', got: '2' }]
  const groups = [{ title: 'numbers', source: 'RFC', ran: 7, failed: 1 }]
  expect(formatSelftest({ ...result, passed: false, ran: 7, groups, mismatches, digest: 'd' })).toBe(
    'numbers     7  1 of 7 WRONG  (RFC)\nnumber/x: expected 1, got 2\nFAILED: 7 vectors\ndigest d',
  )
})

test('without crypto.subtle it says so', async () => {
  vi.stubGlobal('crypto', {})
  await expect(runSelftest()).rejects.toThrow('crypto.subtle')
  vi.unstubAllGlobals()
})
