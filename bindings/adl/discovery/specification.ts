// The discovery document of a domain (ADL 6.4): built from the published definitions, and checked when it comes from
// others.
import { canonicalizeValue } from '../../core/value.ts'
import type { FindingKind } from '../../document/finding.ts'
import { parse } from '../../document/parse.ts'
import type { Diagnostic, Severity } from '../../document/types.ts'
import { Findings } from '../../frame/collect.ts'
import { open } from '../../frame/open.ts'
import { ruleSettings } from '../../frame/rule-settings.ts'
import type { FileOptions, Source } from '../../frame/source.ts'
import type { Specification } from '../../frame/specification.ts'
import { type Reading, severityOf, subjectOf } from '../../frame/subject.ts'
import { isUri } from '../../schema/formats.ts'
import { isObject, type JsonObject, member } from '../../text/members.ts'
import { VAL_06, VAL_09 } from '../findings.ts'
import * as FINDINGS from './findings.ts'
import { names } from './findings.ts'

export declare namespace readDiscovery {
  interface Result {
    /** The valid entries, in the order of the document. */
    readonly entries: readonly buildDiscovery.Entry[]
    readonly diagnostics: readonly Diagnostic[]
  }
}

/** More agents than any domain lists. A client stops reading a longer list here. */
const MOST_ENTRIES = 10_000
/** Limits the findings, because a list may consist of nothing but faults. */
const MOST_FINDINGS = 1000

const OPTIONAL = ['name', 'version', 'description', 'status'] as const
const STATUSES = ['draft', 'active', 'deprecated', 'retired']

export declare namespace buildDiscovery {
  /** One agent in a discovery document. */
  interface Entry {
    readonly id: string
    /** URL of the whole ADL document. */
    readonly adl_document: string
    readonly name?: string
    readonly version?: string
    readonly description?: string
    readonly status?: string
  }
}

/**
 * The bytes of a discovery document. They are canonical, so that equal lists have equal ETags.
 *
 * @example
 * buildDiscovery([{ id: 'https://acme.example.com/agents/x', adl_document: 'https://acme.example.com/agents/x/adl.json' }])
 * // {"adl_discovery":"1.0","agents":[{"adl_document":"https://acme...","id":"https://acme..."}]}
 */
export function buildDiscovery(agents: readonly buildDiscovery.Entry[]): Uint8Array {
  return canonicalizeValue({ adl_discovery: '1.0', agents })
}

/**
 * Reads and checks a discovery document. Invalid entries are left out; the others stay usable.
 *
 * @throws {TypeError} for invalid arguments; never for the content of a document.
 */
export function readDiscovery(source: Source, { file }: FileOptions = {}): readDiscovery.Result {
  const named = { as: DISCOVERY_READING.kind, format: 'json', ...(file !== undefined && { file }) } as const
  const parsed = open(parse, source, named)
  const { subject, diagnostics } = subjectOf(DISCOVERY_READING, parsed)
  if (subject === undefined) return { entries: [], diagnostics }
  const findings = new Findings(MOST_FINDINGS)
  const entries = judgeDiscovery(subject, (rule, pointer, detail, severity = rule.severity) =>
    findings.add(rule, severity, pointer, detail),
  )
  return { entries, diagnostics: findings.diagnostics(parsed.document!, diagnostics) }
}

/** The reading of discovery documents. Their rules see the members of the root. */
export const DISCOVERY_READING: Reading<JsonObject> = {
  kind: 'adl-discovery',
  rootObject: FINDINGS.DISCOVERY_OBJECT,
  subject: ({ value }) => value as JsonObject,
}

