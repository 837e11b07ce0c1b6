// The secret of a server, which all its tokens are derived from.
import type { Host } from '../host.ts'
import { UsageError } from '../usage.ts'

/** Reads the secret of the server from the environment. */
export function neededSecret(command: string, { env }: Host): string {
  const secret = env['TOKEN_SECRET']
  if (secret && /^[\x21-\x7e]+$/.test(secret)) return secret
  const message = secret
    ? 'TOKEN_SECRET: expected ASCII characters without spaces'
    : `${command} needs the secret of the server in TOKEN_SECRET`
  throw new UsageError('missing-secret', message, 'use the same value as the server: docs/guide/edge.md, "Tokens"')
}

export function needHolders(command: string, holders: readonly string[]): void {
  if (holders.length > 0) return
  throw new UsageError('missing-argument', `${command} needs a HOLDER`, 'name who uses the token, such as ci')
}
