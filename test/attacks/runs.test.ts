// Runs at the Worker, attacked: other tenants, withdrawn tokens, guessed ids, broken bodies, changed bodies, and kills.
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { clientOf, linesOf } from '../edge/runs-client.ts'
import { killWhileRecording, sendMutations } from '../edge/runs-ordeal.ts'
import { bearer, GRANTER } from '../edge/tokens.ts'
import { REVIEW } from '../runs/records.ts'
import { casesOf } from '../support/cases.ts'
import { random } from '../support/random.ts'
import type { Runtime } from '../support/runtime.ts'
import { usageOf } from '../support/usage.mjs'
import { workersOf } from '../support/workers.ts'

const workers = workersOf()
let runtime: Runtime
const acme = clientOf(() => runtime)
const other = clientOf(() => runtime, 'other')

beforeAll(async () => {
  runtime = await workers.start()
})

describe('the run of another tenant', () => {
  test('[runs/7.1-2] [runs/7.2-2] answers like one that does not exist, at each route, and its id is free for others', async () => {
    const [id, missing] = [randomUUID(), randomUUID()]
    await acme.send(id)
    for (const path of ['', '/checkpoint', '/proof/0', '/consistency?from=0']) {
      const [theirs, none] = await Promise.all([id, missing].map((of) => other.get(`/runs/${of}${path}`)))
      expect([theirs!.status, theirs!.text], path).toEqual([404, none!.text])
    }
    const [theirs, none] = await Promise.all([id, missing].map((of) => other.add(of, 1, linesOf(of)[1]!)))
    expect([theirs!.status, theirs!.text]).toEqual([404, none!.text])
    expect((await other.get('/runs')).value).toEqual({ runs: [] })
    expect((await other.open(linesOf(id, { '/tenant_id': 'other' })[0]!)).value).toEqual({ run_id: id, size: 1 })
    expect((await acme.get(`/runs/${id}`)).status).toBe(200)
  })

  test('cannot be reached by an id that names another object', async () => {
    const id = randomUUID()
    await acme.send(id)
    for (const guess of [
      `${REVIEW.tenant_id}%2F${id}`,
      `..%2F${REVIEW.tenant_id}%2F${id}`,
      `${REVIEW.tenant_id}/${id}`,
      '%00',
      'x'.repeat(3000),
    ])
      expect((await fetch(`${runtime.origin}/runs/${guess}`, { headers: auditor('other') })).status).toBe(404)
  })
})

const auditor = (holder: string) => bearer(runtime.origin, { scope: 'audit', holder })

describe('a token', () => {
  test('of an older generation opens nothing, and the next one opens the same runs', async () => {
    const leaky = clientOf(() => runtime, 'leaky')
    const id = randomUUID()
    const [first, second] = linesOf(id, { '/tenant_id': 'leaky' }) as [string, string]
    await leaky.open(first)
    const withdrawn = await fetch(`${runtime.origin}/v1/tokens?holder=leaky`, { method: 'DELETE', headers: GRANTER })
    expect(withdrawn.status).toBe(200)
    expect((await leaky.get(`/runs/${id}`)).status).toBe(401)
    expect((await leaky.add(id, 1, second)).status).toBe(401)
    const grant = { generation: 1 }
    expect((await leaky.get(`/runs/${id}`, { grant })).text).toBe(first)
  })

  test('with audit reads and does not write, with write does not see content, and with others neither', async () => {
    const id = randomUUID()
    await acme.send(id)
    expect((await acme.open(linesOf(randomUUID())[0]!, { grant: { scope: 'audit' } })).status).toBe(403)
    for (const scope of ['operate', 'publish', 'read', 'export']) {
      expect((await acme.get(`/runs/${id}`, { grant: { scope } })).status, scope).toBe(403)
      expect((await acme.open(linesOf(randomUUID())[0]!, { grant: { scope } })).status, scope).toBe(403)
    }
    const headers = bearer(runtime.origin, { scope: 'write' })
    const opens = async (path: string) => (await fetch(runtime.origin + path, { headers })).status
    expect([await opens('/v1/directory/state'), await opens('/v1/agents')]).toEqual([403, 403])
  })
})

test('a body that ends early adds nothing', async () => {
  const id = randomUUID()
  const lines = linesOf(id)
  await acme.open(lines[0]!)
  const { authorization } = bearer(runtime.origin, { scope: 'write', holder: REVIEW.tenant_id })
  const { hostname, port } = new URL(runtime.origin)
  await new Promise<void>((done) => {
    const socket = connect(Number(port), hostname, () => {
      const head = `POST /runs/${id}/records HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: ${authorization}\r\nBlazon-Size: 1\r\nContent-Type: application/x-ndjson\r\n`
      socket.write(`${head}Content-Length: 100000\r\n\r\n${lines[1]}`, () => setTimeout(() => socket.destroy(), 200))
    })
    socket.on('error', () => undefined).on('close', () => done())
  })
  expect((await acme.get(`/runs/${id}`)).text).toBe(lines[0])
})

test('concurrent senders of the same lines add them once', async () => {
  const id = randomUUID()
  const lines = linesOf(id)
  await Promise.all(Array.from({ length: 8 }, () => acme.open(lines[0]!)))
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) => acme.add(id, 1, lines.slice(1, 2 + (i % 3)).join(''))),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect((await acme.get(`/runs/${id}`)).text).toBe(lines.slice(0, 4).join(''))
})

test('4 MB of line feeds, and of short lines, cost less than a second of the processor, at each route', async () => {
  const id = randomUUID()
  await acme.open(linesOf(id)[0]!)
  for (const body of ['\n', '0\n', `${'0'.repeat(33)}\n`].map((line) => line.repeat(4_190_000 / line.length))) {
    const before = usageOf(runtime).cpu
    expect((await acme.open(body)).status).toBe(400)
    expect((await acme.open(linesOf(randomUUID())[0]!.trimEnd() + body)).status).toBe(400)
    expect((await acme.add(randomUUID(), 1, body)).status).toBe(404)
    expect(usageOf(runtime).cpu - before).toBeLessThan(1000)
    expect((await acme.add(id, 1, body)).status).toBe(422)
    expect(usageOf(runtime).cpu - before).toBeLessThan(4000)
  }
})

test('an unknown run is refused before its body has arrived, with the answer of a withdrawn token for such a token', async () => {
  const { hostname, port } = new URL(runtime.origin)
  const answer = (holder: string) =>
    new Promise<string>((done) => {
      const { authorization } = bearer(runtime.origin, { scope: 'write', holder })
      const socket = connect(Number(port), hostname, () => {
        const head = `POST /runs/${randomUUID()}/records HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: ${authorization}\r\nBlazon-Size: 1\r\nContent-Type: application/x-ndjson\r\n`
        socket.write(`${head}Content-Length: 10\r\n\r\n0123456789`)
      })
      socket
        .on('error', () => undefined)
        .on('data', (data) => {
          done(String(data).slice(0, 12))
          socket.destroy()
        })
    })
  expect(await answer('acme')).toBe('HTTP/1.1 404')
  expect(await answer('leaky')).toBe('HTTP/1.1 401')
})

test('changed bodies get no 5xx', async () => {
  expect(await sendMutations(runtime, casesOf(1500), random(11))).toEqual([])
})

test('nothing that was acknowledged is lost or doubled when the runtime is killed', async () => {
  const next = random(3)
  expect(await killWhileRecording(3, () => 50 + next() * 100)).toEqual([])
})
