// What a user waits for: the first result of a fresh process, and the command line's version.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { documentOf } from './documents.mjs'

export const title = 'Start'

export const notes = [
  'The files that are checked retire in 2099: what is found, and so what is timed, does not depend on the day.',
  'Starts: what a command adds to bare Node is loading and compiling 320 to 500 KB of code, and running it for the first' +
    ' time. In one file, validate takes 1.84 times as long as bare Node, and 1.73 times as CommonJS.',
  'The 1,000 files: of 0.5 ms a file, 0.2 are left once the engine has compiled the code. No function takes more than 5 %.',
]

const PROCESSES = 21
const FILES = 1000
const COMPILED = 20

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

export async function cases({ peer }) {
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
      atMost: 1.5,
      aim: 1.3,
      measure: async () => ratioOf(['validate', writeFiles(1)]),
    },
    {
      name: 'blazon validate of an agent with ten files, against bare node',
      unit: 'x',
      atMost: 2.2,
      aim: 1.9,
      measure: async () => ratioOf(['validate', writeAgent()]),
    },
    {
      name: 'blazon agent inspect of it, against bare node',
      unit: 'x',
      atMost: 1.8,
      aim: 1.5,
      measure: async () => ratioOf(['agent', 'inspect', writeAgent()]),
    },
    {
      name: 'an event for blazon runs hook, against bare node',
      unit: 'x',
      atMost: 1.6,
      aim: 1.4,
      measure: async () => ratioOf(hook(), eventOf),
    },
    {
      name: 'the same with a definition that judges the call',
      unit: 'x',
      atMost: 1.9,
      aim: 1.6,
      measure: async () => ratioOf([...hook(), '--document', writeDefinition()], eventOf),
    },
    {
      // A fiftieth, and a hundredth. The author's implementation takes 27 ms a document where this takes as long.
      name: 'blazon validate of 1,000 files of 6 KB, a file, against Ajv compiling the schema for each',
      unit: ' %',
      atMost: 2,
      aim: 1,
      measure: () => shareOfCompiling(peer),
    },
    {
      name: 'blazon validate of a folder of 10,000 files: 200 of a kind, and 1,000 others to be read',
      unit: ' ms',
      atMost: 2000,
      aim: 1000,
      measure: async () => {
        const folder = writeRepository()
        return middleOf(Array.from({ length: 5 }, () => elapsed(['dist/cli/blazon.js', 'validate', folder, '-q'])))
      },
    },
  ]
}

/** A command and bare node by turns, so that a busy machine slows both. */
function ratioOf(args, inputOf = () => '') {
  const times = { blazon: [], bare: [] }
  for (let i = 0; i < PROCESSES; i++) {
    times.bare.push(elapsed(['-e', '0']))
    times.blazon.push(elapsed(['dist/cli/blazon.js', ...args], inputOf(i)))
  }
  return middleOf(times.blazon) / middleOf(times.bare)
}

/** Its runs are in a folder of their own, which is new for each row. */
function hook() {
  mkdirSync('.scratch/bench-files', { recursive: true })
  return ['runs', 'hook', '--to', mkdtempSync('.scratch/bench-files/runs-')]
}

/** A call before it is made, of one session: the open run is read and continued each time. */
const eventOf = (i) =>
  JSON.stringify({
    session_id: 'bench',
    transcript_path: '/home/me/.claude/projects/p/bench.jsonl',
    cwd: '/home/me/project',
    hook_event_name: 'PreToolUse',
    tool_name: 'Read',
    tool_input: { file_path: '/home/me/project/a.ts' },
    tool_use_id: `toolu_${i}`,
  })

/** JSON, so that the reader of YAML is not measured. */
function writeDefinition() {
  const path = '.scratch/bench-files/coder.adl.json'
  const about = { adl_spec: '0.1.0', name: 'Coder', description: 'Fixes the tests.', version: '1.0.0' }
  const filesystem = { allowed_paths: [{ path: '/home/me/project/**', access: 'read_write' }] }
  const more = { data_classification: { sensitivity: 'internal' }, permissions: { filesystem } }
  writeFileSync(path, JSON.stringify({ ...about, ...more }))
  return path
}

