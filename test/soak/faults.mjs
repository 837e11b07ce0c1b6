// Puts faults into copies of the sources, one at a time, and counts those that types or tests find:
// node test/soak/faults.mjs [faults, 100] [seed, 1] [jobs, 2] [seconds of processor time for a fault, 60]
// Fails when fewer than 90 % are found. A fault that a test would find after its time limit counts as not found.
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chooseFaults } from './faults/choose.mjs'
import { Copy } from './faults/copy.mjs'
import { EQUIVALENT } from './faults/equivalent.mjs'
import { testsFor } from './faults/tests.mjs'

const LEAST_FOUND = 0.9
const TSGO = 'test/node_modules/@typescript/native-preview/bin/tsgo'
const PROJECTS = ['tsconfig.json', 'edge/tsconfig.json']

const [count = 100, seed = 1, jobs = 2, limit = 60] = process.argv.slice(2).map(Number)
const faults = chooseFaults(count, seed)
const root = mkdtempSync(join(tmpdir(), 'blazon-faults-'))
// Data of others are read next to the project.
if (existsSync('../shared')) symlinkSync(resolve('../shared'), join(root, 'shared'))
const copies = Array.from({ length: jobs }, (_, at) => new Copy(join(root, String(at)), limit))
process.on('exit', () => {
  for (const copy of copies) copy.stop()
  rmSync(root, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
/** Test files that fail without any fault. */
const broken = new Set()

console.log(`${faults.length} faults of seed ${seed}`)
for (const fault of faults) fault.equivalent = EQUIVALENT.find((one) => isSame(one, fault))?.why
await findByTypes(copies[0])
let open = faults.filter(({ by, equivalent }) => by === undefined && equivalent === undefined)
while (open.length > 0) {
  await Promise.all(copies.map((copy) => judgeAll(open, copy)))
  open = await doubtful(copies[0])
}
report()

function isSame({ file, source, after }, fault) {
  const line = readFileSync(fault.file, 'utf8').split('\n')[fault.line - 1].trim()
  return fault.file === file && line === source && fault.after === after
}

/** All faults at once, each in its own file: an error in the declaration of a fault finds it. */
async function findByTypes(copy) {
  for (const { file, changed } of faults) copy.write(file, changed)
  for (const project of PROJECTS) {
    const problems = await copy.problemsOf(TSGO, '-p', project, '--pretty', 'false')
    for (const [, file, line, text] of problems.matchAll(/^(\S+?)\((\d+),\d+\): error (.*)$/gm)) {
      const fault = faults.find((one) => one.file === file && one.block.from <= line && one.block.to >= line)
      if (fault !== undefined) fault.by ??= `types: ${text.slice(0, 80)}`
    }
  }
  for (const fault of faults) {
    copy.restore(fault.file)
    if (fault.by !== undefined || fault.equivalent !== undefined) print(fault)
  }
}

async function judgeAll(queue, copy) {
  for (let fault = queue.shift(); fault !== undefined; fault = queue.shift()) {
    const start = performance.now()
    copy.write(fault.file, fault.changed)
    await judge(fault, copy)
    copy.restore(fault.file)
    fault.seconds = Math.round((performance.now() - start) / 1000)
    print(fault)
  }
}

async function judge(fault, copy) {
  fault.by = fault.finder = undefined
  for (const { build, tests } of testsFor(fault)) {
    const files = tests.filter((test) => !broken.has(test))
    if (build !== undefined && !(await copy.rebuilds(build))) fault.by = `the build of ${build}`
    else await judgeWith(fault, copy, files)
    if (build !== undefined) copy.restore('dist')
    if (fault.by !== undefined) return
  }
}

async function judgeWith(fault, copy, files) {
  let outcome = await copy.test(files)
  fault.last = outcome.at
  // A file that took most of the time hangs when it ends neither alone.
  if (outcome.state === 'ended' && outcome.share > 0.5) outcome = await copy.test([outcome.at])
  else if (outcome.state === 'ended') return
  if (outcome.state === 'passed') return
  fault.by = outcome.state === 'failed' ? outcome.what : `${outcome.at} hangs`
  fault.finder = outcome.at
}

/** The faults whose test fails without them, too: they are judged again without it. */
async function doubtful(copy) {
  const finders = [...new Set(faults.flatMap(({ finder }) => finder ?? []))].filter((file) => !broken.has(file))
  const before = broken.size
  for (let left = finders; left.length > 0; ) {
    const { state, at } = await copy.test(left)
    if (state === 'passed') break
    // Many files together may take more than the time of a fault.
    if (state === 'failed' || (await copy.test([at])).state !== 'passed') broken.add(at)
    left = left.slice(left.indexOf(at) + 1)
  }
  if (broken.size > before) console.log(`fail without a fault: ${[...broken].join(', ')}`)
  return faults.filter(({ finder }) => broken.has(finder))
}

function print({ file, line, kind, before, after, by, equivalent, seconds, last }) {
  const short = (text) => text.replace(/\s+/g, ' ').slice(0, 60)
  const missed = last === undefined ? 'NOT FOUND' : `NOT FOUND, last ${last}`
  const verdict = equivalent === undefined ? (by ?? missed) : `equivalent: ${equivalent}`
  const took = seconds === undefined ? '' : ` (${seconds} s)`
  console.log(`${file}:${line}  ${kind}  ${short(before)} -> ${short(after)}  ${verdict}${took}`)
}

function report() {
  const judged = faults.filter(({ equivalent }) => equivalent === undefined)
  console.log('\nfound of judged')
  for (const room of new Set(judged.map((fault) => fault.room))) {
    const own = judged.filter((fault) => fault.room === room)
    console.log(`${room.padEnd(22)} ${own.filter(({ by }) => by !== undefined).length} of ${own.length}`)
  }
  const found = judged.filter(({ by }) => by !== undefined)
  const typed = found.filter(({ by }) => by.startsWith('types')).length
  const excluded = faults.length - judged.length
  console.log(`${found.length} of ${judged.length} found, ${typed} of them by types; ${excluded} equivalent`)
  process.exitCode = found.length >= LEAST_FOUND * judged.length ? 0 : 1
}
