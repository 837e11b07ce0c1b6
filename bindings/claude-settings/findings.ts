// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../document/finding.ts'

export type Code = 'CCS-101' | 'CCS-102' | 'CCS-103' | 'CCS-104' | 'CCS-105' | 'CCS-110' | 'CCS-111' | 'CCS-112' | 'CCS-113' | 'CCS-114' | 'CCS-115' | 'CCS-116' | 'CCS-117' | 'CCS-118' | 'CCS-119' | 'CCS-120'

const T0 = 'Claude Code settings'
const T1 = 'Claude Code hooks'
const T2 = 'warning'
const T3 = 'Claude Code permissions'
export const ROOT_OBJECT = /* @__PURE__ */ finding('root-object', 'CCS-101', 'Settings are not a JSON object', T0)
export const MISSING_MEMBER = /* @__PURE__ */ finding('missing-member', 'CCS-102', 'Missing required member', T1)
export const MEMBER_TYPE = /* @__PURE__ */ finding('member-type', 'CCS-103', 'Invalid member type', T0)
export const EMPTY_VALUE = /* @__PURE__ */ finding('empty-value', 'CCS-104', 'Empty value', T1)
export const ENUM_VALUE = /* @__PURE__ */ finding('enum-value', 'CCS-105', 'Unknown value', T0)
export const UNKNOWN_MEMBER = /* @__PURE__ */ finding('unknown-member', 'CCS-110', 'Unknown member', T0, T2, { strict: 'error' })
export const UNKNOWN_EVENT = /* @__PURE__ */ finding('unknown-event', 'CCS-111', 'Unknown event, or one that no hook of this kind gets', T1, T2, { strict: 'error', security: 'error' })
export const UNKNOWN_TOOL = /* @__PURE__ */ finding('unknown-tool', 'CCS-112', 'Unknown tool', T3, T2, { strict: 'error', security: 'error' })
export const RULE_FORM = /* @__PURE__ */ finding('rule-form', 'CCS-113', 'Rule without the form of one', T3, T2, { strict: 'error', security: 'error' })
export const DEAD_RULE = /* @__PURE__ */ finding('dead-rule', 'CCS-114', 'Rule that never matches', T3, T2, { strict: 'error', security: 'error' })
export const NOT_ABSOLUTE = /* @__PURE__ */ finding('not-absolute', 'CCS-115', 'Path that is not absolute', T3, T2)
export const PASSED_DENIAL = /* @__PURE__ */ finding('passed-denial', 'CCS-116', 'Denial that an allowed command passes', T3, T2, { spec: 'off', strict: 'error', security: 'error' })
export const IDLE_ALLOW = /* @__PURE__ */ finding('idle-allow', 'CCS-117', 'Grant that never counts', T3, 'info')
export const WIDE_ALLOW = /* @__PURE__ */ finding('wide-allow', 'CCS-118', 'Grant of any program or subcommand', T3, T2, { spec: 'off', security: 'error' })
export const OPEN_MODE = /* @__PURE__ */ finding('open-mode', 'CCS-119', 'Mode without questions', T3, T2, { spec: 'off', security: 'error' })
export const LITERAL_SECRET = /* @__PURE__ */ finding('literal-secret', 'CCS-120', 'Secret in the settings', T0, T2, { strict: 'error', security: 'error' })

