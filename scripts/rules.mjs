// The project's own rules in npm run check. Each returns its violations, a line each.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { filesOf } from './current.mjs'
import { ENTRIES } from './entries.mjs'
import { SPECIFICATION_FOLDERS } from './specifications.mjs'

/**
 * In bytes: the limit, and for compressible files also the limit after brotli. A change that needs more must raise it
 * here, visibly.
 */
const LIMITS = {
  'dist/wasm/core.wasm': { raw: 34_816, brotli: 16_100 },
  // It has one more export.
  'dist/wasm/core-baseline.wasm': { raw: 34_816, brotli: 16_450 },
  'dist/wasm/module.inline.js': { raw: 56_000, brotli: 26_000 },
  // The page's scripts: the page itself, the bindings, and the editor, which loads after the page is visible.
  'dist/site/app/app-page-*.js': { raw: 61_000, brotli: 18_000 },
  'dist/site/app/app-engine-*.js': { raw: 975_500, brotli: 268_000 },
  // Loaded when readers open the directory, which includes the sample set; its worker; and when they look at
  // conversions.
  'dist/site/app/app-directory-*.js': { raw: 29_000, brotli: 10_900 },
  'dist/site/app/app-worker-*.js': { raw: 52_000, brotli: 18_000 },
  'dist/site/app/app-convert-*.js': { raw: 118_000, brotli: 35_000 },
  // Judges recorded discoveries; includes the example and its signatures.
  'dist/site/app/app-discover-*.js': { raw: 72_000, brotli: 27_000 },
  // Live discovery is a separate document with everything that it needs.
  'dist/site/discover/app-live-*.js': { raw: 298_000, brotli: 105_500 },
  'dist/site/app/app-codemirror-*.js': { raw: 400_000, brotli: 120_000 },
}

/** Folders of bindings/ that may lack an entry of their own: other entries export their content. */
const INTERNAL = [
  'wasm',
  'selftest',
  'tables',
  'text',
  'frame',
  'policy',
  'net',
  'mcp',
  'host',
  ...SPECIFICATION_FOLDERS,
]

const MOST_LINES = 450
/** Files that may be longer, with the reasons. */
const LONGER = {
  'browser-demo/style.css': 'one table of rules, in the order of the page',
  'bindings/specifications.ts': 'one table of kinds',
}

/** One of its codes, for no currency, looks like a note about unfinished work. */
const CODES = 'bindings/tables/codes.ts'

/**
 * The places where JSON.parse is allowed, with the reasons. It keeps the last of two members with the same name, and
 * accepts documents that cannot be signed. Untrusted text must be read by bindings/document.
 */
const JSON_PARSE = {
  'bindings/document/parse.ts': 'what was read strictly before',
  'bindings/document/locate.ts': 'one string',
  'bindings/document/yaml/compose.ts': 'one string',
  'bindings/adl/templates.ts': 'its own template',
  'bindings/adl/profiles/template.ts': 'canonical bytes that were just made',
  'bindings/policy/tool-values.ts': 'canonical bytes that were just made',
  'bindings/directory/invocation.ts': 'what it wrote itself',
  'bindings/directory/results.ts': 'cards that were read strictly before they were stored',
  'bindings/directory/card-index.ts': 'what it wrote itself; anything else is an index that is of no use',
  'bindings/runs/stream/check.ts': 'lines that were just found to be canonical',
  'browser-demo/loader.ts': 'what scripts/page.mjs wrote into the page',
  'edge/agents/definitions.ts': 'what publishing read strictly and described',
  'edge/directory/listing.ts': 'cards that were read strictly before they were stored',
  'edge/directory/shard-store.ts': 'what it stored itself',
  'edge/directory-page/dom.mjs': 'answers of its own server',
  'edge/gateway/outbox.ts': 'what it stored itself',
  'edge/gateway/tasks/agent-tasks.ts': 'what it stored itself',
  'edge/gateway/tasks/tasks.ts': 'what it stored itself',
  'edge/moderation/subjects.ts': 'cards that were read strictly before they were stored',
  'edge/objects/directory-map.ts': 'what it stored itself',
  'edge/objects/documents.ts': 'what publishing described',
  'edge/registry/routes.ts': 'what publishing wrote itself',
  'edge/runs/routes.ts': 'lines that were found to be canonical before they were stored',
}

