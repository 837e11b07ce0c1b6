// Expands the arguments of a command line into inputs: files, the contents of folders and globs, stdin, URLs.

import { dirname, resolve } from 'node:path'
import { type KindRow, rowOf } from '../bindings/kinds.ts'
import { KINDS } from '../bindings/tables/kinds.ts'
import { parsePointer } from '../bindings/text/members.ts'
import { oneOf } from '../bindings/text/words.ts'
import { UsageError, whyUnread } from './command.ts'
import type { Entry, Host } from './host.ts'
import type { Bytes } from './reader.ts'
import type { LeftOut, WalkHost } from './walk/walk.ts'

/** One document to read. */
export interface Input {
  /** A path, `-`, or a URL. */
  readonly name: string
  /** The JSON Pointer after `#`: the part that the command should look at. */
  readonly pointer?: string
  /** The reason why there is nothing to read. */
  readonly problem?: string
  readonly isEmpty?: true
  /** The folder of the file, if its other files may belong to the document. */
  readonly folder?: string
  /** True for a file that was found in a folder. */
  readonly isFound?: true
}

/**
 * Which files to take from folders: definitions, agents, Agent Cards, all signed kinds, whatever
 * Blazon can check, or all JSON and YAML files.
 */
export type Names = 'definitions' | 'agents' | 'cards' | 'signed kinds' | 'every kind' | 'all'

/** A set of file name endings. Messages leave out .yml. */
const endingSet = (ends: readonly string[]) => ({
  pattern: new RegExp(`(?:${ends.map((end) => end.replaceAll('.', '\\.')).join('|')})$`, 'i'),
  words: oneOf(ends.filter((end) => !end.endsWith('.yml'))),
})

const SIGNED = KINDS.filter(({ isSigned }) => isSigned).flatMap(({ files }) =>
  files.filter((end) => end.startsWith('.')),
)

const FILES: Readonly<Record<Names, { readonly pattern: RegExp; readonly words: string }>> = {
  definitions: endingSet(rowOf('adl').files),
  agents: endingSet([...rowOf('adl').files, ...rowOf('container').files]),
  cards: endingSet(rowOf('card').files),
  'signed kinds': endingSet(SIGNED),
  'every kind': { pattern: /^/, words: '' },
  all: endingSet(['.json', '.yaml', '.yml', '.adl']),
}

/** The files that are the document of their folder. */
const IN_FOLDER = new Set(KINDS.flatMap(({ inFolder }: KindRow) => inFolder ?? []))

function inFolder(file: GlobMatch): Input {
  const at = file.name.lastIndexOf('/')
  if (!IN_FOLDER.has(file.name.slice(at + 1))) return file
  return { ...file, folder: at < 0 ? '.' : file.name.slice(0, at) }
}

/** The most files; nobody means to check more at once. */
const MOST_FILES = 100_000

export function isAgentFile(name: string): boolean {
  return FILES.definitions.pattern.test(name)
}

/** Expands arguments into inputs, each once, in order. */
export async function expand(
  positionals: readonly string[],
  host: WalkHost,
  names: Names,
  leftOut?: LeftOut,
): Promise<Input[]> {
  const inputs = new Map<string, Input>()
  // Every - is kept, so that the second one is reported.
  let stdins = 0
  for (const positional of positionals) {
    for await (const input of inputsOf(positional, host, names, leftOut)) {
      const key = input.name === '-' ? `- ${stdins++}` : `${input.name}#${input.pointer ?? ''}`
      inputs.set(key, input)
      if (inputs.size > MOST_FILES) {
        const message = `expected at most ${MOST_FILES} files, found more`
        throw new UsageError('too-many-files', message, 'name a folder with fewer files')
      }
    }
  }
  return [...inputs.values()]
}

async function* inputsOf(
  positional: string,
  host: WalkHost,
  names: Names,
  leftOut: LeftOut | undefined,
): AsyncGenerator<Input> {
  const files = filesIn(host)
  if (positional === '') {
    const hint = 'is a shell variable not set?'
    throw new UsageError('wrong-arguments', 'expected a FILE, got an empty name', hint)
  }
  if (isUrl(positional)) return yield addressOf(positional)
  const { name, fragment } = await split(positional, files)
  const pointer = fragment === undefined ? {} : { pointer: checkPointer(fragment, positional) }
  if (name === '-') return yield { name, ...pointer }
  const found: Input[] = []
  if (isGlob(name)) {
    for await (const file of filesOfGlob(name, files)) found.push(file)
    if (found.length === 0) return yield { name, problem: 'no file matches' }
  } else {
    const entries = await tryList(name, files)
    if (typeof entries === 'string') return yield { name, problem: entries }
    if (entries === undefined) return yield { name, ...pointer }
    const { pattern, words } = FILES[names]
    const takesFolders = names === 'signed kinds' || names === 'agents'
    const isTaken = (file: string) => pattern.test(file) || (takesFolders && IN_FOLDER.has(file))
    const { walkFolder } = await import('./walk/walk.ts')
    for (const file of await walkFolder(name, names === 'every kind' ? names : isTaken, host, leftOut))
      found.push({ ...inFolder(file), isFound: true })
    if (found.length === 0) {
      const lacks = names === 'every kind' ? 'document that Blazon can check' : `file that ends in ${words}`
      return yield { name, problem: `the folder has no ${lacks}`, isEmpty: true }
    }
  }
  for (const file of found) yield { ...file, ...pointer }
}

