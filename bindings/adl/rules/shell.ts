import type { Rule } from '../../frame/rule.ts'
import { needsShell } from '../../policy/command.ts'
import { elements, isText, member, objectMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { ALLOW_SHELL, SHELL_COMMAND } from '../findings.ts'

export const shellCommand: Rule<Agent> = {
  ...SHELL_COMMAND,
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
  ...ALLOW_SHELL,
  check({ permissions }, report) {
    const execution = objectMember(permissions, 'execution')
    if (member(execution?.value, 'allow_shell') !== true) return
    report(`${execution!.pointer}/allow_shell`, 'allow_shell lets the agent run every command')
  },
}
