import type { Rule } from '../../frame/rule.ts'
import { objectMember, textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { SENSITIVITIES } from '../classification.ts'
import { VAL_28 } from '../findings.ts'

const LEVELS: readonly string[] = SENSITIVITIES

export const highWaterMark: Rule<Agent> = {
  ...VAL_28,
  check({ classification, tools, resources }, report) {
    const own = textMember(classification, 'sensitivity')
    if (own === undefined || !LEVELS.includes(own.value)) return
    for (const [kind, list] of [
      ['Tool', tools],
      ['Resource', resources],
    ] as const) {
      for (const entry of list) {
        const level = textMember(objectMember(entry, 'data_classification'), 'sensitivity')
        if (level === undefined || LEVELS.indexOf(level.value) <= LEVELS.indexOf(own.value)) continue
        const name = quoted(textMember(entry, 'name')?.value ?? '')
        const detail = `${kind} ${name} has sensitivity '${level.value}' which exceeds top-level '${own.value}'`
        report(level.pointer, detail, { related: [{ pointer: own.pointer, message: 'the level of the agent' }] })
      }
    }
  },
}
