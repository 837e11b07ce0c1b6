// How long a page's own thread was busy at a stretch.
import { expect } from 'vitest'

/** What Chromium has to trace for it. */
export const TASKS = ['toplevel', '__metadata']

interface Traced {
  readonly ph: string
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of the processor. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/** Milliseconds of the processor that the longest task of a page's own thread took. The time on a clock is that of everybody's work. */
export function longestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly Traced[] }
  const threadOf = ({ pid, tid }: Traced) => `${pid} ${tid}`
  const pages = new Set(traceEvents.filter(({ args }) => args?.name === 'CrRendererMain').map(threadOf))
  const tasks = traceEvents.filter((event) => event.name.endsWith('::RunTask') && pages.has(threadOf(event)))
  expect(tasks.length).toBeGreaterThan(100)
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000
}
