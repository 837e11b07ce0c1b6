import { reportRepeated } from '../../frame/repeated.ts'
import type { Rule } from '../../frame/rule.ts'
import type { Agent } from '../agent.ts'
import { VAL_02, VAL_03, VAL_04 } from '../findings.ts'

export const uniqueTools: Rule<Agent> = {
  ...VAL_02,
  check: ({ tools }, report) => reportRepeated('tool', tools, report),
}

export const uniqueResources: Rule<Agent> = {
  ...VAL_03,
  check: ({ resources }, report) => reportRepeated('resource', resources, report),
}

export const uniquePrompts: Rule<Agent> = {
  ...VAL_04,
  check: ({ prompts }, report) => reportRepeated('prompt', prompts, report),
}
