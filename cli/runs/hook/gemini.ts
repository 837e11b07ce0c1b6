// The events of Gemini CLI in the words of Claude Code: https://geminicli.com/docs/hooks/reference
import { isObject, type JsonObject, member, objectOf } from '../../../bindings/text/members.ts'

const NAMES: ReadonlyMap<unknown, string> = new Map([
  ['BeforeTool', 'PreToolUse'],
  ['AfterTool', 'PostToolUse'],
  ['BeforeAgent', 'UserPromptSubmit'],
  ['AfterAgent', 'Stop'],
])

/** Other events keep their names. */
export function fromGemini({ timestamp: _, ...event }: JsonObject): JsonObject {
  const name = event['hook_event_name']
  const common = { ...event, hook_event_name: NAMES.get(name) ?? name }
  if (name === 'AfterAgent') return { ...common, last_assistant_message: event['prompt_response'] }
  const error = name === 'AfterTool' ? member(objectOf(event['tool_response']), 'error') : undefined
  if (error === undefined) return common
  return {
    ...common,
    hook_event_name: 'PostToolUseFailure',
    error: isObject(error) ? member(error, 'message') : error,
  }
}
