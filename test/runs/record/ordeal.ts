// Recorders that are killed, and hooks that all run at once. Every acknowledged line must be there once, in order.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const at = (path: string) => pathToFileURL(resolve(path)).href

/** Records steps in many runs without an end; prints what is acknowledged: `begin RUN INDEX`, `end RUN INDEX`. */
const RECORDER = `
import { createRecorder } from '${at('dist/runs.js')}'
import { fileSink } from '${at('dist/node.js')}'
const [folder, streams] = process.argv.slice(1)
const sink = fileSink(folder)
const run = async () => {
  const recorder = await createRecorder({ tenant_id: 'local', agent: { agent_id: 'a' } }, { sink })
  for (;;) {
    const step = await recorder.begin({ type: 'tool_call', name: 'a', input: { text: 'x'.repeat(Math.random() * 5000) } })
    console.log('begin', recorder.runId, step)
    await recorder.end(step, { type: 'tool_result', output: { ok: true } })
    console.log('end', recorder.runId, step)
  }
}
for (let i = 0; i < Number(streams); i++) run()
`

export interface KillPlan {
  readonly kills: number
  /** Runs that each process records at once. */
  readonly streams: number
  /** From and to: milliseconds until the kill. */
  readonly life: readonly [number, number]
  readonly random: () => number
}

/** Kills recorders; returns what is wrong with their files, and how many lines were acknowledged. */
export async function killRecorders({ kills, streams, life, random }: KillPlan) {
  const folder = mkdtempSync(join(tmpdir(), 'blazon-ordeal-'))
  const flaws: string[] = []
  let acknowledged = 0
  for (let i = 0; i < kills; i++) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', RECORDER, folder, String(streams)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.on('data', (chunk) => (said += chunk))
    const [from, to] = life
    while (said === '' && child.exitCode === null) await new Promise((done) => setTimeout(done, 5))
    await new Promise((done) => setTimeout(done, from + random() * (to - from)))
    child.kill('SIGKILL')
    await new Promise((done) => child.on('close', done))
    const promises = said
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split(' '))
    acknowledged += promises.length
    flaws.push(...flawsIn(folder, promises))
  }
  rmSync(folder, { recursive: true, force: true })
  return { flaws, acknowledged }
}

interface StreamLine {
  readonly type: string
  readonly seq: number
  readonly intent?: { readonly index: number }
  readonly step?: { readonly index: number }
}

/** The whole lines of a stream. */
const linesIn = (path: string): readonly StreamLine[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

function flawsIn(folder: string, promises: readonly (readonly string[])[]): string[] {
  const streams = new Map<string, readonly StreamLine[]>()
  const flaws: string[] = []
  for (const run of new Set(promises.map(([, run]) => run!))) {
    const lines = linesIn(join(folder, `${run}.ndjson`))
    streams.set(run, lines)
    if (lines.some(({ seq }, i) => seq !== i)) flaws.push(`${run}: the lines are out of order`)
  }
  for (const [what, run, index] of promises) {
    const found = streams
      .get(run!)!
      .filter(({ intent, step }) => String((what === 'begin' ? intent : step)?.index) === index)
    if (found.length !== 1) flaws.push(`${run}: ${what} ${index} is there ${found.length} times`)
  }
  return flaws
}

/** Many hooks of one session at once; returns what is wrong with the stream, and how many gave up and said so. */
export async function crowdHooks(hooks: number) {
  const folder = mkdtempSync(join(tmpdir(), 'blazon-crowd-'))
  const session = { session_id: 's', cwd: '/', tool_name: 'Bash', tool_input: { command: 'ls' } }
  const codes = await Promise.all(
    Array.from({ length: hooks }, (_, i) =>
      hook(folder, { ...session, hook_event_name: 'PreToolUse', tool_use_id: `call-${i}` }),
    ),
  )
  const [name, ...others] = readdirSync(folder).filter((file) => file.endsWith('.ndjson'))
  const lines = linesIn(join(folder, name!))
  const calls = lines.flatMap(({ intent }) => (intent === undefined ? [] : [JSON.stringify(intent)]))
  const recorded = codes.filter((code) => code === 0).length
  rmSync(folder, { recursive: true, force: true })
  const flaws = [
    ...(others.length > 0 ? [`${others.length + 1} runs for one session`] : []),
    ...(lines.some(({ seq }, i) => seq !== i) ? ['the lines are out of order'] : []),
    ...(calls.length === recorded ? [] : [`${recorded} hooks acknowledged, ${calls.length} calls in the stream`]),
  ]
  return { flaws, late: hooks - recorded }
}

function hook(folder: string, event: object): Promise<number | null> {
  const child = spawn(process.execPath, [resolve('dist/cli/blazon.js'), 'runs', 'hook', '--to', folder], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  child.stdin.end(JSON.stringify(event))
  return new Promise((done) => child.on('close', done))
}
