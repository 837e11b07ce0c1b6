// The command line tool in one file, for machines without Node: Bun with our code compiled to bytecode, and the core.
// It starts in a third of the time of Node, or less; Node's own single executable is no faster than Node.
//
//   node scripts/executable.mjs [PLATFORM]   build/blazon-PLATFORM from dist/; the default is this machine
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { bundledText, pure, wasmModule, yamlReading } from './bundler.mjs'
import { isStarted } from './files.mjs'
import { catalogueAsData } from './findings.mjs'
import { npmCommand } from './setup.mjs'
import { codeAlone } from './specifications.mjs'

const VERSION = '1.4.5'
/** The package at npm with the runtime of each platform, and its integrity, which npm compares. */
const RUNTIMES = {
  'linux-x64': [
    'linux-x64',
    'IWX9BELoGHAUtMonkeSaNaZwXzRk+oDw6Mk+HBFXd3KHYIBNBsIGRupMZPcgNoDbJpLu6gAJjIoIVPZtt1aJ1g==',
  ],
  'linux-arm64': [
    'linux-aarch64',
    '4BXmsSKnjOrlGWqZV4x/oWa7AVoR+B6lCXddMzOAXBIm3t50eslg9wb66gmtW1AamEQ1l1CDvmmruysEhqOWMg==',
  ],
  'darwin-x64': [
    'darwin-x64',
    'qkLPMGHZM9NI6CeHTWwVezzmlo6cC4Ta7yUAjYIWXS366qQcOlcp75t2uZyiuVRBMPS0h9qE0tCcvCHGaFqjJg==',
  ],
  'darwin-arm64': [
    'darwin-aarch64',
    '4MIFXHmctH2EhAxLXm2/qxNtv17dFtLJylvaOCsrgq6KSqHTs6eW5YSrJjRbJxYUJaR901fsN8JfZOa+CsWpWQ==',
  ],
  'win32-x64': [
    'windows-x64',
    'FNvply651vcE/GHgNWz6mZvhmkwBuu8Hw54oNzA+CQog+HW+542rXQmZqNHRkFxazD9L3xi+iTtvO3engAgJfw==',
  ],
}
const HERE = `${process.platform}-${process.arch}`
/** A program that reads `.env`, or scripts named by a `bunfig.toml`, would run what a checked folder says. */
const READS_NOTHING = ['dotenv', 'bunfig', 'tsconfig', 'package-json'].map((name) => `--no-compile-autoload-${name}`)
const run = promisify(execFile)

/** Makes the executable; returns its path. Throws for an unknown platform, or when npm cannot fetch the runtime. */
export async function makeExecutable(platform = HERE) {
  const [compiler, runtime] = await Promise.all([HERE, platform].map(fetchRuntime))
  const folder = resolve('build/executable')
  mkdirSync(folder, { recursive: true })
  copyFileSync('dist/wasm/core.wasm', join(folder, 'core.wasm'))
  writeFileSync(join(folder, 'blazon.cjs'), await program())
  const file = resolve(`build/blazon-${platform}${platform.startsWith('win32') ? '.exe' : ''}`)
  const target = [
    '--compile',
    '--bytecode',
    '--loader',
    '.wasm:file',
    '--compile-executable-path',
    runtime,
    `--target=bun-${platform.replace('win32', 'windows')}`,
  ]
  await run(compiler, ['build', ...target, ...READS_NOTHING, 'blazon.cjs', '--outfile', file], { cwd: folder })
  return file
}

/** The tool as one script, whose core is a file inside of the executable. */
function program() {
  const core = [
    "import { readFileSync } from 'node:fs'",
    "import core from './core.wasm'",
    'export default () => new WebAssembly.Module(readFileSync(core))',
  ]
  return bundledText({
    entryPoints: ['cli/single.ts'],
    format: 'cjs',
    platform: 'node',
    supported: { 'dynamic-import': false },
    minify: true,
    external: ['node:*', '*/core.wasm'],
    plugins: [yamlReading, catalogueAsData, codeAlone, wasmModule(core.join('\n')), pure],
  })
}

/** Installs the runtime of a platform as a lock file says, so that npm refuses other bytes; returns its path. */
async function fetchRuntime(platform) {
  if (!Object.hasOwn(RUNTIMES, platform))
    throw new Error(`there is no runtime for ${platform}: expected ${Object.keys(RUNTIMES).join(', ')}`)
  const [name, sha512] = RUNTIMES[platform]
  const [folder, path] = [`build/bun-${VERSION}-${platform}`, `node_modules/@oven/bun-${name}`]
  const binary = resolve(folder, path, platform.startsWith('win32') ? 'bin/bun.exe' : 'bin/bun')
  if (existsSync(binary)) return binary
  mkdirSync(folder, { recursive: true })
  const needed = { name: 'runtime', private: true, dependencies: { [`@oven/bun-${name}`]: VERSION } }
  const packages = { '': needed, [path]: { version: VERSION, integrity: `sha512-${sha512}` } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(needed))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ name: 'runtime', lockfileVersion: 3, packages }))
  const [command, ...first] = npmCommand()
  // Without --force, npm refuses the package of another platform.
  await run(command, [...first, 'ci', '--force', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
  chmodSync(binary, 0o755)
  return binary
}

/** Makes the executable and prints its path and hash. Without one, it prints the reason. */
export async function printExecutable(platform) {
  try {
    const file = await makeExecutable(platform)
    console.log(`${file}\nsha512 ${createHash('sha512').update(readFileSync(file)).digest('hex')}`)
  } catch (error) {
    console.warn(`NOT MADE: the single executable: ${(error.stderr || error.message).trim().split('\n').at(-1)}`)
    return false
  }
  return true
}

if (isStarted(import.meta.url)) process.exitCode = (await printExecutable(process.argv[2])) ? 0 : 1
