// The files of the project: finds them, hashes them, and writes those that scripts make. Uses only node: imports,
// because it runs before `npm ci`.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The inputs of a build. node_modules follows from the lock file: scripts/setup.mjs. */
export const SOURCES = [
  ...['core', 'bindings', 'cli', 'edge', 'browser-demo', 'scripts', 'docs/schema'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.types.json'],
]

/**
 * The files at and below a path, in the same order on every machine, without files that servers or npm leave
 * there; empty if the path doesn't exist.
 * @returns {string[]}
 */
export function filesOf(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .filter((name) => name !== '.wrangler' && name !== 'node_modules')
    .sort()
    .flatMap((name) => filesOf(join(path, name).replaceAll('\\', '/')))
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

export const readText = (path) => readFileSync(path, 'utf8')
export const readJson = (path) => JSON.parse(readText(path))

/** Writes a generated file if it has changed; with `check` only returns its differences, a line each. */
export function keep(file, text, script, { check }) {
  if (existsSync(file) && readText(file) === text) return []
  if (check) return [`${file} is out of date: run node ${script}`]
  writeFileSync(file, text)
  return []
}

/** True if a script was started by itself, which then runs in the project's folder. */
export function isStarted(url) {
  if (process.argv[1] !== fileURLToPath(url)) return false
  process.chdir(ROOT)
  return true
}

/** Runs a generator if its script was started by itself. With `--check` it reports differences instead of writing. */
export async function runAlone(url, generate) {
  if (!isStarted(url)) return
  const problems = await generate({ check: process.argv.includes('--check') })
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}

/**
 * Gives one folder the contents of another, which it consumes. Readers find every file complete at any time, either old
 * or new. New files come before files that name them, and old files are deleted last, except those that `keeps` names.
 */
export function replaceFolder(folder, by, keeps = /$^/) {
  const coming = filesOf(by).map((path) => path.slice(by.length + 1))
  const there = (name) => existsSync(`${folder}/${name}`)
  for (const name of [...coming.filter((name) => !there(name)), ...coming.filter(there)]) {
    const [from, to] = [`${by}/${name}`, `${folder}/${name}`]
    if (there(name) && readFileSync(from).equals(readFileSync(to))) continue
    mkdirSync(dirname(to), { recursive: true })
    renameSync(from, to)
  }
  const wanted = new Set(coming)
  const isOld = (name) => !wanted.has(name) && !keeps.test(name)
  for (const path of filesOf(folder)) if (isOld(path.slice(folder.length + 1))) rmSync(path)
  rmSync(by, { recursive: true })
}
