// An MCP server as a process of its own, over stdin and stdout. Nothing of it stays after `close`, nor after this
// process ends: all its descendants are in one process group, except those that leave it with setsid.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { COMMAND_PARAMETERS, commandLine, type ToolOutcome } from '../agentlang/run/contract.ts'
import type { CallContext, RunTool } from '../agentlang/run/models.ts'
import { definitionOf, failed } from '../agentlang/run/tools.ts'
import { LONGEST_MESSAGE, readMessage } from '../mcp/http.ts'
import type { McpResult, McpTransport } from '../mcp/peer.ts'
import { deadline } from '../net/deadline.ts'
import { byteLines } from '../text/bytes.ts'
import { type JsonObject, member } from '../text/members.ts'
import { cut, quoted } from '../text/words.ts'

type Child = ChildProcessByStdio<Writable, Readable, Readable>
type Watch = ChildProcessByStdio<Writable, null, null>

const GRACE_MS = 2000
const POLL_MS = 20
/** The last UTF-16 units of stderr. */
const MOST_STDERR = 16 << 10
/** Gets a process group, and waits for the end of its stdin, which is the end of this process. Then ends the group. */
const WATCH = 'read group || exit; read _; sleep "$0"; kill -9 "-$group"'

export declare namespace startMcpServer {
  interface Options {
    readonly command: string
    readonly args?: readonly string[]
    /** All variables of the server, except PATH, which is that of this process by default. */
    readonly env?: Readonly<Record<string, string>>
    readonly cwd?: string
    /** The time for each way to end: the end of stdin, then SIGTERM. Default: 2,000. */
    readonly graceMs?: number
  }

  /** A running server. */
  interface Result extends McpTransport {
    readonly pid: number
    /** The end of what the server wrote to stderr: untrusted text. */
    readonly stderr: string
  }
}

/**
 * Starts an MCP server without a shell. The fault names the reason if it cannot be started.
 *
 * @example
 * const started = await startMcpServer({ command: 'npx', args: ['@modelcontextprotocol/server-everything@2026.8.31'] })
 * if ('ok' in started) await openMcp(started.ok, { client: { name: 'blazon', version: '1.0.0' } })
 */
export async function startMcpServer(server: startMcpServer.Options): Promise<McpResult<startMcpServer.Result>> {
  const { command, args = [], env = {}, cwd, graceMs = GRACE_MS } = server
  const { PATH = '' } = process.env
  // It runs before the server and hears of it in the same turn, so that no death of this process comes between.
  const watch = startWatch(graceMs)
  try {
    const options = { env: { PATH, ...env }, ...(cwd !== undefined && { cwd }), detached: true, windowsHide: true }
    const child = withPipesOnly((stdio) => spawn(command, args, { ...options, stdio }) as Child)
    if (child.pid !== undefined) watch.stdin.write(`${child.pid}\n`)
    // Rejects when the event `error` comes first.
    await once(child, 'spawn')
    return { ok: new ServerProcess(child, watch, graceMs) }
  } catch (error) {
    watch.kill('SIGKILL')
    return { fault: { reason: 'closed', detail: `${quoted(command)} cannot be started: ${(error as Error).message}` } }
  }
}

class ServerProcess implements startMcpServer.Result {
  readonly messages: AsyncIterable<JsonObject> = this.#messages()
  readonly #child: Child
  readonly #graceMs: number
  readonly #watch: Watch
  #stderr = ''
  #ending: Promise<void> | undefined

