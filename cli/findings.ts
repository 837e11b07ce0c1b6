// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../bindings/document/finding.ts'

export type Code = 'BADL-164' | 'BADL-165' | 'BADL-166' | 'BADL-167' | 'DOC-115' | 'DOC-122' | 'DOC-123' | 'DOC-124' | 'DOC-128' | 'DOC-129' | 'DOC-160' | 'DOC-161' | 'DOC-186' | 'DOC-189'

const T0 = 'docs/reference/cli.md'
const T1 = 'warning'
export const ID_ADDRESS = /* @__PURE__ */ finding('id-address', 'BADL-164', 'Document from another address', 'ADL 6.1')
export const UNUSED_SUPPRESSION = /* @__PURE__ */ finding('unused-suppression', 'BADL-165', 'Unused suppression', T0, T1)
export const SUPPRESSED_ERROR = /* @__PURE__ */ finding('suppressed-error', 'BADL-166', 'Error that cannot be suppressed', T0, T1)
export const MALFORMED_SUPPRESSION = /* @__PURE__ */ finding('malformed-suppression', 'BADL-167', 'Malformed suppression', T0, T1)
export const READ_UNREADABLE = /* @__PURE__ */ finding('read/unreadable', 'DOC-115', 'Cannot be read', T0)
export const POINTER_NAMES_NOTHING = /* @__PURE__ */ finding('pointer/names-nothing', 'DOC-122', 'Pointer that names nothing', 'RFC 6901 section 4', T1)
export const FMT_WOULD_CHANGE = /* @__PURE__ */ finding('fmt/would-change', 'DOC-123', 'Formatting would change the document', T0)
export const FMT_UNWRITABLE = /* @__PURE__ */ finding('fmt/unwritable', 'DOC-124', 'Cannot be written', T0)
export const PUBLISH_LEFT_OUT = /* @__PURE__ */ finding('publish/left-out', 'DOC-128', 'Left out', T0, 'info')
export const READ_OTHER_FILE = /* @__PURE__ */ finding('read/other-file', 'DOC-129', 'Not a document', T0)
export const TEMPLATE_VALUES = /* @__PURE__ */ finding('template/values', 'DOC-160', 'Values are not an object', T0)
export const REGISTRY_LOGIN = /* @__PURE__ */ finding('registry/login', 'DOC-161', 'Login not accepted', 'docs/guide/agentlang.md')
export const PUBLISH_REFUSED = /* @__PURE__ */ finding('publish/refused', 'DOC-186', 'Not published', T0)
export const FETCH_DIRECTORY = /* @__PURE__ */ finding('fetch/directory', 'DOC-189', 'Failed request to a server', T0)

export const ALL: readonly FindingKind[] = [ID_ADDRESS, UNUSED_SUPPRESSION, SUPPRESSED_ERROR, MALFORMED_SUPPRESSION, READ_UNREADABLE, POINTER_NAMES_NOTHING, FMT_WOULD_CHANGE, FMT_UNWRITABLE, PUBLISH_LEFT_OUT, READ_OTHER_FILE, TEMPLATE_VALUES, REGISTRY_LOGIN, PUBLISH_REFUSED, FETCH_DIRECTORY]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...ID_ADDRESS, why: 'The server of an identifier speaks for that agent, but this document names another agent.', bad: 'https://acme.example.com/agents/a serves {"id": "https://acme.example.com/agents/b"}', good: 'https://acme.example.com/agents/a serves {"id": "https://acme.example.com/agents/a"}' },
  { ...UNUSED_SUPPRESSION, why: 'It would hide the next finding of this rule, which nobody has reviewed.', bad: 'version: 1.0.0 # blazon-ignore bare-wildcard: a relay', good: 'allowed_hosts: ["*"] # blazon-ignore bare-wildcard: a relay' },
  { ...SUPPRESSED_ERROR, why: 'A reason does not make a document valid, and others will refuse it.', bad: 'version: one # blazon-ignore ADL-1006: to be chosen', good: 'version: 1.0.0' },
  { ...MALFORMED_SUPPRESSION, why: 'A suppression needs a rule, and a reason so that others can tell whether it still applies.', bad: '{"x_blazon_suppress": [{"rule": "bare-wildcard"}]}', good: '{"x_blazon_suppress": [{"rule": "bare-wildcard", "reason": "a relay"}]}' },
  { ...READ_UNREADABLE, why: 'Nothing is known about a file that cannot be read. The exit code is 3.', bad: 'blazon validate agnet.json', good: 'blazon validate agent.json' },
  { ...POINTER_NAMES_NOTHING, why: 'If a signature is absent or has another name, leaving it out gives a digest that no signer computed.', bad: '{"name": "Scout"} --without /signature', good: '{"name": "Scout", "signature": "AAAA"} --without /signature' },
  { ...FMT_WOULD_CHANGE, why: 'In another order, an alias would come before its anchor, or a string would be read differently. The document stays as it is.', bad: 'blazon fmt --sort: {b: &x 1, a: *x}', good: 'blazon fmt --sort: {a: &x 1, b: *x}' },
  { ...FMT_UNWRITABLE, why: 'The file cannot be overwritten. It keeps its old content.', bad: 'a file that is read-only', good: 'a file that can be written' },
  { ...PUBLISH_LEFT_OUT, why: 'Files with one name go to one place on the server, which holds one document. The signed one is sent, because others can verify it.', bad: 'blazon publish agents/, with scout.adl.yaml, and scout.adl.json that was signed from it', good: 'blazon publish agents/scout.adl.json' },
  { ...READ_OTHER_FILE, why: 'A picture, a key, an archive or plain text does not describe an agent, so nothing in it can be checked.', bad: 'blazon validate logo.png', good: 'blazon validate scout.card.json' },
  { ...TEMPLATE_VALUES, why: 'Values belong to variables by name, so render --vars reads an object with a member for each variable.', bad: '["Ada"]', good: '{"name": "Ada"}' },
  { ...REGISTRY_LOGIN, why: 'The registry shows or takes this container only after a login, and the one that was given is missing or wrong.', bad: 'blazon agent pull registry.example.com/acme/coach:1.0.0', good: 'BLAZON_REGISTRY_LOGIN=me:PASSWORD blazon agent pull registry.example.com/acme/coach:1.0.0' },
  { ...PUBLISH_REFUSED, why: 'The server does not accept the document, so nobody finds it there.', bad: 'a card without a signature, or under a name that is not a key, to a directory that accepts only verified cards', good: 'the same card, signed under an id that is its key' },
  { ...FETCH_DIRECTORY, why: 'The server cannot be reached, refuses the request, or its answer is invalid. It may or may not have done anything.', bad: 'blazon search translate --server https://nobody.example', good: 'blazon search translate --server https://agents.example.com' },
]
