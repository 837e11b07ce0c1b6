import { type Conversation, connect } from '../../bindings/agp/connect.ts'
import type { Message } from '../../bindings/agp/message.ts'
import type { SendResult } from '../../bindings/agp/sending.ts'
import { type Discovery, discover } from '../../bindings/discover/trust/discover.ts'
import { splitLines } from '../../bindings/document/split-lines.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { ASKING, agentNamed, callerIn, dnsOf, TOKEN } from '../asking.ts'
import { answer, defineCommand, EXIT, type Options, type Outcome, UsageError, unreadable } from '../command.ts'
import { CALLER, readKey, usable } from '../keys.ts'

const OPTIONS = {
  ...CALLER,
  say: { value: 'TEXT', many: true, about: 'send this text instead of reading stdin' },
  wait: { value: 'SECONDS', number: true, about: 'wait this long for answers after the last message (default 2)' },
  ...TOKEN,
  ...ASKING,
} as const satisfies Options

const WAIT_SECONDS = 2
/** Longer conversations are cut to their last messages in reports. */
const MOST_REPORTED = 1000

export const command = defineCommand({
  options: OPTIONS,
  async run(context) {
    const { options, positionals, host, print, say } = context
    const { domain, given } = await agentNamed(positionals, 'chat', context)
    const key = await readKey(options.key, context)
    const dns = await dnsOf(context, options)
    const shown = given.token === undefined ? {} : { authorization: `Bearer ${given.token}` }
    const asking = { ...dns, fetch: host.fetch, need: 'peer' } as const
    const heard: Message[] = []
    let found: Discovery | undefined
    say(`looking for ${domain}`)
    const connected = await usable(
      connect(domain, {
        key,
        as: callerIn(options.as),
        // An invitation names the key, so the DNS does not have to.
        discover: async () => {
          found = await discover(domain, {
            ...asking,
            ...given,
            ...(given.invitation === undefined && { require: 'key-verified' }),
          })
          return found
        },
        WebSocket: await host.sockets(shown),
        reconnectSeconds: 0,
        onMessage(message) {
          print(messageLines(message))
          heard.push(message)
          if (heard.length > MOST_REPORTED) heard.shift()
        },
      }),
    )
    if (!connected.ok) {
      const why = found?.agent === undefined ? found?.proof.steps.flatMap(({ diagnostic }) => diagnostic ?? []) : []
      const result = unreadable({ file: null, diagnostics: [connected.diagnostic, ...(why ?? [])] })
      return { results: [result], exit: EXIT.unreadable }
    }
    const { conversation } = connected
    const isRead = options.say.length === 0
    const trusted = conversation.levels.map(({ level, quality }) => `${level} (${quality})`).join(', ')
    say(`talking to ${conversation.peer}: ${trusted}${isRead && host.stdin.isTTY ? '; Ctrl-D ends it' : ''}`)
    const talked = await talk(conversation, {
      lines: isRead ? textLines(host.stdin) : yieldLines(options.say),
      onNotTaken: ({ detail }) => say(`not taken: ${visible(detail)}`),
      stay: (signal) => host.wait((options.wait ?? WAIT_SECONDS) * 1000, signal),
    })
    if (isRead) host.stdin.destroy?.()
    if (talked.isLeft) say('the other agent has hung up')
    if (talked.fault !== undefined) {
      const message = `message not sent: ${talked.fault.message}`
      throw new UsageError('invalid-value', message, 'a message is a line of text')
    }
    return outcomeOf(conversation, talked, heard)
  },
})

async function* yieldLines(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}

function outcomeOf(
  { peer, levels, isStrict }: Conversation,
  { taken, notTaken, cut }: TalkResult,
  heard: readonly Message[],
): Outcome {
  const diagnostics = cut === undefined ? notTaken : [...notTaken, cut]
  const chat = { peer, levels, strict: isStrict, taken, notTaken: notTaken.length, heard }
  const result = { ...answer({ chat }), valid: diagnostics.length === 0, diagnostics }
  return { results: [result], ...(cut !== undefined && { exit: EXIT.unreadable }) }
}

/** Nobody types a longer line, and a message has fewer bytes. */
const LONGEST = 262_144

/**
 * Splits a stream of bytes into lines as they arrive; the last one may lack its line end.
 *
 * @throws {RangeError} for a line that is too long for a message, or bytes that are not valid UTF-8.
 */
export async function* textLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const { bytes } of splitLines(input, { most: LONGEST })) {
    if (bytes === undefined) throw new RangeError(`a line of more than ${LONGEST} bytes`)
    yield decodeLine(bytes)
  }
}

function decodeLine(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new RangeError('bytes that are not valid UTF-8')
  }
}

// Shows a message to people. Strangers write it: it cannot control a terminal, and its lines cannot pass for others.

function messageLines({ from, type, body }: Message): string {
  const { content, contentType = 'text/plain' } = body
  const marks = [type, contentType].filter((word) => word !== 'chat' && word !== 'text/plain')
  const head = marks.length === 0 ? from : `${from} (${marks.join(', ')})`
  const lines = content
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map(visible)
  return `${visible(head)}: ${lines.join('\n    ')}\n`
}

// Sends the lines of one side of a conversation in order, and collects the results.

/** The most unacknowledged messages: the next one waits until one of them is acknowledged. */
const MOST_IN_TRANSIT = 64

interface TalkResult {
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
