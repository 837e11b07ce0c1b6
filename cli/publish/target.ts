import type { PublicationOptions } from '../../bindings/adl/publication.ts'
import { diagnose, type FindingKind } from '../../bindings/document/diagnose.ts'
import type { Document } from '../../bindings/document/index.ts'
import type { Arguments } from '../arguments.ts'
import type { Result } from '../context.ts'
import type { Host } from '../host.ts'
import { readServer } from '../net/server.ts'
import { UsageError } from '../usage.ts'

export const REFUSED: FindingKind = {
  code: 'DOC-186',
  rule: 'publish/refused',
  title: 'Not published',
  spec: 'docs/cli.md',
  severity: 'error',
}

/** Where documents go, and what goes with them. */
export interface Target {
  readonly origin: string
  readonly token: string | undefined
  readonly confirmed: PublicationOptions
  /** Whether the operator vouches for cards that cannot be verified. */
  readonly vouched: boolean
}

export function readTarget(options: Arguments['options'], { env }: Host): Target {
  const { origin } = neededServer('publish', 'to', options)
  const token = env['BLAZON_TOKEN'] || undefined
  const vouched = options.has('vouch')
  if (vouched && token === undefined) throw missingToken('publish --vouch')
  const confirmed = { reviewed: options.has('reviewed'), acknowledged: options.list('acknowledge') }
  return { origin, token, confirmed, vouched }
}

/** The server that an option names which the command cannot do without. */
export function neededServer(command: string, option: string, options: Arguments['options']): URL {
  const text = options.text(option)
  if (text !== undefined) return readServer(option, text)
  const message = `${command} needs --${option} URL`
  throw new UsageError('missing-option', message, `as in --${option} https://agents.example.com`)
}

export function missingToken(what: string): UsageError {
  const message = `${what} needs the token of the server in BLAZON_TOKEN`
  return new UsageError('missing-token', message, 'npm start prints one for the server that it starts')
}

/** The result for a document that the server, or this program, does not take, or for which the server has no answer. */
export function refused(document: Document, file: string, kind: string, detail: string, as = REFUSED): Result {
  const { offset, endOffset } = document.source('')
  const place = { pointer: '', offset, endOffset: Math.min(endOffset, offset + 1), detail }
  return { file, kind, valid: false, diagnostics: [diagnose(document.lines, as, place, document.file)] }
}
