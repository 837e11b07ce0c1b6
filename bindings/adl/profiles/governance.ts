// The governance profile 1.0: the members of its revision of February 2026, which ADL 0.1 refers to, and those that the
// revisions of March to May added under the same name.
//
// The tiers of autonomy, from the revisions of the governance profile of March to May 2026. ADL 0.1 refers to an
// earlier revision without tiers. So a document that does not mention autonomy only gets advice, and one that does must
// meet the rules of its tier.
import { timeOf } from '../../schema/times.ts'
import { member, objectMember, textMember } from '../../text/members.ts'
import type { Agent } from '../subject.ts'
import { type Checks, foundIn, type ProfileRule } from './profile.ts'

const DAY = 86_400_000

/** The tier that the document declares; 0 if it declares no valid tier. */
function tierOf({ root }: Agent): number {
  const tier = member(objectMember(root, 'autonomy')?.value, 'tier')
  return tier === 1 || tier === 2 || tier === 3 ? tier : 0
}

/** Whole days from one time to another; NaN if either is invalid. */
const daysBetween = (from: number, to: number) => Math.floor((to - from) / DAY)

function momentOf(of: ReturnType<typeof objectMember>, name: string): number {
  const text = textMember(of, name)?.value ?? ''
  return timeOf(text) ?? Date.parse(text)
}

export const GOVERNANCE: Checks = {
  'GOV-06': ({ root }, report) => {
    if (member(root.value, 'lifecycle') !== undefined) return
    report('/lifecycle', "Governance profile requires 'lifecycle' member")
  },
  'GOV-10': ({ root }, report) => {
    if (member(root.value, 'autonomy') !== undefined) return
    report('/autonomy', "Governance profile recommends 'autonomy' member: its later revisions require it")
  },
  'GOV-12': (agent, report) => {
    if (tierOf(agent) < 2 || member(agent.root.value, 'human_oversight') !== undefined) return
    report('/human_oversight', "Autonomy tier 2 and 3 require 'human_oversight' member")
  },
  'GOV-13': (agent, report) => {
    const oversight = objectMember(agent.root, 'human_oversight')
    if (tierOf(agent) < 2 || oversight === undefined) return
    for (const name of ['triggers', 'response_time_minutes']) {
      if (member(oversight.value, name) !== undefined) continue
      report(`${oversight.pointer}/${name}`, `Autonomy tier 2 and 3 require '${name}' in ${oversight.pointer}`)
    }
  },
  'GOV-14': demandTrue(2, 'incident_response', 'policy_documented'),
  'GOV-15': demandTrue(2, 'disclosure', 'required'),
  'GOV-16': (agent, report) => {
    if (tierOf(agent) < 3) return
    const evaluation = member(agent.root.value, 'evaluation_attestation')
    const result = textMember(objectMember(agent.root, 'evaluation_attestation'), 'result')
    const detail = "Autonomy tier 3 requires evaluation_attestation.result to be 'passed'"
    if (evaluation === undefined) report('/evaluation_attestation', detail)
    else if (result?.value === 'conditional' || result?.value === 'failed')
      report(result.pointer, detail + foundIn(result.value))
  },
  'GOV-17': (agent, report) => {
    if (tierOf(agent) < 3 || member(agent.root.value, 'governance_record_ref') !== undefined) return
    report('/governance_record_ref', "Autonomy tier 3 recommends 'governance_record_ref' member")
  },
  'governance-incident-test': ({ root }, report, { now }) => {
    const response = objectMember(root, 'incident_response')
    if (response === undefined) return
    const pointer = `${response.pointer}/last_tested`
    if (member(response.value, 'last_tested') === undefined) {
      report(pointer, "incident_response has no 'last_tested'")
      return
    }
    const days = daysBetween(momentOf(response, 'last_tested'), now.getTime())
    if (days > 90) report(pointer, `incident_response was last tested ${days} days ago, expected at most 90`)
  },
  'governance-evaluation-conditional': (agent, report) => {
    const result = textMember(objectMember(agent.root, 'evaluation_attestation'), 'result')
    // Tier 3 requires more, which GOV-16 checks.
    if (result?.value !== 'conditional' || tierOf(agent) === 3) return
    report(result.pointer, 'The evaluation was passed under conditions: see that they hold')
  },
  'governance-evaluation-expiry': ({ root }, report, { now }) => {
    const evaluation = objectMember(root, 'evaluation_attestation')
    const expires = momentOf(evaluation, 'expires_at')
    const days = daysBetween(now.getTime(), expires)
    const pointer = `${evaluation?.pointer}/expires_at`
    if (expires <= now.getTime()) report(pointer, 'The evaluation has expired')
    else if (days < 30) report(pointer, `The evaluation expires in ${days} days`)
  },
  'governance-autonomy-level': (agent, report) => {
    const level = textMember(objectMember(agent.root, 'risk_classification'), 'autonomy_level')
    const tier = tierOf(agent)
    if (level === undefined || tier === 0 || !/^L[0-5]$/.test(level.value)) return
    const fitting = Math.floor(Number(level.value[1]) / 2) + 1
    if (fitting !== tier)
      report(level.pointer, `autonomy_level ${level.value} is of tier ${fitting}, autonomy.tier is ${tier}`)
  },
}

/** From this tier on, a member must be present and its flag true. */
function demandTrue(from: number, name: string, flag: string): NonNullable<ProfileRule['check']> {
  return (agent, report) => {
    if (tierOf(agent) < from) return
    const detail = `Autonomy tier ${from} and above requires ${name}.${flag} to be true`
    const there = objectMember(agent.root, name)
    if (member(agent.root.value, name) === undefined) report(`/${name}`, detail)
    else if (member(there?.value, flag) === false) report(`${there?.pointer}/${flag}`, detail + foundIn(false))
  }
}