const SOURCE = /\.(ts|mts|mjs|c|css|html)$/
const FOLDERS = ['core', 'bindings', 'cli', 'edge', 'browser-demo', 'test', 'scripts']

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** Checks that package.json's exports, the table of entries, the folders of bindings/ and the build agree. */
export function exportsAgree() {
  const { exports } = readJson('package.json')
  const problems = []
  const wanted = Object.keys(ENTRIES).map((name) => (name === 'index' ? '.' : `./${name}`))
  const modules = Object.entries(exports).filter(([, target]) => typeof target === 'object')
  for (const name of wanted) if (exports[name] === undefined) problems.push(`package.json exports no ${name}`)
  for (const [name, target] of modules) {
    if (!wanted.includes(name)) problems.push(`scripts/entries.mjs has no ${name}`)
    if (Object.keys(target)[0] !== 'types') problems.push(`${name}: types must come first`)
  }
  for (const target of Object.values(exports).flatMap((value) =>
    typeof value === 'object' ? Object.values(value) : value,
  )) {
    if (!existsSync(target)) problems.push(`${target} is exported and not built`)
  }
  const sources = Object.values(ENTRIES)
  for (const source of sources) if (!existsSync(source)) problems.push(`${source} is an entry and does not exist`)
  for (const { name } of readdirSync('bindings', { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    if (!INTERNAL.includes(name) && !sources.includes(`bindings/${name}/index.ts`)) {
      problems.push(`bindings/${name} is neither an entry nor named internal`)
    }
  }
  return problems
}

export function sizes() {
  return Object.entries(LIMITS).flatMap(([name, { raw, brotli }]) => {
    const path = builtAs(name)
    if (path === undefined) return [`${name} is not built`]
    const size = statSync(path).size
    const problems = size > raw ? [`${path}: ${size} bytes, limit ${raw}`] : []
    if (brotli === undefined) return problems
    const small = brotliCompressSync(readFileSync(path)).length
    return small > brotli ? [...problems, `${path}: ${small} bytes as brotli, limit ${brotli}`] : problems
  })
}

/** The file of that name; `*` stands for the hash of its content. */
function builtAs(name) {
  if (!name.includes('*')) return existsSync(name) ? name : undefined
  const [head, tail] = name.split('*')
  const folder = dirname(name)
  if (!existsSync(folder)) return undefined
  return filesOf(folder).find((path) => path.startsWith(head) && path.endsWith(tail))
}

/** Checks that versions are exact and equal in both files, and that no registry address is recorded. */
export function lockFile() {
  const { packages } = readJson('package-lock.json')
  const { devDependencies, dependencies } = readJson('package.json')
  const problems = []
  if (dependencies !== undefined) problems.push('package.json has run-time dependencies')
  for (const [name, version] of Object.entries(devDependencies)) {
    if (!/^\d+\.\d+\.\d+(?:-dev\.[\d.]+)?$/.test(version)) problems.push(`${name}: ${version} is not exact`)
    const locked = packages[`node_modules/${name}`]?.version
    if (locked !== version) problems.push(`${name}: package.json says ${version}, the lock file ${locked}`)
  }
  // Includes packages for other platforms: versions are chosen for which every build is available.
  for (const [path, { resolved, integrity }] of Object.entries(packages)) {
    if (resolved !== undefined) problems.push(`${path || 'the project'}: the lock file records an address`)
    if (path !== '' && integrity === undefined) problems.push(`${path}: no integrity`)
  }
  return problems
}

/**
 * Checks that untrusted text is read by the strict reader, which refuses duplicate members; others merge them silently.
 */
export function strictReading() {
  const problems = []
  for (const path of ['bindings', 'cli', 'edge', 'browser-demo'].flatMap((folder) => filesOf(folder))) {
    if (!SOURCE.test(path) || path.startsWith('edge/public/')) continue
    const text = readFileSync(path, 'utf8')
    const parses = /\bJSON\.parse\(|\bresponse\.json\(|\brequest\.json\(/.test(text.replace(/^\s*(?:\*|\/\/).*$/gm, ''))
    if (parses && JSON_PARSE[path] === undefined) problems.push(`${path}: JSON.parse; read it with bindings/document`)
    if (!parses && JSON_PARSE[path] !== undefined) problems.push(`${path}: has a reason for JSON.parse, and none of it`)
  }
  for (const path of Object.keys(JSON_PARSE))
    if (!existsSync(path)) problems.push(`${path} may use JSON.parse, and is not there`)
  return problems
}

/**
 * Checks for short files, nothing unfinished, no skipped tests, no tests that a busy machine fails, no local paths, and
 * no platform of the Worker outside of its folder. edge/tsconfig.json has no types of the platform either.
 */
export function sources() {
  // Built from parts, so that this file does not find itself.
  const later = new RegExp(
    `\\b(${['TO', 'FIX', 'XX', 'HA'].map((head, i) => head + ['DO', 'ME', 'X', 'CK'][i]).join('|')})\\b`,
  )
  const idle = /\b(it|test|describe)\.(only|skip|todo)\(/
  // Tests must not limit wall time, which grows while the machine does other work. Tests on other hosts have no other
  // clock.
  const wallTime = /\bperformance\.now\(\)|expect\(Date\.now\(\) - /
  const mayMeasure = /^test\/(?!(bench|soak|hosts)\/).*\.ts$/
  // At the beginning of a path: the same folder names may occur further back, as in the patterns of tests.
  const folders = [dirname(resolve('.')), homedir()].filter((path) => path.length > 1)
  const places = folders.map((path) => new RegExp(`(?<![\\w*./-])${path.replace(/\W/g, '\\$&')}/`))
  const problems = []
  for (const path of FOLDERS.flatMap((folder) => filesOf(folder))) {
    if (!SOURCE.test(path)) continue
    const text = readFileSync(path, 'utf8')
    // Bun escapes such characters in the code that it reads, and `raw` then returns the escapes.
    if (/String\.raw`[^`]*[^\0-\x7f]/.test(text)) problems.push(`${path}: a raw text beyond ASCII`)
    if (path.startsWith('edge/') && !path.startsWith('edge/platform/') && /['"]@?cloudflare[:/]/.test(text))
      problems.push(`${path}: names the platform; only edge/platform/ may`)
    const lines = text.split('\n')
    const count = lines.length - 1
    if (count > MOST_LINES && !path.startsWith('test/') && LONGER[path] === undefined) {
      problems.push(`${path}: ${count} lines, limit ${MOST_LINES}`)
    }
    for (const [i, line] of lines.entries()) {
      if (later.test(line) && path !== CODES) problems.push(`${path}:${i + 1}: work put off`)
      if (path.startsWith('test/') && idle.test(line)) problems.push(`${path}:${i + 1}: a test that does not run`)
      if (mayMeasure.test(path) && wallTime.test(line)) problems.push(`${path}:${i + 1}: measure by processorTime()`)
      if (places.some((place) => place.test(line))) problems.push(`${path}:${i + 1}: a path of this machine`)
    }
  }
  for (const path of Object.keys(LONGER))
    if (!existsSync(path)) problems.push(`${path} has a reason to be long, and is not there`)
  return problems
}
