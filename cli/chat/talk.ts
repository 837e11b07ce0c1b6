// Sends the lines of one side of a conversation in order, and collects the results.
import type { Conversation } from '../../bindings/agp/connect.ts'
import type { SendResult } from '../../bindings/agp/sending.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'

/** The most unacknowledged messages: the next one waits until one of them is acknowledged. */
const MOST_IN_TRANSIT = 64

export interface TalkResult {
  /** The number of messages that the other agent has acknowledged with its signature. */
  readonly taken: number
  readonly notTaken: readonly Diagnostic[]
  /** The other agent hung up before everything was sent. */
  readonly isLeft: boolean
  /** The fault that ended the conversation early. */
  readonly cut: Diagnostic | undefined
  /** The fault of a line that could not be sent; nothing was sent after it. */
  readonly fault: RangeError | undefined
}

interface TalkOptions {
  readonly lines: AsyncIterator<string>
  /** Called for each message that was not accepted. */
  onNotTaken(diagnostic: Diagnostic): void
  /** Waits for answers. The signal aborts the wait when no more can come. */
  stay(signal: AbortSignal): Promise<void>
}

const OVER: unique symbol = Symbol('over')

export async function talk(conversation: Conversation, { lines, onNotTaken, stay }: TalkOptions): Promise<TalkResult> {
  let [taken, cut, fault]: [number, Diagnostic | undefined, RangeError | undefined] = [0, undefined, undefined]
  let isLeft = false
  const notTaken: Diagnostic[] = []
  const inTransit = new Set<Promise<void>>()
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
    const done = sent.finally(() => inTransit.delete(done))
    inTransit.add(done)
  }
  try {
    while (fault === undefined) {
      if (inTransit.size >= MOST_IN_TRANSIT) await Promise.race(inTransit)
      const next = await Promise.race([lines.next(), isOver])
      isLeft = next === OVER
      if (next === OVER || next.done) break
      say(next.value)
    }
  } catch (error) {
    fault = asRangeError(error)
  }
  await Promise.all(inTransit)
  if (fault === undefined && cut === undefined) await Promise.race([stay(over.signal), isOver])
  await conversation.close()
  return { taken, notTaken, isLeft, cut, fault }
}

/** Throws all errors except a RangeError. */
function asRangeError(error: unknown): RangeError {
  if (error instanceof RangeError) return error
  throw error
}
