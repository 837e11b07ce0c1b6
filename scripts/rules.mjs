// The project's own rules in npm run check. Each returns its violations, a line each. limits.yaml has what is allowed.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { parse } from 'yaml'
import { ENTRIES } from './entries.mjs'
import { filesOf, readJson, readText } from './files.mjs'
import { SPECIFICATION_FOLDERS } from './specifications.mjs'

export const LIMITS = parse(readText(new URL('limits.yaml', import.meta.url)))

const MOST_LINES = 450
/** One of these codes, for no currency, looks like a note about unfinished work. */
const NO_CODES = /^(?!bindings\/tables\/codes\.ts$)/
const SOURCE = /\.(ts|mts|mjs|c|css|html)$/
const FOLDERS = ['core', 'bindings', 'cli', 'edge', 'browser-demo', 'test', 'scripts']

/** Each folder of bindings/ is an entry, or named internal. */
export function exportsAgree() {
  const internal = [...LIMITS.internal, ...SPECIFICATION_FOLDERS]
  const sources = Object.values(ENTRIES)
  const folders = readdirSync('bindings', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const unknown = folders.filter(
    ({ name }) => !internal.includes(name) && !sources.includes(`bindings/${name}/index.ts`),
  )
  return unknown.map(({ name }) => `bindings/${name} is neither an entry nor named internal`)
}

export function sizes() {
  return Object.entries(LIMITS.sizes).flatMap(([name, { raw, brotli }]) => {
    const [head, tail = ''] = name.split('*')
    const path = filesOf(dirname(name)).find((path) => path.startsWith(head) && path.endsWith(tail))
    if (path === undefined) return [`${name} is not built`]
    const bytes = readFileSync(path)
    const small = brotliCompressSync(bytes).length
    return [
      ...(bytes.length > raw ? [`${path}: ${bytes.length} bytes, limit ${raw}`] : []),
      ...(small > brotli ? [`${path}: ${small} bytes as brotli, limit ${brotli}`] : []),
    ]
  })
}

/** Checks that versions are exact and equal in both files, and that no registry address is recorded. */
export function lockFiles() {
  return ['', 'test/packages/'].flatMap(lockFile)
}

function lockFile(folder) {
  const { packages } = readJson(`${folder}package-lock.json`)
  const { devDependencies, dependencies } = readJson(`${folder}package.json`)
  const problems = dependencies === undefined ? [] : [`${folder}package.json has run-time dependencies`]
  for (const [name, version] of Object.entries(devDependencies)) {
    if (!/^\d+\.\d+\.\d+(?:-dev\.[\d.]+)?$/.test(version)) problems.push(`${name}: ${version} is not exact`)
    const locked = packages[`node_modules/${name}`]?.version
    if (locked !== version) problems.push(`${name}: ${folder}package.json says ${version}, the lock file ${locked}`)
  }
  // Includes packages for other platforms: versions are chosen for which every build is available.
  for (const [path, { resolved, integrity }] of Object.entries(packages)) {
    if (resolved !== undefined) problems.push(`${path || 'the project'}: the lock file records an address`)
    if (path !== '' && integrity === undefined) problems.push(`${path}: no integrity`)
  }
  return problems
}

/** Untrusted text must be read by the strict reader, which refuses duplicate members; others merge them silently. */
export function strictReading() {
  const allowed = LIMITS.jsonParse
  const paths = ['bindings', 'cli', 'edge', 'browser-demo'].flatMap(filesOf)
  const problems = paths.flatMap((path) => {
    if (!SOURCE.test(path) || path.startsWith('edge/public/')) return []
    const code = readText(path).replace(/^\s*(?:\*|\/\/).*$/gm, '')
    const parses = /\bJSON\.parse\(|\bresponse\.json\(|\brequest\.json\(/.test(code)
    if (parses === path in allowed) return []
    return [
      `${path}: ${parses ? 'JSON.parse; read it with bindings/document' : 'has a reason for JSON.parse, and none of it'}`,
    ]
  })
  const missing = Object.keys(allowed).filter((path) => !existsSync(path))
  return [...problems, ...missing.map((path) => `${path} may use JSON.parse, and is not there`)]
}

/** Rules for the lines of some files. Tests must not limit wall time, which grows while the machine does other work. */
function linePatterns() {
  // At the beginning of a path: the same folder names may occur further back, as in the patterns of tests.
  const folders = [dirname(resolve('.')), homedir()].filter((path) => path.length > 1)
  const places = folders.map((path) => `(?<![\\w*./-])${path.replace(/\W/g, '\\$&')}/`)
  return [
    // In parts, so that this file does not find itself.
    [
      new RegExp(`\\b(?:${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK'].join('|')})\\b`),
      'work put off',
      NO_CODES,
    ],
    [/\b(it|test|describe)\.(only|skip|todo)\(/, 'a test that does not run', /^test\//],
    // Tests on other hosts have no other clock.
    [
      /\bperformance\.now\(\)|expect\(Date\.now\(\) - /,
      'measure by processorTime()',
      /^test\/(?!(bench|soak|hosts)\/).*\.ts$/,
    ],
    // edge/tsconfig.json has no types of the platform either.
    [/['"]@?cloudflare[:/]/, 'names the platform; only edge/platform/ may', /^edge\/(?!platform\/)/],
    [new RegExp(places.join('|') || '(?!)'), 'a path of this machine'],
  ]
}

/** Files are short, with nothing unfinished and no path of this machine; tests run, also on a busy machine. */
export function sources() {
  const patterns = linePatterns()
  const problems = FOLDERS.flatMap(filesOf).flatMap((path) => {
    if (!SOURCE.test(path)) return []
    const text = readText(path)
    const lines = text.split('\n')
    const isLong = lines.length - 1 > MOST_LINES && !path.startsWith('test/') && LIMITS.longer[path] === undefined
    const rules = patterns.filter(([, , where = /^/]) => where.test(path))
    return [
      // Bun escapes such characters in the code that it reads, and `raw` then returns the escapes.
      ...(/String\.raw`[^`]*[^\0-\x7f]/.test(text) ? [`${path}: a raw text beyond ASCII`] : []),
      ...(isLong ? [`${path}: ${lines.length - 1} lines, limit ${MOST_LINES}`] : []),
      ...lines.flatMap((line, i) =>
        rules.filter(([pattern]) => pattern.test(line)).map(([, problem]) => `${path}:${i + 1}: ${problem}`),
      ),
    ]
  })
  const missing = Object.keys(LIMITS.longer).filter((path) => !existsSync(path))
  return [...problems, ...missing.map((path) => `${path} has a reason to be long, and is not there`)]
}
