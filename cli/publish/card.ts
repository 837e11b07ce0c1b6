import { checkCard } from '../../bindings/card/check.ts'
import type { Document } from '../../bindings/document/index.ts'
import { isObject, member } from '../../bindings/document/members.ts'
import type { Result } from '../context.ts'
import type { Host } from '../host.ts'
import { type Answer, ask, membersOf } from '../net/server.ts'
import { refused, type Target } from './target.ts'

/** Times that a directory is asked which has no time now. */
const MOST_TRIES = 6
const LONGEST_WAIT_MS = 120_000

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
  const answer = await patiently(host, () => ask(host, `${origin}/adp/advertise`, { method: 'POST', headers, body }))
  if ('problem' in answer) return refused(document, file, 'card', answer.problem)
  const members = membersOf(answer.bytes)
  const stored = member(members, 'stored')
  const reason = member(members, 'reason')
  if (answer.status !== 200 || typeof stored !== 'boolean') {
    const [first] = (member(members, 'diagnostics') ?? []) as readonly unknown[]
    const detail = (isObject(first) && member(first, 'detail')) || member(members, 'detail')
    return refused(
      document,
      file,
      'card',
      `the directory answers ${answer.status}${detail ? `: ${String(detail)}` : ''}`,
    )
  }
  const advertised = { id: (document.value as { id: string }).id, stored, reason: String(reason) }
  if (stored || WELL.includes(advertised.reason))
    return { file, kind: 'card', valid: true, diagnostics: [], advertised }
  return { ...refused(document, file, 'card', `the directory keeps what it has: ${advertised.reason}`), advertised }
}

/** Asks again, when the directory says that it is busy, after the time that it names. */
async function patiently(host: Host, attempt: () => Promise<Answer>): Promise<Answer> {
  for (let tried = 1; ; tried++) {
    const answer = await attempt()
    const isBusy = 'status' in answer && (answer.status === 429 || answer.status === 503)
    if (!isBusy || tried === MOST_TRIES) return answer
    const named = Number(answer.headers.get('retry-after') ?? Number.NaN)
    const wait = Number.isFinite(named) && named >= 0 ? named * 1000 : 500 * 2 ** tried
    await host.wait(Math.min(wait, LONGEST_WAIT_MS))
  }
}
