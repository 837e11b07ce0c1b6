// How long tasks, results and swarms are kept, in the real runtime. docs/guide/tasks.md has the times.
import { expect, test } from 'vitest'
import { ask } from '../support/ask.ts'
import { withWorker } from '../support/runtime.ts'

test('pages of messages end by bytes, sizes are bytes of UTF-8, and a full list refuses rows or drops the oldest', async () => {
  await withWorker('test/edge/retention-worker.ts', {}, async (runtime) => {
    const answer = JSON.parse((await ask(`${runtime.origin}/sizes`)).text)
    const { full, pages, refused, removed, left, kept, sums } = answer
    expect(full).toBe(6 + 100 * 262_003)
    // 16 of them are below 4 MiB; the first page has the small one as well.
    expect(pages).toEqual([17, 16, 16, 16, 16, 16, 4])
    expect([refused, removed, left]).toEqual([false, 101, { rows: 0, bytes: 0 }])
    expect(kept).toEqual([[4, 'dddd']])
    expect(sums).toBe(11 + '{"result":""}'.length + 3)
  })
})

test('open tasks end after 30 days, finished ones and swarms are forgotten after a week, and delegated tasks after a month', async () => {
  await withWorker('test/edge/retention-worker.ts', {}, async (runtime) => {
    const { kept, tasks, told, members, given } = JSON.parse((await ask(`${runtime.origin}/retention`)).text)
    expect(kept).toEqual([
      ['open for 31', 'failed', expect.stringContaining('in time')],
      ['open for 29', 'queued', null],
      ['over for 6', 'completed', '{"result":1}'],
    ])
    expect([tasks, told]).toEqual([{ tasks: 3, queued: 1 }, 1])
    expect(members, 'after six days and after eight').toEqual([1, 0])
    expect(given).toEqual([29])
  })
})

test('a message costs no more while many others wait', async () => {
  await withWorker('test/edge/retention-worker.ts', {}, async (runtime) => {
    const [few, many] = JSON.parse((await ask(`${runtime.origin}/backlog`)).text)
    expect(few).toBeGreaterThan(0)
    expect(many).toBeLessThan(few * 1.1)
  })
})
