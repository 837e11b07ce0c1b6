import { describe, expect, test } from 'vitest'
import { blazon } from './terminal.ts'

describe('blazon selftest', () => {
  test('prints the parts, the verdict and the digest', async () => {
    const { code, stdout, stderr } = await blazon(['selftest', '--numbers', '1000'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^canonical forms +\d+ {2}ok/)
    expect(stdout).toMatch(/\npassed: \d+ vectors\ndigest [0-9a-f]{64}\n$/)
  })

  test('gives the same digest as data', async () => {
    const text = await blazon(['selftest', '--numbers', '1000'])
    const json = await blazon(['selftest', '--numbers', '1000', '--format', 'json'])
    const [result] = JSON.parse(json.stdout).results
    expect(result.valid).toBe(true)
    expect(text.stdout).toContain(`digest ${result.selftest.digest}`)
  })

  test('refuses a count without a published hash', async () => {
    expect(await blazon(['selftest', '--numbers', '7'])).toMatchObject({ code: 2, stdout: '' })
  })
})
