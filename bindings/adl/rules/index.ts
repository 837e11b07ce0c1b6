import type { Rule } from '../../document/rule.ts'
import type { Agent } from '../agent.ts'
import { uniquePrompts, uniqueResources, uniqueTools } from './unique-names.ts'

/** Every rule of ADL but those that the schema and the profiles check. */
export const RULES: readonly Rule<Agent>[] = [uniqueTools, uniqueResources, uniquePrompts]
