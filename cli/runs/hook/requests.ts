// What the tools of Claude Code and Codex do, as requests for permission (ADL 9).
import { statSync } from 'node:fs'
import { requestForUrl } from '../../../bindings/policy/part.ts'
import type { FilesystemRequest, PermissionRequest } from '../../../bindings/policy/request.ts'
import { isText, type JsonObject } from '../../../bindings/text/members.ts'
import { bounded, commandsIn, pathsIn } from './members.ts'
import { pathsOfPatch } from './patch.ts'
import { baseOfGlob, placesOf } from './paths.ts'
import { Unjudgeable } from './unjudgeable.ts'

type Access = FilesystemRequest['access']

/** The access of file tools. */
const FILE_TOOLS: Readonly<Record<string, Access>> = {
  Read: 'read',
  NotebookRead: 'read',
  Write: 'write',
  Edit: 'read_write',
  MultiEdit: 'read_write',
  NotebookEdit: 'read_write',
}
/** Searches read all that they can match, and without a path the current folder. */
const SEARCHES: Readonly<Record<string, readonly string[]>> = {
  Glob: ['pattern', 'glob'],
  Grep: ['glob'],
  LS: ['pattern', 'glob'],
}
const SHELLS = ['Bash', 'PowerShell', 'Monitor', 'shell', 'shell_command', 'exec_command', 'local_shell', 'write_stdin']
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
  return bounded([...requestsFor(named, 'read', cwd), ...patches.flatMap((line) => filesOfLine(line, named, cwd))])
}

function filesOfPatch(input: JsonObject, cwd: string) {
  const patches = [...commandsIn(input), ...[input['input'], input['patch']].filter(isText)]
  if (patches.length === 0) throw new Unjudgeable('the call has no patch')
  const paths = patches.flatMap((patch) => pathsOfPatch(patch.replace(/^\s*apply_patch\s/, '')))
  return requestsFor(bounded([...paths, ...pathsIn(input)]), 'read_write', cwd)
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
  bounded({ length: folders.length * paths.length })
  return folders.flatMap((folder) => paths.flatMap((path) => placesOf(path, folder)))
}

function filesOfSearch(tool: string, input: JsonObject, named: readonly string[], cwd: string) {
  const folders = named.length === 0 ? ['.'] : named
  const globs = SEARCHES[tool]!.flatMap((member) => [input[member]].flat().filter(isText)).map(baseOfGlob)
  const places = folders.flatMap((folder) => placesOf(folder, cwd))
  const bases = productOf(places, globs)
  // A glob of Glob says where it searches; that of Grep only selects files.
  const all = tool === 'Glob' && bases.length > 0 ? bases : [...places, ...bases]
  return requestsFor(all, 'read', cwd).flatMap(searched)
}

/** Only `**` permits both a folder and a file deep in it. What is denied below a folder is compared separately. */
function searched(request: FilesystemRequest): FilesystemRequest[] {
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
  const isMcp = tool.startsWith('mcp__')
  if (!isMcp && !isShell(tool)) return []
  const commands = commandsIn(input)
  if (commands.length === 0 && !isMcp) return []
  const lines = commands.map((command) => ({ domain: 'execution', command: programOf(command), shell: true }) as const)
  // The folder that a shell line begins in grants it nothing, so only the line is judged, and a patch inside it.
  const touched = isMcp ? files : files.filter(({ access }) => access !== 'read')
  return [...(isMcp ? [{ domain: 'tool', name: tool } as const] : []), ...touched, ...lines]
}

function networkOf(text: unknown): readonly PermissionRequest[] {
  return isText(text) && URL.canParse(text) ? [requestForUrl(new URL(text))] : []
}
