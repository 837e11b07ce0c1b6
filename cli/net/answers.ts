// Results for answers of servers that did not do as asked.
import { diagnose } from '../../bindings/document/diagnose.ts'
import { Lines } from '../../bindings/document/lines.ts'
import { isObject, type JsonObject, member } from '../../bindings/text/members.ts'
import { NO_ANSWER } from '../findings.ts'
import { type Result, unreadable } from '../outcome.ts'
import { type Answer, membersOf } from './server.ts'

/** The result for a directory that gives no answer of use. */
export function noAnswer(origin: string, answer: Answer): Result {
  const detail =
    'problem' in answer ? answer.problem : `${origin} answers ${answer.status}${wordsOf(membersOf(answer.bytes))}`
  const nowhere = { pointer: '', offset: 0, endOffset: 0, detail }
  const diagnostic = diagnose(new Lines(new Uint8Array()), NO_ANSWER, nowhere, origin)
  return unreadable({ file: null, diagnostics: [diagnostic] })
}

/** The words of an error, after a colon: the first finding of a directory, or the detail of a problem (RFC 9457). */
export function wordsOf(members: JsonObject): string {
  const diagnostics = member(members, 'diagnostics')
  const first: unknown = Array.isArray(diagnostics) ? diagnostics[0] : undefined
  const words = (isObject(first) && member(first, 'detail')) || member(members, 'detail')
  return typeof words === 'string' ? `: ${words}` : ''
}
