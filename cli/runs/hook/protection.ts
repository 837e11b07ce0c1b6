// The files that decide what an agent may do: the recorder's own, its keys, and the settings of the runners.
import { type Stats, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import type { FilesystemRequest } from '../../../bindings/policy/request.ts'
import { withoutLinks } from './paths.ts'
import { Unjudgeable } from './unjudgeable.ts'

const MOST_PARENTS = 100

/** Names that a runner obeys in whatever folder: a session may begin in each of them. */
const SETTINGS_NAME =
  /(?:^|[\\/])(?:\.claude$|(?:\.codex|\.claude[\\/](?:settings[^\\/]*\.json|hooks|plugins)|\.mcp\.json|\.claude\.json|managed-settings\.json)(?=[\\/]|$))/i
const SETTINGS_IN_LINE =
  /\.codex(?![\w-])|\.claude\/(?:settings[^/\s]*\.json|hooks|plugins)|\.(?:mcp|claude)\.json|managed-settings\.json|\.blazon\/runs/i
const SETTINGS = [
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.claude/hooks',
  '.codex',
  '.codex/hooks.json',
  '.codex/config.toml',
  '.mcp.json',
  '.claude.json',
]

export interface Protection {
  /** Why an agent must not touch a file; undefined if it may. */
  readonly reasonFor: (file: FilesystemRequest) => string | undefined
  /** The same for a shell line that names such a file. A line can also reach it without its name. */
  readonly reasonForLine: (line: string) => string | undefined
}

/** `own` are the folder and the files of the recorder, `secret` its keys. Links are resolved once for a call. */
export function protectionOf(cwd: string, own: readonly string[], secret: readonly string[]): Protection {
  if (cwd.split(/[\\/]/).length > MOST_PARENTS) throw new Unjudgeable('the current folder is too deep')
  const folders = new Set(
    [cwd, process.env['CLAUDE_PROJECT_DIR'], process.env['CODEX_HOME'], homedir()].flatMap((folder) =>
      folder === undefined ? [] : withParents(resolve(folder)),
    ),
  )
  const settings = [...folders].flatMap((folder) => SETTINGS.map((name) => join(folder, name)))
  const keys = secret.map((path) => withoutLinks(resolve(path)))
  const places = new Set([...own, ...settings].map((path) => withoutLinks(resolve(path))))
  for (const key of keys) places.add(key)
  const runs = withoutLinks(resolve(own[0]!))
  const inodes = new Map<string, string>()
  for (const place of places) {
    const stats = statsOf(place)
    if (stats !== undefined) inodes.set(idOf(stats), place)
  }
  return {
    reasonFor({ path, access }) {
      const bare = path.replace(/(?<=.)[\\/]$/, '')
      const stats = statsOf(bare)
      const place =
        (stats && inodes.get(idOf(stats))) ??
        [...places].find((one) => isWithin(bare, one)) ??
        (SETTINGS_NAME.test(bare) ? bare : undefined)
      if (place !== undefined) return `${place} belongs to the recorder`
      // A search reads everything below its folder, and a move or a deletion takes it along.
      if (keys.some((key) => isWithin(key, bare))) return `${bare} contains a key of the recorder`
      if (access !== 'read' && isWithin(runs, bare)) return `${bare} contains the runs of the recorder`
      return undefined
    },
    reasonForLine(line) {
      const plain = line.replaceAll(/\\\n|[\\'"]/g, '').replaceAll(/\/[/.]*\//g, '/')
      const named =
        SETTINGS_IN_LINE.exec(plain)?.[0] ?? secret.map((key) => basename(key)).find((name) => plain.includes(name))
      return named === undefined ? undefined : `${named} belongs to the recorder`
    },
  }
}

/** A path and each folder above it. */
function withParents(path: string): string[] {
  const parents = [path]
  for (let next = dirname(path); next !== parents.at(-1); next = dirname(next)) parents.push(next)
  return parents
}

const idOf = ({ dev, ino }: Stats) => `${dev}:${ino}`

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Ignores case everywhere: a folder of Linux can be mounted without it. */
const folded = (path: string) => `${path.toLowerCase().replaceAll('\\', '/')}/`.replace('//', '/')

/** Both paths are absolute and have no `..`. */
export const isWithin = (path: string, folder: string): boolean =>
  folded(path.replace(/[\\/]$/, '')).startsWith(folded(folder.replace(/[\\/]$/, '')))
