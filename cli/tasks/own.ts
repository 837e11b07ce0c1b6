// The tasks of an agent on its own server, for the holder of a token.

import type { TaskAnswer } from '../../bindings/agp/tasks.ts'
import type { Context, Options } from '../command.ts'
import type { OperatorServer } from '../net/rules.ts'
import { answer, type Outcome, unreadable } from '../outcome.ts'
import { neededServer, neededToken, SERVER } from '../publish/target.ts'
import { EXIT, UsageError } from '../usage.ts'

export const AT = { server: SERVER } as const satisfies Options

/** Reads the server, and the path of the tasks of the agent that the first argument names. */
export function ownTasks(
  { name, options, positionals, host }: Context<typeof AT>,
  expected: readonly string[],
): { readonly server: OperatorServer; readonly path: string } {
  const token = neededToken(name, host)
  const { origin } = neededServer(name, options.server)
  if (positionals.length !== expected.length || positionals.includes('')) {
    const words = expected.join(' and ')
    throw new UsageError('wrong-arguments', `${name} takes ${words}`, `blazon ${name} --help`)
  }
  return { server: { host, origin, token }, path: `/v1/agents/${encodeURIComponent(positionals[0]!)}/tasks` }
}

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
