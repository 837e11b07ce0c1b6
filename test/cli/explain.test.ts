import { describe, expect, test } from 'vitest'
import { catalogue } from '../../bindings/catalogue.ts'
import { blazon } from './terminal.ts'

/** The table of section 16.2. */
const CODES = [
  ...[1001, 1002, 1003, 1004, 1005, 1006],
  ...Array.from({ length: 23 }, (_, i) => 2001 + i),
  ...[3001, 3002, 4001, 4002, 4003, 5001, 5002, 5003],
].map((number) => `ADL-${number}`)

test.each(CODES)('%s has a reason, a bad and a good example', async (code) => {
  const { stdout, code: exit } = await blazon(['explain', code])
  expect(exit).toBe(0)
  expect(stdout).toMatch(new RegExp(`^${code} `))
  for (const words of ['Breaks it:', 'Keeps it:', 'ADL ']) expect(stdout).toContain(words)
})

describe('what is asked for', () => {
  test('a rule by its id, in any case; a code of reading', async () => {
    expect((await blazon(['explain', 'val-02'])).stdout).toMatch(/^ADL-2002 VAL-02: Duplicate tool name/)
    expect((await blazon(['explain', 'ADL-1004'])).stdout, 'of definitions first').toMatch(/^ADL-1004 member-type: /)
    expect((await blazon(['explain', 'DOC-107'])).stdout).toMatch(/^DOC-107 json\/duplicate-member: /)
    expect((await blazon(['explain', 'KEY-104'])).stdout).toMatch(
      /^KEY-104 key\/weak: Weak key\n.+\n\nRSA below 2048 bits/,
    )
    expect((await blazon(['explain', 'KEY-131'])).stdout).toMatch(/^KEY-131 signature-integer: /)
  })

  test('what lists of agents, addresses and suppressions have wrong', async () => {
    for (let number = 160; number <= 167; number++) {
      const { stdout } = await blazon(['explain', `BADL-${number}`])
      expect(stdout).toContain('Keeps it:')
    }
  })

  test('everything, a line each', async () => {
    const { stdout } = await blazon(['explain'])
    for (const { code, id } of catalogue()) expect(stdout).toMatch(new RegExp(`^${code} +${id} `, 'm'))
  })

  test('reports that a named file does not exist', async () => {
    const { code, stderr } = await blazon(['explain', 'missing.pem'])
    expect(code).toBe(3)
    expect(stderr).toContain('cannot read missing.pem: the file does not exist')
  })

  test('suggests a name for an unknown code or rule', async () => {
    const { code, stderr } = await blazon(['explain', 'bare-wildcart'])
    expect(code).toBe(2)
    expect(stderr).toContain('did you mean bare-wildcard?')
  })
})
