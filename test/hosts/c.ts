import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { findProgram } from '../../scripts/setup.mjs'
import { joinFrames, splitFrames } from '../conformance/frames.ts'
import { execute, type Host, PATIENCE_MS, SCRATCH } from './host.ts'

/** wasm2c's run-time support, where distributions put it. */
const RUNTIMES = ['/usr/share/wabt/wasm2c', '/usr/local/share/wabt/wasm2c', '/opt/homebrew/share/wabt/wasm2c']
const OUTPUT = `${SCRATCH}/c`

/** The C program that reads the same vectors: the baseline build, for Debian's wasm2c knows no SIMD. */
export const c: Host = {
  name: 'c',
  builds: ['baseline'],
  async run(job) {
    const tools = findTools()
    if (!tools.available) return { reason: tools.reason }
    const runtime = tools.how
    const [, baseline, vectors, , suites, , own] = splitFrames(job)
    mkdirSync(OUTPUT, { recursive: true })
    writeFileSync(`${OUTPUT}/blazon.wasm`, baseline!)
    const limit = { timeout: PATIENCE_MS, killSignal: 'SIGKILL' } as const
    await execute('wasm2c', [`${OUTPUT}/blazon.wasm`, '-n', 'blazon', '-o', `${OUTPUT}/blazon.c`], limit)
    const sources = ['test/hosts/c/host.c', `${OUTPUT}/blazon.c`, `${runtime}/wasm-rt-impl.c`]
    await execute('gcc', ['-O1', '-w', `-I${OUTPUT}`, `-I${runtime}`, ...sources, '-lm', '-o', `${OUTPUT}/host`], limit)

    // The public API is JavaScript: no cases for it here.
    const answers: Uint8Array[] = []
    for (const program of [vectors, undefined, suites, undefined, own]) {
      if (program === undefined) {
        answers.push(new Uint8Array())
        continue
      }
      writeFileSync(`${OUTPUT}/program`, program)
      await execute(`${OUTPUT}/host`, [`${OUTPUT}/program`, `${OUTPUT}/answer`], limit)
      answers.push(readFileSync(`${OUTPUT}/answer`))
    }
    const { stdout } = await execute('wasm2c', ['--version'])
    return { version: `by wasm2c ${stdout.trim()}`, answer: joinFrames(answers) }
  },
}

function findTools() {
  const missing = ['wasm2c', 'gcc'].filter((name) => findProgram(name) === undefined)
  const runtime = RUNTIMES.find((folder) => existsSync(`${folder}/wasm-rt-impl.c`))
  if (missing.length > 0)
    return {
      available: false,
      reason: `${missing.join(' and ')} not found (apt-get install wabt gcc libc6-dev)`,
    } as const
  if (runtime === undefined) return { available: false, reason: 'wasm-rt-impl.c of wasm2c not found' } as const
  return { available: true, how: runtime } as const
}
