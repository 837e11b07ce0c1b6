import { timeOf } from '../../schema/times.ts'
import { member, textMember } from '../../text/members.ts'
import { quoted, shown } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { ATTESTATION_DATES, ATTESTATION_OWN_KEY } from '../findings.ts'
import { attestationExpiry } from '../rules/attestation-expiry.ts'
import { isMonthAhead } from '../times.ts'
import type { AdlSteps } from './steps.ts'

/** Checks the dates. They only cause warnings: ADL section 18.1 accepts an expired attestation with a warning. */
export function checkDates(agent: Agent, now: Date, steps: AdlSteps): void {
  const issued = dateOf(agent, 'issued_at')
  const expires = dateOf(agent, 'expires_at')
  if (issued === undefined) steps.skipped('issued', 'there is no issued_at')
  else {
    const { text, time, pointer } = issued
    const remark = { rule: ATTESTATION_DATES, pointer }
    if (time === undefined) steps.warning('issued', `issued_at is no timestamp: ${text}`, remark)
    else if (time > (expires?.time ?? time)) steps.warning('issued', `issued after it expires: ${text}`, remark)
    else if (time > now.getTime()) steps.warning('issued', `issued in the future: ${text}`, remark)
    else steps.passed('issued', text)
  }
  if (expires === undefined) steps.skipped('expiry', 'there is no expires_at: it does not expire')
  else {
    const { text, time, pointer } = expires
    const remark = { rule: attestationExpiry, pointer }
    if (time === undefined) {
      steps.warning('expiry', `expires_at is no timestamp: ${text}`, { rule: ATTESTATION_DATES, pointer })
    } else if (time <= now.getTime()) steps.warning('expiry', `expired: ${text}`, remark)
    else if (!isMonthAhead(time, now)) steps.warning('expiry', `expires within 30 days: ${text}`, remark)
    else steps.passed('expiry', text)
  }
}

interface PlacedDate {
  readonly pointer: string
  readonly text: string
  readonly time: number | undefined
}

function dateOf({ attestation }: Agent, name: string): PlacedDate | undefined {
  const value = member(attestation?.value, name)
  if (value === undefined) return undefined
  const time = typeof value === 'string' ? timeOf(value) : undefined
  return { pointer: `${attestation!.pointer}/${name}`, text: shown(value), time }
}

/** @param ownKey whether the key that verified the signature is the agent's own. */
export function checkAttestation(agent: Agent, ownKey: boolean, steps: AdlSteps): void {
  const type = textMember(agent.attestation, 'type')
  if (checkCredential(agent, steps)) return
  if (type?.value === 'third_party' && ownKey) {
    const detail = 'third_party, but signed with the key of the agent itself'
    steps.warning('attestation', detail, { rule: ATTESTATION_OWN_KEY, pointer: type.pointer })
  } else steps.passed('attestation', type === undefined ? 'no type is named' : quoted(type.value))
}

/** Checks an attestation without a signature: it may be a credential that is stored elsewhere. */
export function checkUnsigned(agent: Agent, now: Date, steps: AdlSteps): void {
  if (agent.attestation === undefined) return
  checkDates(agent, now, steps)
  checkCredential(agent, steps)
}

/** Reports that a credential itself is not checked; returns whether there is one. */
function checkCredential({ attestation }: Agent, steps: AdlSteps): boolean {
  if (textMember(attestation, 'type')?.value !== 'verifiable_credential') return false
  steps.skipped('attestation', 'verifiable_credential: the credential itself is not checked')
  return true
}
