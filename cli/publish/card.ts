import { keyOfName, readAgentUri } from '../../bindings/card/agent-uri.ts'
import { validate, verify } from '../../bindings/card/verbs.ts'
import { DIRECTORY_NOT_ADMITTED } from '../../bindings/directory/findings.ts'
import { type Document, membersOf } from '../../bindings/document/parse.ts'
import { type JsonObject, member } from '../../bindings/text/members.ts'
import { FETCH_DIRECTORY } from '../findings.ts'
import type { Host } from '../host.ts'
import { wordsOf } from '../net/answers.ts'
import { objectsIn } from '../net/rules.ts'
import { askPatiently } from '../net/server.ts'
import { type PublishResult, refused, type Target } from './target.ts'

/** Reasons for not storing a card that are not faults. */
const HARMLESS = ['equal', 'renewed']

/** What to do about a card that does not prove who published it. */
const NO_KEY_ID =
  'use the id of your key and sign the card: blazon init --kind card --new-key FILE writes such a card, blazon keygen shows the id of a key; or an operator vouches for it with --vouch'
const UNSIGNED = 'sign it: blazon sign FILE --key KEY --out FILE, with the key in its id'
const NOT_HELD =
  'its signature does not verify: sign it again with the key in its id, blazon sign FILE --key KEY --out FILE'

/** What to do, by the status of the refusal. */
const WAYS: Readonly<Record<number, string>> = {
  401: 'BLAZON_TOKEN is not a token of this server: blazon token create makes one',
  413: 'a card has at most 65,535 bytes',
  429: 'send it again later',
}
const RAISE = 'blazon bump writes the next version of a card; sign it again'

/** Sends an Agent Card to a directory (adp.advertise). Invalid cards are not sent. */
export async function publishCard(
  document: Document,
  file: string,
  target: Target,
  host: Host,
): Promise<PublishResult> {
  const { valid, diagnostics } = validate(document)
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  if (!valid) return { file, kind: 'card', valid, diagnostics: errors }
  const { origin, token, vouched } = target
  const headers = { 'content-type': 'application/json', ...(vouched && { authorization: `Bearer ${token}` }) }
  const body = new Uint8Array(document.bytes)
  const answer = await askPatiently(host, `${origin}/adp/advertise`, { method: 'POST', headers, body })
  if ('problem' in answer) return refused(document, file, 'card', { detail: answer.problem, as: FETCH_DIRECTORY })
  const members = membersOf(answer.bytes)
  const stored = member(members, 'stored')
  const reason = member(members, 'reason')
  if (answer.status !== 200 || typeof stored !== 'boolean') {
    const detail = `the directory answers ${answer.status}${wordsOf(members)}`
    const hint = answer.status === 403 ? await hintForProof(document) : WAYS[answer.status]
    return refused(document, file, 'card', { detail, hint })
  }
  const advertised = { id: (document.value as { id: string }).id, stored, reason: String(reason) }
  if (stored || HARMLESS.includes(advertised.reason))
    return { file, kind: 'card', valid: true, diagnostics: [], advertised }
  return { ...refused(document, file, 'card', whyNot(advertised.reason, members)), advertised }
}

/** Says what the card lacks to prove who published it. */
async function hintForProof(document: Document): Promise<string | undefined> {
  const { id, signature } = document.value as { readonly id: string; readonly signature?: unknown }
  const uri = readAgentUri(id)
  const key = 'detail' in uri ? undefined : await keyOfName(uri.authority, crypto.subtle)
  if (key === undefined) return NO_KEY_ID
  if (signature === undefined) return UNSIGNED
  return (await verify(document)).verdict === 'failed' ? NOT_HELD : undefined
}

/** The words of an operator's decision, which follow other findings; otherwise the advice to raise seq. */
function whyNot(reason: string, members: JsonObject): { detail: string; hint?: string } {
  const decision = objectsIn(members, 'diagnostics').findLast(
    (finding) => member(finding, 'code') === DIRECTORY_NOT_ADMITTED.code,
  )
  const words = decision && member(decision, 'detail')
  return typeof words === 'string'
    ? { detail: words }
    : { detail: `the directory keeps its current card: ${reason}`, hint: RAISE }
}
