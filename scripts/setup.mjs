// Finds what the commands need besides Node, and reports how to get it. Uses only node: imports, because it runs before
// `npm ci`.
import { spawn, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ROOT, readJson } from './files.mjs'

/** Ends the process with a message when Node is older than package.json requires. */
function ensureNode() {
  const needed = readJson(join(ROOT, 'package.json')).engines.node.replace('>=', '')
  const own = process.versions.node
  if (own.localeCompare(needed, 'en', { numeric: true }) < 0)
    fail(`Blazon needs Node ${needed} or later; this is ${own}.`)
}

/** The manifest of packages that only tests and checks need. Tests find them in test/node_modules, a link. */
const PACKAGES_OF_TESTS = 'test/packages'

/** Brings node_modules in line with package-lock.json, by `npm ci`, when it is missing or differs. */
export function ensureInstalled({ tests = false } = {}) {
  ensureNode()
  install('.', 420)
  if (!tests) return
  install(PACKAGES_OF_TESTS, 310)
  const link = join(ROOT, 'test/node_modules')
  if (!existsSync(link)) symlinkSync('packages/node_modules', link, 'junction')
}

function install(folder, megabytes) {
  const difference = installedDifference(join(ROOT, folder))
  if (difference === undefined) return
  console.error(`blazon: ${difference}: running npm ci (about ${megabytes} MB in ${join(folder, 'node_modules')})`)
  const [command, ...first] = npmCommand()
  // Progress goes to stderr, so that stdout stays data.
  const options = { cwd: join(ROOT, folder), stdio: ['ignore', 2, 2] }
  const start = performance.now()
  const { status, error } = spawnSync(command, [...first, 'ci', '--prefer-offline'], options)
  if (status !== 0) fail(`npm ci did not work${error ? ` (${error.message})` : ''}; see its messages above.`)
  console.error(`blazon: installed in ${((performance.now() - start) / 1000).toFixed(1)} s`)
}

/** Builds dist/ if there is no whole build. Returns whether there is one. */
export function ensureBuilt(stdio = 'inherit') {
  // A build to serve makes no types.
  if (existsSync(join(ROOT, 'dist/types/index.d.ts'))) return true
  return spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: ROOT, stdio }).status === 0
}

/**
 * The command for npm. Inside `npm start` it is the npm that runs us; on Windows, nothing else works without a shell.
 * @returns {[string, ...string[]]}
 */
export function npmCommand() {
  const npm = process.env.npm_execpath
  return npm === undefined ? ['npm'] : [process.execPath, npm]
}

/** The first difference between node_modules of a folder and its lock file, in words; undefined when they agree. */
function installedDifference(folder) {
  let installed
  try {
    installed = readJson(join(folder, 'node_modules/.package-lock.json')).packages
  } catch {
    return 'node_modules is missing'
  }
  for (const [path, wanted] of Object.entries(readJson(join(folder, 'package-lock.json')).packages)) {
    const have = installed[path]
    if (path === '' || (wanted.optional && have === undefined)) continue
    if (have?.version !== wanted.version) return `${path} is ${have?.version ?? 'missing'}, not ${wanted.version}`
  }
}

/**
 * @typedef {{ available: true, how: string } | { available: false, reason: string }} Availability
 * `how` is what to run; `reason` says what is missing and how to get it.
 */

const CHROMIUM = {
  linux: [
    // It is made for programs and takes two thirds of the processor time.
    'chromium-headless-shell',
    ...['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'],
  ],
  darwin: ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  ),
  win32: ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((base) =>
    ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'].map((path) =>
      join(process.env[base] ?? '', path),
    ),
  ),
}

/**
 * An installed browser of Chromium's family; installs nothing.
 * @returns {Availability}
 */
export function findChromium() {
  const chosen = process.env.BLAZON_CHROMIUM
  const candidates = chosen === undefined ? (CHROMIUM[process.platform] ?? []) : [chosen]
  const how = candidates.map(findProgram).find((path) => path !== undefined)
  if (how !== undefined) return { available: true, how }
  const wish = chosen === undefined ? 'install it, or set BLAZON_CHROMIUM to its path' : `BLAZON_CHROMIUM is ${chosen}`
  return { available: false, reason: `no Chromium found: ${wish}` }
}

