// What `blazon validate` itself finds, besides the rules of documents: docs/diagnostics.md has a section for each code.
import type { RuleInfo } from '../../bindings/document/rule.ts'

export const OTHER_ADDRESS: RuleInfo = {
  id: 'id-address',
  code: 'BADL-164',
  title: 'Document of another address',
  section: 'ADL 6.1',
  severity: 'error',
  why: 'Whoever serves a document under an identifier speaks for that agent; this one says that it is another.',
  bad: 'https://acme.example.com/agents/a serves {"id": "https://acme.example.com/agents/b"}',
  good: 'https://acme.example.com/agents/a serves {"id": "https://acme.example.com/agents/a"}',
}

export const UNUSED_SUPPRESSION: RuleInfo = {
  id: 'unused-suppression',
  code: 'BADL-165',
  title: 'Suppression of nothing',
  section: 'docs/cli.md',
  severity: 'warning',
  why: 'It would hide the next finding of the rule, which nobody has looked at.',
  bad: 'version: 1.0.0 # blazon-ignore bare-wildcard: a relay',
  good: 'allowed_hosts: ["*"] # blazon-ignore bare-wildcard: a relay',
}

export const SUPPRESSED_ERROR: RuleInfo = {
  id: 'suppressed-error',
  code: 'BADL-166',
  title: 'Error that cannot be suppressed',
  section: 'docs/cli.md',
  severity: 'warning',
  why: 'A document does not become valid by a reason: others will refuse it.',
  bad: 'version: one # blazon-ignore ADL-1006: to be chosen',
  good: 'version: 1.0.0',
}

export const MALFORMED_SUPPRESSION: RuleInfo = {
  id: 'malformed-suppression',
  code: 'BADL-167',
  title: 'Suppression that is none',
  section: 'docs/cli.md',
  severity: 'warning',
  why: 'Without a rule it cannot be known what it is for, and without a reason nobody can tell whether it still holds.',
  bad: '{"x_blazon_suppress": [{"rule": "bare-wildcard"}]}',
  good: '{"x_blazon_suppress": [{"rule": "bare-wildcard", "reason": "a relay"}]}',
}

/** For those who explain codes. */
export const VALIDATE_FINDINGS: readonly RuleInfo[] = [
  OTHER_ADDRESS,
  UNUSED_SUPPRESSION,
  SUPPRESSED_ERROR,
  MALFORMED_SUPPRESSION,
]
