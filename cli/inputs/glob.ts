// Globs of our own, for shells that expand none and for those whose user put them in quotes: `*` and `?` within a name,
// `**` for any folders, `{a,b}` for either. Names that begin with a dot are matched by what begins with one.
import type { Host } from '../host.ts'
import { UsageError } from '../usage.ts'

/** More alternatives than anybody writes; braces in braces multiply. */
const MOST_ALTERNATIVES = 1000

/** Folders that hold what others wrote. */
const SKIPPED = 'node_modules'

type List = Host['list']

export function isGlob(text: string): boolean {
  return /[*?{]/.test(text)
}

/** The files that a glob matches, in the order of its alternatives and of their names. */
export async function* filesOfGlob(glob: string, list: List): AsyncGenerator<string> {
  for (const alternative of expandBraces(glob)) {
    const segments = alternative.split('/')
    const first = segments.findIndex(isGlob)
    if (first < 0) yield* matching(parentOf(segments), segments.slice(-1), list)
    else yield* matching(segments.slice(0, first).join('/') || (first > 0 ? '/' : '.'), segments.slice(first), list)
  }
}

/** All files of a folder and of the folders in it whose names pass. */
export async function* filesOfFolder(
  folder: string,
  passes: (name: string) => boolean,
  list: List,
): AsyncGenerator<string> {
  for (const { name, isFolder } of (await list(folder)) ?? []) {
    if (name.startsWith('.') || name === SKIPPED) continue
    const path = join(folder, name)
    if (isFolder) yield* filesOfFolder(path, passes, list)
    else if (passes(name)) yield path
  }
}

async function* matching(folder: string, segments: readonly string[], list: List): AsyncGenerator<string> {
  const [segment = '', ...rest] = segments
  if (segment === '' || segment === '.' || segment === '..') {
    if (rest.length > 0) yield* matching(segment === '' ? folder : join(folder, segment), rest, list)
    return
  }
  const last = rest.length === 0
  const anywhere = segment === '**'
  if (anywhere && !last) yield* matching(folder, rest, list)
  for (const { name, isFolder } of (await list(folder)) ?? []) {
    if (name.startsWith('.') && !segment.startsWith('.')) continue
    const path = join(folder, name)
    if (anywhere) {
      if (isFolder && name !== SKIPPED) yield* matching(path, segments, list)
      else if (!isFolder && last) yield path
    } else if (matchesName(segment, name)) {
      if (isFolder && !last) yield* matching(path, rest, list)
      else if (!isFolder && last) yield path
    }
  }
}

/** Whether a name matches a pattern of `*` and `?`. A star that was passed is only left for a later one: no step is repeated. */
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

/** What a glob with braces stands for. Braces without a comma, or without an end, are characters. */
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

/** The first `{...}` with a comma of its own. */
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
