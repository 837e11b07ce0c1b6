// Tells whether dist/ matches its sources. A hash of both is stored with the build, so that nothing is built twice.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The inputs of a build. node_modules follows from the lock file: scripts/setup.mjs. */
export const SOURCES = [
  'core',
  'bindings',
  'cli',
  'edge',
  'browser-demo',
  'scripts',
  'docs/schema',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.types.json',
]
const BUILT = ['dist']
const KEPT = 'build/current.json'

/** True when neither the sources nor dist/ have changed since the last successful build. */
export function isCurrent() {
  if (!existsSync(KEPT)) return false
  return readFileSync(KEPT, 'utf8') === hashes()
}

export function keepCurrent() {
  mkdirSync('build', { recursive: true })
  writeFileSync(KEPT, hashes())
}

function hashes() {
  return JSON.stringify({ node: process.versions.node, sources: hashOf(SOURCES), built: hashOf(BUILT) })
}

/** One hash over the names and contents of all files. */
export function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap(filesOf)) {
    const bytes = readFileSync(path)
    hash.update(`${path}\0${bytes.length}\0`).update(bytes)
  }
  return hash.digest('hex')
}

/**
 * The files at and below a path, in the same order on every machine, without files that servers leave there; empty if
 * the path doesn't exist.
 * @returns {string[]}
 */
export function filesOf(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .filter((name) => name !== '.wrangler')
    .sort()
    .flatMap((name) => filesOf(join(path, name).replaceAll('\\', '/')))
}
