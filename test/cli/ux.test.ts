import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const [, , ...rows] = readFileSync('docs/design/ux.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split('|').map((cell) => cell.trim()))

test('docs/design/ux.md has all 42 rows, each with its solution and existing tests', () => {
  expect(rows).toHaveLength(42)
  for (const [, what, how, file, ...more] of rows) {
    expect([what !== '', how !== '', more]).toEqual([true, true, ['']])
    for (const one of file!.split(', '))
      expect(existsSync(/^`(test\/[\w./-]+\.test\.ts)`$/.exec(one)?.[1] ?? ''), `${what}: ${one}`).toBe(true)
  }
})

test('marks what is not done yet', () => {
  const missing = rows.filter(([, , how]) => how!.includes('not yet')).map(([, what]) => what)
  expect(missing).toEqual(['check any kind', 'editors'])
})