const has = (name) => () => (findProgram(name) ?? findProgram(`/usr/sbin/${name}`)) !== undefined

/** Debian's packages that the tests use, each with whether it is installed, from Debian or otherwise. */
const PACKAGES = {
  bash: has('bash'),
  bind9: has('named'),
  'bind9-dnsutils': has('delv'),
  'bind9-utils': has('dnssec-signzone'),
  bubblewrap: has('bwrap'),
  'chromium-headless-shell': () => process.env.BLAZON_CHROMIUM !== undefined || findChromium().available,
  dnsdist: has('dnsdist'),
  'docker-registry': has('docker-registry'),
  faketime: has('faketime'),
  gcc: has('gcc'),
  'golang-go': has('go'),
  'golang-golang-x-mod-dev': () => existsSync('/usr/share/gocode/src/golang.org/x/mod'),
  'libc6-dev': () => existsSync('/usr/include/stdio.h'),
  neovim: has('nvim'),
  openssl: has('openssl'),
  python3: has('python3'),
  'python3-cryptography': () => spawnSync('python3', ['-c', 'import cryptography']).status === 0,
  skopeo: has('skopeo'),
  sqlite3: has('sqlite3'),
  unbound: has('unbound'),
  unzip: has('unzip'),
  wabt: has('wasm2c'),
  '7zip': has('7zz'),
}

const missingOf = (packages) => packages.filter((name) => !PACKAGES[name]())

/**
 * Whether packages are installed; installs nothing.
 * @param {readonly (keyof typeof PACKAGES)[]} packages
 * @returns {Availability}
 */
export function findPackages(packages) {
  const missing = missingOf(packages)
  if (missing.length === 0) return { available: true, how: 'installed' }
  return { available: false, reason: `no ${missing.join(', ')} found (apt-get install ${missing.join(' ')})` }
}

/**
 * Installs all missing packages with one apt-get, before the tests: two at once would wait for each other.
 * BLAZON_NO_INSTALL forbids it.
 */
export async function installPackages() {
  const missing = missingOf(Object.keys(PACKAGES))
  if (missing.length === 0) return
  const refusal = whyNoApt()
  if (refusal !== undefined) return console.error(`blazon: ${refusal} (apt-get install ${missing.join(' ')})`)

  console.error(`blazon: running apt-get install ${missing.join(' ')}`)
  const install = (packages) => apt('install', '-y', '--no-install-recommends', ...packages)
  // Old package lists often still work, and an update takes longer than the packages: it runs only when they do not.
  if ((await install(missing)) || ((await apt('update')) && (await install(missing)))) return
  // A system without one of them gets the others.
  for (const name of missing) await install([name])
}

function whyNoApt() {
  if (process.env.BLAZON_NO_INSTALL) return 'BLAZON_NO_INSTALL is set'
  if (findProgram('apt-get') === undefined) return 'this system has no apt-get'
  if (!isRoot() && !canSudo()) return 'installing it needs root, or sudo without a password'
}

const isRoot = () => process.getuid?.() === 0
const canSudo = () => spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0

/** Runs apt-get; its progress goes to stderr, so that stdout stays data. */
function apt(...args) {
  const [command, ...rest] = [...(isRoot() ? [] : ['sudo', '-n']), 'apt-get', '-q', '-o', 'DPkg::Lock::Timeout=120']
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const child = spawn(command, [...rest, ...args], { stdio: ['ignore', 2, 2], env, timeout: 300_000 })
  return new Promise((resolve) => {
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
  })
}

/** The absolute path of a program, as given or from PATH. */
export function findProgram(name) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const places = /[\\/]/.test(name) ? [name] : folders.map((folder) => join(folder, name))
  return places.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

function fail(message) {
  console.error(`blazon: ${message}`)
  process.exit(1)
}
