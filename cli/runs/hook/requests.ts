// What the tools of Claude Code, Codex and Gemini CLI do, as requests for permission (ADL 9).
import { readlinkSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { requestForUrl } from '../../../bindings/policy/part.ts'
import type { FilesystemRequest, PermissionRequest } from '../../../bindings/policy/request.ts'
import { isObject, isText, type JsonObject } from '../../../bindings/text/members.ts'

type Access = FilesystemRequest['access']

/** The access of file tools. */
const FILE_TOOLS: Readonly<Record<string, Access>> = {
  Read: 'read',
  NotebookRead: 'read',
  Write: 'write',
  Edit: 'read_write',
  MultiEdit: 'read_write',
  NotebookEdit: 'read_write',
  read_file: 'read',
  write_file: 'write',
  replace: 'read_write',
}
/** Searches read all that they can match, and without a path the current folder. */
const SEARCHES: Readonly<Record<string, readonly string[]>> = {
  Glob: ['pattern', 'glob'],
  Grep: ['glob'],
  LS: ['pattern', 'glob'],
  glob: ['pattern'],
  grep_search: ['include', 'include_pattern'],
  search_file_content: ['include'],
  list_directory: [],
  read_many_files: ['include'],
}
/** Their globs say where they search; those of others only select files. */
const SEARCHES_BY_GLOB = ['Glob', 'glob', 'read_many_files']
const SHELLS = [
  ...['Bash', 'PowerShell', 'Monitor', 'shell', 'shell_command', 'exec_command', 'local_shell', 'write_stdin'],
  'run_shell_command',
]
/** The commands by which a shell gives Codex a patch. */
const PATCH_LINE = /^\s*(?:apply_patch|applypatch)\s+<<-?\s*(['"]?)\w+\1\s*$/

/** Such a line runs nothing else: a quoted delimiter makes the patch plain text, and nothing follows it. */
const WHOLE_PATCH_LINE =
  /^\s*(apply_patch|applypatch)\s+<<(['"])(\w+)\2\s*\n\*\*\* Begin Patch\n[\s\S]*\n\*\*\* End Patch\n\3\s*$/

/** What a shell line runs: of a patch, only the program, because its text is not a program. */
const programOf = (line: string) => {
  const [, program, , delimiter] = WHOLE_PATCH_LINE.exec(line) ?? []
  return program !== undefined && line.split('\n').filter((one) => one.trim() === delimiter).length === 1
    ? program
    : line
}

/**
 * The files that a call names.
 *
 * @throws {Unjudgeable} for a call whose files cannot be known.
 */
export function filesOf(tool: string, input: JsonObject, cwd: string): readonly FilesystemRequest[] {
  if (tool === 'apply_patch') return filesOfPatch(input, cwd)
  const named = pathsIn(input)
  if (isSearch(tool)) return filesOfSearch(tool, input, named, cwd)
  if (Object.hasOwn(FILE_TOOLS, tool)) {
    if (named.length === 0) throw new Unjudgeable(`${tool} names no file`)
    return requestsFor(named, FILE_TOOLS[tool]!, cwd)
  }
  if (!isShell(tool)) return requestsFor(named, 'read_write', cwd)
  const patches = commandsIn(input).filter((line) => line.includes('*** Begin Patch'))
  return expectFew([...requestsFor(named, 'read', cwd), ...patches.flatMap((line) => filesOfLine(line, named, cwd))])
}

function filesOfPatch(input: JsonObject, cwd: string) {
  const patches = [...commandsIn(input), ...[input['input'], input['patch']].filter(isText)]
  if (patches.length === 0) throw new Unjudgeable('the call has no patch')
  const paths = patches.flatMap((patch) => pathsOfPatch(patch.replace(/^\s*apply_patch\s/, '')))
  return requestsFor(expectFew([...paths, ...pathsIn(input)]), 'read_write', cwd)
}

/** A patch in a shell line, in the one form that says where it applies. */
function filesOfLine(line: string, folders: readonly string[], cwd: string) {
  const [start, end] = [line.indexOf('*** Begin Patch'), line.lastIndexOf('*** End Patch')]
  if (end < start || !PATCH_LINE.test(line.slice(0, start)))
    throw new Unjudgeable('a patch inside a shell line cannot be judged; use apply_patch')
  const paths = pathsOfPatch(line.slice(start, end + '*** End Patch'.length))
  const places = [cwd, ...folders.flatMap((folder) => placesOf(folder, cwd))]
  return requestsFor(productOf(places, paths), 'read_write', cwd)
}

/** Each path in each folder, as one list within the bound. */
function productOf(folders: readonly string[], paths: readonly string[]): readonly string[] {
  expectFew({ length: folders.length * paths.length })
  return folders.flatMap((folder) => paths.flatMap((path) => placesOf(path, folder)))
}

function filesOfSearch(tool: string, input: JsonObject, named: readonly string[], cwd: string) {
  const folders = named.length === 0 ? ['.'] : named
  const globs = SEARCHES[tool]!.flatMap((member) => [input[member]].flat().filter(isText)).map(baseOfGlob)
  const places = folders.flatMap((folder) => placesOf(folder, cwd))
  const bases = productOf(places, globs)
  const all = SEARCHES_BY_GLOB.includes(tool) && bases.length > 0 ? bases : [...places, ...bases]
  return requestsFor(all, 'read', cwd).flatMap(searchRequests)
}

/** Only `**` permits both a folder and a file deep in it. What is denied below a folder is compared separately. */
function searchRequests(request: FilesystemRequest): FilesystemRequest[] {
  if (statSync(request.path, { throwIfNoEntry: false })?.isFile()) return [request]
  const folder = /[\\/]$/.test(request.path) ? request.path : `${request.path}/`
  return [folder, `${folder}**/*/*`].map((path) => ({ ...request, path }))
}

function requestsFor(paths: readonly string[], access: Access, cwd: string): FilesystemRequest[] {
  return paths.flatMap((path) => placesOf(path, cwd)).map((path) => ({ domain: 'filesystem', path, access }))
}

/** The files that a call of a local MCP server may touch. Its schema does not say how, so it may write each. */
export const filesIn = (input: JsonObject, cwd: string): readonly FilesystemRequest[] =>
  requestsFor(pathsIn(input), 'read_write', cwd)

export const isShell = (tool: string) => SHELLS.includes(tool)

export const isSearch = (tool: string) => Object.hasOwn(SEARCHES, tool)

/** The requests of a call; empty for one that a definition cannot judge. */
export function requestsOf(
  tool: string,
  input: JsonObject,
  files: readonly FilesystemRequest[],
): readonly PermissionRequest[] {
  if (tool === 'apply_patch' || isSearch(tool) || Object.hasOwn(FILE_TOOLS, tool)) return files
  if (tool === 'WebFetch') return networkOf(input['url'])
  if (tool === 'web_fetch') return [input['prompt'], input['url']].flatMap(networkIn)
  const isMcp = tool.startsWith('mcp_')
  if (!isMcp && !isShell(tool)) return []
  const commands = commandsIn(input)
  if (commands.length === 0 && !isMcp) return []
  const lines = commands.map((command) => ({ domain: 'execution', command: programOf(command), shell: true }) as const)
  // The folder that a shell line begins in grants it nothing, so only the line is judged, and a patch inside it.
  const touched = isMcp ? files : files.filter(({ access }) => access !== 'read')
  return [...(isMcp ? [{ domain: 'tool', name: tool } as const] : []), ...touched, ...lines]
}

const networkOf = (text: unknown): readonly PermissionRequest[] =>
  isText(text) && URL.canParse(text) ? [requestForUrl(new URL(text))] : []

/** The URLs in a text, which Gemini CLI fetches. */
function networkIn(text: unknown): readonly PermissionRequest[] {
  const [first = '', ...parts] = isText(text) ? text.split('://') : []
  const urls = expectFew(parts).map((part, i) => {
    const scheme = /[a-z][a-z\d+.-]{0,30}$/i.exec(i === 0 ? first : parts[i - 1]!)?.[0]
    return `${scheme}://${part.split(/\s/, 1)[0]}`
  })
  const requests = urls.flatMap(networkOf)
  if (requests.length < urls.length) throw new Unjudgeable('the prompt has an address that is no URL')
  return requests
}

// The members of a tool's input that can name a path or a command, at any depth.

const MOST_PATHS = 200

/** Compared without case, `_` and `-`: `file_path`, `filePath`, `repo_path`, `workdir`, `targetUri`. */
const PATH_MEMBER =
  /(?:paths?|files?|filenames?|dir|dirs|directory|directories|folders?|uris?|cwd|root|roots|source|sources|src|destination|destinations|dest|dst)$/
const COMMAND_MEMBER = /^(?:commands?|cmds?|commandlines?|shell|script|chars|argv)$/

const plain = (name: string) => name.toLowerCase().replaceAll(/[_-]/g, '')

/** The paths in an input. A URL counts only if it names a file. */
function pathsIn(input: JsonObject): readonly string[] {
  const paths = namedTexts(input, (name) => PATH_MEMBER.test(name) || name === 'url').flatMap(({ name, text }) => {
    if (/^file:/i.test(text)) return fileOf(text)
    return name.endsWith('url') || /^[a-z][a-z\d+.-]+:\/\//i.test(text) ? [] : [text]
  })
  return expectFew([...new Set(paths)])
}

function expectFew<List extends { readonly length: number }>(paths: List): List {
  if (paths.length > MOST_PATHS) throw new Unjudgeable(`a call names at most ${MOST_PATHS} paths`)
  return paths
}

export function commandsIn(input: JsonObject): readonly string[] {
  return expectFew(namedTexts(input, (name) => COMMAND_MEMBER.test(name), true).map(({ text }) => text))
}

interface NamedText {
  readonly name: string
  readonly text: string
}

function namedTexts(value: unknown, isMeant: (name: string) => boolean, isJoined = false, name = ''): NamedText[] {
  if (isText(value)) return isMeant(name) ? [{ name, text: value }] : []
  if (Array.isArray(value)) {
    if (isJoined && isMeant(name) && value.length > 0 && value.every(isText)) return [{ name, text: value.join(' ') }]
    return value.flatMap((one) => namedTexts(one, isMeant, isJoined, name))
  }
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([member, inner]) => namedTexts(inner, isMeant, isJoined, plain(member)))
}

function fileOf(url: string): readonly string[] {
  try {
    return [fileURLToPath(url), url]
  } catch {
    throw new Unjudgeable(`${url.slice(0, 100)} names no file of this machine`)
  }
}

/** A call that cannot be judged, and so is denied. The message is the reason. */
export class Unjudgeable extends Error {}

// The files of a patch, as Codex reads it (codex-rs/apply-patch). A line counts as a header wherever a version of Codex
// may read one, so the result holds at least each file that the patch touches.

const MOST_PATCH_BYTES = 256 << 10
const HEADER = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/su
const OTHER_MARKER = /^\*\*\* End of File$/
const WHITE_SPACE = /^\p{White_Space}$/u

/** The paths that a patch names; a path with white space at its end counts with and without it. */
function pathsOfPatch(patch: string): readonly string[] {
  if (Buffer.byteLength(patch) > MOST_PATCH_BYTES) throw new Unjudgeable('a patch has at most 256 KiB')
  const lines = trimUnicode(patch).split('\n')
  if (/^<<(['"]?)EOF\1\r?$/.test(lines[0]!) && lines.at(-1)!.endsWith('EOF')) {
    lines.shift()
    lines.pop()
  }
  const [first, last] = [lines.shift(), lines.pop()].map((line) => trimUnicode(line ?? ''))
  if (first !== '*** Begin Patch' || last !== '*** End Patch') throw new Unjudgeable('the patch has no begin or no end')
  const paths = new Set<string>()
  for (const line of lines) {
    const bare = trimUnicode(line)
    const found = HEADER.exec(bare)?.[1]
    if (found !== undefined) {
      const whole = line.slice(line.indexOf('*** '))
      const exact = HEADER.exec(whole.endsWith('\r') ? whole.slice(0, -1) : whole)![1]!
      paths.add(found).add(exact).add(trimUnicode(found))
    } else if (line.startsWith('*') ? !OTHER_MARKER.test(bare) : bare !== '' && !/^[ +@-]/.test(line))
      throw new Unjudgeable('the patch has a line that is not part of a patch')
  }
  if (paths.size === 0) throw new Unjudgeable('the patch names no file')
  return [...paths]
}

/** Like `trim` of Rust: Unicode's White_Space, which is not that of JavaScript. */
function trimUnicode(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && WHITE_SPACE.test(text[start]!)) start++
  while (end > start && WHITE_SPACE.test(text[end - 1]!)) end--
  return text.slice(start, end)
}

// Paths as a program resolves them: the home folder, links, and what a search can reach.

/** In UTF-16 units. Linux allows 4,096 bytes. */
const LONGEST = 4096
const MOST_LINKS = 40

/** The places that a path may mean. Programs differ on `~`, and on `..` after a link, so each reading counts. */
function placesOf(path: string, cwd: string): readonly string[] {
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
function baseOfGlob(glob: string): string {
  const plain = glob.replace(/^!/, '')
  const at = plain.search(/[*?[\]{}()|!+@,\\]/)
  if (at === -1) return plain
  const [base, rest] = [plain.slice(0, plain.lastIndexOf('/', at) + 1), plain.slice(at)]
  if (rest.includes('..') || rest.includes('\\') || /[{,(|][/~]/.test(rest))
    throw new Unjudgeable('a pattern may leave the folder that it begins in')
  return base === '' ? '.' : base
}
