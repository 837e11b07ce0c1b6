// Expands the arguments of a command line into inputs: files, the contents of folders and globs, stdin, URLs.
import { type KindRow, rowOf } from '../../bindings/kinds.ts'
import { KINDS } from '../../bindings/tables/kinds.ts'
import { parsePointer } from '../../bindings/text/members.ts'
import { oneOf } from '../../bindings/text/words.ts'
import type { Entry, Host } from '../host.ts'
import { UsageError } from '../usage.ts'
import { type Files, filesIn, filesOfFolder, filesOfGlob, type GlobMatch, isGlob, listed } from './glob.ts'
import { isUrl } from './url.ts'

/** One document to read. */
export interface Input {
  /** A path, `-`, or a URL. */
  readonly name: string
  /** The JSON Pointer after `#`: the part that the command should look at. */
  readonly pointer?: string
  /** The reason why there is nothing to read. */
  readonly problem?: string
  /** True for a folder without matching files. */
  readonly isEmpty?: true
  /** The folder of the file, if its other files may belong to the document. */
  readonly folder?: string
}

/** Which files to take from folders: definitions, agents, Agent Cards, all signed kinds, or all JSON and YAML files. */
export type Names = 'definitions' | 'agents' | 'cards' | 'signed kinds' | 'all'

/** A set of file name endings. Messages leave out .yml. */
const named = (ends: readonly string[]) => ({
  pattern: new RegExp(`(?:${ends.map((end) => end.replaceAll('.', '\\.')).join('|')})$`, 'i'),
  words: oneOf(ends.filter((end) => !end.endsWith('.yml'))),
})

const SIGNED = KINDS.filter(({ isSigned }) => isSigned).flatMap(({ files }) =>
  files.filter((end) => end.startsWith('.')),
)

const FILES: Readonly<Record<Names, { readonly pattern: RegExp; readonly words: string }>> = {
  definitions: named(rowOf('adl').files),
  agents: named([...rowOf('adl').files, ...rowOf('container').files]),
  cards: named(rowOf('card').files),
  'signed kinds': named(SIGNED),
  all: named(['.json', '.yaml', '.yml', '.adl']),
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

/** True when the name of a file marks it as an agent definition. */
export function isAgentFile(name: string): boolean {
  return FILES.definitions.pattern.test(name)
}

/** Expands arguments into inputs, each once, in order. */
export async function expand(
  positionals: readonly string[],
  host: Pick<Host, 'cwd' | 'list' | 'isWithin'>,
  names: Names,
): Promise<Input[]> {
  const inputs = new Map<string, Input>()
  // Every - is kept, so that the second one is reported.
  let stdins = 0
  const files = filesIn(host)
  for (const positional of positionals) {
    for await (const input of inputsOf(positional, files, names)) {
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

async function* inputsOf(positional: string, files: Files, names: Names): AsyncGenerator<Input> {
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
    const entries = await listed(name, files)
    if (typeof entries === 'string') return yield { name, problem: entries }
    if (entries === undefined) return yield { name, ...pointer }
    const { pattern, words } = FILES[names]
    const takesFolders = names === 'signed kinds' || names === 'agents'
    const isTaken = (file: string) => pattern.test(file) || (takesFolders && IN_FOLDER.has(file))
    for await (const file of filesOfFolder(name, isTaken, files)) found.push(inFolder(file))
    if (found.length === 0)
      return yield { name, problem: `the folder has no file that ends in ${words}`, isEmpty: true }
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
  if (at < 1 || Array.isArray(await listed(text.slice(0, at + 1), files))) return { name: text }
  return { name: text.slice(0, at), fragment: text.slice(at + 1) }
}

function checkPointer(pointer: string, argument: string): string {
  if (parsePointer(pointer) !== undefined) return pointer
  throw new UsageError('invalid-value', `${argument}: expected a JSON Pointer after #`, 'as in agent.json#/tools/0')
}

const fs = process.getBuiltinModule('node:fs')

/** Lists a folder, sorted by the code units of the names; undefined for anything else. */
export async function listFolder(path: string): Promise<readonly Entry[] | undefined> {
  try {
    const entries = fs.readdirSync(path, { withFileTypes: true })
    return entries
      .map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

interface Stats {
  isDirectory(): boolean
  isFile(): boolean
  isSymbolicLink(): boolean
}

function kindOf(stats: Stats): Entry['kind'] {
  if (stats.isDirectory()) return 'folder'
  if (stats.isFile()) return 'file'
  return stats.isSymbolicLink() ? 'link' : 'other'
}

/** True when a path, with links resolved, is a regular file in a folder. */
export async function isWithin(path: string, folder: string): Promise<boolean> {
  try {
    const [real, root] = [fs.realpathSync(path), fs.realpathSync(folder)]
    const { relative, isAbsolute, sep } = process.getBuiltinModule('node:path')
    const way = relative(root, real)
    const isBelow = way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
    return isBelow && fs.statSync(real).isFile()
  } catch {
    // A broken link is not a file.
    return false
  }
}