/** Reports every fault; returns the valid entries in the order of the document. */
export function judgeDiscovery(value: JsonObject, report: ReportFinding): readonly buildDiscovery.Entry[] {
  const version = member(value, 'adl_discovery')
  if (version !== undefined && version !== '1.0') {
    const what = typeof version === 'string' ? `'${version.slice(0, 40)}'` : 'something else'
    const detail = `Member 'adl_discovery' is '1.0' in what is known here, found ${what}`
    report(FINDINGS.DISCOVERY_TYPE, '/adl_discovery', detail, 'warning')
  }
  const agents = member(value, 'agents')
  if (!Array.isArray(agents)) {
    if (agents === undefined) report(FINDINGS.DISCOVERY_REQUIRED, '', "Required member 'agents' is missing")
    else report(FINDINGS.DISCOVERY_TYPE, '/agents', "Member 'agents' must be an array")
    return []
  }
  if (agents.length > MOST_ENTRIES) {
    report(FINDINGS.DISCOVERY_COUNT, '/agents', `Expected at most ${MOST_ENTRIES} agents, found ${agents.length}`)
    return []
  }
  let faults = 0
  const reportCounting: ReportFinding = (...finding) => {
    faults++
    report(...finding)
  }
  const entries: buildDiscovery.Entry[] = []
  const seen = new Map<string, number>()
  for (const [i, agent] of agents.entries()) {
    const pointer = `/agents/${i}`
    const before = faults
    checkEntry(agent, pointer, reportCounting)
    if (faults > before) continue
    const entry = agent as buildDiscovery.Entry
    const first = seen.get(entry.id)
    if (first !== undefined) {
      report(
        FINDINGS.DISCOVERY_UNIQUE,
        `${pointer}/id`,
        `Agent '${entry.id.slice(0, 200)}' is already listed at index ${first}`,
      )
      continue
    }
    seen.set(entry.id, i)
    entries.push(entry)
  }
  return entries
}

/** Reports one finding, by default with the severity of its rule. */
export type ReportFinding = (rule: FindingKind, pointer: string, detail: string, severity?: Severity) => void

function checkEntry(agent: unknown, pointer: string, report: ReportFinding): void {
  if (!isObject(agent)) {
    report(FINDINGS.DISCOVERY_TYPE, pointer, 'An entry of agents must be an object')
    return
  }
  checkAddresses(agent, pointer, report)
  checkDescriptions(agent, pointer, report)
}

function checkAddresses(agent: JsonObject, pointer: string, report: ReportFinding): void {
  for (const name of ['id', 'adl_document'] as const) {
    const text = member(agent, name)
    if (text === undefined) report(FINDINGS.DISCOVERY_REQUIRED, pointer, `Required member '${name}' is missing`)
    else if (typeof text !== 'string')
      report(FINDINGS.DISCOVERY_TYPE, `${pointer}/${name}`, `Member '${name}' must be a string`)
    else if (!isUri(text)) report(VAL_06, `${pointer}/${name}`, `'${text.slice(0, 200)}' is not a valid URI`)
    else if (name === 'adl_document' && !/^https:/i.test(text)) {
      report(FINDINGS.DISCOVERY_HTTPS, `${pointer}/${name}`, 'A client reads documents over HTTPS only (section 18.11)')
    }
  }
}

function checkDescriptions(agent: JsonObject, pointer: string, report: ReportFinding): void {
  for (const name of OPTIONAL) {
    const text = member(agent, name)
    if (text === undefined) continue
    if (typeof text !== 'string')
      report(FINDINGS.DISCOVERY_TYPE, `${pointer}/${name}`, `Member '${name}' must be a string`)
    else if (name === 'status' && !STATUSES.includes(text)) {
      report(VAL_09, `${pointer}/status`, `'${text.slice(0, 40)}' is not one of ${STATUSES.join(', ')}`)
    }
  }
}

// The discovery documents of ADL section 6.4 in the frame.

export const ADL_DISCOVERY: Specification<JsonObject> = {
  ...DISCOVERY_READING,
  // schema.json, for editors, is not used here: one function checks everything.
  words: {
    name: 'discovery documents',
    rules: new Map(),
    isExtension: () => true,
    adviseOn: () => ({ hint: 'members that nobody defines are ignored' }),
  },
  settings: ruleSettings,
  shapes: () => [],
  check(members, findings, { ruleset, rules }) {
    judgeDiscovery(members, (rule, pointer, detail, severity) =>
      findings.add(rule, severity ?? severityOf(rule, ruleset, rules), pointer, detail),
    )
  },
  rules: [],
  names,
}
