// Finds what the commands need besides Node, and reports how to get it. Uses only node: imports, because it runs before
// `npm ci`.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Ends the process with a message when Node is older than package.json requires. */
function ensureNode() {
  const needed = readJson('package.json').engines.node.replace('>=', '')
  if (compareVersions(process.versions.node, needed) < 0) {
    fail(`Blazon needs Node ${needed} or later; this is ${process.versions.node}.`)
  }
}

/** Brings node_modules in line with package-lock.json, by `npm ci`, when it is missing or differs. */
export function ensureInstalled() {
  ensureNode()
  const difference = installedDifference()
  if (difference === undefined) return
  console.error(`blazon: ${difference}: running npm ci (about 420 MB in node_modules)`)
  const [command, ...first] = npmCommand()
  const { status, error } = spawnSync(command, [...first, 'ci', '--prefer-offline'], {
    cwd: ROOT,
    // Progress goes to stderr, so that stdout stays data.
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0)
    fail(`npm ci did not work${error === undefined ? '' : ` (${error.message})`}; see its messages above.`)
}

/**
 * The command for npm. Inside `npm start` it is the npm that runs us; on Windows, nothing else works without a shell.
 * @returns {[string, ...string[]]}
 */
export function npmCommand() {
  const npm = process.env.npm_execpath
  return npm === undefined ? ['npm'] : [process.execPath, npm]
}

/** The first difference between node_modules and the lock file, in words; undefined when there is none. */
function installedDifference() {
  let installed
  try {
    installed = readJson('node_modules/.package-lock.json').packages
  } catch {
    return 'node_modules is missing'
  }
  for (const [path, wanted] of Object.entries(readJson('package-lock.json').packages)) {
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
  // The first one is made for programs and takes two thirds of the processor time.
  linux: [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome-stable',
    'google-chrome',
    'microsoft-edge',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
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

/**
 * The same, but installs Debian's package if there is no browser and that is possible.
 * @returns {Availability}
 */
export function ensureChromium() {
  if (process.env.BLAZON_CHROMIUM !== undefined) return findChromium()
  return ensureDebian(['chromium-headless-shell'], findChromium)
}

/**
 * Installs system packages with apt-get when `probe` does not find what they contain. BLAZON_NO_INSTALL forbids it.
 * @param {readonly string[]} packages
 * @param {() => Availability} probe
 * @returns {Availability}
 */
export function ensureDebian(packages, probe) {
  const before = probe()
  if (before.available) return before
  const byHand = `apt-get install ${packages.join(' ')}`
  const refusal = whyNoApt()
  if (refusal !== undefined) return { available: false, reason: `${before.reason}; ${refusal} (${byHand})` }

  console.error(`blazon: ${before.reason}: running ${byHand}`)
  const options = ['-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120']
  // Old package lists often still work, and an update takes longer than the packages: it runs only when they do not.
  const installed =
    apt(['install', ...options, ...packages]) || (apt(['update']) && apt(['install', ...options, ...packages]))
  const after = probe()
  if (after.available) return after
  return { available: false, reason: `${after.reason}; ${byHand} ${installed ? 'did not bring it' : 'failed'}` }
}

function whyNoApt() {
  if (process.env.BLAZON_NO_INSTALL) return 'BLAZON_NO_INSTALL is set'
  if (findProgram('apt-get') === undefined) return 'this system has no apt-get'
  if (!isRoot() && !canSudo()) return 'installing it needs root, or sudo without a password'
}

const isRoot = () => process.getuid?.() === 0
const canSudo = () => spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0

/** Runs apt-get; its progress goes to stderr, so that stdout stays data. */
function apt(args) {
  const [command, ...rest] = [...(isRoot() ? [] : ['sudo', '-n']), 'apt-get', '-q', ...args]
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync(command, rest, { stdio: ['ignore', 2, 2], env, timeout: 300_000 }).status === 0
}

/** The absolute path of a program, as given or from PATH. */
export function findProgram(name) {
  const places =
    name.includes('/') || name.includes('\\')
      ? [name]
      : (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))
  return places.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

function readJson(path) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
}

function compareVersions(a, b) {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number))
  for (let i = 0; i < 3; i++) if ((left[i] ?? 0) !== (right[i] ?? 0)) return (left[i] ?? 0) - (right[i] ?? 0)
  return 0
}

function fail(message) {
  console.error(`blazon: ${message}`)
  process.exit(1)
}
