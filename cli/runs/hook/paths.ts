// Paths as a program resolves them: the home folder, links, and what a search can reach.
import { readlinkSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'
import { Unjudgeable } from './unjudgeable.ts'

/** In UTF-16 units. Linux allows 4,096 bytes. */
const LONGEST = 4096
const MOST_LINKS = 40

/** The places that a path may mean. Programs differ on `~`, and on `..` after a link, so each reading counts. */
export function placesOf(path: string, cwd: string): readonly string[] {
  if (path.length > LONGEST || path.includes('\0')) throw new Unjudgeable('a path is invalid or too long')
  if (/^~[^/\\]/.test(path)) throw new Unjudgeable('the home folder of another user cannot be resolved')
  const readings = path.startsWith('~') ? [join(homedir(), path.slice(1)), resolve(cwd, path)] : [resolve(cwd, path)]
  const up = path.lastIndexOf('..')
  if (up !== -1) readings.push(join(withoutLinks(rawly(cwd, path.slice(0, up + 2))), path.slice(up + 2)))
  return [...new Set(readings.map(withoutLinks))]
}

/** Keeps `..`, so that the system resolves it after the links before it. */
const rawly = (cwd: string, path: string) => (resolve(path) === path || path.startsWith('/') ? path : cwd + sep + path)

/** A path with the links of its existing part resolved, and also a link to a file that does not exist yet. */
export function withoutLinks(path: string): string {
  let current = path
  for (let links = 0; links < MOST_LINKS; links++) {
    const segments = current.split(sep)
    // A folder exists if one of its entries does, so halving finds the longest existing part.
    let [there, missing] = [1, segments.length + 1]
    while (missing - there > 1) {
      const middle = (there + missing) >> 1
      if (realOf(segments.slice(0, middle).join(sep) || sep) === undefined) missing = middle
      else there = middle
    }
    const base = realOf(segments.slice(0, there).join(sep) || sep) ?? sep
    if (there === segments.length) return base
    const next = join(base, segments[there]!)
    const target = targetOf(next)
    if (target === undefined) return join(base, ...segments.slice(there))
    current = join(resolve(dirname(next), target), ...segments.slice(there + 1))
  }
  throw new Unjudgeable('a path has too many links')
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/** The folder that a glob searches, or the file that it names. */
export function baseOfGlob(glob: string): string {
  const plain = glob.replace(/^!/, '')
  const at = plain.search(/[*?[\]{}()|!+@,\\]/)
  if (at === -1) return plain
  const [base, rest] = [plain.slice(0, plain.lastIndexOf('/', at) + 1), plain.slice(at)]
  if (rest.includes('..') || rest.includes('\\') || /[{,(|][/~]/.test(rest))
    throw new Unjudgeable('a pattern may leave the folder that it begins in')
  return base === '' ? '.' : base
}
