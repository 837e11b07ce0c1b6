// What servers answer that do not do what they were asked, as results.
import { diagnose, type FindingKind } from '../../bindings/document/diagnose.ts'
import { Lines } from '../../bindings/document/index.ts'
import { isObject, type JsonObject, member } from '../../bindings/document/members.ts'
import type { Result } from '../context.ts'
import { type Answer, membersOf } from './server.ts'

export const NO_ANSWER: FindingKind = {
  code: 'DOC-189',
  rule: 'fetch/directory',
  title: 'Server that gives no answer',
  spec: 'docs/cli.md',
  severity: 'error',
}

/** The result for a directory that gives no answer of use. */
export function noAnswer(origin: string, answer: Answer): Result {
  const detail =
    'problem' in answer ? answer.problem : `${origin} answers ${answer.status}${wordsOf(membersOf(answer.bytes))}`
  const nowhere = { pointer: '', offset: 0, endOffset: 0, detail }
  const diagnostic = diagnose(new Lines(new Uint8Array()), NO_ANSWER, nowhere, origin)
  return { file: null, kind: null, valid: false, diagnostics: [diagnostic] }
}

/** What an error says, behind a colon: the first finding of a directory, or the detail of a problem (RFC 9457). */
export function wordsOf(members: JsonObject): string {
  const diagnostics = member(members, 'diagnostics')
  const first: unknown = Array.isArray(diagnostics) ? diagnostics[0] : undefined
  const words = (isObject(first) && member(first, 'detail')) || member(members, 'detail')
  return typeof words === 'string' ? `: ${words}` : ''
}
