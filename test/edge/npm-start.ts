// Runs `npm start` as a process in a test.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Each run has its own data, because another process may be serving the checkout's. */
const states: string[] = []
const running: ChildProcess[] = []

/** Ends everything that a test has started, and deletes its data. */
export function endAll(): void {
  for (const child of running.splice(0)) child.kill('SIGTERM')
  for (const state of states.splice(0)) rmSync(state, { recursive: true, force: true, maxRetries: 20 })
}

export interface Run {
  readonly child: ChildProcess
  readonly output: () => string
  readonly ended: Promise<number | null>
}

export function newState(): string {
  const state = mkdtempSync(join(tmpdir(), 'blazon-state-'))
  states.push(state)
  return state
}

export function start(...args: string[]): Run {
  const hasOwn = ['--state', '--site', '--agents'].some((name) => args.includes(name))
  const state = hasOwn ? [] : ['--state', newState()]
  const child = spawn(process.execPath, ['scripts/start.mjs', '--no-build', ...state, ...args], { cwd: ROOT })
  running.push(child)
  let output = ''
  child.stdout.on('data', (data) => (output += data))
  child.stderr.on('data', (data) => (output += data))
  return { child, output: () => output, ended: new Promise((resolve) => child.once('close', resolve)) }
}

/** Waits until the output matches; returns the match. */
export async function says(run: Run, pattern: RegExp): Promise<RegExpExecArray> {
  for (;;) {
    const match = pattern.exec(run.output())
    if (match !== null) return match
    if (run.child.exitCode !== null) throw new Error(`ended without saying ${pattern}:\n${run.output()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
