// The bash_tools of an agent. Each call is a process in a sandbox of bubblewrap: it sees the system's programs, the files
// of the agent and the allowed paths of the run's folder, and no network, no variables, no other process and no open file.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { COMMAND_PARAMETERS, commandLine, type ToolOutcome } from '../agentlang/functions/tools/contract.ts'
import type { CallContext, RunTool } from '../host/run/session.ts'
import { definitionOf, failed } from '../host/run/tools.ts'
import { deadline } from '../net/deadline.ts'
import { type JsonObject, member } from '../text/members.ts'
import { cut, quoted } from '../text/words.ts'
import { withPipesOnly } from './descriptors.ts'

const SANDBOX = 'bwrap'
const LARGEST_OUTPUT = 1 << 20
/** In UTF-16 units: the start of stderr that the model reads. */
const LONGEST_COMPLAINT = 4096
/** Where a command has the folder of the run. */
const INSIDE = '/work'
/** Where a command has the files of its agent, which it cannot change. */
const OWN = '/agent'
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc/alternatives', '/etc/ld.so.cache']
const NETWORK = ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf', '/etc/ssl']

interface Sandbox {
  readonly quota: number | undefined
  readonly hasNetwork: boolean
  /** The folder with the files of the agent. */
  readonly own: string | undefined
  /** Pairs of a real path and the path that the command has for it. */
  readonly bound: readonly (readonly [real: string, inside: string])[]
}

/** The arguments of bwrap before the command. */
function sandboxed({ quota, hasNetwork, own, bound }: Sandbox): readonly string[] {
  const readable = [...SYSTEM, ...(hasNetwork ? NETWORK : [])]
  return [
    ...['--unshare-all', '--new-session', '--die-with-parent', '--clearenv', '--cap-drop', 'ALL'],
    ...(hasNetwork ? ['--share-net'] : []),
    ...['--setenv', 'PATH', '/usr/local/bin:/usr/bin:/bin', '--setenv', 'LANG', 'C.UTF-8'],
    ...readable.flatMap((path) => ['--ro-bind-try', path, path]),
    ...(own === undefined ? [] : ['--ro-bind', own, OWN]),
    // No /proc: it names the folders of this machine that are bound here (mountinfo), and the arguments of bwrap.
    ...['--dev', '/dev'],
    ...['/tmp', INSIDE].flatMap((path) => [...(quota === undefined ? [] : ['--size', String(quota)]), '--tmpfs', path]),
    ...bound.flatMap(([real, inside]) => ['--bind', real, inside]),
    ...['--chdir', INSIDE, '--'],
  ]
}

let trial: Promise<boolean> | undefined

/** Whether a sandbox can start here. It is tried once. */
export function canIsolate(): Promise<boolean> {
  trial ??= startTrial()
  return trial
}

async function startTrial(): Promise<boolean> {
  const args = [...sandboxed({ quota: 1 << 20, hasNetwork: false, own: undefined, bound: [] }), 'true']
  const { code } = await execute(args, AbortSignal.timeout(10_000))
  return code === 0
}

export interface BashToolOptions {
  /** The folder of the run, which `allowed_paths` are relative to. */
  readonly work: string
  /** The user accepts that a disk quota does not count for allowed paths. */
  readonly isUnenforced: boolean
  readonly hasNetwork: boolean
  /** The folder with the files of the agent. */
  readonly own: string
}

/** The commands that run now, all with one setting of `allowed_paths`, and those that they waited for. */
let group = { paths: '', before: Promise.resolve<unknown>(undefined), all: Promise.resolve<unknown>(undefined) }

/** Starts a command alone or with its equals: one with other paths could make a link of a path that was checked. */
function startInGroup(argv: readonly string[], options: BashToolOptions, context: CallContext): Promise<ToolOutcome> {
  const paths = JSON.stringify(context.allowedPaths)
  if (paths !== group.paths) group = { paths, before: group.all, all: group.all }
  const call = group.before.then(() => start(argv, options, context))
  group.all = Promise.allSettled([group.all, call])
  return call
}

/**
 * A command of `bash_tools`, whose arguments the model chooses. Offer it only if `canIsolate()`.
 *
 * @example
 * bashTool('count', { command: 'wc -l' }, { work, own, hasNetwork: false, isUnenforced: false })
 */