  constructor(child: Child, watch: Watch, graceMs: number) {
    this.#child = child
    this.#graceMs = graceMs
    this.#watch = watch
    // The server may end before it read everything.
    child.stdin.on('error', () => undefined)
    child.on('error', () => undefined)
    child.once('exit', () => void this.close())
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-MOST_STDERR)
    })
  }

  get pid(): number {
    return this.#child.pid!
  }

  get stderr(): string {
    return this.#stderr
  }

  async send(message: JsonObject): Promise<void> {
    const { stdin } = this.#child
    // The messages of one turn are one write, which wakes the server once.
    if (stdin.writableCorked === 0) {
      stdin.cork()
      process.nextTick(() => stdin.uncork())
    }
    if (stdin.writable && (stdin.write(`${JSON.stringify(message)}\n`) || (await isDrained(stdin)))) return
    await this.close()
    throw new Error(this.#howItEnded())
  }

  /** Ends the server: closes its stdin, then sends SIGTERM, then SIGKILL to all that is left of its group. */
  close(): Promise<void> {
    this.#ending ??= this.#stop()
    return this.#ending
  }

  async #stop(): Promise<void> {
    const { stdin, stdout, stderr } = this.#child
    stdin.end()
    if (!(await this.#isGone())) this.#signal('SIGTERM')
    if (!(await this.#isGone())) this.#signal('SIGKILL')
    await this.#isGone()
    this.#watch.kill('SIGKILL')
    // The last messages may be unread. A descendant that left the group may hold the other ends.
    setTimeout(() => [stdout, stderr].map((stream) => stream.destroy()), this.#graceMs).unref()
  }

  async *#messages(): AsyncGenerator<JsonObject> {
    try {
      for await (const line of byteLines(this.#child.stdout, LONGEST_MESSAGE)) {
        if (line.length > LONGEST_MESSAGE) throw new Error(`a message of the server exceeds ${LONGEST_MESSAGE} bytes`)
        const message = readMessage(line)
        // Some servers write their log to stdout.
        if (message !== undefined) yield message
      }
    } finally {
      await this.close()
    }
    throw new Error(this.#howItEnded())
  }

  #howItEnded(): string {
    const { exitCode, signalCode } = this.#child
    const lastLine = this.#stderr.trim().split('\n').at(-1)!
    return `the server ended with ${signalCode ?? exitCode}${lastLine === '' ? '' : `: ${quoted(lastLine)}`}`
  }

  async #isGone(): Promise<boolean> {
    const until = performance.now() + this.#graceMs
    while (this.#isRunning()) {
      if (performance.now() > until) return false
      await sleep(POLL_MS)
    }
    return true
  }

  #isRunning(): boolean {
    const { exitCode, signalCode, pid } = this.#child
    return (exitCode === null && signalCode === null) || hasGroup(pid!)
  }

  #signal(signal: NodeJS.Signals): void {
    try {
      process.kill(-this.pid, signal)
    } catch {
      // Windows has no process groups.
      this.#child.kill(signal)
    }
  }
}

/** False when the server ended before it read everything. */
function isDrained(stdin: Writable): Promise<boolean> {
  const [drained, closed] = [once(stdin, 'drain').then(() => true), once(stdin, 'close').then(() => false)]
  return Promise.race([drained, closed]).catch(() => false)
}

function hasGroup(pid: number): boolean {
  try {
    return process.kill(-pid, 0)
  } catch {
    return false
  }
}

/** Without a POSIX shell, the end of stdin must suffice. */
function startWatch(graceMs: number): Watch {
  const seconds = String(Math.ceil(graceMs / 1000))
  const watch = spawn('/bin/sh', ['-c', WATCH, seconds], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  watch.on('error', () => undefined)
  watch.stdin.on('error', () => undefined)
  watch.unref()
  return watch
}

// Keeps the descriptors that this process inherited from its children. Node closes them up to the first gap above 15 only.

const O_CLOEXEC = 0o2000000
const NONE = '/dev/null'

/** The descriptors that a child would get, apart from the first three. Without flags to read, that may be each. */
function listInherited(): readonly number[] {
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
function withPipesOnly<Child>(start: (stdio: ('pipe' | 'ignore' | number)[]) => Child): Child {
  const open = listInherited()
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
  for (const one of listInherited()) if (!named.has(one)) closeSync(one)
}

// The bash_tools of an agent. Each call is a process in a sandbox of bubblewrap: it sees the system's programs, the files
// of the agent and the allowed paths of the run's folder, and no network, no variables, no other process and no open file.

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
function sandboxArguments({ quota, hasNetwork, own, bound }: Sandbox): readonly string[] {
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
  const args = [...sandboxArguments({ quota: 1 << 20, hasNetwork: false, own: undefined, bound: [] }), 'true']
  const { code } = await execute(args, AbortSignal.timeout(10_000))
  return code === 0
}

export declare namespace bashTool {
  interface Options {
    /** The folder of the run, which `allowed_paths` are relative to. */
    readonly work: string
    /** The user accepts that a disk quota does not count for allowed paths. */
    readonly isUnenforced: boolean
    readonly hasNetwork: boolean
    /** The folder with the files of the agent. */
    readonly own: string
  }
}

/** The commands that run now, all with one setting of `allowed_paths`, and those that they waited for. */
let group = { paths: '', before: Promise.resolve<unknown>(undefined), all: Promise.resolve<unknown>(undefined) }

/** Starts a command alone or with its equals: one with other paths could make a link of a path that was checked. */
function startInGroup(argv: readonly string[], options: bashTool.Options, context: CallContext): Promise<ToolOutcome> {
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
export function bashTool(name: string, tool: JsonObject, options: bashTool.Options): RunTool {
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

async function start(argv: readonly string[], options: bashTool.Options, context: CallContext): Promise<ToolOutcome> {
  const bound = boundPaths(options, context)
  if ('fault' in bound) return failed(bound.fault)
  const { limits } = context
  const { max_exec_time: seconds } = limits
  const late = deadline((seconds ?? Number.POSITIVE_INFINITY) * 1000, context.signal)
  const { hasNetwork, own } = options
  const args = [...sandboxArguments({ quota: limits.disk_quota, hasNetwork, own, bound: bound.paths }), ...argv]
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
function boundPaths({ work, isUnenforced }: bashTool.Options, { allowedPaths: lists, limits }: CallContext) {
  const hasQuota = limits.disk_quota !== undefined
  if (hasQuota && lists.length > 0 && !isUnenforced)
    return { fault: 'this host cannot hold allowed_paths to disk_quota' }
  mkdirSync(work, { recursive: true })
  const root = realpathSync(work)
  if (lists.length === 0) return { paths: hasQuota ? [] : [[root, INSIDE] as const] }
  const allowed = lists.map((list) => list.map((path) => resolve(root, path)))
  const all = new Set(
    allowed.flat().filter((path) => allowed.every((list) => list.some((one) => isBelowFolder(path, one)))),
  )
  const paths: (readonly [string, string])[] = []
  for (const path of [...all].sort()) {
    const inside = join(INSIDE, path.slice(root.length))
    if (paths.some(([, other]) => isBelowFolder(inside, other))) continue
    if (!isBelowFolder(path, root))
      return { fault: `${quoted(path)} of allowed_paths is outside the folder of the run` }
    const before = firstExisting(path)
    if (realpathSync(before) !== before) return { fault: `${quoted(path)} of allowed_paths is or has a link` }
    if (before !== path) mkdirSync(path, { recursive: true })
    paths.push([path, inside])
  }
  return { paths }
}

export const isBelowFolder = (path: string, parent: string) => path === parent || path.startsWith(parent + sep)

const firstExisting = (path: string): string => (existsSync(path) ? path : firstExisting(dirname(path)))