export const ALL: readonly FindingKind[] = [ROOT_OBJECT, MISSING_MEMBER, MEMBER_TYPE, EMPTY_VALUE, ENUM_VALUE, UNKNOWN_MEMBER, UNKNOWN_EVENT, UNKNOWN_TOOL, RULE_FORM, DEAD_RULE, NOT_ABSOLUTE, PASSED_DENIAL, IDLE_ALLOW, WIDE_ALLOW, OPEN_MODE, LITERAL_SECRET]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...ROOT_OBJECT, why: 'Claude Code skips a settings file that is not one JSON object, with its denials.', bad: '[]', good: '{}' },
  { ...MISSING_MEMBER, why: 'Without it, the hook never runs.', bad: '{"hooks": {"Stop": [{"matcher": "x"}]}}', good: '{"hooks": {"Stop": [{"hooks": []}]}}' },
  { ...MEMBER_TYPE, why: 'Some programs ignore a value of another type, others crash.', bad: '{"permissions": {"deny": "Bash(rm *)"}}', good: '{"permissions": {"deny": ["Bash(rm *)"]}}' },
  { ...EMPTY_VALUE, why: 'An empty member says nothing, so leave it out or fill it in.', bad: '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": ""}]}]}}', good: '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "date"}]}]}}' },
  { ...ENUM_VALUE, why: 'An unknown mode or type is ignored.', bad: '{"permissions": {"defaultMode": "yolo"}}', good: '{"permissions": {"defaultMode": "plan"}}' },
  { ...UNKNOWN_MEMBER, why: 'Claude Code ignores members that it does not know, so a misspelt denial denies nothing.', bad: '{"permissions": {"denny": []}}', good: '{"permissions": {"deny": []}}' },
  { ...UNKNOWN_EVENT, why: 'Such a hook never runs.', bad: '{"hooks": {"PreToolUsed": []}}', good: '{"hooks": {"PreToolUse": []}}' },
  { ...UNKNOWN_TOOL, why: 'Rules compare the exact name of a tool, so this one never matches.', bad: '{"permissions": {"deny": ["bash(rm *)"]}}', good: '{"permissions": {"deny": ["Bash(rm *)"]}}' },
  { ...RULE_FORM, why: 'A rule is Tool or Tool(specifier). Claude Code skips others.', bad: '{"permissions": {"deny": ["Bash(rm *"]}}', good: '{"permissions": {"deny": ["Bash(rm *)"]}}' },
  { ...DEAD_RULE, why: 'Claude Code accepts the rule and never applies it, so a denial denies nothing.', bad: '{"permissions": {"deny": ["Write(docs/**)"]}}', good: '{"permissions": {"deny": ["Edit(docs/**)"]}}' },
  { ...NOT_ABSOLUTE, why: 'One slash begins at the folder of the settings, two at the root.', bad: '{"permissions": {"deny": ["Read(/etc/**)"]}}', good: '{"permissions": {"deny": ["Read(//etc/**)"]}}' },
  { ...PASSED_DENIAL, why: 'A denial compares text. A shell or launcher that is allowed runs the program unseen; the sandbox would limit it.', bad: '{"permissions": {"allow": ["Bash(env *)"], "deny": ["Bash(rm *)"]}}', good: '{"permissions": {"allow": ["Bash(npm test)"], "deny": ["Bash(rm *)"]}}' },
  { ...IDLE_ALLOW, why: 'Denials count first, then questions, then grants, however narrow each is.', bad: '{"permissions": {"allow": ["Bash(aws s3 ls)"], "deny": ["Bash(aws *)"]}}', good: '{"permissions": {"allow": ["Bash(aws s3 ls)"], "deny": ["Bash(aws iam *)"]}}' },
  { ...WIDE_ALLOW, why: 'A wildcard before the subcommand also stands for options, and some of them run programs.', bad: '{"permissions": {"allow": ["Bash(git * main)"]}}', good: '{"permissions": {"allow": ["Bash(git merge main)"]}}' },
  { ...OPEN_MODE, why: 'It runs everything that no rule denies. Newer versions ignore it in a project.', bad: '{"permissions": {"defaultMode": "bypassPermissions"}}', good: '{"permissions": {"defaultMode": "default"}}' },
  { ...LITERAL_SECRET, why: 'Settings of a project are shared, and every command gets the variables of env.', bad: '{"env": {"TOKEN": "ghp_R4nd0mR4nd0mR4nd0mR4nd0mR4nd0mR4nd0m"}}', good: '{"env": {"LANG": "C.UTF-8"}}' },
]
