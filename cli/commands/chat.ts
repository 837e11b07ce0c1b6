import { type Conversation, connect } from '../../bindings/agp/connect.ts'
import type { Message } from '../../bindings/agp/message.ts'
import { type Discovery, discover } from '../../bindings/discover/trust/discover.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { linesOf } from '../chat/lines.ts'
import { messageLines } from '../chat/show.ts'
import { type TalkResult, talk } from '../chat/talk.ts'
import { defineCommand } from '../command.ts'
import { ASKING, dnsOf } from '../discover/asking.ts'
import { agentNamed, TOKEN } from '../discover/named.ts'
import { EXIT } from '../exit.ts'
import { readKey, usable } from '../keys.ts'
import type { Options } from '../options.ts'
import { answer, type Outcome, unreadable } from '../outcome.ts'
import { CALLER, callerIn } from '../tasks/asked.ts'
import { UsageError } from '../usage.ts'

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

/** `blazon chat`: a conversation with the agent of a domain, signed by both sides. */
export const command = defineCommand({
  usage: 'AGENT|INVITATION --as AGENT --key KEY [OPTION]...',
  details: [
    'Finds the agent of a domain, proves to it who you are, and talks to it (ADP/1.1',
    'section 7.2). Sends each line of stdin as a message, and writes the messages of',
    'the agent as they arrive. Both sides sign everything with the keys in their',
    'metadata. After the last line (Ctrl-D), waits for --wait seconds and hangs up.',
    'Exits 1 if a message was not accepted, 3 if the agent cannot be reached or the',
    'connection broke. A private agent needs an invitation instead of a domain, and',
    'the token from blazon invite redeem (--token).',
  ],
  options: OPTIONS,
  examples: [
    'blazon chat bob.example.com --as agent:alice.example.com --key alice.key',
    "blazon chat bob.example.com --as agent:alice.example.com --key env:ALICE --say 'Good morning'",
  ],
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
      lines: isRead ? linesOf(host.stdin) : listed(options.say),
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

async function* listed(lines: readonly string[]): AsyncGenerator<string> {
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