/** A file of a process that checks a thousand different ones, as a share of reading, compiling the schema for and checking one. */
async function shareOfCompiling(peer) {
  const { default: addFormats } = await peer('ajv-formats')
  const folder = writeFiles(FILES)
  const text = readFileSync(`${folder}/0.adl.json`, 'utf8')
  const schema = readFileSync('bindings/adl/schema.json', 'utf8')
  const compileAndCheck = () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    ;(addFormats.default ?? addFormats)(ajv)
    if (!ajv.compile(JSON.parse(schema))(JSON.parse(text))) throw new Error('not valid')
  }
  const shares = Array.from({ length: 5 }, () => {
    const file = elapsed(['dist/cli/blazon.js', 'validate', folder, '-q']) / FILES
    const start = performance.now()
    for (let i = 0; i < COMPILED; i++) compileAndCheck()
    return (100 * file * COMPILED) / (performance.now() - start)
  })
  return middleOf(shares)
}

/** A folder with so many definitions that differ, and in which nothing is found. */
function writeFiles(count) {
  const folder = `.scratch/bench-files/${count}`
  mkdirSync(folder, { recursive: true })
  const text = readFileSync('fixtures/adl/invoice-processor.json', 'utf8').replace('"2026-08-01', '"2099-08-01')
  for (let i = 0; i < count; i++) {
    writeFileSync(`${folder}/${i}.adl.json`, text.replace('"name": "', `"name": "${i} `))
  }
  return folder
}

/** A hundred folders of sources, data of no kind, a definition and a skill each. */
function writeRepository() {
  const folder = '.scratch/bench-files/repository'
  const definition = readFileSync('fixtures/adl/invoice-processor.json', 'utf8').replace('"2026-08-01', '"2099-08-01')
  for (let i = 0; i < 100; i++) {
    const own = `${folder}/${i}`
    mkdirSync(`${own}/skill`, { recursive: true })
    for (let j = 0; j < 88; j++) writeFileSync(`${own}/${j}.ts`, `export const value = ${j}\n`)
    for (let j = 0; j < 10; j++) writeFileSync(`${own}/${j}.json`, JSON.stringify({ name: `p${j}`, values: [i, j] }))
    writeFileSync(`${own}/agent.adl.json`, definition)
    writeFileSync(`${own}/skill/SKILL.md`, '---\nname: skill\ndescription: Says when to use it.\n---\n\nDo it.\n')
  }
  return folder
}

/** An agent with four sub-agents, and their prompts. */
function writeAgent() {
  const folder = '.scratch/bench-files/agent'
  mkdirSync(`${folder}/specialists`, { recursive: true })
  const agent = (name) => `name: ${name}\nversion: 1.0.0\ndeveloper: acme\ndescription: Works as ${name}.\n`
  const prompt = (name) => `version: 2\nrole: system\nsections: [{ name: who, content: You are ${name}. }]\n`
  const names = ['writer', 'reader', 'editor', 'critic']
  writeFileSync(`${folder}/agent.yaml`, `${agent('lead')}tools: [{ name: delegate }]\n`)
  writeFileSync(`${folder}/prompt.yaml`, prompt('lead'))
  for (const name of names) {
    writeFileSync(`${folder}/specialists/${name}.yaml`, agent(name))
    writeFileSync(`${folder}/specialists/${name}-prompt.yaml`, prompt(name))
  }
  return folder
}

function elapsed(args, input) {
  const start = performance.now()
  node(args, input)
  return performance.now() - start
}

function node(args, input = '') {
  const ran = spawnSync(process.execPath, args, { encoding: 'utf8', input })
  if (ran.status !== 0) throw new Error(ran.stderr)
  return ran.stdout
}

function middle(once) {
  return middleOf(Array.from({ length: PROCESSES }, once))
}

function middleOf(values) {
  return values.sort((a, b) => a - b)[values.length >> 1]
}
