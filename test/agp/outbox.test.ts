// The delivery of messages as a state machine: what is sent when, with the store in memory and a clock by hand.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Outbox, type OutboxOptions } from '../../bindings/agp/outbox.ts'
import { MemoryOutbox } from '../../bindings/agp/sending.ts'

const TO = 'agent:bob.example.com'
const MINUTE = 60_000
const RESEND = { resend: { afterMs: MINUTE, forMs: 4 * MINUTE } }

afterEach(() => void vi.restoreAllMocks())

function outboxWith(count: number, options: OutboxOptions = {}, until = 1e9) {
  const store = new MemoryOutbox<string>()
  const outbox = new Outbox(store, options)
  const settled = Array.from({ length: count }, (_, i) => {
    store.add({ id: `${i}`, to: TO, content: `${i}`, until }, 0)
    return store.settled(`${i}`)
  })
  const batch = (now: number, rate?: { requestsPerMinute: number; burstSize: number }) =>
    outbox.batch(TO, rate, now).map(({ id, sent }) => [Number(id), sent])
  return { store, outbox, settled, batch, ids: (now: number) => batch(now).map(([id]) => id) }
}

describe('an outbox', () => {
  test('has at most 64 messages in transit, and sends the next ones in order after acks', () => {
    const { outbox, ids } = outboxWith(70)
    expect(ids(1)).toEqual(Array.from({ length: 64 }, (_, i) => i))
    expect(ids(2)).toEqual([])
    expect([outbox.acknowledge(TO, '5'), outbox.acknowledge(TO, '5'), outbox.acknowledge(TO, '6')]).toEqual([
      true,
      false,
      true,
    ])
    expect(ids(3)).toEqual([64, 65])
  })

  test('keeps to the rate of the recipient, and is due when the next message may go', () => {
    const { store, batch } = outboxWith(5)
    const rate = { requestsPerMinute: 60, burstSize: 3 }
    expect(batch(0, rate)).toHaveLength(2)
    const due = store.nextDue!
    expect(due).toBeGreaterThan(1000)
    expect([batch(due - 1, rate), batch(due, rate)]).toEqual([[], [[2, due]]])
  })

  test('sends unacknowledged messages again with the same id and time: in a new conversation, or after a while', () => {
    const { outbox, batch } = outboxWith(2, RESEND)
    expect(batch(7)).toEqual([
      [0, 7],
      [1, 7],
    ])
    outbox.acknowledge(TO, '0')
    expect(batch(MINUTE)).toEqual([])
    expect(batch(MINUTE + 7)).toEqual([[1, 7]])
    outbox.reopen(TO)
    expect(batch(MINUTE + 8)).toEqual([[1, 7]])
  })

  test('without resending, repeats a message in a new conversation only', () => {
    const { outbox, ids } = outboxWith(1)
    expect([ids(0), ids(1e8)]).toEqual([[0], []])
    outbox.reopen(TO)
    expect(ids(1e8)).toEqual([0])
  })

  test('gives a message up at its time, or four minutes after it was first sent', async () => {
    const { outbox, settled, ids, store } = outboxWith(1, RESEND, 10 * MINUTE)
    store.add({ id: 'late', to: TO, content: '', until: 5 }, 0)
    const late = store.settled('late')
    expect(outbox.expire(4)).toEqual(new Set())
    store.settle(TO, '0')
    expect(outbox.expire(5)).toEqual(new Set([TO]))
    expect(await late).toMatchObject({ outcome: 'undelivered', code: 'AGP-137', detail: 'it was not reached in time' })
    expect(await settled[0]).toBeUndefined()
    const other = outboxWith(1, RESEND, 10 * MINUTE)
    other.ids(9 * MINUTE)
    expect([other.outbox.expire(13 * MINUTE - 1).size, other.outbox.expire(13 * MINUTE).size]).toEqual([0, 1])
    expect((await other.settled[0])?.detail).toContain('may have received it')
    expect(ids(0)).toEqual([])
  })

  test('a message refused for the rate goes again when the pace allows, and one without room after a while: with new times', () => {
    const { outbox, batch, store } = outboxWith(2, RESEND)
    batch(0)
    const error = { detail: '', of: '0' }
    outbox.takeError(TO, { ...error, code: 'AGP-134' }, 10)
    const due = store.nextDue!
    expect(due).toBeGreaterThan(10)
    expect(batch(due)).toEqual([[0, due]])
    outbox.takeError(TO, { ...error, of: '1', code: 'AGP-136' }, 20)
    expect(batch(MINUTE)).toEqual([])
    expect(batch(MINUTE + 20)).toEqual([[1, MINUTE + 20]])
  })

  test('other signed errors are final, and so is one about room if nothing is sent again', async () => {
    const refused = { outcome: 'refused', code: 'AGP-139', detail: 'the other agent answered AGP-139: no' }
    const { outbox, settled, ids } = outboxWith(2)
    ids(0)
    outbox.takeError(TO, { code: 'AGP-139', detail: 'no', of: undefined }, 0)
    outbox.takeError(TO, { code: 'AGP-139', detail: 'no', of: '0' }, 0)
    outbox.takeError(TO, { code: 'AGP-136', detail: 'full', of: '1' }, 0)
    expect(await Promise.all(settled)).toMatchObject([refused, { outcome: 'refused', code: 'AGP-136' }])
  })

  test('tries an absent recipient after growing pauses, and at once after it acknowledged a message', () => {
    vi.spyOn(Math, 'random').mockReturnValue(1)
    const { outbox, store, ids } = outboxWith(2, { longestPauseMs: 3_600_000 })
    const pauses = Array.from({ length: 14 }, () => {
      outbox.failed(TO, 'not there', 0)
      return store.nextDue! / 1000
    })
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600])
    store.add({ id: 'next', to: TO, content: '', until: 1e9 }, 5)
    expect(store.nextDue).toBe(3_600_000)
    ids(0)
    outbox.acknowledge(TO, '0')
    outbox.failed(TO, 'gone again', 0)
    expect(store.nextDue).toBe(1000)
  })

  test('gives up everything for a recipient that refuses', async () => {
    const { outbox, settled, store } = outboxWith(3)
    outbox.end(TO, { outcome: 'refused', at: 1, code: 'AGP-135', detail: 'never' })
    expect((await Promise.all(settled)).map((failure) => failure?.code)).toEqual(Array(3).fill('AGP-135'))
    expect(store.nextDue).toBeUndefined()
  })
})
