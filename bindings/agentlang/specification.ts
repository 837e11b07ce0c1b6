// Agents of AgentLang as a specification of the frame: agent.yaml alone, or a folder with it.
import { check } from '../frame/check.ts'
import type { Findings } from '../frame/collect.ts'
import { severityOf } from '../frame/rule.ts'
import { type RuleSettings, ruleSettings } from '../frame/rule-settings.ts'
import { shapeOnce } from '../frame/shape.ts'
import type { Specification } from '../frame/specification.ts'
import * as FINDINGS from './findings.ts'
import { AGENT_FILE, type AgentFolder, folderOf } from './folder.ts'
import { checkFolder } from './folder-rules.ts'
import { PROMPT } from './prompt/specification.ts'
import { RULES } from './rules.ts'
import schema from './schema.json' with { type: 'json' }
import { SKILL } from './skill/specification.ts'
import { AGENT_READING, type Agent } from './subject.ts'
import { UX } from './ux/specification.ts'
import { listenerFor, WORDS } from './words.ts'

const shape = shapeOnce(schema)

export const AGENTLANG: Specification<Agent> = {
  ...AGENT_READING,
  words: WORDS,
  settings: ruleSettings,
  shapes: ({ root }) => [{ shape: shape(), value: root.value, pointer: '' }],
  listener: listenerFor,
  rules: RULES,
  names: FINDINGS.names,
  check: checkAgent,
}

function checkAgent(agent: Agent, findings: Findings, settings: RuleSettings): void {
  const { ruleset, rules } = settings
  const { document, files } = agent
  // Only sub-agents lack a version, and a sub-agent is never called agent.yaml.
  const isRoot = files !== undefined || (document.file ?? AGENT_FILE).split(/[/\\]/).at(-1) === AGENT_FILE
  if (isRoot && agent.get('version') === undefined) {
    const severity = severityOf(FINDINGS.MISSING_VERSION, ruleset, rules)
    findings.add(FINDINGS.MISSING_VERSION, severity, '', "The key 'version' is missing")
  }
  if (files === undefined) return
  const folder = folderOf(agent, files)
  checkParts(folder, findings, settings)
  checkFolder(agent, folder, (kind, document, pointer, detail, remarks) =>
    findings.add(kind, severityOf(kind, ruleset, rules), pointer, detail, { ...remarks, in: document }),
  )
}

/** Checks each file as a document of its own. */
function checkParts({ subAgents, prompts, skills, ux }: AgentFolder, findings: Findings, settings: RuleSettings): void {
  for (const { parsed } of subAgents) findings.take(check(AGENTLANG, parsed, settings).diagnostics)
  for (const { parsed } of prompts) findings.take(check(PROMPT, parsed, settings).diagnostics)
  for (const { parsed } of skills) findings.take(check(SKILL, parsed, settings).diagnostics)
  if (ux !== undefined) findings.take(check(UX, ux.parsed, settings).diagnostics)
}
