// `npm test`: installs and builds anything missing, runs all tests, then `npm run check`. Works in a fresh clone. Tests
// that this machine cannot run are reported prominently and count as neither passed nor failed.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { ROOT, readJson } from './files.mjs'
import { ensureInstalled, installPackages } from './setup.mjs'
import { printDearest, SPENT, tooDear } from './test-report.mjs'

const VITEST_RESULT = '.scratch/vitest.json'

process.chdir(ROOT)
const start = performance.now()
const packages = installPackages()
ensureInstalled({ tests: true })

/** The outcome of each step. A step without its own counts is one test. */
const outcomes = []
const notRun = []
/** Failed tests by file and name, repeated at the end for readers who only see the end of a log. */
const failures = []

await step('build', async () => count((await node(['scripts/build.mjs'])).code))
if (outcomes[0].failed > 0) finish()
// Before the tests: a file that looks for a program when it loads would not find one that is installed later.
await packages
// In parallel: many tests wait, and each of the others uses one core most of the time.
await Promise.all([step('tests', tests), others()])
finish()

/** One after the other, so that they take no core from the tests for longer than their work. */
async function others() {
  await step('vectors in every host', async () => {
    const summary = await (await import('../test/hosts/run.mjs')).runHosts()
    notRun.push(...summary.notRun)
    return summary
  })
  await step('npm run check', async () => (await import('./check.mjs')).check())
}

function count(code) {
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 }
}

async function step(name, run) {
  console.log(`\n== ${name}`)
  const begin = performance.now()
  let outcome
  try {
    outcome = await run()
  } catch (error) {
    console.error(error)
    outcome = count(1)
  }
  outcomes.push({ name, ...outcome, seconds: seconds(begin) })
}

/** Vitest's tests: all of test/. A missing snapshot fails, as in CI, and is not written. */
async function tests() {
  mkdirSync('.scratch', { recursive: true })
  const spending = `${SPENT}.part`
  for (const path of [VITEST_RESULT, SPENT, spending]) rmSync(path, { force: true })
  const reporters = ['default', './scripts/test-report.mjs', 'json'].map((name) => `--reporter=${name}`)
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--update=none', ...reporters]
  const { code, output } = await node([...vitest, `--outputFile.json=${VITEST_RESULT}`], { BLAZON_SPENT: spending })
  // `npm run check` reads it, also while the tests run.
  if (existsSync(spending)) renameSync(spending, SPENT)
  printDearest()
  for (const [, line] of output.matchAll(/NOT RUN: (.*)/g)) if (!notRun.includes(line)) notRun.push(line)
  const { numPassedTests, numFailedTests, testResults } = readJson(VITEST_RESULT)
  const dear = tooDear()
  failures.push(...testResults.flatMap(failuresOf), ...dear)
  // A file that does not load fails without a test.
  return { passed: numPassedTests, failed: Math.max(numFailedTests, code === 0 ? 0 : 1) + dear.length }
}

/** A line for each failed test of a file; one for the file if it did not load. */
function failuresOf({ name, status, message, assertionResults }) {
  const file = relative('.', name)
  const failed = assertionResults.filter((test) => test.status === 'failed')
  if (failed.length === 0) return status === 'failed' ? [`${file}: ${firstLine(message)}`] : []
  return failed.map(({ fullName, failureMessages }) => `${file} > ${fullName}: ${firstLine(failureMessages[0])}`)
}

function firstLine(text = '') {
  return text.split('\n', 1)[0].slice(0, 300)
}

/** Runs a script with variables; shows its output and returns it. */
function node(args, env = {}) {
  return new Promise((resolve, reject) => {
    const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...color, ...env },
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
      process.stdout.write(text)
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

function seconds(begin) {
  return ((performance.now() - begin) / 1000).toFixed(1)
}

function finish() {
  console.log('\n== summary')
  for (const { name, passed, failed, seconds: took } of outcomes) {
    const counts = `${String(passed).padStart(7)} passed ${String(failed).padStart(4)} failed`
    console.log(`${failed === 0 ? 'ok    ' : 'FAILED'}  ${name.padEnd(24)} ${counts} ${took.padStart(7)} s`)
  }
  for (const line of failures) console.log(`FAILED   ${line}`)
  for (const line of notRun) console.log(`NOT RUN  ${line}`)
  const sum = (member) => outcomes.reduce((total, outcome) => total + outcome[member], 0)
  console.log(`${seconds(start)} s in all`)
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
  process.exit(sum('failed') > 0 ? 1 : 0)
}
