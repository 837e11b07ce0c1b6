import { validate } from '../../bindings/card/validate.ts'
import { notWanted } from '../../bindings/directory/findings.ts'
import type { Document } from '../../bindings/document/index.ts'
import { type JsonObject, member } from '../../bindings/text/members.ts'
import { NO_ANSWER } from '../findings.ts'
import type { Host } from '../host.ts'
import { wordsOf } from '../net/answers.ts'
import { objectsIn } from '../net/rules.ts'
import { askPatiently, membersOf } from '../net/server.ts'
import { type Published, refused, type Target } from './target.ts'

/** Reasons for not storing a card that are no fault. */
const WELL = ['equal', 'renewed']

/** Sends an Agent Card to a directory (adp.advertise). An invalid card is not sent. */
export async function publishCard(document: Document, file: string, target: Target, host: Host): Promise<Published> {
  const { valid, diagnostics } = validate(document)
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
  return { ...refused(document, file, 'card', whyNot(advertised.reason, members)), advertised }
}

/** An operator's decision comes with words of its own, behind what there is to say of the card. */
function whyNot(reason: string, members: JsonObject): string {
  const told = objectsIn(members, 'diagnostics').findLast((finding) => member(finding, 'code') === notWanted.code)
  const words = told && member(told, 'detail')
  return typeof words === 'string' ? words : `the directory keeps what it has: ${reason}`
}
