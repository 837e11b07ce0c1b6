// What a user waits for: the first result of a fresh process, and the command line's version.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { documentOf } from './documents.mjs'

export const title = 'Start'

const PROCESSES = 21
const FILES = 1000

/**
 * A fresh process times itself. The module gets a section of its own behind it, or the engine would find the one it has
 * compiled at import in its cache. Loading the files is counted in the second figure, without the loader's own start.
 */
const FIRST_RESULT = `
  import { readFileSync } from 'node:fs'
  const document = new Uint8Array(Buffer.from(process.argv[1], 'base64'))
  const bytes = Buffer.concat([readFileSync('dist/wasm/core.wasm'), Buffer.from([0, 2, 1, 120])])
  await import('data:text/javascript,')
  const start = performance.now()
  const { canonicalize, initSync } = await import('blazon')
  if (process.argv[2] === 'import') canonicalize(document)
  const imported = performance.now()
  if (process.argv[2] === 'module') {
    initSync(new WebAssembly.Module(bytes))
    canonicalize(document)
  }
  console.log(process.argv[2] === 'module' ? performance.now() - imported : imported - start)
`

export async function cases() {
  const document = Buffer.from(JSON.stringify(documentOf(10_000, 7))).toString('base64')
  const first = (from) => async () =>
    middle(() => Number(node(['--input-type=module', '-e', FIRST_RESULT, document, from])))
  return [
    {
      name: 'module to the first 10 KB result: compile, instantiate, call',
      unit: ' ms',
      atMost: 3,
      aim: 1.5,
      measure: first('module'),
    },
    { name: 'the same with loading and evaluating the files of blazon', unit: ' ms', measure: first('import') },
    {
      name: 'blazon --version, against bare node',
      unit: 'x',
      atMost: 1.6,
      aim: 1.3,
      measure: async () => ratioOf(['--version']),
    },
    {
      name: 'blazon validate of one file, against bare node',
      unit: 'x',
      atMost: 1.8,
      aim: 1.5,
      measure: async () => ratioOf(['validate', 'fixtures/adl/invoice-processor.json']),
    },
    {
      // The author's implementation takes 27 ms a document; a fiftieth of that is 0.54 ms.
      name: 'blazon validate of 1,000 files of 6 KB, a file, with the start',
      unit: ' ms',
      atMost: 0.54,
      aim: 0.3,
      measure: async () => manyFiles(),
    },
  ]
}

/** A command and bare node by turns, so that a busy machine slows both. */
function ratioOf(args) {
  const times = { blazon: [], bare: [] }
  for (let i = 0; i < PROCESSES; i++) {
    times.bare.push(elapsed(['-e', '0']))
    times.blazon.push(elapsed(['dist/cli/blazon.js', ...args]))
  }
  return middleOf(times.blazon) / middleOf(times.bare)
}

/** Milliseconds a file, of one process that checks a thousand different ones. */
function manyFiles() {
  const folder = '.scratch/bench-files'
  mkdirSync(folder, { recursive: true })
  const text = readFileSync('fixtures/adl/invoice-processor.json', 'utf8')
  for (let i = 0; i < FILES; i++) {
    writeFileSync(`${folder}/${i}.adl.json`, text.replace('"name": "', `"name": "${i} `))
  }
  const times = Array.from({ length: 5 }, () => elapsed(['dist/cli/blazon.js', 'validate', folder, '-q']))
  return middleOf(times) / FILES
}

function elapsed(args) {
  const start = performance.now()
  node(args)
  return performance.now() - start
}

function node(args) {
  const ran = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (ran.status !== 0) throw new Error(ran.stderr)
  return ran.stdout
}

function middle(once) {
  return middleOf(Array.from({ length: PROCESSES }, once))
}

function middleOf(values) {
  return values.sort((a, b) => a - b)[values.length >> 1]
}
