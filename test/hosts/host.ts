import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import type { SelftestResult } from '../../bindings/selftest/index.ts'

/** A place that can run the vectors. */
export interface Host {
  readonly name: string
  /** Which builds of the core it runs; both when absent. */
  readonly builds?: readonly string[]
  /** What runs there (answer.ts, and the self-test of the package), or why nothing does. */
  run(job: Uint8Array): Promise<Ran | NotRun>
}

export interface Ran {
  readonly version: string
  readonly answer: Uint8Array
  /** Absent where the API is not: it is JavaScript. */
  readonly selftest?: SelftestResult
}

export interface NotRun {
  readonly reason: string
}

/** Where bundles, fetched runtimes and answers lie; ignored by git. */
export const SCRATCH = '.scratch/hosts'

/** No host may take longer than this. */
export const PATIENCE_MS = 240_000

export const execute = promisify(execFile)

/** Runs the bundle of process.ts with some runtime, a job from one file and its answer to another; then `blazon selftest`. */
export async function runProcess(
  name: string,
  version: string,
  command: readonly string[],
  job: Uint8Array,
): Promise<Ran> {
  mkdirSync(SCRATCH, { recursive: true })
  const [from, to] = [`${SCRATCH}/${name}.job`, `${SCRATCH}/${name}.answer`]
  rmSync(to, { force: true })
  writeFileSync(from, job)
  const [program, ...args] = command as [string, ...string[]]
  const limit = { timeout: PATIENCE_MS, killSignal: 'SIGKILL' } as const
  await execute(program, [...args, `${SCRATCH}/process.mjs`, from, to], limit)
  // It exits 1 when an answer is wrong, and says which on stdout.
  const { stdout } = await execute(
    program,
    [...args, 'dist/cli/blazon.js', 'selftest', '--format', 'json'],
    limit,
  ).catch((error: { stdout: string; message: string }) => {
    if (error.stdout) return error
    throw error
  })
  return { version, answer: readFileSync(to), selftest: JSON.parse(stdout).results[0].selftest }
}
