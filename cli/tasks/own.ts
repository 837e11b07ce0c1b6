// The tasks of an agent on its own server, for the holder of a token.
import type { Context } from '../command.ts'
import type { OperatorServer } from '../net/rules.ts'
import type { Options } from '../options.ts'
import { neededServer, neededToken, SERVER } from '../publish/target.ts'
import { UsageError } from '../usage.ts'

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
