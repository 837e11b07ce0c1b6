// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../document/finding.ts'

export type Code = 'AMD-101' | 'AMD-102' | 'AMD-103' | 'AMD-104'

const T0 = 'warning'
const T1 = 'AGENTS.md'
export const TOO_LONG = /* @__PURE__ */ finding('too-long', 'AMD-101', 'AGENTS.md that is cut off', 'Codex, AGENTS.md', T0)
export const DEAD_LINK = /* @__PURE__ */ finding('dead-link', 'AMD-102', 'Link to a missing file', T1, T0)
export const LITERAL_SECRET = /* @__PURE__ */ finding('literal-secret', 'AMD-103', 'Secret in the text', T1, T0, { strict: 'error', security: 'error' })
export const UNKNOWN_COMMAND = /* @__PURE__ */ finding('unknown-command', 'AMD-104', 'Command that does not exist', T1, T0)

export const ALL: readonly FindingKind[] = [TOO_LONG, DEAD_LINK, LITERAL_SECRET, UNKNOWN_COMMAND]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...TOO_LONG, why: 'Codex reads 32 KiB of all AGENTS.md files together (project_doc_max_bytes), and leaves out the rest without a word.', bad: 'a file of 40 KiB', good: 'a short file that links to others' },
  { ...DEAD_LINK, why: 'An agent follows links to get the rest of its instructions.', bad: '[Style](docs/stlye.md)', good: '[Style](docs/style.md)' },
  { ...LITERAL_SECRET, why: 'Everyone who can read the repository has it, and it is sent to a model in each session.', bad: 'Use the token ghp_0123456789abcdefghijklmnopqrstuvwxyz', good: 'Use the token in $GITHUB_TOKEN' },
  { ...UNKNOWN_COMMAND, why: 'An agent runs the commands as they stand, and loses time on one that fails.', bad: '`npm run tset`', good: '`npm run test`' },
]
