// The names that a command may be known by. A runtime should ask about the program alone; a text that looks like a whole
// line is taken apart, so that nothing denied hides in it.
import { normalizePath } from './path.ts'
import { normalizeWindowsPath, withoutEnd } from './windows-path.ts'

export interface CommandNames {
  /** Any of them may be granted ... */
  readonly granted: readonly string[]
  /** ... and with this one, the caller has to make sure of the program that the name stands for. */
  readonly base: string | undefined
  /** The request is refused when any of these is denied. */
  readonly denied: readonly string[]
}

const SHELL =
  /^-?(?:r?(?:ba|z|k|mk|pdk|ok|da|a|ya|tc|c|fi)?sh|nu|xonsh|elvish|ion|pwsh(?:-preview)?|powershell(?:_ise)?|cmd|command)(?:-?\d[\d.]*)?(?:\.(?:exe|com|bat|cmd))?$/i

/** With these a shell would do something else than run one program. */
const SHELL_SYNTAX = /[;|&`$<>\n\r]/

/** The characters that divide words for a shell, or stand beside them. */
const BETWEEN_WORDS = /[\s;|&()<>`$"'=]+/

/** Nothing but a name, for which nothing has to be taken apart. */
const PLAIN_NAME = /^[\w.+@~:,#%-]+$/

/** Windows gives them to cmd.exe, whoever starts them. */
const BATCH = /\.(?:bat|cmd)[. ]*$/i

/** True when a command is a shell, begins one (`env sh`), or can only be meant for one. */
export function needsShell(command: string, windows: boolean): boolean {
  if (SHELL_SYNTAX.test(command) || (windows && BATCH.test(command))) return true
  if (PLAIN_NAME.test(command)) return SHELL.test(command)
  return command.split(BETWEEN_WORDS).some((word) => SHELL.test(lastPart(word, /[\\/]/)))
}

/** A word that a shell leaves as it is: nothing in it divides, quotes, expands or assigns. */
const WORD = /^[\p{L}\p{M}\p{N}_.+@:,/-]+$/u

/** True when a shell may read a command as more, or as something else, than the name of a program. */
export function isLine(command: string, windows: boolean): boolean {
  return !WORD.test(windows ? command.replaceAll('\\', '/') : command)
}

export function namesOf(command: string, windows: boolean): CommandNames {
  if (!windows && PLAIN_NAME.test(command)) return { granted: [command], base: undefined, denied: [command] }
  // `C:tool` is a tool in whatever folder the drive is in.
  const separator = windows ? /[\\/:]/ : /\//
  const path = resolve(command, windows)
  const base = lastPart(path, separator)
  // Behind white space the last part is that of an argument.
  const isNamed = base !== path && !/\s/.test(path)
  const words = command.split(BETWEEN_WORDS).flatMap((word) => [word, lastPart(word, separator)])
  const spelt = windows ? withExtensions : (name: string) => [name]
  return {
    granted: isOpen(path, windows) ? [] : spelt(path),
    base: isNamed ? base : undefined,
    denied: [...new Set([command, path, base, ...words].flatMap(spelt))],
  }
}

/** The path as given, without detours where it is absolute. */
function resolve(command: string, windows: boolean): string {
  if (windows) return /^[a-z]:[\\/]/i.test(command) ? normalizeWindowsPath(command) : command.replaceAll('\\', '/')
  return command.startsWith('/') ? normalizePath(command) : command
}

function lastPart(text: string, separator: RegExp): string {
  return text.split(separator).at(-1)!
}

/** True for a path that leads elsewhere depending on the agent's directory, or on the streams of a file. */
function isOpen(path: string, windows: boolean): boolean {
  return path.split('/').includes('..') || (windows && path.replace(/^[a-z]:\//i, '').includes(':'))
}

const EXECUTABLE = /\.(?:exe|com|bat|cmd|ps1)$/i

/** Windows finds `tool` as `tool.exe`, and drops dots and spaces at the end. */
function withExtensions(name: string): string[] {
  const trimmed = withoutEnd(name)
  return [name, trimmed, EXECUTABLE.test(trimmed) ? trimmed.replace(EXECUTABLE, '') : `${trimmed}.exe`]
}
