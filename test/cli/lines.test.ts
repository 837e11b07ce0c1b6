// The changes between two texts, compared with the system's `diff -u` and `patch`.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unifiedDiff } from '../../cli/validate/mend.ts'
import { processorTime } from '../support/effort.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const hasPatch = spawnSync('patch', ['--version']).status === 0

test.each([
  ['nothing', 'a\nb\n', 'a\nb\n', ''],
  ['a line', 'a\nb\nc\n', 'a\nx\nc\n', '--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n'],
  ['all that there is', 'a\n', '', '--- f\n+++ f\n@@ -1,1 +0,0 @@\n-a\n'],
  ['an end of a line', 'a', 'a\n', '--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n'],
])('%s', (_, before, after, expected) => {
  expect(unifiedDiff(bytes(before), bytes(after), 'f')).toBe(expected)
})

test.runIf(hasPatch)('patch turns one text into the other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'blazon-lines-'))
  try {
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    for (let round = 0; round < 40; round++) {
      const before = Array.from({ length: random(60) }, () => `line ${random(20)}\n`)
      const after = before.flatMap((line) =>
        random(8) === 0 ? [] : random(8) === 0 ? [line, `new ${random(5)}\n`] : [line],
      )
      const [from, to] = [before.join(''), after.join('')]
      const path = join(folder, 'f')
      writeFileSync(path, from)
      const input = unifiedDiff(bytes(from), bytes(to), 'f')
      expect(spawnSync('patch', ['-s', '-F0', path], { input }).status).toBe(0)
      expect(after.length === 0 ? '' : readFileSync(path, 'utf8')).toBe(to)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the search for a common line is bounded', () => {
  const many = (word: string) => bytes(Array.from({ length: 100_000 }, (_, i) => `${word} ${i}\n`).join(''))
  const started = processorTime()
  expect(unifiedDiff(many('a'), many('b'), 'f')).toContain('@@ -1,100000 +1,100000 @@\n')
  expect(processorTime() - started).toBeLessThan(2000)
})
