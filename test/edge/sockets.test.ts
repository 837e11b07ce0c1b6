// Which sockets an agent at the Worker closes when it has too many: no address can keep the others out.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

// A path that the compiler does not follow: edge/ is compiled with the types of Workers, which tests do not have.
const path = '../../edge/gateway/sockets.ts'
interface Tested {
  isFull(ctx: unknown, sender: string, patience: number): boolean
  watchUnproved(ctx: unknown, patience: number): void
}
const { isFull, watchUnproved }: Tested = await import(path)

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

test('an unverified socket closes after its time, and 2,000 verified ones are read as often as one', () => {
  vi.useFakeTimers()
  try {
    const sockets: { readyState: number; deserializeAttachment(): object; close(): void }[] = []
    const closed: (readonly [name: string, at: number])[] = []
    const start = Date.now()
    let looks = 0
    const ctx = {
      getWebSockets() {
        looks++
        return [...sockets]
      },
    }
    const open = (name: string, phase: string) => {
      const since = Date.now()
      const close = () => {
        closed.push([name, Date.now() - start])
        sockets.splice(sockets.indexOf(socket), 1)
      }
      const socket = { readyState: 1, deserializeAttachment: () => ({ link: { phase }, since }), close }
      sockets.push(socket)
      watchUnproved(ctx, 10_000)
    }
    for (let i = 0; i < 2000; i++) open('verified', 'open')
    vi.advanceTimersByTime(3000)
    open('first', 'waiting')
    vi.advanceTimersByTime(4000)
    open('second', 'greeted')
    vi.advanceTimersByTime(60_000)
    expect([closed, looks]).toEqual([
      [
        ['first', 13_000],
        ['second', 17_000],
      ],
      3,
    ])
    open('third', 'waiting')
    vi.advanceTimersByTime(10_000)
    expect([closed.at(-1), looks]).toEqual([['third', 77_000], 4])
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
