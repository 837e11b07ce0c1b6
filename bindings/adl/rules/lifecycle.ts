import type { Rule } from '../../frame/rule.ts'
import { timeOf } from '../../schema/times.ts'
import { textMember } from '../../text/members.ts'
import type { Agent } from '../agent.ts'
import { isMonthAhead } from '../times.ts'

const AGENT = '{"lifecycle": {"status": '

export const successorTooEarly: Rule<Agent> = {
  id: 'successor-active',
  code: 'ADL-5002',
  title: 'Successor present on active/draft agent',
  section: 'ADL 5.6',
  severity: 'warning',
  why: 'A successor tells users to move: from an agent that is in use they should not.',
  bad: `${AGENT}"active", "successor": "https://acme.example.com/agents/new"}}`,
  good: `${AGENT}"deprecated", "successor": "https://acme.example.com/agents/new"}}`,
  check({ lifecycle }, report) {
    const status = textMember(lifecycle, 'status')?.value
    if ((status !== 'active' && status !== 'draft') || textMember(lifecycle, 'successor') === undefined) return
    const detail = `Member 'successor' is for agents whose status is deprecated or retired, this one's is ${status}`
    report('/lifecycle/successor', detail, { related: [{ pointer: '/lifecycle/status', message: 'the status' }] })
  },
}

export const successorMissing: Rule<Agent> = {
  id: 'successor-missing',
  code: 'BADL-122',
  title: 'No successor',
  section: 'ADL 5.6',
  severity: 'warning',
  why: 'Users of an agent that goes away need to know where to go.',
  bad: `${AGENT}"deprecated"}}`,
  good: `${AGENT}"deprecated", "successor": "https://acme.example.com/agents/new"}}`,
  check({ lifecycle }, report) {
    const status = textMember(lifecycle, 'status')
    if (status === undefined || (status.value !== 'deprecated' && status.value !== 'retired')) return
    if (Object.hasOwn(lifecycle!.value, 'successor')) return
    report(status.pointer, `Status is ${status.value}, and no 'successor' tells what replaces the agent`)
  },
}

/** The valid statuses other than retired. */
const RUNNING = ['draft', 'active', 'deprecated']

export const sunsetPast: Rule<Agent> = {
  id: 'sunset-past',
  code: 'ADL-5003',
  title: 'Sunset date in the past with non-retired status',
  section: 'ADL 5.6',
  severity: 'warning',
  why: 'The date says that the agent is gone, the status that it is not: a deprecated one counts as retired from then on.',
  bad: `${AGENT}"active", "sunset_date": "2020-01-01T00:00:00Z"}}`,
  good: `${AGENT}"retired", "sunset_date": "2020-01-01T00:00:00Z", "successor": "https://acme.example.com/agents/new"}}`,
  check({ lifecycle }, report, { now }) {
    const date = textMember(lifecycle, 'sunset_date')
    if (date === undefined) return
    const status = textMember(lifecycle, 'status')?.value
    const time = timeOf(date.value)
    if (!RUNNING.includes(status ?? '') || time === undefined || time > now.getTime()) return
    const detail = `The agent was to be retired at ${date.value}, and its status is ${status}`
    report(date.pointer, detail, { related: [{ pointer: '/lifecycle/status', message: 'the status' }] })
  },
}

export const sunsetSoon: Rule<Agent> = {
  id: 'sunset-soon',
  code: 'BADL-123',
  title: 'Sunset date within 30 days',
  section: 'ADL 5.6',
  severity: 'warning',
  why: 'Users have less than a month to move to the successor.',
  bad: `${AGENT}"active", "sunset_date": "2026-03-01T00:00:00Z"}}`,
  good: `${AGENT}"active", "sunset_date": "2099-01-01T00:00:00Z"}}`,
  check({ lifecycle }, report, { now }) {
    const date = textMember(lifecycle, 'sunset_date')
    if (date === undefined) return
    const time = timeOf(date.value)
    if (time === undefined || time <= now.getTime() || isMonthAhead(time, now)) return
    report(date.pointer, `The agent is to be retired within 30 days: at ${date.value}`)
  },
}
