import type { Rule } from '../../frame/rule.ts'
import { elements, isText, member, objectMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { needsShell } from '../permissions/command.ts'

export const shellCommand: Rule<Agent> = {
  id: 'shell-command',
  code: 'BADL-118',
  title: 'Shell among the allowed commands',
  section: 'ADL 9.5',
  severity: 'warning',
  why: 'Shells are denied unless allow_shell is true; who is allowed one could run everything.',
  bad: '{"permissions": {"execution": {"allowed_commands": ["bash"]}}}',
  good: '{"permissions": {"execution": {"allowed_commands": ["jq"]}}}',
  check({ permissions }, report) {
    const execution = objectMember(permissions, 'execution')
    if (execution === undefined || member(execution.value, 'allow_shell') === true) return
    for (const { pointer, value } of elements(execution, 'allowed_commands', isText)) {
      if (needsShell(value, false)) {
        report(pointer, `${quoted(value)} is a shell or needs one, and allow_shell is not true: it stays denied`)
      }
    }
  },
}

export const allowShell: Rule<Agent> = {
  id: 'allow-shell',
  code: 'BADL-119',
  title: 'Shell allowed',
  section: 'ADL 9.5',
  severity: 'warning',
  rulesets: { spec: 'off', security: 'error' },
  why: 'A shell runs any command there is, whatever allowed_commands and denied_commands say.',
  bad: '{"permissions": {"execution": {"allowed_commands": ["jq"], "allow_shell": true}}}',
  good: '{"permissions": {"execution": {"allowed_commands": ["jq"], "allow_shell": false}}}',
  check({ permissions }, report) {
    const execution = objectMember(permissions, 'execution')
    if (member(execution?.value, 'allow_shell') !== true) return
    report(`${execution!.pointer}/allow_shell`, 'allow_shell lets the agent run every command')
  },
}
