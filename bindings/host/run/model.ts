// The adapters through which a run reaches models and tools. The program that runs an agent provides them.

import type { ExecutionLimits, TokenCount } from '../../agentlang/functions/budget/budget.ts'
import type { ContextMessage } from '../../agentlang/functions/context/plan.ts'
import type { ToolOutcome } from '../../agentlang/functions/tools/contract.ts'
import type { PermissionRequest } from '../../policy/request.ts'
import type { JsonObject } from '../../text/members.ts'

export interface ModelCall {
  readonly id: string
  readonly tool: string
  readonly input: JsonObject
}

/** A message of a conversation. Agents of one run share it; `agent_id` says whose message it is. */
export interface RunMessage extends ContextMessage {
  readonly agent_id: string
  readonly content: string
  /** The calls that an assistant makes. A message of the role `tool` answers the call of its `call_ids`. */
  readonly calls?: readonly ModelCall[]
}

/** A tool as a model sees it. */
export interface ToolDefinition {
  readonly name: string
  readonly description?: string
  readonly input_schema: JsonObject
  readonly output_schema?: unknown
}

export interface TurnOptions {
  readonly agent_id: string
  /** The key in `models`; undefined for an agent that names no model. */
  readonly model: string | undefined
  readonly provider: string | undefined
  /** The options of the model in agent.yaml, such as `temperature`. */
  readonly options: JsonObject
  /** The most tokens that the answer may have. */
  readonly maxTokens: number
  readonly signal: AbortSignal
}

/** The answer of a model: a text, calls, or both. Without calls the agent has finished. */
export interface ModelTurn {
  readonly text?: string
  /** Its reasoning, if it shows it. */
  readonly thought?: string
  readonly calls?: readonly Omit<ModelCall, 'id'>[]
  /** Without it, the most that the call can cost is charged. */
  readonly usage?: TokenCount
}

export interface ModelAdapter {
  /** Asks the model once. Rejects with the reason of a failure. */
  turn(messages: readonly RunMessage[], tools: readonly ToolDefinition[], options: TurnOptions): Promise<ModelTurn>
  /** Counts the tokens of a text. Without it, budgets count each byte, and windows four bytes, as one token. */
  tokens?(text: string): number
}

export interface CallContext {
  readonly agent_id: string
  readonly signal: AbortSignal
  /** The lists of the agent and of those that it works for. Each must allow a URL or a path. */
  readonly allowedUrls: readonly (readonly string[])[]
  readonly allowedPaths: readonly (readonly string[])[]
  readonly limits: ExecutionLimits
  /** Asks for a command, a URL or a file right before it is used: gives the reason why it is refused. */
  readonly permit?: (request: PermissionRequest) => Promise<string | undefined>
}

/** A tool that the host provides. */
export interface RunTool {
  readonly definition: ToolDefinition
  /** The capabilities without which it is not offered. */
  readonly needs?: readonly string[]
  /** It ends its work after `max_exec_time` itself. So the time in which it waits for its turn does not count. */
  readonly timesItself?: boolean
  call(input: JsonObject, context: CallContext): Promise<ToolOutcome>
}
