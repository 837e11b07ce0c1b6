// What a run of the tests reports: failures at once, and the processor time of the files in the last `npm test`, with
// their browsers, servers and programs, which test/support/spent.ts writes.
import { existsSync } from 'node:fs'
import { readText } from './files.mjs'

/** A line for each test file. */
export const SPENT = '.scratch/spent.jsonl'
const MOST_CHARACTERS = 4000

/**
 * The most for a file: milliseconds, and the share of all, because a busy machine makes all files dearer. Single tests have
 * no limit: their processor time is not measured.
 */
const MOST = { spent: 30_000, share: 0.04 }

/** Vitest's default reporter shows failures at the end, which an interrupted run never reaches. */
export default class FailingReporter {
  onTestCaseResult(test) {
    const { state, errors = [] } = test.result()
    if (state !== 'failed') return
    console.error(`FAILED ${test.module.relativeModuleId} > ${test.fullName}`)
    for (const { message, stack = message, diff = '', cause } of errors) {
      console.error(`${stack.slice(0, MOST_CHARACTERS)}\n${diff.slice(0, MOST_CHARACTERS)}\n`)
      if (cause !== undefined) console.error(`because: ${cause.code ?? ''} ${cause.message}\n`)
    }
  }
}

/** The files, the dearest first, and their sum; no files after a run that measured none. */
function readSpent() {
  const lines = existsSync(SPENT) ? readText(SPENT).split('\n').filter(Boolean) : []
  const files = lines.map((line) => JSON.parse(line)).sort((a, b) => b.spent - a.spent)
  return { files, sum: files.reduce((total, { spent }) => total + spent, 0) }
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`

export function printDearest() {
  const { files, sum } = readSpent()
  if (files.length === 0) return
  console.log(`\nprocessor time of ${files.length} test files: ${seconds(sum)}; most of it:`)
  for (const { file, spent } of files.slice(0, 10)) console.log(`${seconds(spent).padStart(9)}  ${file}`)
}

/** The files above the limit. */
export function tooDear() {
  const { files, sum } = readSpent()
  return files
    .filter(({ spent }) => spent > MOST.spent && spent > MOST.share * sum)
    .map(({ file, spent }) => `${file} took ${seconds(spent)} of processor time, limit ${seconds(MOST.spent)}`)
}
