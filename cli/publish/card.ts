import { validate } from '../../bindings/card/validate.ts'
import { notWanted } from '../../bindings/directory/findings.ts'
import type { Document } from '../../bindings/document/document.ts'
import { type JsonObject, member } from '../../bindings/text/members.ts'
import { NO_ANSWER } from '../findings.ts'
import type { Host } from '../host.ts'
import { wordsOf } from '../net/answers.ts'
import { objectsIn } from '../net/rules.ts'
import { askPatiently, membersOf } from '../net/server.ts'
import { type Published, refused, type Target } from './target.ts'

/** Reasons for not storing a card that are no fault. */
const WELL = ['equal', 'renewed']

/** The way out, by the status of a refusal. */
const WAYS: Readonly<Record<number, string>> = {
  401: 'BLAZON_TOKEN is no token of this server: blazon token create makes one',
  403: 'sign it under an id that is the key: blazon init --kind card --new-key FILE begins such a card, blazon keygen tells the id of a key, blazon sign signs; or an operator vouches for it with --vouch',
  413: 'a card has at most 65,535 bytes',
  429: 'send it again in a while',
}
const RAISE = 'blazon bump makes the next version of a card; sign it again'

/** Sends an Agent Card to a directory (adp.advertise). An invalid card is not sent. */
export async function publishCard(document: Document, file: string, target: Target, host: Host): Promise<Published> {
  const { valid, diagnostics } = validate(document)
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  if (!valid) return { file, kind: 'card', valid, diagnostics: errors }
  const { origin, token, vouched } = target
  const headers = { 'content-type': 'application/json', ...(vouched && { authorization: `Bearer ${token}` }) }
  const body = new Uint8Array(document.bytes)
  const answer = await askPatiently(host, `${origin}/adp/advertise`, { method: 'POST', headers, body })
  if ('problem' in answer) return refused(document, file, 'card', { detail: answer.problem, as: NO_ANSWER })
  const members = membersOf(answer.bytes)
  const stored = member(members, 'stored')
  const reason = member(members, 'reason')
  if (answer.status !== 200 || typeof stored !== 'boolean') {
    const detail = `the directory answers ${answer.status}${wordsOf(members)}`
    return refused(document, file, 'card', { detail, hint: WAYS[answer.status] })
  }
  const advertised = { id: (document.value as { id: string }).id, stored, reason: String(reason) }
  if (stored || WELL.includes(advertised.reason))
    return { file, kind: 'card', valid: true, diagnostics: [], advertised }
  return { ...refused(document, file, 'card', whyNot(advertised.reason, members)), advertised }
}

/** The words of an operator's decision, which stand behind other findings; without one, a higher seq helps. */
function whyNot(reason: string, members: JsonObject): { detail: string; hint?: string } {
  const told = objectsIn(members, 'diagnostics').findLast((finding) => member(finding, 'code') === notWanted.code)
  const words = told && member(told, 'detail')
  return typeof words === 'string'
    ? { detail: words }
    : { detail: `the directory keeps what it has: ${reason}`, hint: RAISE }
}
