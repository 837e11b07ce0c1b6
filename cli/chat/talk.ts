// One side of a conversation: what is said, one after the other, and what became of it.
import type { Conversation } from '../../bindings/agp/connect.ts'
import type { SendResult } from '../../bindings/agp/outbox.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'

/** The most messages under way: the next one waits until one of them is taken. */
const MOST_ON_THE_WAY = 64

export interface TalkResult {
  /** The number of messages that the other agent has acknowledged with its signature. */
  readonly taken: number
  readonly notTaken: readonly Diagnostic[]
  /** The other agent has hung up before everything was said. */
  readonly isLeft: boolean
  /** The fault by which it was over before its time. */
  readonly cut: Diagnostic | undefined
  /** The fault of what could not be said: nothing after it was. */
  readonly fault: RangeError | undefined
}

interface Talking {
  readonly lines: AsyncIterator<string>
  /** Hears of a message that was not taken. */
  onNotTaken(diagnostic: Diagnostic): void
  /** Stays for answers, until the signal says that no more can come. */
  stay(signal: AbortSignal): Promise<void>
}

const OVER: unique symbol = Symbol('over')

export async function talk(conversation: Conversation, { lines, onNotTaken, stay }: Talking): Promise<TalkResult> {
  let [taken, cut, fault]: [number, Diagnostic | undefined, RangeError | undefined] = [0, undefined, undefined]
  let isLeft = false
  const notTaken: Diagnostic[] = []
  const onTheWay = new Set<Promise<void>>()
  const over = new AbortController()
  const isOver = conversation.ended.then((diagnostic): typeof OVER => {
    cut = diagnostic
    over.abort()
    return OVER
  })
  const settle = (sent: SendResult) => {
    if (sent.ok) taken++
    else {
      notTaken.push(sent.diagnostic)
      onNotTaken(sent.diagnostic)
    }
  }
  const say = (content: string) => {
    const sent = conversation.send({ content }).then(settle, (error) => {
      fault = asRangeError(error)
    })
    const done = sent.finally(() => onTheWay.delete(done))
    onTheWay.add(done)
  }
  try {
    while (fault === undefined) {
      if (onTheWay.size >= MOST_ON_THE_WAY) await Promise.race(onTheWay)
      const next = await Promise.race([lines.next(), isOver])
      isLeft = next === OVER
      if (next === OVER || next.done) break
      say(next.value)
    }
  } catch (error) {
    fault = asRangeError(error)
  }
  await Promise.all(onTheWay)
  if (fault === undefined && cut === undefined) await Promise.race([stay(over.signal), isOver])
  await conversation.close()
  return { taken, notTaken, isLeft, cut, fault }
}

/** @throws whatever is no RangeError. */
function asRangeError(error: unknown): RangeError {
  if (error instanceof RangeError) return error
  throw error
}
