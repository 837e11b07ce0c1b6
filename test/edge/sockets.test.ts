// Which sockets an agent at the Worker closes when it has too many: no address can keep the others out.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

// A path that the compiler does not follow: edge/ is compiled with the types of Workers, which tests do not have.
const path = '../../edge/gateway/sockets.ts'
const { isFull }: { isFull(ctx: unknown, sender: string, patience: number): boolean } = await import(path)

beforeAll(() => void vi.stubGlobal('WebSocket', { OPEN: 1 }))
afterAll(() => void vi.unstubAllGlobals())

/** An agent's object with one socket for each sender, oldest first. */
function agentWith(senders: readonly string[], phase = 'open') {
  const closed: number[] = []
  const start = Date.now() - 1000
  const sockets = senders.map((sender, i) => ({
    readyState: 1,
    deserializeAttachment: () => ({ link: { phase }, sender, isInvited: false, since: start + i / 10 }),
    close: () => closed.push(i),
  }))
  const ctx = { getWebSockets: () => sockets }
  return { closed, isFull: (sender: string) => isFull(ctx, sender, 10_000) }
}

const many = (count: number, sender: (i: number) => string) => Array.from({ length: count }, (_, i) => sender(i))

test('a newcomer to 2,500 sockets gets a place: the address with the most loses its oldest', () => {
  const { closed, isFull } = agentWith([...many(10, (i) => `198.51.100.${i}`), ...many(2490, () => '203.0.113.7')])
  expect([isFull('192.0.2.1'), closed]).toEqual([false, [10]])
})

test('the address with the most gets no further place', () => {
  const { closed, isFull } = agentWith(many(2500, () => '203.0.113.7'))
  expect([isFull('203.0.113.7'), closed]).toEqual([true, []])
})

test('the networks of one household count together', () => {
  const household = many(2400, (i) => `2001:db8:0:${(0x1200 + (i % 256)).toString(16)}::/64`)
  const { closed, isFull } = agentWith([...many(100, () => '192.0.2.1'), ...household])
  expect([isFull('192.0.2.1'), closed]).toEqual([false, [100]])
})

test('no socket closes where each address has only one', () => {
  const { closed, isFull } = agentWith(many(2500, (i) => `10.0.${i >> 8}.${i & 255}`))
  expect([isFull('192.0.2.1'), closed]).toEqual([true, []])
})

test('the oldest of 100 unverified sockets closes, and one address has at most ten', () => {
  const { closed, isFull } = agentWith(
    many(100, (i) => `198.51.100.${i}`),
    'waiting',
  )
  expect([isFull('192.0.2.1'), closed]).toEqual([false, [0]])
  expect(
    agentWith(
      many(10, () => '192.0.2.1'),
      'waiting',
    ).isFull('192.0.2.1'),
  ).toBe(true)
})
