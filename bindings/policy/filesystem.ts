import type { PlacedValue } from '../text/members.ts'
import { quoted } from '../text/words.ts'
import { Part, Unusable } from './part.ts'
import {
  mayHaveShortName,
  normalizeDenial,
  normalizePath,
  normalizeWindowsDenial,
  normalizeWindowsPath,
  pathFault,
  spellWindowsPattern,
  windowsPathFault,
} from './path.ts'
import { foldBroadly, type ListOptions, PatternList } from './pattern-list.ts'
import type { FilesystemRequest, System } from './request.ts'
import type { Trace } from './trace.ts'

/** The kinds of access that an entry of allowed_paths grants. */
export type Access = 'read' | 'write' | 'read_write'

export interface AllowedPath {
  readonly path: PlacedValue<string>
  readonly access: Access
}

export interface Filesystem {
  readonly allowed: readonly AllowedPath[]
  readonly readable: PatternList
  readonly writable: PatternList
  readonly denied: PatternList
}

export function readFilesystem(part: Part, { windows, ignoreCase }: System): Filesystem {
  const list = part.list('allowed_paths')
  const allowed = list?.value.map(readEntry) ?? []
  const spell = windows ? spellWindowsPattern : undefined
  const granting = (access: Access) => {
    const entries = allowed.filter((entry) => entry.access === access || entry.access === 'read_write')
    const options: ListOptions = { ignoreCase, spell }
    return new PatternList('path', list && { pointer: list.pointer, value: entries.map(({ path }) => path) }, options)
  }
  const denials = part.texts('denied_paths')
  const normalize = windows ? normalizeWindowsDenial : normalizeDenial
  const blunt = denials?.value.find(({ value }) => value !== '' && normalize(value) === undefined)
  if (blunt !== undefined) throw new Unusable('not an absolute path: it would deny nothing', blunt.pointer)
  const spellDenial = (pattern: string) => {
    const plain = normalize(pattern) ?? pattern
    return ignoreCase ? foldBroadly(plain) : plain
  }
  return {
    allowed,
    readable: granting('read'),
    writable: granting('write'),
    denied: new PatternList('path', denials, { ignoreCase, spell: spellDenial }),
  }
}

function readEntry(entry: PlacedValue<unknown>): AllowedPath {
  const part = new Part(entry)
  const path = part.text('path')
  const access = part.text('access', ['read', 'write', 'read_write']).value as Access
  part.close()
  return { path, access }
}

export function judgeFilesystem({ readable, writable, denied }: Filesystem, { windows, ignoreCase }: System) {
  return ({ path: given, access }: FilesystemRequest, trace: Trace | undefined): boolean => {
    const fault = windows ? windowsPathFault(given) : pathFault(given)
    if (fault !== undefined) {
      trace?.denied('filesystem', `${quoted(given)}: ${fault}`)
      return false
    }
    const path = windows ? normalizeWindowsPath(given) : normalizePath(given)
    // A directory is checked with and without its final separator. Neither form may be denied; one of them must be
    // granted.
    const bare = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : undefined
    const folded = ignoreCase ? foldBroadly(path) : path
    const refused = findEither(denied, folded, bare && folded.slice(0, -1), trace)
    if (refused !== undefined) {
      trace?.denied('filesystem', `${quoted(path)} matches ${quoted(refused.value)} of denied_paths`, refused.pointer)
      return false
    }
    if (trace !== undefined && denied.pointer !== undefined) {
      trace.passed('filesystem', `no pattern of denied_paths matches ${quoted(path)}`, denied.pointer)
    }
    if (access !== 'write' && !isGranted('read', readable, path, bare, trace)) return false
    if (access !== 'read' && !isGranted('write', writable, path, bare, trace)) return false
    if (windows && mayHaveShortName(path)) trace?.oblige('resolve-short-names')
    return true
  }
}

function findEither(list: PatternList, path: string, bare: string | undefined, trace: Trace | undefined) {
  const whether = trace === undefined
  return list.find(path, whether) ?? (bare === undefined ? undefined : list.find(bare, whether))
}

function isGranted(
  access: string,
  allowed: PatternList,
  path: string,
  bare: string | undefined,
  trace: Trace | undefined,
): boolean {
  const found = findEither(allowed, path, bare, trace)
  if (found === undefined)
    trace?.denied('filesystem', `no entry of allowed_paths lets the agent ${access} ${quoted(path)}`, allowed.pointer)
  else
    trace?.granted(
      'filesystem',
      `${quoted(path)} matches ${quoted(found.value)} of allowed_paths, which lets the agent ${access}`,
      found.pointer,
    )
  return found !== undefined
}
