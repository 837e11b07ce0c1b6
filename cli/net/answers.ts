// Results for unexpected answers of servers.
import { diagnoseNowhere } from '../../bindings/document/diagnose.ts'
import { membersOf } from '../../bindings/document/parse.ts'
import { isObject, type JsonObject, member } from '../../bindings/text/members.ts'
import { FETCH_DIRECTORY } from '../findings.ts'
import { type Result, unreadable } from '../outcome.ts'
import type { Answer } from './server.ts'

/** The result for a server without a usable answer. */
export function noAnswer(origin: string, answer: Answer): Result {
  const detail =
    'problem' in answer ? answer.problem : `${origin} answers ${answer.status}${wordsOf(membersOf(answer.bytes))}`
  return unreadable({ file: null, diagnostics: [diagnoseNowhere(FETCH_DIRECTORY, { detail }, origin)] })
}

/** Quotes an error, after a colon: the first finding of a directory, or the detail of a problem (RFC 9457). */
export function wordsOf(members: JsonObject): string {
  const diagnostics = member(members, 'diagnostics')
  const first: unknown = Array.isArray(diagnostics) ? diagnostics[0] : undefined
  const words = (isObject(first) && member(first, 'detail')) || member(members, 'detail')
  return typeof words === 'string' ? `: ${words}` : ''
}
