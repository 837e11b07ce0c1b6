// An MCP server as a process of its own, over stdin and stdout. Nothing of it stays after `close`, nor after this
// process ends: all its descendants are in one process group, except those that leave it with setsid.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { LONGEST_MESSAGE, readMessage } from '../mcp/http.ts'
import type { McpResult, McpTransport } from '../mcp/peer.ts'
import { byteLines } from '../text/bytes.ts'
import type { JsonObject } from '../text/members.ts'
import { quoted } from '../text/words.ts'
import { withPipesOnly } from './descriptors.ts'

export interface McpServerCommand {
  readonly command: string
  readonly args?: readonly string[]
  /** All variables of the server, except PATH, which is that of this process by default. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** The time for each way to end: the end of stdin, then SIGTERM. Default: 2,000. */
  readonly graceMs?: number
}

/** A running server. */
export interface McpProcess extends McpTransport {
  readonly pid: number
  /** The end of what the server wrote to stderr: untrusted text. */
  readonly stderr: string
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>
type Watch = ChildProcessByStdio<Writable, null, null>

const GRACE_MS = 2000
const POLL_MS = 20
/** The last UTF-16 units of stderr. */
const MOST_STDERR = 16 << 10
/** Gets a process group, and waits for the end of its stdin, which is the end of this process. Then ends the group. */
const WATCH = 'read group || exit; read _; sleep "$0"; kill -9 "-$group"'

/**
 * Starts an MCP server without a shell. The fault names the reason if it cannot be started.
 *
 * @example
 * const started = await startMcpServer({ command: 'npx', args: ['@modelcontextprotocol/server-everything@2026.8.31'] })
 * if ('ok' in started) await openMcp(started.ok, { client: { name: 'blazon', version: '1.0.0' } })
 */
export async function startMcpServer(server: McpServerCommand): Promise<McpResult<McpProcess>> {
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

class ServerProcess implements McpProcess {
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
