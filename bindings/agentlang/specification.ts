// Agents of AgentLang as a specification of the frame: agent.yaml alone, or a folder with it.

import type { FindingKind } from '../document/finding.ts'
import type { Document } from '../document/parse.ts'
import { check } from '../frame/check.ts'
import type { Findings } from '../frame/collect.ts'
import type { RuleSettings } from '../frame/rule-settings.ts'
import { shapeOnce } from '../frame/shape.ts'
import type { Specification } from '../frame/specification.ts'
import { type Remarks, severityOf } from '../frame/subject.ts'
import { elements, escapeToken, isObject, member, objectMember, textMember, valueAt } from '../text/members.ts'
import { PathSet, pathRisk } from '../text/safe-path.ts'
import { counted, quoted, suggest } from '../text/words.ts'
import * as ASK_FINDINGS from './ask/findings.ts'
import { permissionFaults } from './ask/host.ts'
import { AGENT_FILE, MOST_BYTES, MOST_FILES } from './files.ts'
import * as FINDINGS from './findings.ts'
import { AGENT_READING, type Agent, type AgentFolder, MOST_SUB_AGENTS } from './folder.ts'
import { folderOf } from './folder-of.ts'
import { INVALID_RANGE } from './lock/findings.ts'
import { LOCK } from './lock/specification.ts'
import { PROMPT } from './prompt/specification.ts'
import { RULES } from './rules.ts'
import { LIMIT_PARTS } from './run/budget.ts'
import { functionFaults } from './run/faults.ts'
import * as FUNCTION_FINDINGS from './run/findings.ts'
import schema from './schema.json' with { type: 'json' }
import { SKILL } from './skill/specification.ts'
import { IMPLICIT_TOOLS, isHiddenName, toolNames } from './tool-names.ts'
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

// Rules about the files of an agent together. Each reports in the file that has the place.

/** Reports a finding in a file of the folder. */
type ReportIn = (kind: FindingKind, document: Document, pointer: string, detail: string, remarks?: Remarks) => void

/** A finding names at most this many files. */
const MOST_NAMED = 5

function checkFolder(agent: Agent, folder: AgentFolder, report: ReportIn): void {
  checkNames(agent, folder, report)
  checkMissing(agent, folder, report)
  checkSubAgents(agent, folder, report)
  checkSkills(agent, folder, report)
  checkUx(agent, folder, report)
  checkLeftOut(agent, folder, report)
  checkLineEnds(agent, folder, report)
}

function checkNames({ document }: Agent, { files, hasMore }: AgentFolder, report: ReportIn): void {
  const bytes = [...files.values()].reduce((sum, file) => sum + file.length, 0)
  const limits = [
    files.size > MOST_FILES && `${MOST_FILES} files at most, found ${files.size}`,
    bytes > MOST_BYTES && `${MOST_BYTES} bytes at most, found ${bytes}`,
    hasMore && `${MOST_SUB_AGENTS} sub-agents at most; the others are not read`,
  ]
  for (const limit of limits) if (limit) report(FINDINGS.FOLDER_SIZE, document, '', `Expected ${limit}`)
  const seen = new PathSet()
  for (const path of files.keys()) {
    const risk = pathRisk(path)
    const other = risk === undefined ? seen.add(path) : undefined
    const reason = risk ?? (other && `some systems store it at the place of ${quoted(other)}`)
    if (reason !== undefined) report(FINDINGS.FILE_NAME, document, '', `${quoted(path)}: ${reason}`)
  }
}

/** One finding names the first files: a folder may be a whole repository. */
function checkLeftOut({ document }: Agent, { leftOut }: AgentFolder, report: ReportIn): void {
  if (leftOut.length === 0) return
  const more = leftOut.length - MOST_NAMED
  const names = leftOut.slice(0, MOST_NAMED).map(quoted).join(', ')
  const detail = `Not part of the agent: ${names}${more > 0 ? ` and ${counted(more, 'other file')}` : ''}`
  report(FINDINGS.LEFT_OUT, document, '', detail)
}

const TEXT_FILE = /\.(?:ya?ml|md|txt|json|csv)$/i

function checkLineEnds({ document }: Agent, { files }: AgentFolder, report: ReportIn): void {
  const found = [...files].filter(([path, bytes]) => TEXT_FILE.test(path) && hasWindowsEnd(bytes))
  if (found.length === 0) return
  const names = found.slice(0, MOST_NAMED).map(([path]) => quoted(path))
  const more = found.length - names.length
  const detail = `Lines end with CR and LF: ${names.join(', ')}${more > 0 ? ` and ${counted(more, 'other file')}` : ''}`
  report(FINDINGS.LINE_ENDS, document, '', detail, { fix: { hint: 'add * text=auto eol=lf to .gitattributes' } })
}

function hasWindowsEnd(bytes: Uint8Array): boolean {
  const at = bytes.indexOf(0x0a)
  return at > 0 && bytes[at - 1] === 0x0d
}

