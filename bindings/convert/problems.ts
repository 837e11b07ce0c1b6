// The findings of conversions, in addition to those of reading.
import type { RuleInfo } from '../frame/rule.ts'

export const NEEDED: RuleInfo = {
  id: 'convert/needed',
  code: 'BADL-190',
  title: 'The other format needs more',
  section: 'ADL 15',
  severity: 'error',
  why: 'Without it the document that is made would not be one of its kind, and nothing is made up silently.',
  bad: '{"name": "Scout", "version": "1.0.0"}',
  good: '{"name": "Scout", "description": "Finds papers.", "version": "1.0.0"}',
}

export const AUTHENTICATION: RuleInfo = {
  id: 'convert/authentication',
  code: 'BADL-191',
  title: 'Authentication that cannot be said',
  section: 'ADL 15.1',
  severity: 'warning',
  why: 'A client that learns of no authentication calls without, and is refused; or takes the agent for an open one.',
  bad: '{"security": {"authentication": {"type": "oidc"}}}',
  good: '{"security": {"authentication": {"type": "oidc", "issuer": "https://login.example.com"}}}',
}

export const UNKNOWN: RuleInfo = {
  id: 'convert/source',
  code: 'BADL-192',
  title: 'Nothing that can be converted',
  section: 'ADL 15',
  severity: 'error',
  why: 'A document is converted by what its kind means; of one that is taken for another kind nothing would be true.',
  bad: '{"name": "Scout"}',
  good: '{"adl_spec": "0.1.0", "name": "Scout"}',
}

export const TOO_LARGE: RuleInfo = {
  id: 'convert/too-large',
  code: 'BADL-193',
  title: 'A document that would be too large',
  section: 'Agent Card 7.6, ADL 18.5',
  severity: 'error',
  why: 'Cards go in messages of at most 65535 octets, and no definition is read beyond 1 MiB or 32 levels: nobody could use it.',
  bad: 'a definition whose tools have schemas of 70000 octets',
  good: 'the same without what a card has no member for: carry nothing',
}

export const SUPPLIED: RuleInfo = {
  id: 'convert/supplied',
  code: 'BADL-194',
  title: 'Made up, for the other format demands it',
  section: 'Agent Card A',
  severity: 'warning',
  why: 'Whoever reads the document that is made takes it for what the agent says of itself.',
  bad: '{"id": "agent://scout", "name": "Scout"}',
  good: '{"id": "agent://scout", "name": "Scout", "extensions": {"blazon.oasf": {"authors": ["Ada <ada@example.com>"]}}}',
}

export const CLASSIFIED: RuleInfo = {
  id: 'convert/classification',
  code: 'BADL-195',
  title: 'A classification that cannot be said',
  section: 'ADL 10.4',
  severity: 'warning',
  why: 'No other format has a classification: its readers take a tool that handles restricted data for one like any other.',
  bad: '{"data_classification": {"sensitivity": "restricted"}}',
  good: '{"data_classification": {"sensitivity": "internal"}}',
}

export const UNJUDGED: RuleInfo = {
  id: 'convert/schema',
  code: 'BADL-196',
  title: 'A schema that nothing can be held against',
  section: 'ADL 8.1',
  severity: 'warning',
  why: 'It stays in the tool, for without it every value would pass; with it no call of the tool does.',
  bad: '{"name": "add", "inputSchema": {"$schema": "http://json-schema.org/draft-04/schema#", "type": "object"}}',
  good: '{"name": "add", "inputSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}}',
}

export const INVALID: RuleInfo = {
  id: 'convert/invalid',
  code: 'BADL-197',
  title: 'A definition that ADL does not allow',
  section: 'ADL 5',
  severity: 'warning',
  why: 'What is carried comes back as it is by then: whoever edited it may have taken out what a definition has to have.',
  bad: '{"_meta": {"blazon/adl": {"lifecycle": {"effective_date": "2026-01-15T00:00:00Z"}}}}',
  good: '{"_meta": {"blazon/adl": {"lifecycle": {"status": "active"}}}}',
}

/** All of them, for `explain`. */
export const CONVERT_FINDINGS: readonly RuleInfo[] = [
  NEEDED,
  AUTHENTICATION,
  UNKNOWN,
  TOO_LARGE,
  SUPPLIED,
  CLASSIFIED,
  UNJUDGED,
  INVALID,
]

/** A fault of one conversion. */
export interface Problem {
  readonly rule: RuleInfo
  /** JSON Pointer into the source document. */
  readonly pointer: string
  readonly detail: string
}

/** Collects the problems of a conversion. */
export class Problems {
  readonly found: Problem[] = []

  get fatal(): boolean {
    return this.found.some(({ rule }) => rule.severity === 'error')
  }

  report(rule: RuleInfo, pointer: string, detail: string): void {
    this.found.push({ rule, pointer, detail })
  }
}
