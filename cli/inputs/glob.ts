// Our own globs, for shells without globs and for quoted arguments: `*` and `?` within a name, `**` for any folders,
// `{a,b}` for alternatives. A leading dot in a name must be in the pattern too.
import { resolve } from 'node:path'
import type { Entry, Host } from '../host.ts'
import { whyUnread } from '../system.ts'
import { UsageError } from '../usage.ts'

/** Nobody writes more alternatives, and nested braces multiply. */
const MOST_ALTERNATIVES = 1000

/** A folder with other people's files. */
const SKIPPED = 'node_modules'

/** The part of the host that globs use. */
export type Files = Pick<Host, 'list' | 'isWithin'>

/** A file to read, or the reason why a match is not read. */
export interface GlobMatch {
  readonly name: string
  readonly problem?: string
}

export function isGlob(text: string): boolean {
  return /[*?{]/.test(text)
}

/** The files of a host, by names from its working folder. */
export function filesIn(host: Pick<Host, 'cwd' | 'list' | 'isWithin'>): Files {
  const at = (path: string) => resolve(host.cwd, path)
  return {
    list: (path) => host.list(at(path)),
    isWithin: (path, folder) => host.isWithin(at(path), at(folder)),
  }
}

/** Finds the files that a glob matches, in the order of its alternatives and of their names. */
export async function* filesOfGlob(glob: string, files: Files): AsyncGenerator<GlobMatch> {
  for (const alternative of expandBraces(glob)) {
    const segments = alternative.split('/')
    const first = segments.findIndex(isGlob)
    const start = first < 0 ? parentOf(segments) : segments.slice(0, first).join('/') || (first > 0 ? '/' : '.')
    const pattern = first < 0 ? segments.slice(-1) : segments.slice(first)
    yield* new Walk(start, pattern, files).matching(start, 0)
  }
}

/** Lists a folder: undefined for anything else, or the reason why the system refuses. */
export async function listed(path: string, files: Files): Promise<readonly Entry[] | string | undefined> {
  try {
    return await files.list(path)
  } catch (error) {
    return whyUnread(error)
  }
}

/** Finds all files in a folder and its subfolders whose names pass. */
export async function* filesOfFolder(
  folder: string,
  passes: (name: string) => boolean,
  files: Files,
  root = folder,
): AsyncGenerator<GlobMatch> {
  const entries = await listed(folder, files)
  if (typeof entries === 'string') return yield { name: folder, problem: entries }
  for (const { name, kind } of entries ?? []) {
    if (name.startsWith('.') || name === SKIPPED) continue
    const path = join(folder, name)
    if (kind === 'folder') yield* filesOfFolder(path, passes, files, root)
    else if (passes(name)) yield taken(path, kind, root, files)
  }
}

/** Refuses pipes, and links that lead out of the folder: others may have put them there. */
async function taken(path: string, kind: Entry['kind'], root: string, files: Files): Promise<GlobMatch> {
  if (kind === 'file') return { name: path }
  if (kind === 'other') return { name: path, problem: 'it is not a regular file' }
  if (await files.isWithin(path, root)) return { name: path }
  return { name: path, problem: `it is a link to a place outside ${root}; name the target itself to read it` }
}

/** Walks the folders for one pattern. */
class Walk {
  readonly #root: string
  readonly #pattern: readonly string[]
  readonly #files: Files
  /** Visited folders, each with its position in the pattern: consecutive stars reach the same folder in many ways. */
  readonly #seen = new Set<string>()

  constructor(root: string, pattern: readonly string[], files: Files) {
    this.#root = root
    this.#pattern = pattern
    this.#files = files
  }

  /** Finds the matches in a folder for the rest of the pattern. */
  async *matching(folder: string, at: number): AsyncGenerator<GlobMatch> {
    const key = `${at}:${folder}`
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    const segment = this.#pattern[at]!
    const last = at === this.#pattern.length - 1
    if (segment === '' || segment === '.' || segment === '..') {
      if (!last) yield* this.matching(segment === '' ? folder : join(folder, segment), at + 1)
      return
    }
    const anywhere = segment === '**'
    if (anywhere && !last) yield* this.matching(folder, at + 1)
    const entries = await listed(folder, this.#files)
    if (typeof entries === 'string') return yield { name: folder, problem: entries }
    for (const { name, kind } of entries ?? []) {
      if (name.startsWith('.') && !segment.startsWith('.')) continue
      const path = join(folder, name)
      const isFolder = kind === 'folder'
      if (anywhere ? isFolder && name !== SKIPPED : isFolder && !last && matchesName(segment, name)) {
        yield* this.matching(path, anywhere ? at : at + 1)
      } else if (last && !isFolder && (anywhere || matchesName(segment, name))) {
        yield taken(path, kind, this.#root, this.#files)
      }
    }
  }
}

/** Matches a name with a pattern of `*` and `?`. Backtracks only to the latest star, so no step is repeated. */
export function matchesName(pattern: string, name: string): boolean {
  let p = 0
  let star = -1
  let from = 0
  for (let n = 0; n < name.length; ) {
    if (pattern[p] === '*') {
      star = p++
      from = n
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === name[n])) {
      p++
      n++
    } else if (star >= 0) {
      p = star + 1
      n = ++from
    } else return false
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}

/** Expands the braces of a glob. Braces without a comma, or unclosed ones, are literal. */
export function expandBraces(glob: string): string[] {
  const done: string[] = []
  const open = [glob]
  for (let text = open.pop(); text !== undefined; text = open.pop()) {
    const group = firstGroup(text)
    if (group === undefined) done.push(text)
    else {
      const { start, end, parts } = group
      for (const part of parts.reverse()) open.push(text.slice(0, start) + part + text.slice(end))
    }
    if (done.length + open.length > MOST_ALTERNATIVES) {
      const message = `expected at most ${MOST_ALTERNATIVES} alternatives in a glob, found more`
      throw new UsageError('invalid-glob', message, 'give several globs')
    }
  }
  return done
}

/** Finds the first `{...}` with a comma directly inside. */
function firstGroup(text: string): { start: number; end: number; parts: string[] } | undefined {
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start + 1)) {
    const parts: string[] = []
    let depth = 0
    let from = start + 1
    for (let i = start; i < text.length; i++) {
      if (text[i] === '{') depth++
      else if (text[i] === '}') depth--
      if ((text[i] === ',' && depth === 1) || depth === 0) {
        parts.push(text.slice(from, i))
        from = i + 1
      }
      if (depth > 0) continue
      if (parts.length > 1) return { start, end: i + 1, parts }
      break
    }
  }
  return undefined
}

function parentOf(segments: readonly string[]): string {
  if (segments.length < 2) return '.'
  return segments.slice(0, -1).join('/') || '/'
}

function join(folder: string, name: string): string {
  if (folder === '.') return name
  return folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`
}
