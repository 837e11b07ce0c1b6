// How much of a body the Worker reads. The body is sent from inside the runtime: over a connection, the buffers of the
// system and of local proxies would decide how much leaves, and whether an early answer comes back at all.
import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundleWorker } from '../../scripts/worker.mjs'

const LIMIT = 1_048_576
const CHUNK = 65_536

/**
 * A Worker that posts a JSON string of this many bytes to ours, as a stream of unknown length, and counts the accepted
 * bytes.
 */
const SENDER = `
export default {
  async fetch(request, { BLAZON }) {
    const { bytes, chunk } = await request.json()
    let sent = 0
    const body = new ReadableStream({
      pull(controller) {
        if (sent === bytes) return controller.close()
        const piece = new Uint8Array(Math.min(chunk, bytes - sent)).fill(0x78)
        if (sent === 0) piece[0] = 0x22
        sent += piece.length
        if (sent === bytes) piece[piece.length - 1] = 0x22
        controller.enqueue(piece)
      },
    }, { highWaterMark: 0 })
    const headers = { 'content-type': 'application/json' }
    const response = await BLAZON.fetch('http://blazon.test/v1/canonicalize', { method: 'POST', headers, body })
    const answer = new Uint8Array(await response.arrayBuffer())
    return Response.json({ status: response.status, type: response.headers.get('content-type'), bytes: answer.length, sent })
  },
}`

let runtime: Miniflare

beforeAll(async () => {
  const compatibilityDate = '2026-04-01'
  const ratelimits = { CHECKS: { simple: { limit: 600, period: 60 as const } } }
  const bundle = await bundleWorker('edge/worker.ts')
  runtime = new Miniflare({
    workers: [
      { name: 'sender', modules: true, script: SENDER, compatibilityDate, serviceBindings: { BLAZON: 'blazon' } },
      { name: 'blazon', compatibilityDate, bindings: { PUBLIC_ORIGIN: 'https://blazon.test' }, ratelimits, ...bundle },
    ],
  })
  await runtime.ready
})
afterAll(() => runtime?.dispose())

async function stream(bytes: number): Promise<{ status: number; type: string; bytes: number; sent: number }> {
  const body = JSON.stringify({ bytes, chunk: CHUNK })
  const response = await runtime.dispatchFetch('http://localhost/', { method: 'POST', body })
  return (await response.json()) as { status: number; type: string; bytes: number; sent: number }
}

describe('a stream of unknown length', () => {
  test('is read to its end when it has 1 MiB', async () => {
    const answer = await stream(LIMIT)
    expect(answer).toEqual({ status: 200, type: 'application/json', bytes: LIMIT, sent: LIMIT })
  })

  test('is read to its end and refused when it has one more byte, so that the client can read the reason', async () => {
    const { status, type, sent } = await stream(LIMIT + 1)
    expect([status, type, sent]).toEqual([413, 'application/problem+json', LIMIT + 1])
  })

  test('of 64 MiB is refused, and read up to twice the limit', async () => {
    const { status, type, sent } = await stream(64 * LIMIT)
    expect([status, type]).toEqual([413, 'application/problem+json'])
    // In addition, the runtime may have requested some bytes in advance.
    expect(sent).toBeLessThanOrEqual(2 * LIMIT + 8 * CHUNK)
  })
})
