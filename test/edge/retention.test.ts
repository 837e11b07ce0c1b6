// How long tasks, results and swarms are kept, in the real runtime. docs/guide/tasks.md has the times.
import { expect, test } from 'vitest'
import { verifyStream } from '../../bindings/runs/stream/verify.ts'
import { ask } from '../support/ask.ts'
import { withWorker } from '../support/runtime.ts'
import { bytesOf, containerOf, digestOf, registryClient } from './registry-client.ts'
import { clientOf, linesOf } from './runs-client.ts'

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

test('[runs/7.2-3] the lines of a run go after RUN_DAYS; its hashes stay', async () => {
  await withWorker('test/edge/retention-worker.ts', { settings: { RUN_DAYS: '30' } }, async (runtime) => {
    const client = clientOf(() => runtime)
    const [id, lines] = ['finished', linesOf('finished')]
    await client.send(id)
    const pass = async (days: number) =>
      JSON.parse((await ask(`${runtime.origin}/?run=harbour-books/${id}&days=${days}`)).text)
    const before = (await client.get(`/runs/${id}/checkpoint`)).text
    expect(await pass(29), 'the alarm is set again').toBeGreaterThan(Date.now())
    expect((await client.get(`/runs/${id}`)).status).toBe(200)
    await pass(2)
    for (const accept of ['application/json', 'application/x-ndjson', 'text/event-stream'])
      expect((await client.get(`/runs/${id}`, { headers: { accept } })).status).toBe(410)
    expect((await client.get(`/runs/${id}/checkpoint`)).text).toBe(before)
    expect((await client.get(`/runs/${id}/proof/1`)).status).toBe(200)
    expect((await client.get('/runs')).value).toMatchObject({ runs: [{ run_id: id, status: 'succeeded' }] })
    expect((await client.add(id, lines.length - 1, lines.at(-1)!)).value, 'repeated').toEqual({ size: lines.length })
    const proof = await verifyStream(new TextEncoder().encode(lines.join('')), {
      checkpoints: new TextEncoder().encode(before),
    })
    expect(proof.steps.find(({ name }) => name === 'checkpoint')?.outcome, 'a copy elsewhere').toBe('passed')
  })
})

test('unfinished uploads and unused blobs of the registry end after an hour, and take their bytes with them', async () => {
  await withWorker('test/edge/retention-worker.ts', {}, async (runtime) => {
    const { ask: push, begin, publish, push: pushBlob } = registryClient(() => runtime)
    const pass = async (minutes: number) =>
      JSON.parse((await ask(`${runtime.origin}/?registry=acme&minutes=${minutes}`)).text) as {
        keys: string[]
        planned: number | null
        alarm: number | null
      }
    const container = await containerOf('1.0.0')
    await publish('acme/coach', '1.0.0', container)
    const { keys: used } = await pass(0)
    expect(used.length).toBe(2)
    const unused = bytesOf('unused')
    await pushBlob('acme/coach', unused)
    const { place } = await begin('acme/coach')
    await push('PATCH', place, { body: bytesOf('first'), headers: { 'content-type': 'application/octet-stream' } })
    const before = await pass(59)
    expect([before.keys.length, before.planned, before.alarm]).toEqual([4, expect.any(Number), expect.any(Number)])
    expect((await push('GET', place)).status, 'after 59 minutes').toBe(204)
    expect((await pass(2)).keys.length, 'requests may still use them').toBe(4)
    expect(await push('GET', place)).toMatchObject({ status: 404, code: 'BLOB_UPLOAD_UNKNOWN' })
    expect((await push('GET', `/v2/acme/coach/blobs/${digestOf(unused)}`)).status).toBe(404)
    expect(await pass(60)).toMatchObject({ keys: used, alarm: null })
    expect((await push('GET', `/v2/acme/coach/blobs/${digestOf(container)}`)).status).toBe(200)
    // 50 writers and the sweeps: what the registry answers with has its own digest, and the used blobs stay.
    const places = await Promise.all(Array.from({ length: 5 }, () => begin('acme/coach')))
    const blobs = Array.from({ length: 10 }, (_, i) => bytesOf(`${i}`.repeat(1000)))
    const write = async (i: number) => {
      const body = blobs[i % 10]!
      if (i % 10 === 9) await pass(61)
      else await push('PUT', `${places[i % 5]!.place}?digest=${digestOf(body)}`, { body })
    }
    await Promise.all(Array.from({ length: 50 }, (_, i) => write(i)))
    for (const blob of [container, ...blobs]) {
      const { status, bytes } = await push('GET', `/v2/acme/coach/blobs/${digestOf(blob)}`)
      expect(status === 200 ? digestOf(bytes) : status).toBe(status === 200 ? digestOf(blob) : 404)
    }
    for (let i = 0; i < 3; i++) await pass(61)
    expect(await pass(61)).toMatchObject({ keys: used, alarm: null })
  })
})
