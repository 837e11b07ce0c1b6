import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const rows = readFileSync('docs/design/ux.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))

test('docs/design/ux.md has all 42 rows, each with its solution and existing tests', () => {
  expect(rows.map(([, number]) => Number(number))).toEqual(Array.from({ length: 42 }, (_, i) => i + 1))
  for (const [, number, what, how, file, ...more] of rows) {
    expect([number, what !== '', how !== '', more]).toEqual([number, true, true, ['']])
    for (const one of file!.split(', '))
      expect(existsSync(/^`(test\/[\w./-]+\.test\.ts)`$/.exec(one)?.[1] ?? ''), `row ${number}: ${one}`).toBe(true)
  }
})

test('marks what is not done yet', () => {
  const missing = rows.filter(([, , , how]) => how!.includes('not yet')).map(([, number]) => Number(number))
  expect(missing).toEqual([1, 36])
})
