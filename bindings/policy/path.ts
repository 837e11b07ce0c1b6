// Paths as POSIX reads them, and as Win32 does: with a drive, either separator, case-insensitive, without trailing dots
// and spaces.
import { isDeviceName } from '../text/safe-path.ts'

/** In UTF-16 units. Linux allows 4,096 bytes, Windows 32,767 units. */
const LONGEST = 32_767

/** The reason that a text is not an absolute POSIX path; undefined when it is one. */
export function pathFault(path: string): string | undefined {
  if (path.charCodeAt(0) !== 0x2f) return 'the path is not absolute'
  if (path.includes('\0')) return 'the path has a NUL character'
  return path.length > LONGEST ? `the path is longer than ${LONGEST} characters` : undefined
}

/**
 * An absolute path without `.`, `..` and doubled separators. It keeps a final separator, which marks a directory.
 *
 * @example
 * normalizePath('/data//a/./b/../c') // '/data/a/c'
 * normalizePath('/data/..') // '/'
 */
export function normalizePath(path: string): string {
  if (!path.includes('//') && !path.includes('/.')) return path
  const kept: string[] = []
  const segments = path.split('/')
  for (const segment of segments) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  const directory = kept.length > 0 && ['', '.', '..'].includes(segments.at(-1)!)
  return `/${kept.join('/')}${directory ? '/' : ''}`
}

/** The folders that the patterns of a runner are relative to. All are absolute. */
export interface Places {
  /** The folder that `/path` begins at: that of the project. */
  readonly root: string
  /** The folder of the session; default `root`. */
  readonly cwd?: string | undefined
  readonly home: string
}

/** A path as the runner sees it: absolute, without `..`. */
export function absolute(path: string, { root, cwd = root, home }: Places): string {
  const from = path === '~' || path.startsWith('~/') ? `${home}${path.slice(1)}` : path
  return normalizePath(from.startsWith('/') ? from : `${cwd}/${from}`)
}

/**
 * A denied pattern in the spelling in which paths are compared. Undefined for patterns that can never match such a
 * path, although they are meant to deny something: `secret/**`, `~/.ssh`, `*.key`.
 *
 * @example
 * normalizeDenial('/data//a/../b/') // '/data/b'
 */
export function normalizeDenial(pattern: string): string | undefined {
  // A path of the other kind of system is invalid on this one.
  if (/^[a-z]:[\\/]/i.test(pattern)) return pattern
  const segments = pattern.split('/')
  const [first] = segments
  if (first !== '' && first !== '*' && first !== '**') return undefined
  const up = segments.indexOf('..')
  if (up !== -1 && (first !== '' || segments.lastIndexOf('**', up) !== -1)) return undefined
  const absolute = first === '' ? pattern : `/${pattern}`
  const plain = normalizePath(absolute).replace(/(?<=.)\/$/, '')
  return first === '' ? plain : plain.slice(1)
}

/**
 * The reason that no path can match a pattern of a grant; undefined when one may. Windows patterns are not judged.
 *
 * @example
 * unmatchable('~/notes/**') // 'paths are absolute'
 * unmatchable('/data/../notes') // 'paths are resolved before they are matched'
 */
export function unmatchable(pattern: string): string | undefined {
  if (/^[a-z]:[\\/]/i.test(pattern)) return undefined
  if (!/^(\/|\*\*?(\/|$))/.test(pattern)) return 'paths are absolute'
  return normalizePath(pattern) === pattern ? undefined : 'paths are resolved before they are matched'
}

/** A name such as `PROGRA~1` may be an alias; only the file system knows. */
const SHORT_NAME = /~\d/

/**
 * The reason that a text is not an absolute Windows path; undefined when it is one. Refuses paths without a drive,
 * paths to other machines (`\\server\share`) and devices (`\\?\`, `\\.\`), and streams of a file.
 */
export function windowsPathFault(path: string): string | undefined {
  if (!/^[a-z]:[\\/]/i.test(path)) return 'the path does not begin with a drive, as in C:\\'
  const rest = path.slice(2).replaceAll('\\', '/')
  const fault = pathFault(rest)
  if (fault !== undefined) return fault
  if (rest.includes(':')) return 'the path names a stream'
  for (const segment of rest.split('/')) {
    if (/^[. ]+$/.test(segment) && segment !== '.' && segment !== '..')
      return 'a part of the path is only dots and spaces'
    if (isDeviceName(segment)) return 'a part of the path names a device'
  }
  return undefined
}

/**
 * An absolute Windows path with `/`, without the characters that Win32 drops.
 *
 * @example
 * normalizeWindowsPath('C:\\data\\..\\Secret.\\x ') // 'C:/Secret/x'
 */
export function normalizeWindowsPath(path: string): string {
  const segments = path.slice(2).split(/[\\/]/)
  const kept = segments.map(withoutWindowsEnd)
  return path.slice(0, 2) + normalizePath(kept.join('/'))
}

function withoutWindowsEnd(segment: string): string {
  return /^\.{1,2}$/.test(segment) ? segment : withoutEnd(segment)
}

/**
 * The name that Win32 makes of a segment. Written as a loop, because a regular expression would take quadratic time for
 * runs of dots.
 */
function withoutEnd(segment: string): string {
  let end = segment.length
  while (end > 0 && (segment[end - 1] === '.' || segment[end - 1] === ' ')) end--
  return segment.slice(0, end)
}

export function mayHaveShortName(path: string): boolean {
  return SHORT_NAME.test(path)
}

/** A path pattern in the form of normalized paths. */
export function spellWindowsPattern(pattern: string): string {
  return pattern.replaceAll('\\', '/')
}

/**
 * Like `normalizeDenial`, for Windows: normalizes the part after the drive, without the characters that Win32 drops.
 */
export function normalizeWindowsDenial(pattern: string): string | undefined {
  const spelt = spellWindowsPattern(pattern)
  if (!/^[a-z]:\//i.test(spelt)) return normalizeDenial(spelt)
  const kept = spelt.slice(2).split('/').map(withoutWindowsEnd)
  const rest = normalizeDenial(kept.join('/'))
  return rest && spelt.slice(0, 2) + rest
}

// The names that a command may be known by. A runtime should only ask about the program. A text that looks like a whole
// command line is taken apart, so that a denied program can't hide in it.

interface CommandNames {
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

export function commandNames(command: string, windows: boolean): CommandNames {
  if (!windows && PLAIN_NAME.test(command)) return { granted: [command], base: undefined, denied: [command] }
  // `C:tool` is a tool in the current folder of the drive.
  const separator = windows ? /[\\/:]/ : /\//
  const path = resolve(command, windows)
  const base = lastPart(path, separator)
  // After white space, the last part belongs to an argument.
  const isNamed = base !== path && !/\s/.test(path)
  const words = [command, removeQuotes(command)]
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
function removeQuotes(line: string): string {
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
  const words = removeQuotes(line)
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
