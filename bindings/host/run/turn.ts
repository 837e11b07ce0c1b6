// One call of a model, paid from the budget of its agent.
import type { Budget, TokenCount } from '../../agentlang/functions/budget/budget.ts'
import { isObject, isText, member, objectOf } from '../../text/members.ts'
import type { NamedModel } from './crew.ts'
import type { ModelAdapter, ModelTurn, RunMessage, ToolDefinition } from './model.ts'
import { RunStop } from './session.ts'
import { aborted } from './tools.ts'

/** The most calls of one turn. */
const MOST_CALLS = 128
/** In UTF-16 units. */
const LONGEST_TEXT = 1 << 20
const DEFAULT_OUTPUT_TOKENS = 4096
const NO_TOKENS: TokenCount = { input: 0, output: 0 }
/** Tokens that the form of a message takes, at most. */
const MESSAGE_TOKENS = 16

const encoder = new TextEncoder()

/** The agent whose model is asked. */
interface Asker {
  readonly id: string
  readonly model: NamedModel
  readonly budget: Budget
}

interface Question {
  readonly messages: readonly RunMessage[]
  readonly tools: readonly ToolDefinition[]
  readonly signal: AbortSignal
}

/** Asks a model. The most that the call can cost is reserved before it. */
export async function turnOf(
  adapter: ModelAdapter,
  { id, model, budget }: Asker,
  { messages, tools, signal }: Question,
): Promise<ModelTurn> {
  const limit = member(model.options, 'max_tokens')
  const maxTokens = Number.isSafeInteger(limit) && (limit as number) > 0 ? (limit as number) : DEFAULT_OUTPUT_TOKENS
  const texts = [...messages.map(textOf), ...tools.map((tool) => JSON.stringify(tool))]
  const most = { input: texts.reduce((sum, text) => sum + mostTokens(text, adapter), 0), output: maxTokens }
  const settle = budget.reserve(most)
  if (settle === undefined) throw new RunStop('stopped', `${id}: the budget does not allow another call of the model`)
  let usage: TokenCount = NO_TOKENS
  try {
    signal.throwIfAborted()
    // A call that is cancelled may have cost the most; one that failed has cost nothing.
    usage = most
    const asked = async () => {
      try {
        return await adapter.turn(messages, tools, { agent_id: id, ...model, maxTokens, signal })
      } catch (error) {
        if (!signal.aborted) usage = NO_TOKENS
        throw error
      }
    }
    const answer = await Promise.race([asked(), aborted(signal).then((): never => signal.throwIfAborted() as never)])
    usage = usageIn(answer) ?? most
    // Then nothing holds the next call below the cap.
    if (budget.remaining !== undefined && (usage.input > most.input || usage.output > most.output))
      throw new RunStop('stopped', `${id}: the model used more tokens than a call may, so no budget can be kept`, true)
    return checkedTurn(answer)
  } catch (error) {
    if (signal.aborted || error instanceof RunStop) throw error
    throw new RunStop('failed', `the model failed: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    settle(usage)
  }
}

/** An upper bound of the tokens of a text: tokens have a byte at least. */
const mostTokens = (text: string, { tokens }: ModelAdapter): number =>
  MESSAGE_TOKENS + (tokens?.(text) ?? encoder.encode(text).length)

/** All that a model reads of a message. */
export const textOf = ({ content, calls }: Pick<RunMessage, 'content' | 'calls'>): string =>
  calls === undefined ? content : content + JSON.stringify(calls)

/** Adapters and models may give anything. */
function checkedTurn(answer: unknown): ModelTurn {
  const { text, thought, calls = [] } = objectOf(answer)
  const fail = (what: string) => new RunStop('failed', `the model gave an invalid answer: ${what}`)
  const texts = [text, thought].filter((one) => one !== undefined)
  if (!isObject(answer) || !texts.every(isText)) throw fail('expected texts')
  if (texts.some((one) => (one as string).length > LONGEST_TEXT))
    throw fail(`a text has over ${LONGEST_TEXT} characters`)
  if (!Array.isArray(calls) || calls.length > MOST_CALLS) throw fail(`expected a list of up to ${MOST_CALLS} calls`)
  const made = calls.map((call: unknown) => {
    const { tool, input } = objectOf(call)
    if (!isText(tool) || !isObject(input)) throw fail('a call needs a tool and an input that is an object')
    return { tool, input }
  })
  return { ...(objectOf(answer) as ModelTurn), calls: made, usage: usageIn(answer) } as ModelTurn
}

function usageIn(answer: unknown): TokenCount | undefined {
  const { input, output } = objectOf(member(objectOf(answer), 'usage'))
  const isCount = [input, output].every((count) => Number.isSafeInteger(count) && (count as number) >= 0)
  return isCount ? ({ input, output } as TokenCount) : undefined
}
