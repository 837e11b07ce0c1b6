import { isObject, type JsonObject, member, objectOf } from '../../text/members.ts'

export declare namespace planContext {
  interface Result {
    /** The indices of the messages that the model still gets. */
    readonly keep: readonly number[]
    /** Those that it no longer gets. */
    readonly drop: readonly number[]
    /** What the host does with them first: nothing, write a summary, or save the full context. */
    readonly action: 'none' | 'summarize' | 'checkpoint'
    /** False when what must stay is larger than the window. */
    readonly fits: boolean
    readonly reason?: string
    /** Present when something is dropped. The host adds a timestamp, and the tokens of its summary. */
    readonly event?: {
      readonly type: 'context.compact'
      readonly strategy: string
      readonly tokens_before: number
      readonly tokens_after: number
    }
  }

  interface Message {
    readonly role: 'system' | 'user' | 'assistant' | 'tool'
    /** The calls that an assistant makes, or that a tool answers. */
    readonly call_ids?: readonly string[]
  }
}

const COMPACTIONS = ['summarize', 'drop_oldest', 'checkpoint']
const WINDOWS = ['sliding', 'summarize', 'truncate']

/**
 * Decides which messages the model still gets, by the `context` of an agent. A call stays with its result, and the
 * system's and the newest message always stay.
 *
 * @throws {RangeError} when `count` returns something else than a whole number of tokens.
 */
export function planContext<Message extends planContext.Message>(
  messages: readonly Message[],
  count: (message: Message) => number,
  context: JsonObject,
): planContext.Result {
  const { most, start, strategy, preserve } = settingsOf(context)
  const tokens = messages.map((message) => {
    const number = count(message)
    if (Number.isSafeInteger(number) && number >= 0) return number
    throw new RangeError(`count: expected a whole number of tokens, got ${number}`)
  })
  const before = tokens.reduce((sum, number) => sum + number, 0)
  const all = messages.map((_, i) => i)
  // A window holds what just fits; compaction begins as soon as its trigger is reached.
  if (most === undefined || before < start || (start === most && before === most))
    return { keep: all, drop: [], action: 'none', fits: true }

  const stays = ({ role }: planContext.Message, i: number) =>
    role === 'system' ||
    i === messages.length - 1 ||
    (role === 'user' && preserve.includes('user_messages')) ||
    (role === 'tool' && preserve.includes('tool_results'))
  const dropped = new Set<number>()
  let after = before
  for (const unit of unitsOf(messages, strategy === 'sliding')) {
    if (strategy !== 'checkpoint' && (after < start || (start === most && after <= most))) break
    if (unit.some((i) => stays(messages[i]!, i))) continue
    for (const i of unit) {
      dropped.add(i)
      after -= tokens[i]!
    }
  }
  const fits = after <= most
  const event = { type: 'context.compact', strategy, tokens_before: before, tokens_after: after } as const
  return {
    keep: all.filter((i) => !dropped.has(i)),
    drop: [...dropped].sort((a, b) => a - b),
    action: dropped.size > 0 && (strategy === 'summarize' || strategy === 'checkpoint') ? strategy : 'none',
    fits,
    ...(fits ? {} : { reason: `${after} tokens must stay, but the window holds ${most}` }),
    ...(dropped.size > 0 ? { event } : {}),
  }
}

/** Compaction counts over the window's own strategy. Invalid settings count as absent. */
function settingsOf(context: JsonObject) {
  const window = objectOf(member(context, 'window'))
  const block = member(context, 'compaction')
  const compaction = objectOf(block)
  const [tokens, trigger, preserve] = [window['max_tokens'], compaction['trigger'], compaction['preserve']]
  const most = Number.isSafeInteger(tokens) && (tokens as number) > 0 ? (tokens as number) : undefined
  const share = typeof trigger === 'number' && trigger > 0 && trigger <= 1 ? trigger : 1
  const one = (value: unknown, known: readonly string[]) => known.find((strategy) => strategy === value)
  const own = one(window['strategy'], WINDOWS) ?? 'sliding'
  return {
    most,
    start: (most ?? 0) * share,
    strategy: isObject(block) ? (one(compaction['strategy'], COMPACTIONS) ?? own) : own,
    preserve: Array.isArray(preserve) ? (preserve as readonly unknown[]) : [],
  }
}

/**
 * Messages that only leave together, oldest first: those that share a call, and for a sliding window a turn, which
 * begins with a message of the user.
 */
function unitsOf(messages: readonly planContext.Message[], byTurns: boolean): readonly (readonly number[])[] {
  const units = messages.map((_, i) => [i])
  const join = (a: number, b: number) => {
    const [small, large] = [units[a]!, units[b]!].sort((one, other) => one.length - other.length) as [
      number[],
      number[],
    ]
    if (small === large) return
    for (const i of small) {
      large.push(i)
      units[i] = large
    }
  }
  const callers = new Map<string, number>()
  let turn = -1
  messages.forEach(({ role, call_ids = [] }, i) => {
    for (const id of call_ids) {
      if (callers.has(id)) join(i, callers.get(id)!)
      callers.set(id, i)
    }
    if (role === 'user') turn = i
    else if (byTurns && role !== 'system' && turn >= 0) join(i, turn)
  })
  return [...new Set(units)]
}
