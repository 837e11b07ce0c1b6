// A child process whose input and output pass through this one, byte for byte.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { byteLines } from '../../../bindings/text/bytes.ts'
import type { Output } from '../../host.ts'

/** A longer line passes, and its parts are recorded as unreadable. */
const LONGEST_LINE = 32 << 20
const LINE_FEED = 0x0a

/** A process that runs, or the error why it cannot be started. */
export async function started(program: string, args: readonly string[]) {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  // `once` rejects when the event `error` comes first.
  const failure = await once(child, 'spawn').then(
    () => undefined,
    (error: Error) => error,
  )
  if (failure !== undefined) return failure
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, forward)
  // The server may end before it read everything.
  child.stdin.on('error', () => undefined)
  const code = once(child, 'exit').then(([exit, signal]) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(name, forward)
    return (exit as number | null) ?? 128 + constants.signals[signal as NodeJS.Signals]
  })
  return { stdin: child.stdin as Writable, stdout: child.stdout as Readable, code }
}

/** Passes bytes on, and gives each whole line to `take`: before it is passed on, or after. */
export async function passLines(
  from: AsyncIterable<Uint8Array>,
  to: Writable | Output,
  take: (line: Uint8Array) => Promise<void>,
  when: 'before' | 'after',
): Promise<void> {
  const pass = async (bytes: Uint8Array) => {
    if (to.write(bytes) === false && 'once' in to) await Promise.race([once(to, 'drain'), once(to, 'close')])
  }
  const line = async (bytes: Uint8Array) => {
    if (when === 'after') await pass(bytes)
    if (bytes.length > 1) await take(bytes.at(-1) === LINE_FEED ? bytes.subarray(0, -1) : bytes)
    if (when === 'before') await pass(bytes)
  }
  for await (const bytes of byteLines(from, LONGEST_LINE)) await line(bytes)
  if ('end' in to && when === 'before') to.end()
}
