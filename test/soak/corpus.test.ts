import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { BASELINE, BUILDS } from '../support/builds.ts'
import { targets, use } from './fuzz-targets.ts'

// What fuzzing kept, replayed: the targets throw where the core and an oracle disagree. fixtures/fuzz/README.md says more.

const CORPUS = new URL('../../fixtures/fuzz/', import.meta.url)

function inputs(target: string): Uint8Array[] {
  const lines = readFileSync(new URL(`${target}.txt`, CORPUS), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => new Uint8Array(Buffer.from(line, 'base64')))
}

test('every target has a corpus', () => {
  const files = readdirSync(CORPUS).filter((file) => file.endsWith('.txt'))
  expect(files).toEqual(
    Object.keys(targets)
      .map((target) => `${target}.txt`)
      .sort(),
  )
})

describe.each(Object.entries(targets))('the corpus of %s', (name, run) => {
  test('is answered alike by both builds, and as the oracle says', () => {
    const corpus = inputs(name)
    const [simd, baseline] = BUILDS.map(({ compile }) => {
      use(compile(), BASELINE.compile())
      return corpus.map((bytes) => JSON.stringify(run(bytes)))
    })
    expect(simd).toEqual(baseline)
    expect(corpus.length).toBeGreaterThan(0)
  })
})