export function bashTool(name: string, tool: JsonObject, options: BashToolOptions): RunTool {
  return {
    definition: definitionOf(name, tool, COMMAND_PARAMETERS),
    needs: ['shell'],
    timesItself: true,
    async call(input, context) {
      const line = commandLine(tool, member(input, 'args') as readonly string[])
      if ('fault' in line) return failed(line.fault)
      const [command, ...args] = line.argv as [string, ...string[]]
      const refusal = await context.permit?.({ domain: 'execution', command, args: args.join(' ') })
      return refusal === undefined ? startInGroup(line.argv, options, context) : failed(`refused: ${refusal}`)
    },
  }
}

async function start(argv: readonly string[], options: BashToolOptions, context: CallContext): Promise<ToolOutcome> {
  const bound = boundPaths(options, context)
  if ('fault' in bound) return failed(bound.fault)
  const { limits } = context
  const { max_exec_time: seconds } = limits
  const late = deadline((seconds ?? Number.POSITIVE_INFINITY) * 1000, context.signal)
  const { hasNetwork, own } = options
  const args = [...sandboxed({ quota: limits.disk_quota, hasNetwork, own, bound: bound.paths }), ...argv]
  try {
    const { code, stdout, stderr, isTooLarge } = await execute(args, late.signal)
    if (isTooLarge) return failed(`the output is larger than ${LARGEST_OUTPUT} bytes`)
    if (late.isOver()) return failed(`no result within ${seconds} s`)
    if (late.signal.aborted) return failed('the call was cancelled')
    if (code === 0) return { kind: 'ok', value: stdout }
    return failed(typeof code === 'string' ? code : `exit code ${code}: ${cut(stderr.trim(), LONGEST_COMPLAINT)}`)
  } finally {
    late.end()
  }
}

/** Runs bwrap until it has ended; it is killed when the signal aborts. The code is a text when it has no code. */
async function execute(args: readonly string[], signal: AbortSignal) {
  const child = withPipesOnly((stdio) => spawn(SANDBOX, args, { stdio, signal, killSignal: 'SIGKILL' }))
  const ended = new Promise<number | string>((resolve) => {
    child.on('close', (code, killedBy) => resolve(code ?? `ended by ${killedBy}`))
    child.on('error', ({ message }) => child.pid === undefined && resolve(message))
  })
  let isTooLarge = false
  const textOf = async (stream: Readable | null) => {
    const chunks: Buffer[] = []
    let size = 0
    stream?.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= LARGEST_OUTPUT) chunks.push(chunk)
      else isTooLarge = child.kill('SIGKILL') || isTooLarge
    })
    await ended
    return Buffer.concat(chunks).toString()
  }
  child.stdin?.on('error', () => undefined).end()
  const [code, stdout, stderr] = await Promise.all([ended, textOf(child.stdout), textOf(child.stderr)])
  return { code, stdout, stderr, isTooLarge }
}

/**
 * What all lists allow, by real paths in the folder of the run: a link must not lead out of it. Without lists, that
 * is all of the folder; a quota leaves only an empty folder in memory.
 */
function boundPaths({ work, isUnenforced }: BashToolOptions, { allowedPaths: lists, limits }: CallContext) {
  const hasQuota = limits.disk_quota !== undefined
  if (hasQuota && lists.length > 0 && !isUnenforced)
    return { fault: 'this host cannot hold allowed_paths to disk_quota' }
  mkdirSync(work, { recursive: true })
  const root = realpathSync(work)
  if (lists.length === 0) return { paths: hasQuota ? [] : [[root, INSIDE] as const] }
  const allowed = lists.map((list) => list.map((path) => resolve(root, path)))
  const all = new Set(allowed.flat().filter((path) => allowed.every((list) => list.some((one) => isWithin(path, one)))))
  const paths: (readonly [string, string])[] = []
  for (const path of [...all].sort()) {
    const inside = join(INSIDE, path.slice(root.length))
    if (paths.some(([, other]) => isWithin(inside, other))) continue
    if (!isWithin(path, root)) return { fault: `${quoted(path)} of allowed_paths is outside the folder of the run` }
    const before = firstExisting(path)
    if (realpathSync(before) !== before) return { fault: `${quoted(path)} of allowed_paths is or has a link` }
    if (before !== path) mkdirSync(path, { recursive: true })
    paths.push([path, inside])
  }
  return { paths }
}

export const isWithin = (path: string, parent: string) => path === parent || path.startsWith(parent + sep)

const firstExisting = (path: string): string => (existsSync(path) ? path : firstExisting(dirname(path)))
