// Writes the processor time of each test file, with that of the browsers, Workers and programs that it starts. Linux
// only. scripts/test.mjs names the file for it, and prints the dearest ones.
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, expect } from 'vitest'

/** The unit of times in /proc. */
const TICK_MS = 10

/** The parent of a process, and its ticks with those of the children that ended. Undefined when it is gone. */
function readStat(pid: string): { readonly parent: string; readonly ticks: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return { parent: fields[1]!, ticks: fields.slice(11, 15).reduce((sum, text) => sum + Number(text), 0) }
  } catch {
    return undefined
  }
}

/** The milliseconds that this process and all of its descendants have used. */
function spent(): number {
  const children = new Map<string, { pid: string; ticks: number }[]>()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const read = readStat(pid)
    if (read !== undefined)
      children.set(read.parent, [...(children.get(read.parent) ?? []), { pid, ticks: read.ticks }])
  }
  const below = (pid: string): number =>
    (children.get(pid) ?? []).reduce((sum, child) => sum + child.ticks + below(child.pid), 0)
  const own = String(process.pid)
  return (readStat(own)!.ticks + below(own)) * TICK_MS
}

const before = spent()
afterAll(() => {
  const file = relative('.', expect.getState().testPath ?? '')
  appendFileSync(process.env['BLAZON_SPENT']!, `${JSON.stringify({ file, spent: spent() - before })}\n`)
})
