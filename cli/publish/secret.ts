// The secret of a server, from which its tokens follow.
import type { Host } from '../host.ts'
import { UsageError } from '../usage.ts'

/** The secret of the server, which the command requires. */
export function neededSecret(command: string, { env }: Host): string {
  const secret = env['TOKEN_SECRET']
  if (secret && /^[\x21-\x7e]+$/.test(secret)) return secret
  const message = secret
    ? 'TOKEN_SECRET: expected characters of ASCII without spaces'
    : `${command} needs the secret of the server in TOKEN_SECRET`
  throw new UsageError('missing-secret', message, 'the server has it by that name: docs/guide/edge.md, "Tokens"')
}

export function needHolders(command: string, holders: readonly string[]): void {
  if (holders.length > 0) return
  throw new UsageError('missing-argument', `${command} needs a HOLDER`, 'a name for whoever uses it, such as ci')
}
