// The findings of the command line itself.
import type { FindingInfo } from '../bindings/document/finding.ts'

export const UNREADABLE: FindingInfo = {
  id: 'read/unreadable',
  code: 'DOC-115',
  title: 'Cannot be read',
  section: 'docs/reference/cli.md',
  severity: 'error',
  why: 'Of a file that cannot be read nothing can be said. The exit code is 3.',
  bad: 'blazon validate agnet.json',
  good: 'blazon validate agent.json',
}

/** An error where the whole document is asked for by the pointer. */
export const NAMES_NOTHING: FindingInfo = {
  id: 'pointer/names-nothing',
  code: 'DOC-122',
  title: 'Pointer that names nothing',
  section: 'RFC 6901 section 4',
  severity: 'warning',
  why: 'Whoever leaves out a signature that is not there, or that has another name, computes a digest that no signer computed.',
  bad: '{"name": "Scout"} --without /signature',
  good: '{"name": "Scout", "signature": "AAAA"} --without /signature',
}

export const WOULD_CHANGE: FindingInfo = {
  id: 'fmt/would-change',
  code: 'DOC-123',
  title: 'Formatting would change the document',
  section: 'docs/reference/cli.md',
  severity: 'error',
  why: 'In another order an alias would stand before its anchor, or a string would be spelled in a way that reads otherwise. The document stays as it is.',
  bad: 'blazon fmt --sort: {b: &x 1, a: *x}',
  good: 'blazon fmt --sort: {a: &x 1, b: *x}',
}

export const UNWRITABLE: FindingInfo = {
  id: 'fmt/unwritable',
  code: 'DOC-124',
  title: 'Cannot be written',
  section: 'docs/reference/cli.md',
  severity: 'error',
  why: 'The file cannot be overwritten. Its old content is still there.',
  bad: 'a file that is read-only',
  good: 'a file that may be written',
}

export const NO_OBJECT: FindingInfo = {
  id: 'template/values',
  code: 'DOC-160',
  title: 'Values that are no object',
  section: 'docs/reference/cli.md',
  severity: 'error',
  why: 'Values belong to variables by their names: render --vars reads an object with a member for each variable.',
  bad: '["Ada"]',
  good: '{"name": "Ada"}',
}

export const REFUSED: FindingInfo = {
  id: 'publish/refused',
  code: 'DOC-186',
  title: 'Not published',
  section: 'docs/reference/cli.md',
  severity: 'error',
  why: 'The server does not take the document, so nobody finds there what was to be published.',
  bad: 'a card without a signature, or under a name that gives no key, to a directory that takes verified ones only',
  good: 'the same card, signed under an id that is the key',
}

export const LEFT_OUT: FindingInfo = {
  id: 'publish/left-out',
  code: 'DOC-128',
  title: 'Left out',
  section: 'docs/reference/cli.md',
  severity: 'info',
  why: 'Files of one name go to one place of the server, where one document can be: the signed one, which others can verify.',
  bad: 'blazon publish agents/, with scout.adl.yaml, and scout.adl.json that was signed from it',
  good: 'blazon publish agents/scout.adl.json',
}

export const OTHER_FILE: FindingInfo = {
  id: 'read/other-file',
  code: 'DOC-129',
  title: 'Not a document',
  section: 'docs/reference/cli.md',
  severity: 'error',
  why: 'A picture, a key, an archive or a text for people describes no agent, so nothing in it can be checked.',
  bad: 'blazon validate logo.png',
  good: 'blazon validate scout.card.json',
}

export const NO_ANSWER: FindingInfo = {
  id: 'fetch/directory',
  code: 'DOC-189',
  title: 'Server that gives no answer',
  section: 'docs/reference/cli.md',
  severity: 'error',
  why: 'The server cannot be reached, or its answer makes no sense. It is not known if it did anything.',
  bad: 'blazon search translate --server https://nobody.example',
  good: 'blazon search translate --server https://agents.example.com',
}

export const OTHER_ADDRESS: FindingInfo = {
  id: 'id-address',
  code: 'BADL-164',
  title: 'Document of another address',
  section: 'ADL 6.1',
  severity: 'error',
  why: 'Whoever serves a document under an identifier speaks for that agent; this one says that it is another.',
  bad: 'https://acme.example.com/agents/a serves {"id": "https://acme.example.com/agents/b"}',
  good: 'https://acme.example.com/agents/a serves {"id": "https://acme.example.com/agents/a"}',
}

export const UNUSED_SUPPRESSION: FindingInfo = {
  id: 'unused-suppression',
  code: 'BADL-165',
  title: 'Suppression of nothing',
  section: 'docs/reference/cli.md',
  severity: 'warning',
  why: 'It would hide the next finding of the rule, which nobody has looked at.',
  bad: 'version: 1.0.0 # blazon-ignore bare-wildcard: a relay',
  good: 'allowed_hosts: ["*"] # blazon-ignore bare-wildcard: a relay',
}

export const SUPPRESSED_ERROR: FindingInfo = {
  id: 'suppressed-error',
  code: 'BADL-166',
  title: 'Error that cannot be suppressed',
  section: 'docs/reference/cli.md',
  severity: 'warning',
  why: 'A document does not become valid by a reason: others will refuse it.',
  bad: 'version: one # blazon-ignore ADL-1006: to be chosen',
  good: 'version: 1.0.0',
}

export const MALFORMED_SUPPRESSION: FindingInfo = {
  id: 'malformed-suppression',
  code: 'BADL-167',
  title: 'Malformed suppression',
  section: 'docs/reference/cli.md',
  severity: 'warning',
  why: 'Without a rule it cannot be known what it is for, and without a reason nobody can tell whether it still holds.',
  bad: '{"x_blazon_suppress": [{"rule": "bare-wildcard"}]}',
  good: '{"x_blazon_suppress": [{"rule": "bare-wildcard", "reason": "a relay"}]}',
}

/** All of them, for `explain`. */
export const CLI_FINDINGS: readonly FindingInfo[] = [
  UNREADABLE,
  NAMES_NOTHING,
  WOULD_CHANGE,
  UNWRITABLE,
  NO_OBJECT,
  REFUSED,
  LEFT_OUT,
  OTHER_FILE,
  NO_ANSWER,
  OTHER_ADDRESS,
  UNUSED_SUPPRESSION,
  SUPPRESSED_ERROR,
  MALFORMED_SUPPRESSION,
]
