// `npm run check`: checks everything about the project that is not a test. Needs node_modules; builds if there is no
// build.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { isStarted, readJson } from './files.mjs'
import { ensureBuilt, ensureInstalled } from './setup.mjs'

const execute = promisify(execFile)
const CHECK = { check: true }

/** Runs a tool of test/packages; returns the lines of its output if it fails. */
async function tool(script, ...args) {
  try {
    await execute(process.execPath, [`test/node_modules/${script}`, ...args], { maxBuffer: 1 << 24 })
    return []
  } catch (error) {
    return `${error.stdout ?? ''}${error.stderr ?? ''}`.trim().split('\n')
  }
}

async function packed() {
  const { publint } = await import('publint')
  const { formatMessage } = await import('publint/utils')
  const { messages } = await publint({ pkgDir: '.', level: 'suggestion', strict: true, pack: 'npm' })
  return messages.map((message) => formatMessage(message, readJson('package.json'), { color: false }))
}

const floors = () => import('./floors.mjs')
const rules = () => import('./rules.mjs')

/** The name of each check, and the function that returns its problems. */
const CHECKS = [
  // The native compiler takes a third of the time. The declarations that are published come from typescript.
  ['types', () => tool('@typescript/native-preview/bin/tsgo', '-p', 'tsconfig.json')],
  ['types of the Worker', () => tool('@typescript/native-preview/bin/tsgo', '-p', 'edge/tsconfig.json')],
  ['lint and format', () => tool('@biomejs/biome/bin/biome', 'check', '--error-on-warnings')],
  [
    'unused files, exports, dependencies',
    () => tool('knip/bin/knip.js', '--no-progress', '--treat-config-hints-as-errors'),
  ],
  ['the package as others see it', packed],
  ['exports, sources and build agree', async () => (await rules()).exportsAgree()],
  ['sizes', async () => (await rules()).sizes()],
  [
    'sizes of the package, and of what applications bundle of it',
    async () => (await import('./bundles.mjs')).carried(),
  ],
  ['lock files', async () => (await rules()).lockFiles()],
  ['THIRD-PARTY.md', async () => (await import('./third-party.mjs')).noticesOfPackage(CHECK)],
  ['the pages say how to get Blazon', async () => (await import('./install.mjs')).install(CHECK)],
  ['the pictures of README.md', async () => (await import('./pictures.mjs')).pictures(CHECK)],
  ['the size of the project', async () => (await import('./counts.mjs')).tooLarge()],
  ['processor time of each test file in the last run', async () => (await import('./test-report.mjs')).tooDear()],
  ['plain English', async () => (await import('./words.mjs')).places()],
  ['floors: imports point down', async () => [...(await floors()).floors(), ...(await floors()).drawing(CHECK)]],
  ['sources', async () => (await rules()).sources()],
  ['foreign JSON is read strictly', async () => (await rules()).strictReading()],
  [
    'requirements and docs/reference/conformance.md',
    async () => (await import('./conformance.mjs')).conformance(CHECK),
  ],
  ['bindings/tables/codes.ts', async () => (await import('./tables.mjs')).tables(CHECK)],
  ['bindings/wasm/faults.ts', async () => (await import('./faults.mjs')).faults(CHECK)],
  ['the lists of bindings/specifications.ts', async () => (await import('./specifications.mjs')).specifications(CHECK)],
  [
    'findings.ts of each folder, and bindings/catalogue.ts',
    async () => (await import('./findings.mjs')).findings(CHECK),
  ],
  ['bindings/tables/oasf.ts', async () => (await import('./tables.mjs')).oasf(CHECK)],
]

/** Runs the checks whose name has all `words`, by default every one; returns `{ passed, failed }`. */
export async function check(words = []) {
  if (!ensureBuilt()) return { passed: 0, failed: 1 }
  let failed = 0
  const chosen = CHECKS.filter(([name]) => words.every((word) => name.includes(word)))
  for (const [name, find] of chosen) {
    const start = performance.now()
    const problems = await find()
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)`)
    for (const problem of problems) console.log(`        ${problem}`)
    if (problems.length > 0) failed++
  }
  return { passed: chosen.length - failed, failed }
}

if (isStarted(import.meta.url)) {
  ensureInstalled({ tests: true })
  const { passed, failed } = await check(process.argv.slice(2))
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}