function addressOf(url: string): Input {
  const at = url.indexOf('#')
  return at < 0 ? { name: url } : { name: url.slice(0, at), pointer: checkPointer(url.slice(at + 1), url) }
}

/** Splits off the pointer after the first `#/` or a final `#`, unless a folder has that name. */
async function split(text: string, files: Files): Promise<{ readonly name: string; readonly fragment?: string }> {
  const at = text.search(/#(?:\/|$)/)
  if (at < 1 || Array.isArray(await tryList(text.slice(0, at + 1), files))) return { name: text }
  return { name: text.slice(0, at), fragment: text.slice(at + 1) }
}

function checkPointer(pointer: string, argument: string): string {
  if (parsePointer(pointer) !== undefined) return pointer
  throw new UsageError('invalid-value', `${argument}: expected a JSON Pointer after #`, 'as in agent.json#/tools/0')
}

// Our own globs, for shells without globs and for quoted arguments: `*` and `?` within a name, `**` for any folders,
// `{a,b}` for alternatives. A leading dot in a name must be in the pattern too.

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

const isGlob = (text: string): boolean => /[*?{]/.test(text)

/** The files of a host, by names from its working folder. */
export function filesIn(host: Pick<Host, 'cwd' | 'open' | keyof Files>): Files & Pick<Host, 'open'> {
  const at = (path: string) => resolve(host.cwd, path)
  return {
    list: (path) => host.list(at(path)),
    isWithin: (path, folder) => host.isWithin(at(path), at(folder)),
    open: (path) => host.open(at(path)),
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

/** The entries of a folder, or why they cannot be read; undefined for what is not a folder. */
export async function tryList(path: string, files: Files): Promise<readonly Entry[] | string | undefined> {
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
  const entries = await tryList(folder, files)
  if (typeof entries === 'string') return yield { name: folder, problem: entries }
  for (const { name, kind } of entries ?? []) {
    if (name.startsWith('.') || name === SKIPPED) continue
    const path = join(folder, name)
    if (kind === 'folder') yield* filesOfFolder(path, passes, files, root)
    else if (passes(name)) yield takeMatch(path, kind, root, files)
  }
}

/** Refuses pipes, and links that lead out of the folder: others may have put them there. */
export async function takeMatch(path: string, kind: Entry['kind'], root: string, files: Files): Promise<GlobMatch> {
  if (kind === 'file') return { name: path }
  if (kind === 'other') return { name: path, problem: 'it is not a regular file' }
  if (await files.isWithin(path, root)) return { name: path }
  // One text for both: others may ask by a link which files exist elsewhere.
  return {
    name: path,
    problem: `it is a link to nothing or to a place outside ${root}; name the target itself to read it`,
  }
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
    const entries = await tryList(folder, this.#files)
    if (typeof entries === 'string') return yield { name: folder, problem: entries }
    for (const { name, kind } of entries ?? []) {
      if (name.startsWith('.') && !segment.startsWith('.')) continue
      const path = join(folder, name)
      const isFolder = kind === 'folder'
      if (anywhere ? isFolder && name !== SKIPPED : isFolder && !last && matchesName(segment, name)) {
        yield* this.matching(path, anywhere ? at : at + 1)
      } else if (last && !isFolder && (anywhere || matchesName(segment, name))) {
        yield takeMatch(path, kind, this.#root, this.#files)
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

export function join(folder: string, name: string): string {
  if (folder === '.') return name
  return folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`
}

const ACCEPT = 'application/json, application/yaml;q=0.9, */*;q=0.1'

/** True when an argument is a URL of any scheme; only https is read. */
export function isUrl(text: string): boolean {
  return /^[a-z][a-z\d+.-]+:\/\//i.test(text)
}

export function expectNetwork(url: string, isAllowed: boolean): void {
  if (isAllowed) return
  const message = `${url}: reading from the network is not allowed`
  throw new UsageError('network-not-allowed', message, 'give --allow-network')
}

export async function fetchBytes(url: string, { fetch }: Pick<Host, 'fetch'>): Promise<Bytes> {
  const { fetchDocument } = await import('../bindings/net/fetch.ts')
  const outcome = await fetchDocument(url, ACCEPT, { fetch })
  if (!outcome.ok) return { file: url, bytes: undefined, diagnostics: [outcome.diagnostic] }
  return { file: url, bytes: outcome.fetched.bytes }
}

/** The folder of the project that settings are for: the given one, or the one that has them. */
export function projectFolder(file: string, given: string | undefined, { cwd }: Pick<Host, 'cwd'>): string {
  return resolve(cwd, given ?? dirname(resolve(cwd, file)).replace(/[\\/]\.(?:claude|codex)$/, ''))
}
