// `npm run check`: checks everything about the project that is not a test. Needs node_modules; builds if there is no
// build.
import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ensureInstalled } from './setup.mjs'

const execute = promisify(execFile)

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

/** Runs a tool of node_modules; returns the lines of its output if it fails. */
async function tool(script, ...args) {
  try {
    await execute(process.execPath, [`node_modules/${script}`, ...args], { maxBuffer: 1 << 24 })
    return []
  } catch (error) {
    return `${error.stdout ?? ''}${error.stderr ?? ''}`.trim().split('\n')
  }
}

async function packed() {
  const { publint } = await import('publint')
  const { formatMessage } = await import('publint/utils')
  const { readFileSync } = await import('node:fs')
  const pkg = JSON.parse(readFileSync('package.json', 'utf8'))
  const { messages } = await publint({ pkgDir: '.', level: 'suggestion', strict: true, pack: 'npm' })
  return messages.map((message) => formatMessage(message, pkg, { color: false }))
}

async function own(name) {
  const checks = await import('./rules.mjs')
  return checks[name]()
}

async function requirements() {
  const { conformance } = await import('./conformance.mjs')
  return conformance({ check: true }).problems
}

async function lists() {
  const { tables } = await import('./tables.mjs')
  return tables({ check: true })
}

async function skills() {
  const { oasf } = await import('./oasf.mjs')
  return oasf({ check: true })
}

async function floors() {
  const { drawing, floors: wrong } = await import('./floors.mjs')
  return [...wrong(), ...drawing({ check: true })]
}

async function carried() {
  const { bundles, packedSize, sizesOfPage } = await import('./bundles.mjs')
  return [...(await packedSize()), ...(await bundles()), ...(await sizesOfPage({ check: true }))]
}

async function installing() {
  const { install } = await import('./install.mjs')
  return install({ check: true })
}

async function drawn() {
  const { pictures } = await import('./pictures.mjs')
  return pictures({ check: true })
}

async function size() {
  const { tooLarge } = await import('./counts.mjs')
  return tooLarge()
}

async function dearFiles() {
  const { tooDear } = await import('./spent.mjs')
  return tooDear()
}

async function plainWords() {
  const { places } = await import('./words.mjs')
  return places()
}

async function notices() {
  const { noticesOfPackage } = await import('./third-party.mjs')
  return noticesOfPackage({ check: true })
}

async function numbers() {
  const { faults } = await import('./faults.mjs')
  return faults({ check: true })
}

async function kinds() {
  const { specifications } = await import('./specifications.mjs')
  return specifications({ check: true })
}

async function catalogue() {
  const { findings } = await import('./findings.mjs')
  return findings({ check: true })
}

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
  ['exports, sources and build agree', () => own('exportsAgree')],
  ['sizes', () => own('sizes')],
  ['sizes of the package, and of what applications bundle of it', carried],
  ['lock file', () => own('lockFile')],
  ['THIRD-PARTY.md', notices],
  ['the pages say how to get Blazon', installing],
  ['the pictures of README.md', drawn],
  ['the size of the project', size],
  ['processor time of each test file in the last run', dearFiles],
  ['plain English', plainWords],
  ['floors: imports point down', floors],
  ['sources', () => own('sources')],
  ['foreign JSON is read strictly', () => own('strictReading')],
  ['requirements and docs/reference/conformance.md', requirements],
  ['bindings/tables/codes.ts', lists],
  ['bindings/wasm/faults.ts', numbers],
  ['the lists of bindings/specifications.ts', kinds],
  ['findings.ts of each folder, and bindings/catalogue.ts', catalogue],
  ['bindings/tables/oasf.ts', skills],
]

/** Runs the checks whose name has all `words`, by default every one; returns `{ passed, failed }`. */
export async function check(words = []) {
  if (
    !existsSync('dist/index.js') &&
    spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' }).status !== 0
  ) {
    return { passed: 0, failed: 1 }
  }
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensureInstalled()
  const { passed, failed } = await check(process.argv.slice(2))
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}
