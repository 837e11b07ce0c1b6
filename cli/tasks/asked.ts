// Common parts of the commands about tasks.
import type { TaskAnswer } from '../../bindings/agp/tasks.ts'
import { domainOf } from '../discover/domain.ts'
import { EXIT } from '../exit.ts'
import { PRIVATE_KEY } from '../keys.ts'
import type { Options } from '../options.ts'
import { answer, type Outcome, unreadable } from '../outcome.ts'
import { UsageError } from '../usage.ts'

/** The agent that sends the request, identified by its key. */
export const CALLER = {
  as: { value: 'AGENT', needed: 'as in --as agent:alice.example.com', about: 'your own agent, whose key signs' },
  key: { ...PRIVATE_KEY, needed: 'as in --key alice.key or --key env:AGENT_KEY' },
} as const satisfies Options

export const callerIn = (text: string): string => `agent:${domainOf(text)}`

/** The other agent's answer about a task, or the reason why it is missing. */
export function outcomeOf(answered: TaskAnswer, notes: readonly string[] = []): Outcome {
  if (answered.ok) return { results: [answer({ task: answered.task })], notes }
  return { results: [unreadable({ file: null, diagnostics: [answered.diagnostic] })], exit: EXIT.unreadable }
}

/** Reads the only argument, the URL of a task. */
export function addressIn(name: string, [url, ...more]: readonly string[]): string {
  if (url !== undefined && more.length === 0 && URL.canParse(url)) return url
  throw new UsageError('wrong-arguments', `${name} takes the status URL of one task`, 'blazon tasks send writes it')
}
