// What the tools of Claude Code and Codex do, as requests for permission (ADL 9).
import { realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { requestForUrl } from '../../../bindings/policy/network.ts'
import type { FilesystemRequest, PermissionRequest } from '../../../bindings/policy/request.ts'
import { isText, type JsonObject } from '../../../bindings/text/members.ts'

type Access = FilesystemRequest['access']

/** File tools: the member with the path, and the access. */
const FILE_TOOLS: Readonly<Record<string, readonly [member: string, access: Access]>> = {
  Read: ['file_path', 'read'],
  NotebookRead: ['notebook_path', 'read'],
  Write: ['file_path', 'write'],
  Edit: ['file_path', 'read_write'],
  MultiEdit: ['file_path', 'read_write'],
  NotebookEdit: ['notebook_path', 'read_write'],
  Glob: ['path', 'read'],
  Grep: ['path', 'read'],
  LS: ['path', 'read'],
}
const SHELLS = ['Bash', 'shell', 'exec_command', 'local_shell']
/** The lines of a patch that name a file. */
const PATCHED = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm

/** The files that a call of a file tool touches; undefined for other tools. */
export function filesOf(tool: string, input: JsonObject, cwd: string): readonly FilesystemRequest[] | undefined {
  const request = (path: string, access: Access) =>
    ({ domain: 'filesystem', path: withoutLinks(resolve(cwd, path)), access }) as const
  if (tool === 'apply_patch') {
    const patch = [input['command'], input['input'], input['patch']].flat().filter(isText).join('\n')
    return Array.from(patch.matchAll(PATCHED), ([, path]) => request(path!.trim(), 'read_write'))
  }
  const [member, access] = Object.hasOwn(FILE_TOOLS, tool) ? FILE_TOOLS[tool]! : []
  if (member === undefined) return undefined
  const path = input[member] ?? (member === 'path' ? cwd : undefined)
  return isText(path) ? [request(path, access!)] : []
}

/** The members that name files in the arguments of MCP servers. */
const FILE_MEMBERS = ['path', 'paths', 'file', 'file_path', 'source', 'destination']

/** The files that a call of a local MCP server may touch. Its schema does not say how, so it may write each. */
export const filesIn = (input: JsonObject, cwd: string): readonly FilesystemRequest[] =>
  FILE_MEMBERS.flatMap((member) => [input[member]].flat().filter(isText)).map((path) => {
    return { domain: 'filesystem', path: withoutLinks(resolve(cwd, path)), access: 'read_write' }
  })

/** The requests of a call; empty for one that a definition cannot judge. */
export function requestsOf(tool: string, input: JsonObject, cwd: string): readonly PermissionRequest[] {
  const files = filesOf(tool, input, cwd)
  if (files !== undefined) return files
  if (tool.startsWith('mcp__')) return [{ domain: 'tool', name: tool }]
  if (tool === 'WebFetch') return networkOf(input['url'])
  const command = input['command'] ?? input['cmd']
  const line = Array.isArray(command) && command.every(isText) ? command.join(' ') : command
  return SHELLS.includes(tool) && isText(line) ? [{ domain: 'execution', command: line, shell: true }] : []
}

function networkOf(text: unknown): readonly PermissionRequest[] {
  return isText(text) && URL.canParse(text) ? [requestForUrl(new URL(text))] : []
}

/** A path with the links of its existing part resolved. */
function withoutLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(withoutLinks(parent), basename(path))
  }
}

/** Where the runners keep their settings, in a project or in the home folder. */
const SETTINGS = ['.claude/settings.json', '.claude/settings.local.json', '.codex/hooks.json', '.codex/config.toml']

/** Why an agent must not touch a file: it is of the recorder. `own` are its folder and files, `secret` its keys. */
export function protection(
  files: readonly FilesystemRequest[],
  cwd: string,
  own: readonly string[],
  secret: readonly string[],
) {
  const settings = [cwd, homedir()].flatMap((folder) => SETTINGS.map((name) => join(folder, name)))
  const places = [...own, ...secret, ...settings].map((path) => withoutLinks(resolve(path)))
  for (const { path } of files) {
    const place = places.find((one) => isWithin(path, one) || isSameFile(path, one))
    if (place !== undefined) return `${place} belongs to the recorder`
    // A search reads everything below its folder.
    if (secret.some((key) => isWithin(withoutLinks(resolve(key)), path)))
      return `${path} contains a key of the recorder`
  }
  return undefined
}

/** File systems of Windows and macOS ignore case. */
const folded = (path: string) => (process.platform === 'linux' ? path : path.toLowerCase())

function isWithin(path: string, folder: string): boolean {
  const way = relative(folded(folder), folded(path))
  return way === '' || (!isAbsolute(way) && way.split(/[\\/]/)[0] !== '..')
}

/** True for two names of one file. */
function isSameFile(a: string, b: string): boolean {
  const [one, other] = [a, b].map((path) => statSync(path, { throwIfNoEntry: false }))
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev
}
