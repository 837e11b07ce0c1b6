// What a command may be known by. A runtime should ask about the program alone; what looks like a whole line is taken
// apart, so that nothing denied hides in it.
import { normalizePath } from './path.ts'

export interface CommandNames {
  /** Any of them may be granted ... */
  readonly granted: readonly string[]
  /** ... and with this one, what the name stands for has to be made sure of. */
  readonly base: string | undefined
  /** None of them may be denied. */
  readonly denied: readonly string[]
}

const SHELL =
  /^-?(?:r?(?:ba|z|k|mk|pdk|ok|da|a|ya|tc|c|fi)?sh|nu|xonsh|elvish|ion|pwsh(?:-preview)?|powershell(?:_ise)?|cmd|command)(?:-?\d[\d.]*)?(?:\.(?:exe|com|bat|cmd))?$/i

/** With these a shell would do something else than run one program. */
const SHELL_SYNTAX = /[;|&`$<>\n\r]/

/** What divides words for a shell, or stands beside them. */
const BETWEEN_WORDS = /[\s;|&()<>`$"'=]+/

/** Nothing but a name, for which nothing has to be taken apart. */
const PLAIN_NAME = /^[\w.+@~:,#%-]+$/

/** Windows gives them to cmd.exe, whoever starts them. */
const BATCH = /\.(?:bat|cmd)[. ]*$/i

/** Whether a command is a shell, begins one (`env sh`), or can only be meant for one. */
export function needsShell(command: string, windows: boolean): boolean {
  if (SHELL_SYNTAX.test(command) || (windows && BATCH.test(command))) return true
  if (PLAIN_NAME.test(command)) return SHELL.test(command)
  return command.split(BETWEEN_WORDS).some((word) => SHELL.test(lastPart(word, /[\\/]/)))
}

export function namesOf(command: string, windows: boolean): CommandNames {
  if (!windows && PLAIN_NAME.test(command)) return { granted: [command], base: undefined, denied: [command] }
  const separator = windows ? /[\\/]/ : /\//
  const path = windows ? command.replaceAll('\\', '/') : command
  const base = lastPart(path, separator)
  const hasPath = base !== path
  // Behind white space the last part is that of an argument.
  const named = hasPath && !/\s/.test(path) ? base : undefined
  const absolute = windows ? path.replace(/^[a-z]:(?=\/)/i, '') : path
  const resolved =
    path.slice(0, path.length - absolute.length) + (absolute.startsWith('/') ? normalizePath(absolute) : absolute)
  const words = command.split(BETWEEN_WORDS).flatMap((word) => [word, lastPart(word, separator)])
  const spelt = windows ? withExtensions : (name: string) => [name]
  return {
    granted: hasDotSegments(resolved) ? [] : spelt(resolved),
    base: named,
    denied: [...new Set([command, path, resolved, base, ...words].flatMap(spelt))],
  }
}

function lastPart(text: string, separator: RegExp): string {
  return text.split(separator).at(-1)!
}

/** Left over in a relative path: where it leads depends on where the agent is. */
function hasDotSegments(path: string): boolean {
  return path.split('/').includes('..')
}

const EXECUTABLE = /\.(?:exe|com|bat|cmd|ps1)$/i

/** Windows finds `tool` as `tool.exe`, and drops dots and spaces at the end. */
function withExtensions(name: string): string[] {
  const trimmed = name.trimEnd().replace(/\.$/, '')
  return [name, trimmed, EXECUTABLE.test(trimmed) ? trimmed.replace(EXECUTABLE, '') : `${trimmed}.exe`]
}
