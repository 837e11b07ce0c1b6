// The names of an agent's files, how many there may be, and what is wrong with one of them.
import type { FindingKind } from '../document/finding.ts'

export const AGENT_FILE = 'agent.yaml'
export const LOCK_FILE = 'agent.lock'
/** The index of tools and models next to agent.yaml. */
export const INDEX_FILE = 'tools.json'
export const UX_FILE = 'ux.yaml'

export const MOST_FILES = 10_000
export const MOST_BYTES = 64 << 20

/** What is wrong with an agent's document, by a finding or by the name of its rule. */
export interface Fault<Rule = FindingKind> {
  readonly rule: Rule
  readonly pointer: string
  readonly detail: string
}

/** A fault of an agent that a function finds without running it. */
export type FunctionFault = Fault<string>
