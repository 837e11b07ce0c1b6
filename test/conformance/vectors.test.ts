import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { numberBits, PUBLISHED } from '../../bindings/selftest/vectors.ts'
import { assembleVectors } from './assemble.ts'
import { programDisagreements } from './check.ts'
import { numberVectors, suiteVectors } from './generated.ts'
import { runProgram } from './raw.ts'
import { readVectors } from './vectors.ts'

/** The build that has an export more. */
const BASELINE = 'core-baseline.wasm'
const FOLDER = process.env['BLAZON_CORE'] ?? 'dist/wasm'

// The same programs that test/hosts runs everywhere, here as tests: quick to run alone, and counted by the coverage.
describe.each(['core.wasm', BASELINE])('%s, bare exports', (file) => {
  const module = new WebAssembly.Module(readFileSync(`${FOLDER}/${file}`))

  test('[rfc8785/3.2.2.3-1] [rfc8785/B-1] [rfc8785/3.2.3-2] the vectors', async () => {
    const own = file === BASELINE ? readVectors('abi-baseline') : []
    const vectors = [...readVectors('abi'), ...own, ...(await numberVectors())]
    const { program, answers } = assembleVectors(vectors)
    expect(programDisagreements(vectors, answers, runProgram(module, program))).toEqual([])
  })

  test('[rfc8785/3.2.4-1] the public suites', () => {
    const { vectors } = suiteVectors()
    const { program, answers } = assembleVectors(vectors)
    expect(programDisagreements(vectors, answers, runProgram(module, program))).toEqual([])
  })
})

test('[rfc8785/3.2.2.3-1] the expected texts of the number sequence are those of the published hash', async () => {
  const bits = await numberBits(10_000)
  const doubles = new Float64Array(bits.buffer)
  const lines = Array.from(bits, (pattern, i) => `${pattern.toString(16)},${doubles[i]}\n`)
  for (const [count, sha256] of PUBLISHED.filter(([count]) => count <= bits.length)) {
    expect(createHash('sha256').update(lines.slice(0, count).join('')).digest('hex')).toBe(sha256)
  }
})
