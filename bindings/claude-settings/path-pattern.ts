// Path patterns of rules: gitignore, anchored at one of four places.
// https://code.claude.com/docs/en/permissions#read-and-edit
import type { Places } from '../policy/path.ts'

/** A pattern with more folders counts as one that matches, and is no grant. */
export const MOST_PARTS = 64

/** The folder that a pattern begins at, with its slash, the rest of it, and whether that may be in any folder below. */
function anchored(pattern: string, places: Places): [folder: string, rest: string, isOpen?: boolean] {
  const { root, cwd = root, home } = places
  const within = (base: string) => `${base.replace(/\/$/, '')}/`
  if (pattern.startsWith('//')) return ['/', pattern.slice(2)]
  if (pattern.startsWith('~/')) return [within(home), pattern.slice(2)]
  if (pattern.startsWith('/')) return [within(root), pattern.slice(1)]
  if (pattern.startsWith('./')) return [within(cwd), pattern.slice(2)]
  return [within(cwd), pattern, !pattern.slice(0, -1).includes('/')]
}

/** A pattern with the folder that it begins at, for readers. */
export function absolutePattern(pattern: string, places: Places): string {
  const [folder, rest, isOpen] = anchored(pattern, places)
  return `${folder}${isOpen ? '**/' : ''}${rest}`
}

/** True when a pattern matches a path or a folder above it. Expects an absolute path without `..`. */
export function matchesPath(pattern: string, path: string, places: Places): boolean {
  const [folder, rest, isOpen] = anchored(pattern, places)
  if (!path.startsWith(folder)) return false
  const names = path.slice(folder.length).split('/').filter(Boolean)
  const parts = rest.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.length > MOST_PARTS) return true
  return parts.length > 0 && walk(isOpen ? ['**', ...parts] : parts, names)
}

/** Follows all places of the pattern at once, so the work is at most their product. */
function walk(parts: readonly string[], names: readonly string[]): boolean {
  let active = reach(new Set([0]), parts)
  for (const name of names) {
    const next = new Set<number>()
    for (const at of active) {
      if (parts[at] === '**') {
        if (at === parts.length - 1) return true
        next.add(at)
      } else if (matchesName(parts[at]!, name)) next.add(at + 1)
    }
    if (next.has(parts.length)) return true
    active = reach(next, parts)
  }
  return false
}

/** `**` also stands for no folder, except at the end. */
function reach(active: Set<number>, parts: readonly string[]): Set<number> {
  for (const at of active) if (parts[at] === '**' && at < parts.length - 1) active.add(at + 1)
  return active
}

/** One name: `*` is any text, `?` and `[...]` one character. */
function matchesName(pattern: string, name: string): boolean {
  let [p, n, star, mark] = [0, 0, -1, 0]
  while (n < name.length) {
    const next = pattern[p] === '*' ? -1 : stepOver(pattern, p, name[n]!)
    if (pattern[p] === '*') {
      star = ++p
      mark = n
    } else if (next > 0) {
      p = next
      n++
    } else if (star < 0) return false
    else {
      p = star
      n = ++mark
    }
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}

/** The place after a part of a pattern that matches a character, or -1. */
function stepOver(pattern: string, at: number, character: string): number {
  const part = pattern[at]
  if (part === '?') return at + 1
  if (part === '[') {
    const close = pattern.indexOf(']', at + 2)
    if (close > 0) return close + 1
  }
  const literal = part === '\\' ? at + 1 : at
  return pattern[literal] === character ? literal + 1 : -1
}
