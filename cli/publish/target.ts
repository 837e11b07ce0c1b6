import type { PublicationOptions } from '../../bindings/adl/publication.ts'
import { diagnose } from '../../bindings/document/diagnose.ts'
import type { FindingKind } from '../../bindings/document/finding.ts'
import type { Document } from '../../bindings/document/parse.ts'
import type { Option } from '../command.ts'
import { PUBLISH_REFUSED } from '../findings.ts'
import type { Host } from '../host.ts'
import { readServer } from '../net/server.ts'
import type { Result } from '../outcome.ts'
import { UsageError } from '../usage.ts'

/** The result for a document to publish. */
export interface PublishResult extends Result {
  /** The URL of a published definition. */
  readonly url?: unknown
  /** The directory's answer for a card. */
  readonly advertised?: { readonly id: string; readonly stored: boolean; readonly reason: string }
}

/** The destination of documents, with its credentials. */
export interface Target {
  readonly origin: string
  readonly token: string | undefined
  readonly confirmed: PublicationOptions
  /** True when a definition may replace other content of its version. */
  readonly mayReplace: boolean
  /** True when the operator vouches for cards that cannot be verified. */
  readonly vouched: boolean
}

interface Confirmed {
  readonly reviewed: boolean
  readonly acknowledge: readonly string[]
  readonly vouch: boolean
  readonly replace: boolean
}

export function readTarget(server: string | undefined, options: Confirmed, { env }: Host): Target {
  const { origin } = neededServer('publish', server)
  const token = env['BLAZON_TOKEN'] || undefined
  const { vouch: vouched, reviewed, acknowledge: acknowledged, replace: mayReplace } = options
  if (vouched && token === undefined) throw missingToken('publish --vouch')
  return { origin, token, confirmed: { reviewed, acknowledged }, mayReplace, vouched }
}

/** The option `server`, the same in every command; docs/reference/cli.md lists its other names. */
export const SERVER = {
  value: 'URL',
  aliases: ['to', 'from', 'at', 'directory'],
  about: 'the server; https, or http on this machine',
} as const satisfies Option

/** Reads the server from its option; a missing one is a usage error. */
export function neededServer(command: string, text: string | undefined): URL {
  if (text !== undefined) return readServer('server', text)
  const message = `${command} needs --server URL`
  throw new UsageError('missing-option', message, 'as in --server https://agents.example.com')
}

export function missingToken(what: string): UsageError {
  const message = `${what} needs the token of the server in BLAZON_TOKEN`
  return new UsageError(
    'missing-token',
    message,
    'the operator of the server can make one with blazon token create; npm start prints one for its server',
  )
}

/** Reads the token of the server from the environment. */
export function neededToken(command: string, { env }: Host): string {
  const token = env['BLAZON_TOKEN']
  if (token) return token
  throw missingToken(command)
}

/** Why a document is not published. */
export interface Refusal {
  readonly detail: string
  /** What to do about it. */
  readonly hint?: string | undefined
  /** The finding to report; by default a refusal by the server. */
  readonly as?: FindingKind
}

/** The result for a document that is not published. */
export function refused(
  document: Document,
  file: string,
  kind: string,
  { detail, hint, as = PUBLISH_REFUSED }: Refusal,
): Result {
  const { offset, endOffset } = document.source('')
  const place = {
    pointer: '',
    offset,
    endOffset: Math.min(endOffset, offset + 1),
    detail,
    fix: hint === undefined ? undefined : { hint },
  }
  const valid = as.severity !== 'error'
  return { file, kind, valid, diagnostics: [diagnose(document.lines, as, place, document.file)] }
}

// The secret of a server, which all its tokens are derived from.

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
