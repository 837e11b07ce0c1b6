// The discovery document of a domain (ADL 6.4): built from what is published, and checked when it comes from others.

import { canonicalizeValue } from '../core/value.ts'
import { diagnose, type FindingKind } from '../document/diagnose.ts'
import type { Document } from '../document/document.ts'
import { isObject, type JsonObject, member as own } from '../document/members.ts'
import { type Parsed, parse } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { isUri } from '../schema/formats.ts'

/** One agent as a discovery document lists it. */
export interface DiscoveryEntry {
  readonly id: string
  /** URL of the whole ADL document. */
  readonly adl_document: string
  readonly name?: string
  readonly version?: string
  readonly description?: string
  readonly status?: string
}

export interface CheckedDiscovery {
  /** The entries without a fault, in the order of the document. */
  readonly entries: readonly DiscoveryEntry[]
  readonly diagnostics: readonly Diagnostic[]
}

/** More agents than anybody lists; a client that was sent more reads no further. */
const MOST_ENTRIES = 10_000
const LARGEST_BYTES = 1 << 22
const DEPTH = 32
/** A list of nothing but faults is not worth a finding each. */
const MOST_FINDINGS = 1000

const SPEC = 'ADL 6.4'
const FINDINGS = {
  root: ['ADL-1002', 'Document is not a JSON object', 'discovery-object'],
  missing: ['ADL-1003', 'Missing required member', 'discovery-required'],
  type: ['ADL-1004', 'Invalid member type', 'discovery-type'],
  uri: ['ADL-2006', 'Invalid URI format', 'VAL-06'],
  status: ['ADL-5001', 'Invalid lifecycle status value', 'VAL-09'],
  scheme: ['BADL-160', 'Document that is not behind HTTPS', 'discovery-https'],
  twice: ['BADL-161', 'Agent listed twice', 'discovery-unique'],
  many: ['BADL-162', 'Too many agents', 'discovery-count'],
} as const satisfies Record<string, readonly [code: string, title: string, rule: string]>

const OPTIONAL = ['name', 'version', 'description', 'status'] as const
const STATUSES = ['draft', 'active', 'deprecated', 'retired']

/**
 * The bytes of a discovery document: canonical, so that equal lists have equal ETags.
 *
 * @example
 * buildDiscovery([{ id: 'https://acme.example.com/agents/x', adl_document: 'https://acme.example.com/agents/x/adl.json' }])
 * // {"adl_discovery":"1.0","agents":[{"adl_document":"https://acme...","id":"https://acme..."}]}
 */
export function buildDiscovery(agents: readonly DiscoveryEntry[]): Uint8Array {
  return canonicalizeValue({ adl_discovery: '1.0', agents })
}

/** Reads and checks a discovery document. Entries with a fault are left out; the others stay usable. */
export function readDiscovery(source: Uint8Array | string, file?: string): CheckedDiscovery {
  const named = file === undefined ? {} : { file }
  const { document, diagnostics }: Parsed = parse(source, { ...named, maxDepth: DEPTH, maxBytes: LARGEST_BYTES })
  if (document === undefined) return { entries: [], diagnostics }
  const checked = checkDiscovery(document)
  return { ...checked, diagnostics: [...diagnostics, ...checked.diagnostics] }
}

/** Checks a discovery document that was read. */
export function checkDiscovery(document: Document): CheckedDiscovery {
  const diagnostics: Diagnostic[] = []
  let faults = 0
  const report = (finding: keyof typeof FINDINGS, pointer: string, detail: string, warning = false) => {
    faults++
    if (diagnostics.length >= MOST_FINDINGS) return
    const [code, title, rule] = FINDINGS[finding]
    const kind: FindingKind = { code, title, rule, spec: SPEC, severity: warning ? 'warning' : 'error' }
    diagnostics.push(diagnose(document.lines, kind, { ...document.source(pointer), detail }, document.file))
  }
  const { value } = document
  if (!isObject(value)) {
    report('root', '', 'A discovery document is a JSON object')
    return { entries: [], diagnostics }
  }
  const version = own(value, 'adl_discovery')
  if (version !== undefined && version !== '1.0') {
    const what = typeof version === 'string' ? `'${version.slice(0, 40)}'` : 'something else'
    report('type', '/adl_discovery', `Member 'adl_discovery' is '1.0' in what is known here, found ${what}`, true)
  }
  const agents = own(value, 'agents')
  if (!Array.isArray(agents)) {
    if (agents === undefined) report('missing', '', "Required member 'agents' is missing")
    else report('type', '/agents', "Member 'agents' must be an array")
    return { entries: [], diagnostics }
  }
  if (agents.length > MOST_ENTRIES) {
    report('many', '/agents', `Expected at most ${MOST_ENTRIES} agents, found ${agents.length}`)
    return { entries: [], diagnostics }
  }
  const entries: DiscoveryEntry[] = []
  const seen = new Map<string, number>()
  for (const [i, agent] of agents.entries()) {
    const pointer = `/agents/${i}`
    const before = faults
    checkEntry(agent, pointer, report)
    if (faults > before) continue
    const entry = agent as DiscoveryEntry
    const first = seen.get(entry.id)
    if (first !== undefined) {
      report('twice', `${pointer}/id`, `Agent '${entry.id.slice(0, 200)}' is already listed at index ${first}`, true)
      continue
    }
    seen.set(entry.id, i)
    entries.push(entry)
  }
  return { entries, diagnostics }
}

type ReportFinding = (finding: keyof typeof FINDINGS, pointer: string, detail: string) => void

function checkEntry(agent: unknown, pointer: string, report: ReportFinding): void {
  if (!isObject(agent)) {
    report('type', pointer, 'An entry of agents must be an object')
    return
  }
  checkAddresses(agent, pointer, report)
  checkDescriptions(agent, pointer, report)
}

function checkAddresses(agent: JsonObject, pointer: string, report: ReportFinding): void {
  for (const name of ['id', 'adl_document'] as const) {
    const text = own(agent, name)
    if (text === undefined) report('missing', pointer, `Required member '${name}' is missing`)
    else if (typeof text !== 'string') report('type', `${pointer}/${name}`, `Member '${name}' must be a string`)
    else if (!isUri(text)) report('uri', `${pointer}/${name}`, `'${text.slice(0, 200)}' is not a valid URI`)
    else if (name === 'adl_document' && !/^https:/i.test(text)) {
      report('scheme', `${pointer}/${name}`, 'A client reads documents over HTTPS only (section 18.11)')
    }
  }
}

function checkDescriptions(agent: JsonObject, pointer: string, report: ReportFinding): void {
  for (const name of OPTIONAL) {
    const text = own(agent, name)
    if (text === undefined) continue
    if (typeof text !== 'string') report('type', `${pointer}/${name}`, `Member '${name}' must be a string`)
    else if (name === 'status' && !STATUSES.includes(text)) {
      report('status', `${pointer}/status`, `'${text.slice(0, 40)}' is none of ${STATUSES.join(', ')}`)
    }
  }
}
