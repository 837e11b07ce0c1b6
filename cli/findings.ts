// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../bindings/document/finding.ts'

export type Code = 'BADL-164' | 'BADL-165' | 'BADL-166' | 'BADL-167' | 'DOC-115' | 'DOC-122' | 'DOC-123' | 'DOC-124' | 'DOC-128' | 'DOC-129' | 'DOC-160' | 'DOC-186' | 'DOC-189'

const T0 = 'docs/reference/cli.md'
const T1 = 'warning'
export const ID_ADDRESS = /* @__PURE__ */ finding('id-address', 'BADL-164', 'Document of another address', 'ADL 6.1')
export const UNUSED_SUPPRESSION = /* @__PURE__ */ finding('unused-suppression', 'BADL-165', 'Suppression of nothing', T0, T1)
export const SUPPRESSED_ERROR = /* @__PURE__ */ finding('suppressed-error', 'BADL-166', 'Error that cannot be suppressed', T0, T1)
export const MALFORMED_SUPPRESSION = /* @__PURE__ */ finding('malformed-suppression', 'BADL-167', 'Malformed suppression', T0, T1)
export const READ_UNREADABLE = /* @__PURE__ */ finding('read/unreadable', 'DOC-115', 'Cannot be read', T0)
export const POINTER_NAMES_NOTHING = /* @__PURE__ */ finding('pointer/names-nothing', 'DOC-122', 'Pointer that names nothing', 'RFC 6901 section 4', T1)
export const FMT_WOULD_CHANGE = /* @__PURE__ */ finding('fmt/would-change', 'DOC-123', 'Formatting would change the document', T0)
export const FMT_UNWRITABLE = /* @__PURE__ */ finding('fmt/unwritable', 'DOC-124', 'Cannot be written', T0)
export const PUBLISH_LEFT_OUT = /* @__PURE__ */ finding('publish/left-out', 'DOC-128', 'Left out', T0, 'info')
export const READ_OTHER_FILE = /* @__PURE__ */ finding('read/other-file', 'DOC-129', 'Not a document', T0)
export const TEMPLATE_VALUES = /* @__PURE__ */ finding('template/values', 'DOC-160', 'Values that are no object', T0)
export const PUBLISH_REFUSED = /* @__PURE__ */ finding('publish/refused', 'DOC-186', 'Not published', T0)
export const FETCH_DIRECTORY = /* @__PURE__ */ finding('fetch/directory', 'DOC-189', 'Server that gives no answer', T0)

export const ALL: readonly FindingKind[] = [ID_ADDRESS, UNUSED_SUPPRESSION, SUPPRESSED_ERROR, MALFORMED_SUPPRESSION, READ_UNREADABLE, POINTER_NAMES_NOTHING, FMT_WOULD_CHANGE, FMT_UNWRITABLE, PUBLISH_LEFT_OUT, READ_OTHER_FILE, TEMPLATE_VALUES, PUBLISH_REFUSED, FETCH_DIRECTORY]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...ID_ADDRESS, why: 'Whoever serves a document under an identifier speaks for that agent; this one says that it is another.', bad: 'https://acme.example.com/agents/a serves {"id": "https://acme.example.com/agents/b"}', good: 'https://acme.example.com/agents/a serves {"id": "https://acme.example.com/agents/a"}' },
  { ...UNUSED_SUPPRESSION, why: 'It would hide the next finding of the rule, which nobody has looked at.', bad: 'version: 1.0.0 # blazon-ignore bare-wildcard: a relay', good: 'allowed_hosts: ["*"] # blazon-ignore bare-wildcard: a relay' },
  { ...SUPPRESSED_ERROR, why: 'A document does not become valid by a reason: others will refuse it.', bad: 'version: one # blazon-ignore ADL-1006: to be chosen', good: 'version: 1.0.0' },
  { ...MALFORMED_SUPPRESSION, why: 'Without a rule it cannot be known what it is for, and without a reason nobody can tell whether it still holds.', bad: '{"x_blazon_suppress": [{"rule": "bare-wildcard"}]}', good: '{"x_blazon_suppress": [{"rule": "bare-wildcard", "reason": "a relay"}]}' },
  { ...READ_UNREADABLE, why: 'Of a file that cannot be read nothing can be said. The exit code is 3.', bad: 'blazon validate agnet.json', good: 'blazon validate agent.json' },
  { ...POINTER_NAMES_NOTHING, why: 'Whoever leaves out a signature that is not there, or that has another name, computes a digest that no signer computed.', bad: '{"name": "Scout"} --without /signature', good: '{"name": "Scout", "signature": "AAAA"} --without /signature' },
  { ...FMT_WOULD_CHANGE, why: 'In another order an alias would stand before its anchor, or a string would be spelled in a way that reads otherwise. The document stays as it is.', bad: 'blazon fmt --sort: {b: &x 1, a: *x}', good: 'blazon fmt --sort: {a: &x 1, b: *x}' },
  { ...FMT_UNWRITABLE, why: 'The file cannot be overwritten. Its old content is still there.', bad: 'a file that is read-only', good: 'a file that may be written' },
  { ...PUBLISH_LEFT_OUT, why: 'Files of one name go to one place of the server, where one document can be: the signed one, which others can verify.', bad: 'blazon publish agents/, with scout.adl.yaml, and scout.adl.json that was signed from it', good: 'blazon publish agents/scout.adl.json' },
  { ...READ_OTHER_FILE, why: 'A picture, a key, an archive or a text for people describes no agent, so nothing in it can be checked.', bad: 'blazon validate logo.png', good: 'blazon validate scout.card.json' },
  { ...TEMPLATE_VALUES, why: 'Values belong to variables by their names: render --vars reads an object with a member for each variable.', bad: '["Ada"]', good: '{"name": "Ada"}' },
  { ...PUBLISH_REFUSED, why: 'The server does not take the document, so nobody finds there what was to be published.', bad: 'a card without a signature, or under a name that gives no key, to a directory that takes verified ones only', good: 'the same card, signed under an id that is the key' },
  { ...FETCH_DIRECTORY, why: 'The server cannot be reached, or its answer makes no sense. It is not known if it did anything.', bad: 'blazon search translate --server https://nobody.example', good: 'blazon search translate --server https://agents.example.com' },
]
