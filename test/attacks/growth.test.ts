// Tests growth instead of time: twice as much input must take at most twice the Worker's processor time.
import { beforeAll, expect, test } from 'vitest'
import { ROUTES } from '../edge/route-table.ts'
import { bearer, GRANTER } from '../edge/tokens.ts'
import { ask } from '../support/ask.ts'
import type { Runtime } from '../support/runtime.ts'
import { usageOf } from '../support/usage.mjs'
import { workersOf } from '../support/workers.ts'
import { MOST_BYTES, SHAPES, type Shape } from './growth.shapes.ts'

/** Twice is linear, four times quadratic. Less than LEAST_MS harms nobody: smaller bodies get less. */
const MOST_GROWTH = 3
const LEAST_MS = MOST_BYTES < 1 << 20 ? 100 : 200

const HERE = 'agents.example.org'
const BOB = 'bob.example.com'

const everything = ROUTES.flatMap(({ path, methods, ofAgents }) =>
  Object.entries(methods).map(([method, { access }]) => ({
    name: `${method} ${path}`,
    method,
    path,
    host: ofAgents ? BOB : HERE,
    scope: access?.optional ? undefined : access?.scope,
  })),
)
type Operation = (typeof everything)[number]
// Those with a token come last: they may change what the others find.
const operations = [
  ...everything.filter(({ scope }) => scope === undefined),
  ...everything.filter(({ scope }) => scope !== undefined),
]

/** The token that opens a route, as its attacker may have one. */
function tokenFor({ scope }: Operation): Readonly<Record<string, string>> {
  if (scope === undefined) return {}
  return scope === 'grant' ? GRANTER : bearer(`https://${HERE}`, { scope, holder: 'bob' })
}

const workers = workersOf()
let runtime: Runtime

beforeAll(async () => {
  runtime = await workers.start({ settings: { PUBLIC_ORIGIN: `https://${HERE}` } })
  const headers = bearer(`https://${HERE}`, { scope: 'operate' })
  const place = { host: HERE, method: 'PUT', headers, body: { host: BOB } }
  expect((await ask(`${runtime.origin}/v1/agents/bob`, place)).status).toBeLessThan(300)
  const endpoints = { tasks: `https://${BOB}/agent/tasks`, chat: `wss://${BOB}/agent/chat` }
  const publish = { host: HERE, method: 'POST', headers, body: { name: 'Bob', endpoints } }
  expect((await ask(`${runtime.origin}/agents/bob/agent.json`, publish)).status).toBe(201)
}, 120_000)

/** The processor time that the Worker takes for one request, in milliseconds. */
async function effortOf(operation: Operation, { make }: Shape, size: number): Promise<number> {
  const { method, path, host } = operation
  const made = make(size)
  const named = made.path?.startsWith('{name}') ? made.path.slice(6) : 'bob'
  const query = made.path?.startsWith('?') ? made.path : ''
  const address = runtime.origin + path.replaceAll(/\{\w+\}/g, named) + query
  const before = usageOf(runtime).cpu
  const { body } = made
  const headers = { ...tokenFor(operation), ...made.headers }
  const { status } = await ask(address, { host, method, headers, ...(body !== undefined && { body }) })
  expect(status).not.toBe(500)
  // The token opens the route, unless the shape is the name that it is limited to.
  if (operation.scope !== undefined && made.path === undefined) expect([401, 403]).not.toContain(status)
  return usageOf(runtime).cpu - before
}

/** The minimum of three: a pause of the machine is not growth. */
async function leastEffort(operation: Operation, shape: Shape, size: number): Promise<number> {
  const efforts: number[] = []
  for (let i = 0; i < 3; i++) efforts.push(await effortOf(operation, shape, size))
  return Math.min(...efforts)
}

/** Begins with the largest. What costs little there, and at half of it in case the largest is refused, does not grow. */
async function growthOf(operation: Operation, shape: Shape): Promise<string | undefined> {
  const [least, most] = shape.sizes
  let doubled = await effortOf(operation, shape, most)
  for (let size = most / 2; size >= least; size /= 2) {
    const effort = await effortOf(operation, shape, size)
    if (doubled >= LEAST_MS && doubled > MOST_GROWTH * effort) {
      const [half, whole] = [await leastEffort(operation, shape, size), await leastEffort(operation, shape, 2 * size)]
      if (whole >= LEAST_MS && whole > MOST_GROWTH * half)
        return `${shape.name}: ${half} ms at ${size}, ${whole} ms at ${2 * size}`
    }
    if (Math.max(doubled, effort) < LEAST_MS) return undefined
    doubled = effort
  }
  return undefined
}

test('each route has shapes to send', () => {
  expect(Object.values(SHAPES).filter((shapes) => shapes.length === 0)).toEqual([])
  expect(Object.keys(SHAPES).sort()).toEqual(operations.map(({ name }) => name).sort())
})

test.runIf(process.platform === 'linux').each(operations)(
  '$name takes processor time in proportion to the input',
  async (operation) => {
    const grown: string[] = []
    for (const shape of SHAPES[operation.name] ?? []) {
      const found = await growthOf(operation, shape)
      if (found !== undefined) grown.push(found)
    }
    expect(grown).toEqual([])
  },
)