function checkMissing(agent: Agent, { missing, skills }: AgentFolder, report: ReportIn): void {
  for (const { of, pointer, path } of missing)
    report(FINDINGS.FILE_MISSING, of.document, pointer, `The folder has no ${quoted(path)}`)
  const names = new Set(skills.map(({ path }) => path.split('/')[1]!))
  let suggestions = 0
  for (const skill of elements(agent.root, 'skills', isObject)) {
    const name = textMember(skill, 'name')
    if (name === undefined || names.has(name.value)) continue
    const detail = `The folder has no skills/${name.value}/SKILL.md`
    const remarks = suggestions++ < MOST_SUGGESTIONS ? suggestion(name.value, names) : {}
    report(FINDINGS.SKILL_MISSING, agent.document, name.pointer, detail, remarks)
  }
}

/** Each compares a name with all others. */
const MOST_SUGGESTIONS = 20

function suggestion(name: string, known: Iterable<string>): Remarks {
  const meant = suggest(name, [...known])
  return meant === undefined ? {} : { fix: { hint: `did you mean ${quoted(meant)}?` } }
}

/** Limits of which a larger number gives more; 0 means unlimited. */
const LIMITS = [['max_cost_usd', 'budget'], ...Object.entries(LIMIT_PARTS)]

function checkSubAgents(agent: Agent, { subAgents }: AgentFolder, report: ReportIn): void {
  const first = new Map<string, string>()
  const isChosen = agent.dynamicDelegate !== undefined
  for (const { path, subject } of subAgents) {
    if (subject === undefined) continue
    const { document, root, name } = subject
    const before = name === undefined ? undefined : first.get(name)
    if (before !== undefined)
      report(FINDINGS.SUB_AGENT_TWICE, document, '/name', `${quoted(before)} has the name ${quoted(name!)} as well`)
    else if (name !== undefined) first.set(name, path)
    if (isChosen && textMember(root, 'description') === undefined)
      report(FINDINGS.SUB_AGENT_DESCRIPTION, document, '', "The key 'description' is missing")
    for (const [limit, group] of LIMITS) {
      const pointer = `/constraints/${group}/${limit}`
      const [own, most] = [subject, agent].map(({ root }) => valueAt(root.value, pointer))
      if (typeof own === 'number' && typeof most === 'number' && most > 0 && own > most) {
        const detail = `The parent has ${most}, which counts here as well`
        report(FINDINGS.LOOSER_SUB_AGENT, document, pointer, detail)
      }
    }
  }
}

function checkSkills(agent: Agent, { skills }: AgentFolder, report: ReportIn): void {
  const { own, all, isOpen } = toolNames(agent.root.value)
  const tools = new Set([...IMPLICIT_TOOLS, ...all])
  const nameOf = (tool: string) => tool.replace(/\(.*$/, '')
  const used = new Set(elements(agent.root, 'skills', isObject).map((skill) => textMember(skill, 'name')?.value))
  const active: string[][] = []
  for (const { subject: skill } of skills) {
    const allowed = skill?.allowedTools
    if (skill === undefined || allowed === undefined) continue
    const known = allowed.filter((tool) => tools.has(nameOf(tool)))
    const others = allowed.filter((tool) => !tools.has(nameOf(tool)))
    if (!isOpen)
      for (const tool of others)
        report(FINDINGS.SKILL_TOOL, skill.document, '/allowed-tools', `The agent has no tool ${quoted(tool)}`)
    active.push(used.has(skill.name) ? known : [])
  }
  const chosen = skills.filter(({ subject }) => subject !== undefined && used.has(subject.name))
  const isLimited = chosen.length > 0 && chosen.every(({ subject }) => subject?.allowedTools !== undefined)
  if (isLimited && active.every((known) => known.length === 0) && own.length > 0 && !isOpen)
    report(FINDINGS.SKILL_NO_TOOL, agent.document, '/skills', `The skills allow none of ${counted(own.length, 'tool')}`)
}

function checkUx(agent: Agent, { ux, subAgents }: AgentFolder, report: ReportIn): void {
  const hints = ux?.subject
  if (hints === undefined) return
  const agents = [agent, ...subAgents.flatMap(({ subject }) => subject ?? [])]
  const named = agents.map(({ root }) => toolNames(root.value))
  const tools = new Set([...IMPLICIT_TOOLS, ...named.flatMap(({ all }) => [...all])])
  const servers = new Set(agents.flatMap((one) => one.named('mcp_servers').map(({ name }) => name)))
  const check = (map: string, has: (name: string) => boolean, known: Iterable<string>, what: string) => {
    let suggestions = 0
    for (const name of Object.keys(objectMember(hints.root, map)?.value ?? {})) {
      if (has(name)) continue
      const meant = suggestions++ < MOST_SUGGESTIONS ? suggestion(name, known) : {}
      const remarks: Remarks = { ...meant, atName: true }
      const pointer = `/${map}/${escapeToken(name)}`
      report(FINDINGS.UX_TOOL, hints.document, pointer, `The agent has no ${what} ${quoted(name)}`, remarks)
    }
  }
  if (!named.some(({ isOpen }) => isOpen)) check('tools', (name) => tools.has(name), tools, 'tool')
  check('mcp_tools', (name) => servers.has(name), servers, 'MCP server')
}
