// Keeps the descriptors that this process inherited from its children. Node closes them up to the first gap above 15 only.
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'

const O_CLOEXEC = 0o2000000
const NONE = '/dev/null'

/** The descriptors that a child would get, apart from the first three. Without flags to read, that may be each. */
function inherited(): readonly number[] {
  const folder = process.platform === 'linux' ? '/proc/self/fd' : '/dev/fd'
  try {
    return readdirSync(folder)
      .map(Number)
      .filter((one) => one > 2 && !endsWithExec(one))
  } catch {
    return []
  }
}

function endsWithExec(descriptor: number): boolean {
  if (process.platform !== 'linux') return false
  try {
    const [, flags = '0'] = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? []
    return (Number.parseInt(flags, 8) & O_CLOEXEC) !== 0
  } catch {
    // That of the list itself is closed.
    return true
  }
}

/** Starts a child that gets three pipes; every other descriptor that it would inherit is an empty file instead. */
export function withPipesOnly<Child>(start: (stdio: ('pipe' | 'ignore' | number)[]) => Child): Child {
  const open = inherited()
  const stdio: ('pipe' | 'ignore' | number)[] = ['pipe', 'pipe', 'pipe']
  if (open.length === 0) return start(stdio)
  const none = openSync(NONE, 'r')
  try {
    for (const one of open) {
      while (stdio.length < one) stdio.push('ignore')
      stdio[one] = none
    }
    return start(stdio)
  } finally {
    closeSync(none)
  }
}

/**
 * Closes what a program inherited, so that nothing that it starts can find it, except the files that its command line
 * names: `/dev/fd/63`.
 */
export function closeInherited(words: readonly string[]): void {
  // Elsewhere, nothing distinguishes these from those of Node.
  if (process.platform !== 'linux') return
  const named = new Set(words.flatMap((word) => Array.from(word.matchAll(/\/fd\/(\d+)/g), ([, one]) => Number(one))))
  for (const one of inherited()) if (!named.has(one)) closeSync(one)
}
