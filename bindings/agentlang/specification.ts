// Agents of AgentLang as a specification of the frame: agent.yaml alone, or a folder with it.
import { check, type Findings } from '../frame/check.ts'
import type { RuleSettings } from '../frame/rule-settings.ts'
import { shapeOnce } from '../frame/shape.ts'
import type { Specification } from '../frame/specification.ts'
import { severityOf } from '../frame/subject.ts'
import { member, objectMember } from '../text/members.ts'
import { quoted } from '../text/words.ts'
import { permissionFaults } from './asks/faults.ts'
import * as ASK_FINDINGS from './asks/findings.ts'
import { AGENT_FILE } from './files.ts'
import * as FINDINGS from './findings.ts'
import { type AgentFolder, folderOf } from './folder.ts'
import { checkFolder, type ReportIn } from './folder-rules.ts'
import { functionFaults } from './functions/faults.ts'
import * as FUNCTION_FINDINGS from './functions/findings.ts'
import { INVALID_RANGE } from './lock/findings.ts'
import { LOCK } from './lock/specification.ts'
import { PROMPT } from './prompt/specification.ts'
import { RULES } from './rules.ts'
import schema from './schema.json' with { type: 'json' }
import { SKILL } from './skill/specification.ts'
import { AGENT_READING, type Agent } from './subject.ts'
import { isHiddenName } from './tool-names.ts'
import { UX } from './ux/specification.ts'
import { specificationOf } from './words.ts'

const agents = specificationOf(AGENT_READING, schema, RULES)
const delegateConfig = shapeOnce({ $ref: '#/$defs/delegateConfig', $defs: schema.$defs })

export const AGENTLANG: Specification<Agent> = {
  ...agents,
  shapes: (agent) => [
    ...agents.shapes(agent),
    ...agent.tools.flatMap((tool) => {
      const config = member(tool.value, 'name') === 'delegate' ? objectMember(tool, 'config') : undefined
      return config === undefined ? [] : [{ shape: delegateConfig(), ...config }]
    }),
  ],
  names: () => [
    ...FINDINGS.names(),
    INVALID_RANGE.id,
    INVALID_RANGE.code,
    ...ASK_FINDINGS.names(),
    ...FUNCTION_FINDINGS.names(),
  ],
  check: checkAgent,
}

const FUNCTION_RULES = new Map(FUNCTION_FINDINGS.ALL.map((finding) => [finding.id, finding]))

function checkAgent(agent: Agent, findings: Findings, { ruleset, rules, ...settings }: RuleSettings): void {
  const { document, files, root } = agent
  const folder = folderOf(agent)
  const report: ReportIn = (finding, document, pointer, detail, remarks) =>
    findings.add(finding, severityOf(finding, ruleset, rules), pointer, detail, { ...remarks, in: document })
  // Only sub-agents lack a version, and a sub-agent is never called agent.yaml.
  const isRoot = files !== undefined || document.file?.split(/[/\\]/).at(-1) === AGENT_FILE
  if (isRoot && agent.get('version') === undefined)
    report(FINDINGS.MISSING_VERSION, document, '', "The key 'version' is missing")
  for (const { rule, pointer, detail } of permissionFaults(root.value)) report(rule, document, pointer, detail)
  for (const { rule, pointer, detail } of functionFaults(root, folder && specialistsOf(folder), isRoot))
    report(FUNCTION_RULES.get(rule)!, document, pointer, detail)
  for (const { name, pointer } of ['http_tools', 'bash_tools', 'mcp_servers'].flatMap((group) => agent.named(group)))
    if (isHiddenName(name))
      report(FINDINGS.VALUE_PATTERN, document, pointer, `${quoted(name)} has hidden characters`, { atName: true })
  if (folder === undefined) return
  checkParts(folder, findings, { ruleset, rules, ...settings })
  checkFolder(agent, folder, report)
}

const specialistsOf = ({ subAgents }: AgentFolder) =>
  subAgents.flatMap(({ path, subject }) => (subject ? [{ path: `./${path}`, agent: subject.root.value }] : []))

/** Checks each file as a document of its own. */
function checkParts({ subAgents, prompts, skills, ux, lock }: AgentFolder, findings: Findings, settings: RuleSettings) {
  for (const { parsed } of subAgents) findings.take(check(AGENTLANG, parsed, settings).diagnostics)
  for (const { parsed } of prompts) findings.take(check(PROMPT, parsed, settings).diagnostics)
  for (const { parsed } of skills) findings.take(check(SKILL, parsed, settings).diagnostics)
  if (ux !== undefined) findings.take(check(UX, ux.parsed, settings).diagnostics)
  if (lock !== undefined) findings.take(check(LOCK, lock.parsed, settings).diagnostics)
}
