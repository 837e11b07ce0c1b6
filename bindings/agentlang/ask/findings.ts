// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../../document/finding.ts'

export type Code = 'AL-151' | 'AL-152' | 'AL-153' | 'AL-154' | 'AL-155' | 'AL-156' | 'AL-157' | 'AL-158' | 'AL-159' | 'AL-160' | 'AL-161' | 'AL-150'

const T0 = 'AgentLang, Capability Declaration'
const T1 = 'AgentLang, Autonomous Operations'
const T2 = 'warning'
const T3 = 'AgentLang, Protocol Declaration'
export const UNKNOWN_CAPABILITY = /* @__PURE__ */ finding('unknown-capability', 'AL-151', 'Unknown capability', 'AgentLang, Capability Categories', T2)
export const CAPABILITY_IN_BOTH_LISTS = /* @__PURE__ */ finding('capability-in-both-lists', 'AL-152', 'Capability is required and optional', T0)
export const UNDECLARED_CAPABILITY = /* @__PURE__ */ finding('undeclared-capability', 'AL-153', 'Settings of a capability that is not declared', T0)
export const UNKNOWN_MODE = /* @__PURE__ */ finding('unknown-mode', 'AL-154', 'Unknown permission mode', 'AgentLang, Permission Modes')
export const SCHEDULED_WITHOUT_BACKGROUND = /* @__PURE__ */ finding('scheduled-without-background', 'AL-155', 'Schedule without background', T1)
export const UNMATCHED_SCHEDULE = /* @__PURE__ */ finding('unmatched-schedule', 'AL-156', 'Schedule and wake triggers differ', T1, T2)
export const INVALID_CRON = /* @__PURE__ */ finding('invalid-cron', 'AL-157', 'Invalid schedule', T1)
export const CRON_NEVER_FIRES = /* @__PURE__ */ finding('cron-never-fires', 'AL-158', 'Schedule that never comes', T1)
export const UNKNOWN_PROTOCOL = /* @__PURE__ */ finding('unknown-protocol', 'AL-159', 'Unknown protocol', T3, T2)
export const UNDEFINED_PROTOCOL = /* @__PURE__ */ finding('undefined-protocol', 'AL-160', 'Custom protocol that is defined elsewhere', 'AgentLang, Custom Protocols', 'info', { spec: 'off' })
export const PROTOCOL_RANGE = /* @__PURE__ */ finding('protocol-range', 'AL-161', 'Invalid range of a protocol', T3)
export const INVALID_HOST = /* @__PURE__ */ finding('invalid-host', 'AL-150', 'Invalid host file', 'AgentLang, Host Responsibility')

export const ALL: readonly FindingKind[] = [UNKNOWN_CAPABILITY, CAPABILITY_IN_BOTH_LISTS, UNDECLARED_CAPABILITY, UNKNOWN_MODE, SCHEDULED_WITHOUT_BACKGROUND, UNMATCHED_SCHEDULE, INVALID_CRON, CRON_NEVER_FIRES, UNKNOWN_PROTOCOL, UNDEFINED_PROTOCOL, PROTOCOL_RANGE]

export const names = (): readonly string[] => [...namesOf(ALL), ...'invalid-host AL-150'.split(' ')]

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...UNKNOWN_CAPABILITY, why: 'A host cannot grant what it does not know, so a required one keeps the agent from starting.', bad: '{"permissions": {"required": ["netwrok"]}}', good: '{"permissions": {"required": ["network"]}}' },
  { ...CAPABILITY_IN_BOTH_LISTS, why: 'If the host lacks it, one list says that the agent must not start, the other that it may.', bad: '{"permissions": {"required": ["camera"], "optional": ["camera"]}}', good: '{"permissions": {"required": ["camera"]}}' },
  { ...UNDECLARED_CAPABILITY, why: 'Hosts grant what the two lists name. These settings have no effect.', bad: '{"permissions": {"camera": {"mode": "on_demand"}}}', good: '{"permissions": {"optional": ["camera"], "camera": {"mode": "on_demand"}}}' },
  { ...UNKNOWN_MODE, why: 'A host cannot tell how much access the agent asks for, so it grants the least.', bad: '{"permissions": {"optional": ["camera"], "camera": {"mode": "always"}}}', good: '{"permissions": {"optional": ["camera"], "camera": {"mode": "continuous"}}}' },
  { ...SCHEDULED_WITHOUT_BACKGROUND, why: 'Nothing runs the agent at the scheduled time unless it may run in the background.', bad: '{"permissions": {"required": ["camera"], "camera": {"mode": "scheduled", "schedule": "0 * * * *"}}}', good: '{"permissions": {"required": ["camera", "background"], "camera": {"mode": "scheduled", "schedule": "0 * * * *"}, "background": {"mode": "scheduled", "wake_triggers": [{"schedule": "0 * * * *"}]}}}' },
  { ...UNMATCHED_SCHEDULE, why: 'The agent is asleep when the capability is due, or wakes when nothing is.', bad: '{"permissions": {"required": ["camera", "background"], "camera": {"mode": "scheduled", "schedule": "0 * * * *"}, "background": {"mode": "scheduled", "wake_triggers": [{"schedule": "30 * * * *"}]}}}', good: '{"permissions": {"required": ["camera", "background"], "camera": {"mode": "scheduled", "schedule": "0 * * * *"}, "background": {"mode": "scheduled", "wake_triggers": [{"schedule": "0 * * * *"}]}}}' },
  { ...INVALID_CRON, why: 'A schedule has the five fields of cron, minute, hour, day, month and weekday.', bad: '{"permissions": {"required": ["background"], "background": {"wake_triggers": [{"schedule": "hourly"}]}}}', good: '{"permissions": {"required": ["background"], "background": {"wake_triggers": [{"schedule": "0 * * * *"}]}}}' },
  { ...CRON_NEVER_FIRES, why: 'No such day exists, so the agent would wait forever.', bad: '{"permissions": {"required": ["background"], "background": {"wake_triggers": [{"schedule": "0 0 31 2 *"}]}}}', good: '{"permissions": {"required": ["background"], "background": {"wake_triggers": [{"schedule": "0 0 28 2 *"}]}}}' },
  { ...UNKNOWN_PROTOCOL, why: 'Protocols are a2a, mcp, and those of others with a name that begins with custom/.', bad: '{"protocols": [{"name": "acme-sync"}]}', good: '{"protocols": [{"name": "custom/acme-sync"}], "x-protocols": {"acme-sync": {"version": "1.0.0"}}}' },
  { ...UNDEFINED_PROTOCOL, why: 'A protocol may be published separately. An entry in x-protocols tells readers of the agent what it sends.', bad: '{"protocols": [{"name": "custom/acme-sync"}]}', good: '{"protocols": [{"name": "custom/acme-sync"}], "x-protocols": {"acme-sync": {"version": "1.0.0"}}}' },
  { ...PROTOCOL_RANGE, why: 'Ranges are those of npm, such as ^1.0.0 and ^2024.11.', bad: '{"protocols": [{"name": "a2a", "version": "newest"}]}', good: '{"protocols": [{"name": "a2a", "version": "^1.0.0"}]}' },
  { ...INVALID_HOST, why: 'A misread host file would grant too much, or refuse agents without a reason.', bad: '{"name": "my-host", "capabilities": {"camera": ["always"]}}', good: '{"name": "my-host", "capabilities": {"camera": ["on_demand"], "shell": false}}' },
]
