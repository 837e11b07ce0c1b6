import { explain, type Listener } from '../document/explain.ts'
import { Findings } from '../document/findings.ts'
import { isObject, textMember } from '../document/members.ts'
import type { Parsed } from '../document/parse.ts'
import type { ValidationReport } from '../document/report.ts'
import { type Remarks, type Report, type RuleInfo, severityOf } from '../document/rule.ts'
import { activeRules } from '../document/rule-settings.ts'
import type { Diagnostic, Severity } from '../document/types.ts'
import { isSemver } from '../schema/formats.ts'
import { Agent } from './agent.ts'
import type { Settings } from './options.ts'
import { checkProfiles } from './profiles/check.ts'
import { ROOT_OBJECT } from './rules/document.ts'
import { RULES } from './rules/index.ts'
import { isSupportedVersion, specVersion } from './rules/spec-version.ts'
import { matchesSchema } from './schema-check.ts'
import { documentShape } from './shape.ts'
import { checkSize } from './size.ts'
import { ADL } from './specification.ts'
import { MemberJudge } from './undefined-members.ts'

const active = activeRules(RULES)

/** Checks an agent definition that was read, or could not be. */
export function checkDocument({ document, diagnostics }: Parsed, settings: Settings): ValidationReport {
  if (document === undefined) return report(diagnostics.map(asParseError))
  const findings = new Findings(settings.maxDiagnostics)
  if (isObject(document.value)) checkAgent(new Agent(document), findings, settings)
  else findings.add(ROOT_OBJECT, 'error', '', 'Expected a JSON object')
  return report(findings.diagnostics(document, diagnostics))
}

function checkAgent(agent: Agent, findings: Findings, settings: Settings): void {
  checkSize(agent, settings.limits, findings)
  if (findings.hasErrors) return
  const context = { now: settings.now, allowSchemes: settings.allowSchemes }
  const severity: SeverityOf = (rule) => severityOf(rule, settings.ruleset, settings.rules)
  if (isOtherVersion(agent)) {
    // Its members and rules are others: what these would find wrong with it is not.
    specVersion.check(agent, (...finding) => findings.add(specVersion, severity(specVersion), ...finding), context)
    return
  }
  checkMembers(agent, findings, settings, severity)
  if (agent.profiles.length > 0) {
    const report = (rule: RuleInfo, ...finding: Parameters<Report>) => findings.add(rule, severity(rule), ...finding)
    checkProfiles(agent, settings.profiles, report, context)
  }
  findings.judge(active(settings), agent, context)
}

/** Whether a document says to be of another release of ADL. */
function isOtherVersion({ root }: Agent): boolean {
  const version = textMember(root, 'adl_spec')
  return version !== undefined && isSemver(version.value) && !isSupportedVersion(version.value)
}

const CATEGORY = 'VAL-26'

/** What schema.json demands, and which members may be there. A document without a fault is looked at once. */
function checkMembers(agent: Agent, findings: Findings, settings: Settings, severity: SeverityOf): void {
  const { value } = agent.root
  if (agent.profiles.length === 0 && matchesSchema(value)) return
  const judge = new MemberJudge(agent, settings.profiles, findings, settings)
  const listener: Listener = {
    fault(rule, pointer, detail, remarks) {
      if (pointer === '/adl_spec') findings.add(rule, severity(rule), pointer, detail, supportedOnly(remarks))
      else if (rule.id === CATEGORY) judge.judgeCategory(rule, severity(rule), pointer, detail, remarks)
      else findings.add(rule, severity(rule), pointer, detail, remarks)
    },
    undefinedMember: (pointer, name, place, remarks) => judge.judge(pointer, name, place, remarks),
    accepts: ({ rule }, category) => rule === CATEGORY && judge.known.categories.has(category),
  }
  explain({ document: agent.document, specification: ADL, listener }, documentShape(), value, '')
  judge.judgeProfileMembers()
}

/** A fix of `adl_spec` that gives the version of another release mends nothing. */
function supportedOnly({ fix, ...others }: Remarks = {}): Remarks {
  const found = typeof fix === 'function' ? fix() : fix
  const isMended = found?.edits?.every(({ text }) => isSupportedVersion(text.replaceAll('"', ''))) === true
  return isMended ? { ...others, fix: found } : others
}

type SeverityOf = (rule: RuleInfo) => Severity | 'off'

/** A fault of JSON in a document that is known to be ADL has the code of section 16.2; limits keep ours. */
function asParseError(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.severity === 'error' && diagnostic.rule.startsWith('json/') && diagnostic.rule !== 'json/depth'
    ? { ...diagnostic, code: 'ADL-1001', title: 'Invalid JSON syntax' }
    : diagnostic
}

function report(diagnostics: readonly Diagnostic[]): ValidationReport {
  return { valid: !diagnostics.some(({ severity }) => severity === 'error'), kind: 'adl', diagnostics }
}
