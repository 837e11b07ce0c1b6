// The names that a command may be known by. A runtime should only ask about the program. A text that looks like a whole
// command line is taken apart, so that a denied program can't hide in it.
import { normalizePath, normalizeWindowsPath, withoutEnd } from './path.ts'

export interface CommandNames {
  /** Granted if any of these is granted ... */
  readonly granted: readonly string[]
  /** ... or this one; the caller must then check which program the name stands for. */
  readonly base: string | undefined
  /** The request is refused when any of these is denied. */
  readonly denied: readonly string[]
}

const SHELL =
  /^-?(?:r?(?:ba|z|k|mk|pdk|ok|da|a|ya|tc|c|fi)?sh|nu|xonsh|elvish|ion|pwsh(?:-preview)?|powershell(?:_ise)?|cmd|command)(?:-?\d[\d.]*)?(?:\.(?:exe|com|bat|cmd))?$/i

/** Characters that make a shell do more than run one program. */
const SHELL_SYNTAX = /[;|&`$<>\n\r]/

/** Characters that separate words for a shell, or quote them. */
const BETWEEN_WORDS = /[\s;|&()<>`$"'=]+/

/** A plain name, which needs no further analysis. */
const PLAIN_NAME = /^[\w.+@~:,#%-]+$/

/** Windows always runs these files with cmd.exe. */
const BATCH = /\.(?:bat|cmd)[. ]*$/i

/** True when a command is a shell, starts one (`env sh`), or only makes sense in one. */
export function needsShell(command: string, windows: boolean): boolean {
  if (SHELL_SYNTAX.test(command) || (windows && BATCH.test(command))) return true
  if (PLAIN_NAME.test(command)) return SHELL.test(command)
  return command.split(BETWEEN_WORDS).some((word) => SHELL.test(lastPart(word, /[\\/]/)))
}

/** True when an argument is the name of a shell, or has one in it. No shell reads its other characters. */
export const namesShell = (args: string): boolean =>
  args.split(BETWEEN_WORDS).some((word) => SHELL.test(lastPart(word, /[\\/]/)))

/** Programs that start the program in their arguments. */
const LAUNCHERS =
  /^(?:env|g?(?:nice|timeout|nohup|stdbuf|time|xargs)|setsid|ionice|chrt|taskset|setarch|linux(?:32|64)|i386|x86_64|choom|prlimit|numactl|sudo|doas|su|runuser|pkexec|setpriv|capsh|chroot|unshare|nsenter|bwrap|firejail|systemd-(?:run|inhibit)|dbus-run-session|busybox|toybox|watch|entr|parallel|flock|script|unbuffer|expect|strace|ltrace|gdb|perf|valgrind|ssh|rlwrap|faketime|proot|fakeroot|start-stop-daemon|daemonize|tini|dumb-init|catchsegv|ld(?:-linux.*)?\.so(?:\.\d+)?|exec|eval|builtin|npx|bunx|pnpx|uvx|pipx)(?:\.exe)?$/i

/** True when a program starts one that its arguments name. */
export function launches(command: string, args: string): boolean {
  const name = lastPart(command, /[\\/]/)
  if (/^g?find$/.test(name)) return /(?:^|\s)-(?:exec|ok)/.test(args)
  return LAUNCHERS.test(name)
}

/** A word that a shell leaves unchanged: no character in it separates, quotes, expands or assigns. */
const WORD = /^[\p{L}\p{M}\p{N}_.+@:,/-]+$/u

/** True when a shell may read a command as something other than the name of a program. */
export function isLine(command: string, windows: boolean): boolean {
  return !WORD.test(windows ? command.replaceAll('\\', '/') : command)
}

export function namesOf(command: string, windows: boolean): CommandNames {
  if (!windows && PLAIN_NAME.test(command)) return { granted: [command], base: undefined, denied: [command] }
  // `C:tool` is a tool in the current folder of the drive.
  const separator = windows ? /[\\/:]/ : /\//
  const path = resolve(command, windows)
  const base = lastPart(path, separator)
  // After white space, the last part belongs to an argument.
  const isNamed = base !== path && !/\s/.test(path)
  const words = [command, unquoted(command)]
    .flatMap((line) => line.split(BETWEEN_WORDS))
    .flatMap((word) => [word, lastPart(word, separator)])
  const spelt = windows ? withExtensions : (name: string) => [name]
  return {
    granted: isOpen(path, windows) ? [] : spelt(path),
    base: isNamed ? base : undefined,
    denied: [...new Set([command, path, base, ...words].flatMap(spelt))],
  }
}

/** A line as a shell joins its words: `r\\m`, `r''m` and `r"m"` are `rm`. Braces separate words: `{rm,x}`. */
function unquoted(line: string): string {
  return line.replaceAll(/\\\r?\n|['"\\]/g, '').replaceAll(/[{},]/g, ' ')
}

/** Text that a shell replaces before it runs: `$(...)`, backticks, `${x@P}`, `$'\\x72m'`, `<(...)`. */
const REPLACED = /`|\$[('"]|\$\{[^{}]*@|[<>]\(/

/** Words that may stand before a program: assignments, redirections and keywords. */
const BEFORE_PROGRAM = /^(?:\w+=|\d*[<>]|(?:if|then|elif|else|do|while|until)$|$)/

/** A variable or a pattern in the place of a program, or the command that reads a file. */
const OPEN_PROGRAM = /^\.$|[$?*]|\w\[|^\[[^[]/

/** Commands that run what a later word, file or stream says. */
const RUNS_TEXT = new Set(['eval', 'source', 'alias', 'trap'])
const RUNS_WORDS = new Set(['env', 'sudo', 'doas', 'xargs', 'nice', 'nohup', 'time', 'timeout', 'command', 'exec'])

/** True when a denied program can stand in a line without being one of its words. */
export function hidesPrograms(line: string): boolean {
  if (REPLACED.test(line)) return true
  const programs = line.split(/[;&|(\n{!]+/).map((part) => part.split(/\s+/).find((word) => !BEFORE_PROGRAM.test(word)))
  if (programs.some((word) => word !== undefined && OPEN_PROGRAM.test(word))) return true
  const words = unquoted(line)
    .split(BETWEEN_WORDS)
    .map((word) => lastPart(word, /\//))
  const takesInput = /[|<]/.test(line)
  return words.some(
    (word) =>
      RUNS_TEXT.has(word) ||
      (takesInput && SHELL.test(word)) ||
      (line.includes('$') && (RUNS_WORDS.has(word) || SHELL.test(word))),
  )
}

/** The path as given; an absolute path is normalized. */
function resolve(command: string, windows: boolean): string {
  if (windows) return /^[a-z]:[\\/]/i.test(command) ? normalizeWindowsPath(command) : command.replaceAll('\\', '/')
  return command.startsWith('/') ? normalizePath(command) : command
}

export function lastPart(text: string, separator: RegExp): string {
  return text.split(separator).at(-1)!
}

/** True for a path whose target depends on the agent's directory, or that names a stream of a file. */
function isOpen(path: string, windows: boolean): boolean {
  return path.split('/').includes('..') || (windows && path.replace(/^[a-z]:\//i, '').includes(':'))
}

const EXECUTABLE = /\.(?:exe|com|bat|cmd|ps1)$/i

/** Windows finds `tool` as `tool.exe`, and drops trailing dots and spaces. */
function withExtensions(name: string): string[] {
  const trimmed = withoutEnd(name)
  return [name, trimmed, EXECUTABLE.test(trimmed) ? trimmed.replace(EXECUTABLE, '') : `${trimmed}.exe`]
}
