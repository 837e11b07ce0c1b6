// The longest task of a page's main thread.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** What Chromium must trace to measure it. */
const TASKS = ['toplevel', '__metadata']

interface Traced {
  readonly ph: string
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Processor time in microseconds. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/**
 * The processor time of the longest task of a page's main thread during some work, in milliseconds. Wall time would
 * include the work of others.
 */
export async function longestTask(page: Page, work: () => Promise<unknown>): Promise<number> {
  const chromium = page.context().browser()!
  await chromium.startTracing(page, { categories: TASKS })
  // All tests share the browser, which records one trace at a time.
  const trace = await work().then(
    () => chromium.stopTracing(),
    async (error) => {
      await chromium.stopTracing()
      throw error
    },
  )
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly Traced[] }
  const threadOf = ({ pid, tid }: Traced) => `${pid} ${tid}`
  const pages = new Set(traceEvents.filter(({ args }) => args?.name === 'CrRendererMain').map(threadOf))
  const tasks = traceEvents.filter((event) => event.name.endsWith('::RunTask') && pages.has(threadOf(event)))
  expect(tasks.length).toBeGreaterThan(100)
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000
}
