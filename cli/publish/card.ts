import { checkCard } from '../../bindings/card/check.ts'
import type { Document } from '../../bindings/document/index.ts'
import { member } from '../../bindings/document/members.ts'
import type { Result } from '../context.ts'
import type { Host } from '../host.ts'
import { NO_ANSWER, wordsOf } from '../net/answers.ts'
import { askPatiently, membersOf } from '../net/server.ts'
import { refused, type Target } from './target.ts'

/** Reasons for which a card is not stored though all is well with it. */
const WELL = ['equal', 'renewed']

/** Sends an Agent Card to a directory (adp.advertise). What is not valid is sent to nobody. */
export async function publishCard(document: Document, file: string, target: Target, host: Host): Promise<Result> {
  const { valid, diagnostics } = checkCard(document)
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  if (!valid) return { file, kind: 'card', valid, diagnostics: errors }
  const { origin, token, vouched } = target
  const headers = { 'content-type': 'application/json', ...(vouched && { authorization: `Bearer ${token}` }) }
  const body = new Uint8Array(document.bytes)
  const answer = await askPatiently(host, `${origin}/adp/advertise`, { method: 'POST', headers, body })
  if ('problem' in answer) return refused(document, file, 'card', answer.problem, NO_ANSWER)
  const members = membersOf(answer.bytes)
  const stored = member(members, 'stored')
  const reason = member(members, 'reason')
  if (answer.status !== 200 || typeof stored !== 'boolean') {
    return refused(document, file, 'card', `the directory answers ${answer.status}${wordsOf(members)}`)
  }
  const advertised = { id: (document.value as { id: string }).id, stored, reason: String(reason) }
  if (stored || WELL.includes(advertised.reason))
    return { file, kind: 'card', valid: true, diagnostics: [], advertised }
  return { ...refused(document, file, 'card', `the directory keeps what it has: ${advertised.reason}`), advertised }
}
