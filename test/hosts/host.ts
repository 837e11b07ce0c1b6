import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'

/** A place that can run the vectors. */
export interface Host {
  readonly name: string
  /** Which builds of the core it runs; both when absent. */
  readonly builds?: readonly string[]
  /** Version of what runs, the answer to a job (answer.ts), or why there is none. */
  run(job: Uint8Array): Promise<Ran | NotRun>
}

export interface Ran {
  readonly version: string
  readonly answer: Uint8Array
}

export interface NotRun {
  readonly reason: string
}

/** Where bundles, fetched runtimes and answers lie; ignored by git. */
export const SCRATCH = '.scratch/hosts'

/** No host may take longer than this. */
export const PATIENCE_MS = 120_000

export const execute = promisify(execFile)

/** Runs the bundle of process.ts with some runtime: a job from one file, its answer to another. */
export async function runProcess(name: string, command: readonly string[], job: Uint8Array): Promise<Uint8Array> {
  mkdirSync(SCRATCH, { recursive: true })
  const [from, to] = [`${SCRATCH}/${name}.job`, `${SCRATCH}/${name}.answer`]
  rmSync(to, { force: true })
  writeFileSync(from, job)
  const [program, ...args] = command as [string, ...string[]]
  await execute(program, [...args, `${SCRATCH}/process.mjs`, from, to], { timeout: PATIENCE_MS, killSignal: 'SIGKILL' })
  return readFileSync(to)
}
