// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../document/finding.ts'

export type Code = 'ADL-1001' | 'ADL-1002' | 'ADL-1003' | 'ADL-1004' | 'ADL-1005' | 'ADL-1006' | 'ADL-2001' | 'ADL-2002' | 'ADL-2003' | 'ADL-2004' | 'ADL-2005' | 'ADL-2006' | 'ADL-2007' | 'ADL-2008' | 'ADL-2009' | 'ADL-2010' | 'ADL-2011' | 'ADL-2012' | 'ADL-2013' | 'ADL-2014' | 'ADL-2015' | 'ADL-2016' | 'ADL-2017' | 'ADL-2018' | 'ADL-2019' | 'ADL-2020' | 'ADL-2021' | 'ADL-2022' | 'ADL-2023' | 'ADL-4001' | 'ADL-4003' | 'ADL-5001' | 'ADL-5002' | 'ADL-5003' | 'BADL-101' | 'BADL-102' | 'BADL-103' | 'BADL-104' | 'BADL-105' | 'BADL-106' | 'BADL-107' | 'BADL-108' | 'BADL-109' | 'BADL-110' | 'BADL-112' | 'BADL-113' | 'BADL-114' | 'BADL-115' | 'BADL-116' | 'BADL-117' | 'BADL-118' | 'BADL-119' | 'BADL-120' | 'BADL-121' | 'BADL-122' | 'BADL-123' | 'BADL-124' | 'BADL-125' | 'BADL-126' | 'BADL-127' | 'BADL-128' | 'BADL-129' | 'BADL-130' | 'BADL-131' | 'BADL-132' | 'BADL-133' | 'BADL-134' | 'BADL-135' | 'BADL-136' | 'BADL-149' | 'DOC-116' | 'DOC-117' | 'DOC-118' | 'ADL-4002' | 'BADL-153' | 'BADL-154' | 'BADL-155' | 'BADL-156' | 'BADL-157' | 'BADL-158' | 'BADL-170' | 'BADL-171' | 'BADL-172' | 'BADL-173' | 'BADL-180' | 'BADL-181' | 'BADL-182' | 'BADL-183' | 'BADL-184' | 'BADL-185' | 'BADL-186' | 'BADL-187' | 'BADL-188' | 'BADL-189' | 'KEY-120' | 'KEY-121' | 'KEY-122' | 'KEY-123' | 'KEY-124' | 'KEY-125' | 'KEY-126' | 'KEY-127' | 'KEY-128' | 'KEY-130' | 'KEY-131' | 'KEY-132' | 'KEY-133'

const T0 = 'ADL 4.2'
const T1 = 'ADL 14.1'
const T2 = 'ADL-1006'
const T3 = 'ADL 7.2'
const T4 = 'ADL-2005'
const T5 = 'ADL 5.6'
const T6 = 'ADL 14.2'
const T7 = 'ADL-2006'
const T8 = 'ADL 8.1'
const T9 = 'ADL 8.2'
const T10 = 'ADL 7.1'
const T11 = 'ADL 10.3'
const T12 = 'ADL 10.4'
const T13 = 'warning'
const T14 = 'ADL 4.4'
const T15 = 'info'
const T16 = 'ADL 9.5'
const T17 = 'ADL 6.3'
const T18 = 'ADL 8.3'
const T19 = 'ADL 9.3'
const T20 = 'ADL 5.4'
const T21 = 'ADL 18.5'
const T22 = 'ADL 18.10'
const T23 = 'ADL 18.3'
const T24 = 'ADL 18.4'
const T25 = 'ADL 18.9'
const T26 = 'ADL 18.2'
const T27 = 'ADL 18.1'
const T28 = 'ADL 18.11'
const T29 = 'ADL 18.8'
export const INVALID_JSON = /* @__PURE__ */ finding('invalid-json', 'ADL-1001', 'Invalid JSON', T1)
export const ROOT_OBJECT = /* @__PURE__ */ finding('root-object', 'ADL-1002', 'Document is not a JSON object', T0)
export const MISSING_MEMBER = /* @__PURE__ */ finding('missing-member', 'ADL-1003', 'Missing required member', T0)
export const MEMBER_TYPE = /* @__PURE__ */ finding('member-type', 'ADL-1004', 'Invalid member type', T1)
export const ENUM_VALUE = /* @__PURE__ */ finding('enum-value', 'ADL-1005', 'Invalid enum value', T1)
export const TEMPLATE_SYNTAX = /* @__PURE__ */ finding('template-syntax', T2, 'Template syntax error', T3)
export const TEMPLATE_UNDEFINED = /* @__PURE__ */ finding('template-undefined', T2, 'Template reference to an undefined variable', T3)
export const VALUE_PATTERN = /* @__PURE__ */ finding('value-pattern', T2, 'Value does not match pattern', T1)
export const VAL_01 = /* @__PURE__ */ finding('VAL-01', 'ADL-2001', 'Unsupported ADL version', 'ADL 5.1')
export const VAL_02 = /* @__PURE__ */ finding('VAL-02', 'ADL-2002', 'Duplicate tool name', T8)
export const VAL_03 = /* @__PURE__ */ finding('VAL-03', 'ADL-2003', 'Duplicate resource name', T9)
export const VAL_04 = /* @__PURE__ */ finding('VAL-04', 'ADL-2004', 'Duplicate prompt name', T18)
export const VAL_05 = /* @__PURE__ */ finding('VAL-05', T4, 'Invalid timestamp format', T6)
export const VAL_10 = /* @__PURE__ */ finding('VAL-10', T4, 'Invalid effective date', T5)
export const VAL_11 = /* @__PURE__ */ finding('VAL-11', T4, 'Invalid sunset date', T5)
export const VAL_06 = /* @__PURE__ */ finding('VAL-06', T7, 'Invalid URI format', T6)
export const VAL_12 = /* @__PURE__ */ finding('VAL-12', T7, 'Invalid URI of a successor', T5)
export const VAL_07 = /* @__PURE__ */ finding('VAL-07', 'ADL-2007', 'Invalid JSON Schema', T8)
export const VAL_13 = /* @__PURE__ */ finding('VAL-13', 'ADL-2008', 'Invalid tool name pattern', T8)
export const VAL_14 = /* @__PURE__ */ finding('VAL-14', 'ADL-2009', 'Invalid resource type value', T9)
export const VAL_15 = /* @__PURE__ */ finding('VAL-15', 'ADL-2010', 'Temperature out of range', T10)
export const VAL_16 = /* @__PURE__ */ finding('VAL-16', 'ADL-2011', 'Invalid authentication type', 'ADL 10.1')
export const VAL_17 = /* @__PURE__ */ finding('VAL-17', 'ADL-2012', 'Invalid attestation type', T11)
export const VAL_18 = /* @__PURE__ */ finding('VAL-18', 'ADL-2013', 'Invalid error handling action', 'ADL 11.4')
export const VAL_19 = /* @__PURE__ */ finding('VAL-19', 'ADL-2014', 'Invalid output format', 'ADL 11.2')
export const VAL_20 = /* @__PURE__ */ finding('VAL-20', 'ADL-2015', 'Invalid model capability', T10)
export const VAL_21 = /* @__PURE__ */ finding('VAL-21', 'ADL-2016', 'Invalid host pattern syntax', 'ADL 9.2')
export const VAL_22 = /* @__PURE__ */ finding('VAL-22', 'ADL-2017', 'Invalid filesystem path pattern', T19)
export const VAL_23 = /* @__PURE__ */ finding('VAL-23', 'ADL-2018', 'Invalid environment variable pattern', 'ADL 9.4')
export const VAL_24 = /* @__PURE__ */ finding('VAL-24', 'ADL-2019', 'Missing digest fields for digest-mode signature', T11)
export const VAL_25 = /* @__PURE__ */ finding('VAL-25', 'ADL-2020', 'Invalid data classification sensitivity level', T12)
export const VAL_26 = /* @__PURE__ */ finding('VAL-26', 'ADL-2021', 'Invalid data classification category', T12)
export const VAL_27 = /* @__PURE__ */ finding('VAL-27', 'ADL-2022', 'Retention min_days exceeds max_days', T12)
export const VAL_28 = /* @__PURE__ */ finding('VAL-28', 'ADL-2023', 'High-water mark violation', T12)
export const WEAK_KEY = /* @__PURE__ */ finding('weak-key', 'ADL-4001', 'Weak key algorithm', T17)
export const ATTESTATION_EXPIRY = /* @__PURE__ */ finding('attestation-expiry', 'ADL-4003', 'Expired attestation', T11, T13)
export const VAL_09 = /* @__PURE__ */ finding('VAL-09', 'ADL-5001', 'Invalid lifecycle status value', T5)
export const SUCCESSOR_ACTIVE = /* @__PURE__ */ finding('successor-active', 'ADL-5002', 'Successor present on active/draft agent', T5, T13)
export const SUNSET_PAST = /* @__PURE__ */ finding('sunset-past', 'ADL-5003', 'Sunset date in the past with non-retired status', T5, T13)
export const UNDEFINED_MEMBER = /* @__PURE__ */ finding('undefined-member', 'BADL-101', 'Undefined member', T0)
export const NUMBER_RANGE = /* @__PURE__ */ finding('number-range', 'BADL-102', 'Number out of range', T1)
export const EMPTY_VALUE = /* @__PURE__ */ finding('empty-value', 'BADL-103', 'Empty value', T1)
export const COMMAND_PATTERN = /* @__PURE__ */ finding('command-pattern', 'BADL-104', 'Invalid command pattern', T16)
export const BARE_WILDCARD = /* @__PURE__ */ finding('bare-wildcard', 'BADL-105', 'Pattern that matches everything', T14, T13, { security: 'error' })
export const MID_WILDCARD = /* @__PURE__ */ finding('mid-wildcard', 'BADL-106', 'Wildcard between characters', T14, T13, { strict: 'error' })
export const PATTERN_CHARACTERS = /* @__PURE__ */ finding('pattern-characters', 'BADL-107', 'Pattern with characters that others may refuse', 'ADL D', T13)
export const MEDIA_TYPE = /* @__PURE__ */ finding('media-type', 'BADL-108', 'Not a MIME type', T9)
export const LICENSE = /* @__PURE__ */ finding('license', 'BADL-109', 'License that is not in the SPDX list', 'ADL 12.2', T13)
export const TAG = /* @__PURE__ */ finding('tag', 'BADL-110', 'Tag with other characters than lowercase letters, digits and hyphens', 'ADL 12.5', T13)
export const SCHEMA_MEMBER = /* @__PURE__ */ finding('schema-member', 'BADL-112', 'No $schema', 'ADL 5.2', T15, { spec: 'off' })
export const THIN_DESCRIPTION = /* @__PURE__ */ finding('thin-description', 'BADL-113', 'Description that says little', T20, T15, { spec: 'off' })
export const SECRET = /* @__PURE__ */ finding('secret', 'BADL-114', 'Text that looks like a credential', T26, T13, { strict: 'error', security: 'error' })
export const PRIVATE_HOST = /* @__PURE__ */ finding('private-host', 'BADL-115', 'Private host or address', T24, T13)
export const URI_SCHEME = /* @__PURE__ */ finding('uri-scheme', 'BADL-116', 'URI with another scheme than https, http and urn', 'ADL 18.7', T13, { strict: 'error', security: 'error' })
export const FLOAT_SIGNED = /* @__PURE__ */ finding('float-signed', 'BADL-117', 'Fraction in a signed document', T29, T13)
export const SHELL_COMMAND = /* @__PURE__ */ finding('shell-command', 'BADL-118', 'Shell among the allowed commands', T16, T13)
export const ALLOW_SHELL = /* @__PURE__ */ finding('allow-shell', 'BADL-119', 'Shell allowed', T16, T13, { spec: 'off', security: 'error' })
export const PERSONAL_CONTACT = /* @__PURE__ */ finding('personal-contact', 'BADL-120', 'Contact that looks personal', T25, T13)
export const IDENTITY_KEY = /* @__PURE__ */ finding('identity-key', 'BADL-121', 'Identity without DID and key', T17, T13)
export const SUCCESSOR_MISSING = /* @__PURE__ */ finding('successor-missing', 'BADL-122', 'No successor', T5, T13)
export const SUNSET_SOON = /* @__PURE__ */ finding('sunset-soon', 'BADL-123', 'Sunset date within 30 days', T5, T13)
export const ADL_URN = /* @__PURE__ */ finding('adl-urn', 'BADL-124', 'URN of another form', 'ADL 17.3', T13)
export const URN_PRIMARY = /* @__PURE__ */ finding('urn-primary', 'BADL-125', 'URN instead of an identifier that resolves', 'ADL 6.1', T15)
export const DID_SYNTAX = /* @__PURE__ */ finding('did-syntax', 'BADL-126', 'Not a DID', T17, T13, { strict: 'error' })
export const PROMPT_ARGUMENT = /* @__PURE__ */ finding('prompt-argument', 'BADL-127', 'Reference to an undeclared argument', T18, T13)
export const UNUSED_VARIABLE = /* @__PURE__ */ finding('unused-variable', 'BADL-128', 'Variable that is not used', T3, T13, { spec: 'off' })
export const TOOL_EXAMPLE = /* @__PURE__ */ finding('tool-example', 'BADL-129', 'Example that does not fit its schema', T8, T13)
export const KEY_ENCODING = /* @__PURE__ */ finding('key-encoding', 'BADL-130', 'Key that cannot be read', T17, T13)
export const EMPTY_PERMISSIONS = /* @__PURE__ */ finding('empty-permissions', 'BADL-131', 'Permissions without a domain', 'ADL 9', T13)
export const SIGNATURE_VALUES = /* @__PURE__ */ finding('signature-values', 'BADL-132', 'Signature that nobody can verify', T11, T13, { strict: 'error', security: 'error' })
export const KEY_ALGORITHM = /* @__PURE__ */ finding('key-algorithm', 'BADL-133', 'Key for another algorithm', T17, T13, { strict: 'error', security: 'error' })
export const UNMATCHED_PATH = /* @__PURE__ */ finding('unmatched-path', 'BADL-134', 'Path that nothing matches', T19, T13, { strict: 'error', security: 'error' })
export const SCHEMA_REFERENCE = /* @__PURE__ */ finding('schema-reference', 'BADL-135', 'Schema that refers to another document', T8, T13)
export const SCHEMA_REQUIRED = /* @__PURE__ */ finding('schema-required', 'BADL-136', 'Required name without a property', T8, T13)
export const PLACEHOLDER = /* @__PURE__ */ finding('placeholder', 'BADL-149', 'Placeholder of the template', T20, T13, { spec: 'off', strict: 'error' })
export const LIMIT_ENTRIES = /* @__PURE__ */ finding('limit/entries', 'DOC-116', 'Too many entries', T21)
export const LIMIT_TEXT = /* @__PURE__ */ finding('limit/text', 'DOC-117', 'Text too long', T21)
export const LIMIT_PATTERNS = /* @__PURE__ */ finding('limit/patterns', 'DOC-118', 'Too many patterns', T21)
export const RENDER_UNDEFINED = /* @__PURE__ */ finding('template/undefined', T2, 'Template variable without a value', T3)
export const SIGNATURE_INVALID = /* @__PURE__ */ finding('signature-invalid', 'ADL-4002', 'Invalid signature', T27)
export const MEDIA_TYPE_PROFILE = /* @__PURE__ */ finding('media-type-profile', 'BADL-153', 'Profiles differ from those of the media type', 'ADL 17.1', T13)
export const INVENTORY_FILE = /* @__PURE__ */ finding('inventory-file', 'BADL-154', 'Malformed inventory', T22)
export const INVENTORY_NOT_APPROVED = /* @__PURE__ */ finding('inventory-not-approved', 'BADL-155', 'Agent that was not approved', T22)
export const INVENTORY_DIGEST = /* @__PURE__ */ finding('inventory-digest', 'BADL-156', 'Document differs from what was approved', T22)
export const INVENTORY_SIGNER = /* @__PURE__ */ finding('inventory-signer', 'BADL-157', 'Signer differs from the one that was approved', T22)
export const TRUST_FILE = /* @__PURE__ */ finding('trust-file', 'BADL-158', 'Malformed trust file', T28)
export const PROMPT_ABSENT = /* @__PURE__ */ finding('prompt/absent', 'BADL-170', 'No such prompt', T18)
export const PROMPT_HIDDEN_TEXT = /* @__PURE__ */ finding('prompt/hidden-text', 'BADL-171', 'Value with invisible characters', T23)
export const PROMPT_SEAM = /* @__PURE__ */ finding('prompt/seam', 'BADL-172', 'Template delimiter at the edge of a value', T23)
export const RENDER_ARGUMENT = /* @__PURE__ */ finding('prompt/argument', 'BADL-173', 'Argument that the prompt does not accept', T18)
export const REVIEW_CLASSIFICATION = /* @__PURE__ */ finding('review/classification', 'BADL-180', 'Not suitable for publication as it is', T24)
export const REVIEW_PROMPT = /* @__PURE__ */ finding('review/prompt', 'BADL-181', 'Prompt that everyone can read', T25, T13)
export const REVIEW_CONTACT = /* @__PURE__ */ finding('review/contact', 'BADL-182', 'Contact that everyone can read', T25, T15)
export const REVIEW_HOST = /* @__PURE__ */ finding('review/host', 'BADL-183', 'Host that the agent may reach', T24, T15)
export const REVIEW_PATH = /* @__PURE__ */ finding('review/path', 'BADL-184', 'Path of a file system', T24, T13)
export const REVIEW_PROCESS = /* @__PURE__ */ finding('review/process', 'BADL-185', 'Variable or command of the host', T24, T15)
export const REVIEW_ADDRESS = /* @__PURE__ */ finding('review/address', 'BADL-186', 'Address that everyone can read', T24, T15)
export const REVIEW_EXAMPLE = /* @__PURE__ */ finding('review/example', 'BADL-187', 'Example of a call', T26, T15)
export const REVIEW_EXTENSION = /* @__PURE__ */ finding('review/extension', 'BADL-188', 'Extension member', 'ADL 4.3', T15)
export const REVIEW_TOOL_DATA = /* @__PURE__ */ finding('review/tool-data', 'BADL-189', 'Data that a tool or resource handles', T24, T15)
export const SIGNATURE_ABSENT = /* @__PURE__ */ finding('signature-absent', 'KEY-120', 'No signature', T27)
export const SIGNATURE_UNSUPPORTED = /* @__PURE__ */ finding('signature-unsupported', 'KEY-121', 'Signature that cannot be verified', T11)
export const SIGNATURE_KEY = /* @__PURE__ */ finding('signature-key', 'KEY-122', 'No key to verify with', T17)
export const SIGNATURE_UNLISTED_KEY = /* @__PURE__ */ finding('signature-unlisted-key', 'KEY-123', 'Key that the DID does not list', T17)
export const ATTESTATION_DATES = /* @__PURE__ */ finding('attestation-dates', 'KEY-124', 'Attestation with impossible dates', T11, T13)
export const ATTESTATION_OWN_KEY = /* @__PURE__ */ finding('attestation-own-key', 'KEY-125', 'Third party that signs with the agent\'s key', T11, T13)
export const IDENTITY_EXPECTED = /* @__PURE__ */ finding('identity-expected', 'KEY-126', 'Not the expected agent', T28)
export const IDENTITY_UNPROVEN = /* @__PURE__ */ finding('identity-unproven', 'KEY-127', 'Nobody vouches for the provider', T28)
export const SIGNATURE_STRAY_DIGEST = /* @__PURE__ */ finding('signature-stray-digest', 'KEY-128', 'Wrong digest next to a valid signature', T11, T13)
export const SIGNATURE_PLACE = /* @__PURE__ */ finding('signature-place', 'KEY-130', 'No place for a signature', T11)
export const SIGNATURE_INTEGER = /* @__PURE__ */ finding('signature-integer', 'KEY-131', 'Integer that is not signed', T29)
export const SIGNATURE_OTHER_KEY = /* @__PURE__ */ finding('signature-other-key', 'KEY-132', 'Signed with another key than the document names', T11)
export const SIGNATURE_UNNAMED_KEY = /* @__PURE__ */ finding('signature-unnamed-key', 'KEY-133', 'Signed with a key that the document does not name', T17, T13)

export const ALL: readonly FindingKind[] = [INVALID_JSON, ROOT_OBJECT, MISSING_MEMBER, MEMBER_TYPE, ENUM_VALUE, TEMPLATE_SYNTAX, TEMPLATE_UNDEFINED, VALUE_PATTERN, VAL_01, VAL_02, VAL_03, VAL_04, VAL_05, VAL_10, VAL_11, VAL_06, VAL_12, VAL_07, VAL_13, VAL_14, VAL_15, VAL_16, VAL_17, VAL_18, VAL_19, VAL_20, VAL_21, VAL_22, VAL_23, VAL_24, VAL_25, VAL_26, VAL_27, VAL_28, WEAK_KEY, ATTESTATION_EXPIRY, VAL_09, SUCCESSOR_ACTIVE, SUNSET_PAST, UNDEFINED_MEMBER, NUMBER_RANGE, EMPTY_VALUE, COMMAND_PATTERN, BARE_WILDCARD, MID_WILDCARD, PATTERN_CHARACTERS, MEDIA_TYPE, LICENSE, TAG, SCHEMA_MEMBER, THIN_DESCRIPTION, SECRET, PRIVATE_HOST, URI_SCHEME, FLOAT_SIGNED, SHELL_COMMAND, ALLOW_SHELL, PERSONAL_CONTACT, IDENTITY_KEY, SUCCESSOR_MISSING, SUNSET_SOON, ADL_URN, URN_PRIMARY, DID_SYNTAX, PROMPT_ARGUMENT, UNUSED_VARIABLE, TOOL_EXAMPLE, KEY_ENCODING, EMPTY_PERMISSIONS, SIGNATURE_VALUES, KEY_ALGORITHM, UNMATCHED_PATH, SCHEMA_REFERENCE, SCHEMA_REQUIRED, PLACEHOLDER, LIMIT_ENTRIES, LIMIT_TEXT, LIMIT_PATTERNS]

export const names = (): readonly string[] => [...namesOf(ALL), ...'template/undefined ADL-1006 signature-invalid ADL-4002 media-type-profile BADL-153 inventory-file BADL-154 inventory-not-approved BADL-155 inventory-digest BADL-156 inventory-signer BADL-157 trust-file BADL-158 prompt/absent BADL-170 prompt/hidden-text BADL-171 prompt/seam BADL-172 prompt/argument BADL-173 review/classification BADL-180 review/prompt BADL-181 review/contact BADL-182 review/host BADL-183 review/path BADL-184 review/process BADL-185 review/address BADL-186 review/example BADL-187 review/extension BADL-188 review/tool-data BADL-189 signature-absent KEY-120 signature-unsupported KEY-121 signature-key KEY-122 signature-unlisted-key KEY-123 attestation-dates KEY-124 attestation-own-key KEY-125 identity-expected KEY-126 identity-unproven KEY-127 signature-stray-digest KEY-128 signature-place KEY-130 signature-integer KEY-131 signature-other-key KEY-132 signature-unnamed-key KEY-133'.split(' ')]

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...INVALID_JSON, why: 'Programs repair broken JSON differently, and of two equal members some read the first and some the last. Nobody would know what was checked.', bad: '{"adl_spec": "0.1.0", "name": "Scout", "name": "Spy",}', good: '{"adl_spec": "0.1.0", "name": "Scout"}' },
  { ...ROOT_OBJECT, why: 'An agent definition is one JSON object: nothing else has members to read.', bad: '[]', good: '{"adl_spec": "0.1.0"}' },
  { ...MISSING_MEMBER, why: 'Every program that reads the document relies on the required members.', bad: '{"provider": {"url": "https://acme.example.com"}}', good: '{"provider": {"name": "Acme", "url": "https://acme.example.com"}}' },
  { ...MEMBER_TYPE, why: 'Some programs ignore a value of another type, others crash.', bad: '{"tools": {"name": "search"}}', good: '{"tools": [{"name": "search", "description": "Searches the web."}]}' },
  { ...ENUM_VALUE, why: 'Programs act on the values that the specification lists. Some ignore any other value, some refuse it.', bad: '{"permissions": {"filesystem": {"allowed_paths": [{"path": "/data/**", "access": "readonly"}]}}}', good: '{"permissions": {"filesystem": {"allowed_paths": [{"path": "/data/**", "access": "read"}]}}}' },
  { ...TEMPLATE_SYNTAX, why: 'Text between braces that is not a valid reference reaches the model unchanged.', bad: '{"system_prompt": {"template": "You help {{ company }}.", "variables": {}}}', good: '{"system_prompt": {"template": "You help {{company}}.", "variables": {"company": "Acme"}}}' },
  { ...TEMPLATE_UNDEFINED, why: 'A reference without a value must not become empty text, so the prompt cannot be rendered.', bad: '{"system_prompt": {"template": "You help {{company}}.", "variables": {}}}', good: '{"system_prompt": {"template": "You help {{company}}.", "variables": {"company": "Acme"}}}' },
  { ...VALUE_PATTERN, why: 'Programs read the value by a grammar that it does not follow.', bad: '{"version": "1.0"}', good: '{"version": "1.0.0"}' },
  { ...VAL_01, why: 'The rules of one version do not apply to documents of another, which may write grants and denials elsewhere.', bad: '{"adl_spec": "0.1.0-draft"}', good: '{"adl_spec": "0.1.0"}' },
  { ...VAL_02, why: 'An agent calls a tool by its name. If two have the same name, nobody can say which one runs, or which permission and confirmation apply.', bad: '{"tools": [{"name": "search", "description": "Searches the web."}, {"name": "search", "description": "Searches files."}]}', good: '{"tools": [{"name": "search_web", "description": "Searches the web."}, {"name": "search_files", "description": "Searches files."}]}' },
  { ...VAL_03, why: 'Resources are read by name. If two have the same name, programs may read different ones.', bad: '{"resources": [{"name": "docs", "type": "file"}, {"name": "docs", "type": "api"}]}', good: '{"resources": [{"name": "docs", "type": "file"}, {"name": "docs_api", "type": "api"}]}' },
  { ...VAL_04, why: 'Prompts are rendered by name. If two have the same name, programs may render different ones.', bad: '{"prompts": [{"name": "greet", "template": "Hello"}, {"name": "greet", "template": "Good evening"}]}', good: '{"prompts": [{"name": "greet", "template": "Hello"}, {"name": "greet_late", "template": "Good evening"}]}' },
  { ...VAL_05, why: 'A time without an offset is a different moment in each time zone, and programs read other notations differently.', bad: '{"security": {"attestation": {"type": "self", "issued_at": "2026-01-01"}}}', good: '{"security": {"attestation": {"type": "self", "issued_at": "2026-01-01T00:00:00Z"}}}' },
  { ...VAL_10, why: 'A time without an offset is a different moment in each time zone, and programs read other notations differently.', bad: '{"lifecycle": {"status": "active", "effective_date": "2026-01-15 00:00"}}', good: '{"lifecycle": {"status": "active", "effective_date": "2026-01-15T00:00:00Z"}}' },
  { ...VAL_11, why: 'A time without an offset is a different moment in each time zone, and programs read other notations differently.', bad: '{"lifecycle": {"status": "active", "sunset_date": "2036-13-01T00:00:00Z"}}', good: '{"lifecycle": {"status": "active", "sunset_date": "2036-12-01T00:00:00Z"}}' },
  { ...VAL_06, why: 'Programs read a malformed URI (RFC 3986) differently, so it leads to different places or nowhere.', bad: '{"provider": {"name": "Acme", "url": "https://acme.example.com/a b"}}', good: '{"provider": {"name": "Acme", "url": "https://acme.example.com/a%20b"}}' },
  { ...VAL_12, why: 'Users of a retired agent follow this URI to its successor. An invalid one leads nowhere.', bad: '{"lifecycle": {"status": "retired", "successor": "the new agent"}}', good: '{"lifecycle": {"status": "retired", "successor": "https://acme.example.com/agents/new"}}' },
  { ...VAL_07, why: 'These schemas check what a model passes to a call and what it gets back. An invalid schema checks nothing.', bad: '{"tools": [{"name": "add", "description": "Adds two numbers.", "parameters": {"type": "objekt"}}]}', good: '{"tools": [{"name": "add", "description": "Adds two numbers.", "parameters": {"type": "object"}}]}' },
  { ...VAL_13, why: 'Tool names become function names. Models and protocols accept lowercase letters, digits and underscores.', bad: '{"tools": [{"name": "Search-Web", "description": "Searches the web."}]}', good: '{"tools": [{"name": "search_web", "description": "Searches the web."}]}' },
  { ...VAL_14, why: 'Programs act on the values that the specification lists. Some ignore any other value, some refuse it.', bad: '{"resources": [{"name": "docs", "type": "folder"}]}', good: '{"resources": [{"name": "docs", "type": "file"}]}' },
  { ...VAL_15, why: 'Models refuse a temperature outside 0 to 2, or clamp it silently.', bad: '{"model": {"temperature": 2.5}}', good: '{"model": {"temperature": 2}}' },
  { ...VAL_16, why: 'Programs act on the values that the specification lists. Some ignore any other value, some refuse it.', bad: '{"security": {"authentication": {"type": "password"}}}', good: '{"security": {"authentication": {"type": "api_key"}}}' },
  { ...VAL_17, why: 'Programs act on the values that the specification lists. Some ignore any other value, some refuse it.', bad: '{"security": {"attestation": {"type": "notary"}}}', good: '{"security": {"attestation": {"type": "third_party"}}}' },
  { ...VAL_18, why: 'Programs act on the values that the specification lists. Some ignore any other value, some refuse it.', bad: '{"runtime": {"error_handling": {"on_tool_error": "ignore"}}}', good: '{"runtime": {"error_handling": {"on_tool_error": "continue"}}}' },
  { ...VAL_19, why: 'Programs act on the values that the specification lists. Some ignore any other value, some refuse it.', bad: '{"runtime": {"output_handling": {"format": "xml"}}}', good: '{"runtime": {"output_handling": {"format": "json"}}}' },
  { ...VAL_20, why: 'Programs act on the values that the specification lists. Some ignore any other value, some refuse it.', bad: '{"model": {"capabilities": ["tool_use"]}}', good: '{"model": {"capabilities": ["function_calling"]}}' },
  { ...VAL_21, why: 'Programs ignore an invalid pattern or read it differently, so a grant or a denial is lost.', bad: '{"permissions": {"network": {"allowed_hosts": ["api.example.com", "**"]}}}', good: '{"permissions": {"network": {"allowed_hosts": ["api.example.com", "*.example.com"]}}}' },
  { ...VAL_22, why: 'Programs ignore an invalid pattern or read it differently, so a grant or a denial is lost.', bad: '{"permissions": {"filesystem": {"denied_paths": ["/data/secrets***"]}}}', good: '{"permissions": {"filesystem": {"denied_paths": ["/data/secrets/**"]}}}' },
  { ...VAL_23, why: 'Programs ignore an invalid pattern or read it differently, so a grant or a denial is lost.', bad: '{"permissions": {"environment": {"allowed_variables": ["APP_**"]}}}', good: '{"permissions": {"environment": {"allowed_variables": ["APP_*"]}}}' },
  { ...VAL_24, why: 'A signature over a digest proves nothing unless the document states the digest and how it is computed.', bad: '{"security": {"attestation": {"signature": {"algorithm": "Ed25519", "value": "AA", "signed_content": "digest"}}}}', good: '{"security": {"attestation": {"signature": {"algorithm": "Ed25519", "value": "AA", "signed_content": "digest", "digest_algorithm": "SHA-256", "digest_value": "AA"}}}}' },
  { ...VAL_25, why: 'Levels are compared, and an unknown level is neither above nor below another.', bad: '{"data_classification": {"sensitivity": "secret"}}', good: '{"data_classification": {"sensitivity": "restricted"}}' },
  { ...VAL_26, why: 'Programs act on the values that the specification lists. Some ignore any other value, some refuse it.', bad: '{"data_classification": {"sensitivity": "public", "categories": ["health"]}}', good: '{"data_classification": {"sensitivity": "public", "categories": ["phi"]}}' },
  { ...VAL_27, why: 'Data would have to be deleted before deletion is allowed.', bad: '{"data_classification": {"sensitivity": "public", "retention": {"min_days": 30, "max_days": 7}}}', good: '{"data_classification": {"sensitivity": "public", "retention": {"min_days": 7, "max_days": 30}}}' },
  { ...VAL_28, why: 'Access to an agent is granted by the agent\'s own level. A tool or resource above that level would handle data that nobody agreed to.', bad: '{"data_classification": {"sensitivity": "internal"}, "resources": [{"name": "records", "type": "database", "data_classification": {"sensitivity": "confidential"}}]}', good: '{"data_classification": {"sensitivity": "confidential"}, "resources": [{"name": "records", "type": "database", "data_classification": {"sensitivity": "confidential"}}]}' },
  { ...WEAK_KEY, why: 'Anyone who breaks the key can sign documents as this agent.', bad: '{"cryptographic_identity": {"public_key": {"algorithm": "DSA", "value": "AA=="}}}', good: '{"cryptographic_identity": {"public_key": {"algorithm": "Ed25519", "value": "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="}}}' },
  { ...ATTESTATION_EXPIRY, why: 'An attestation vouches for the agent only until it expires.', bad: '{"security": {"attestation": {"type": "self", "expires_at": "2020-01-01T00:00:00Z"}}}', good: '{"security": {"attestation": {"type": "self", "expires_at": "2099-01-01T00:00:00Z"}}}' },
  { ...VAL_09, why: 'The status decides whether an agent may run. An unknown status decides nothing.', bad: '{"lifecycle": {"status": "beta"}}', good: '{"lifecycle": {"status": "draft"}}' },
  { ...SUCCESSOR_ACTIVE, why: 'A successor asks users to move, but this agent is still in use.', bad: '{"lifecycle": {"status": "active", "successor": "https://acme.example.com/agents/new"}}', good: '{"lifecycle": {"status": "deprecated", "successor": "https://acme.example.com/agents/new"}}' },
  { ...SUNSET_PAST, why: 'The date says that the agent has ended, the status that it has not. A deprecated agent counts as retired from that date.', bad: '{"lifecycle": {"status": "active", "sunset_date": "2020-01-01T00:00:00Z"}}', good: '{"lifecycle": {"status": "retired", "sunset_date": "2020-01-01T00:00:00Z", "successor": "https://acme.example.com/agents/new"}}' },
  { ...UNDEFINED_MEMBER, why: 'Nobody reads a member that nobody defines: a misspelled permission grants nothing, a misspelled denial denies nothing.', bad: '{"permisions": {}}', good: '{"x_acme_permissions": {}}' },
  { ...NUMBER_RANGE, why: 'A number outside its range is a mistake, such as port 0 or more than 100 percent.', bad: '{"permissions": {"network": {"allowed_ports": [70000]}}}', good: '{"permissions": {"network": {"allowed_ports": [7000]}}}' },
  { ...EMPTY_VALUE, why: 'An empty member says nothing, so leave it out or fill it in.', bad: '{"name": ""}', good: '{"name": "Invoice Processor"}' },
  { ...COMMAND_PATTERN, why: 'Programs ignore an invalid pattern or read it differently, so a grant or a denial is lost.', bad: '{"permissions": {"execution": {"denied_commands": ["rm**"]}}}', good: '{"permissions": {"execution": {"denied_commands": ["rm*"]}}}' },
  { ...BARE_WILDCARD, why: 'A lone `*` removes the boundary. Every host can be reached, every variable read. As a denial it denies everything.', bad: '{"permissions": {"network": {"allowed_hosts": ["*"]}}}', good: '{"permissions": {"network": {"allowed_hosts": ["*.example.com"]}}}' },
  { ...MID_WILDCARD, why: 'Section 4.4 lets implementations refuse such a pattern, so it may grant or deny less elsewhere.', bad: '{"permissions": {"environment": {"allowed_variables": ["APP_*_URL"]}}}', good: '{"permissions": {"environment": {"allowed_variables": ["APP_URL_*"]}}}' },
  { ...PATTERN_CHARACTERS, why: 'The grammar allows printable ASCII without spaces, and a host has no scheme, port or path.', bad: '{"permissions": {"network": {"allowed_hosts": ["https://api.example.com"]}}}', good: '{"permissions": {"network": {"allowed_hosts": ["api.example.com"]}}}' },
  { ...MEDIA_TYPE, why: 'Programs choose how to read data by its type. They never choose an invalid type.', bad: '{"resources": [{"name": "docs", "type": "file", "mime_types": ["pdf"]}]}', good: '{"resources": [{"name": "docs", "type": "file", "mime_types": ["application/pdf"]}]}' },
  { ...LICENSE, why: 'Programs recognize licenses by their SPDX identifiers. Another name tells them nothing.', bad: '{"metadata": {"license": "Apache License 2.0"}}', good: '{"metadata": {"license": "Apache-2.0"}}' },
  { ...TAG, why: 'Tags are compared exactly, and people search for lowercase letters, digits and hyphens.', bad: '{"metadata": {"tags": ["Machine Learning"]}}', good: '{"metadata": {"tags": ["machine-learning"]}}' },
  { ...SCHEMA_MEMBER, why: 'Editors check and complete a document with the schema that it names.', bad: '{"adl_spec": "0.1.0"}', good: '{"$schema": "https://adl-spec.org/0.1/schema.json"}' },
  { ...THIN_DESCRIPTION, why: 'Users should understand what the agent does without reading its tools, and directories find it by these words.', bad: '{"name": "Invoices", "description": "Invoice agent"}', good: '{"name": "Invoices", "description": "Reads invoices, checks their amounts and sends them to those who approve them."}' },
  { ...SECRET, why: 'Documents are logged, cached and published, so everyone who reads one knows the credential in it.', bad: '{"tools": [{"name": "search", "description": "Searches.", "examples": [{"input": {"key": "AKIAIOSFODNN7EXAMPLE"}}]}]}', good: '{"tools": [{"name": "search", "description": "Searches.", "examples": [{"input": {"key": "$SEARCH_KEY"}}]}]}' },
  { ...PRIVATE_HOST, why: 'A published document shows attackers the names and addresses of the internal network. Elsewhere the same name leads to another host.', bad: '{"permissions": {"network": {"allowed_hosts": ["db.corp"]}}}', good: '{"permissions": {"network": {"allowed_hosts": ["db.acme.example.com"]}}}' },
  { ...URI_SCHEME, why: 'Programs that follow an unexpected scheme read local files, or run something that they should only show.', bad: '{"resources": [{"name": "papers", "type": "file", "uri": "file:///data/papers"}]}', good: '{"resources": [{"name": "papers", "type": "file", "uri": "https://store.acme.example.com/papers"}]}' },
  { ...FLOAT_SIGNED, why: 'If a program writes fractions differently from RFC 8785, the signature fails there.', bad: '{"model": {"temperature": 0.7}, "security": {"attestation": {"signature": {"algorithm": "Ed25519", "value": "AA", "signed_content": "canonical"}}}}', good: '{"model": {"temperature": 1}, "security": {"attestation": {"signature": {"algorithm": "Ed25519", "value": "AA", "signed_content": "canonical"}}}}' },
  { ...SHELL_COMMAND, why: 'Shells are denied unless allow_shell is true. With a shell, the agent could run any command.', bad: '{"permissions": {"execution": {"allowed_commands": ["bash"]}}}', good: '{"permissions": {"execution": {"allowed_commands": ["jq"]}}}' },
  { ...ALLOW_SHELL, why: 'A shell runs any command, whatever allowed_commands and denied_commands say.', bad: '{"permissions": {"execution": {"allowed_commands": ["jq"], "allow_shell": true}}}', good: '{"permissions": {"execution": {"allowed_commands": ["jq"], "allow_shell": false}}}' },
  { ...PERSONAL_CONTACT, why: 'A published address is harvested, and stays after the person has left. Use the address of a team.', bad: '{"provider": {"name": "Acme", "contact": "ada.lovelace@acme.example.com"}}', good: '{"provider": {"name": "Acme", "contact": "support@acme.example.com"}}' },
  { ...IDENTITY_KEY, why: 'Without a DID or a key, nothing verifies the identity.', bad: '{"cryptographic_identity": {}}', good: '{"cryptographic_identity": {"did": "did:web:acme.example.com"}}' },
  { ...SUCCESSOR_MISSING, why: 'Users of an agent that ends need to know where to go.', bad: '{"lifecycle": {"status": "deprecated"}}', good: '{"lifecycle": {"status": "deprecated", "successor": "https://acme.example.com/agents/new"}}' },
  { ...SUNSET_SOON, why: 'Users have less than a month to move to the successor.', bad: '{"lifecycle": {"status": "active", "sunset_date": "2026-03-01T00:00:00Z"}}', good: '{"lifecycle": {"status": "active", "sunset_date": "2099-01-01T00:00:00Z"}}' },
  { ...ADL_URN, why: 'Catalogs parse these URNs, and do not find one of another form.', bad: '{"id": "urn:adl:agent:Acme:Invoices"}', good: '{"id": "urn:adl:agent:acme:invoices:1.0.0"}' },
  { ...URN_PRIMARY, why: 'A URN is only a name. Its owner cannot be verified, and it does not lead to the document.', bad: '{"id": "urn:adl:agent:acme:invoices:1.0.0", "cryptographic_identity": {"did": "did:web:acme.example.com:agents:invoices"}}', good: '{"id": "did:web:acme.example.com:agents:invoices", "cryptographic_identity": {"did": "did:web:acme.example.com:agents:invoices"}}' },
  { ...DID_SYNTAX, why: 'An identifier without the syntax of a DID does not resolve.', bad: '{"cryptographic_identity": {"did": "acme.example.com"}}', good: '{"cryptographic_identity": {"did": "did:web:acme.example.com"}}' },
  { ...PROMPT_ARGUMENT, why: 'Callers pass the declared arguments, so rendering fails for a reference to any other.', bad: '{"prompts": [{"name": "greet", "template": "Hello {{name}}", "arguments": {"properties": {}}}]}', good: '{"prompts": [{"name": "greet", "template": "Hello {{name}}", "arguments": {"properties": {"name": {}}}}]}' },
  { ...UNUSED_VARIABLE, why: 'A value that no template refers to has no effect. Most often the reference is misspelled.', bad: '{"system_prompt": {"template": "You help.", "variables": {"company": "Acme"}}}', good: '{"system_prompt": {"template": "You help {{company}}.", "variables": {"company": "Acme"}}}' },
  { ...TOOL_EXAMPLE, why: 'Models imitate examples, so they learn calls that are refused.', bad: '{"tools": [{"name": "add", "description": "Adds two numbers.", "parameters": {"properties": {"a": {"type": "number"}}}, "examples": [{"input": {"a": "1"}}]}]}', good: '{"tools": [{"name": "add", "description": "Adds two numbers.", "parameters": {"properties": {"a": {"type": "number"}}}, "examples": [{"input": {"a": 1}}]}]}' },
  { ...KEY_ENCODING, why: 'No signature of the agent can be verified with it.', bad: '{"cryptographic_identity": {"public_key": {"algorithm": "Ed25519", "value": "base64-encoded-public-key"}}}', good: '{"cryptographic_identity": {"public_key": {"algorithm": "Ed25519", "value": "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="}}}' },
  { ...EMPTY_PERMISSIONS, why: 'An object without a domain grants nothing, as if it were absent. The intended permissions are missing.', bad: '{"permissions": {}}', good: '{"permissions": {"network": {"allowed_hosts": ["api.example.com"]}}}' },
  { ...SIGNATURE_VALUES, why: 'Verifiers refuse a signature with an unknown algorithm or invalid base64url, and the document with it.', bad: '{"security": {"attestation": {"signature": {"algorithm": "Ed25519", "value": "a+b/", "signed_content": "canonical"}}}}', good: '{"security": {"attestation": {"signature": {"algorithm": "Ed25519", "value": "a-b_", "signed_content": "canonical"}}}}' },
  { ...KEY_ALGORITHM, why: 'Verifiers take the algorithm from the document, and no signature fits a key for another one.', bad: '{"cryptographic_identity": {"public_key": {"algorithm": "ES256", "value": "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="}}}', good: '{"cryptographic_identity": {"public_key": {"algorithm": "Ed25519", "value": "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="}}}' },
  { ...UNMATCHED_PATH, why: 'Paths are absolute, and are resolved before they are matched. Such a pattern grants nothing, and an invalid denial removes the whole file system.', bad: '{"permissions": {"filesystem": {"allowed_paths": [{"path": "$HOME/notes/**", "access": "read"}]}}}', good: '{"permissions": {"filesystem": {"allowed_paths": [{"path": "/home/ada/notes/**", "access": "read"}]}}}' },
  { ...SCHEMA_REFERENCE, why: 'A document is never fetched because a definition names it. Without it, the schema checks nothing, and no call of the tool passes.', bad: '{"tools": [{"name": "add", "description": "Adds two numbers.", "parameters": {"$ref": "https://example.com/sum.json"}}]}', good: '{"tools": [{"name": "add", "description": "Adds two numbers.", "parameters": {"$ref": "#/$defs/sum", "$defs": {"sum": {"type": "object"}}}}]}' },
  { ...SCHEMA_REQUIRED, why: 'The agent cannot know what to give, and a misspelt name refuses every call.', bad: '{"tools": [{"name": "mail", "description": "Sends mail.", "parameters": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["too"]}}]}', good: '{"tools": [{"name": "mail", "description": "Sends mail.", "parameters": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}}]}' },
  { ...PLACEHOLDER, why: 'Readers would see an agent, a provider and hosts that do not exist.', bad: '{"provider": {"name": "Your company", "url": "https://acme.example.com"}}', good: '{"provider": {"name": "Acme", "url": "https://acme.example.com"}}' },
  { ...LIMIT_ENTRIES, why: 'A document that is made to be large would keep every reader busy.', bad: 'tools, resources or prompts with more than 1000 entries', good: 'at most 1000 entries each; the limit is an option' },
  { ...LIMIT_TEXT, why: 'A document that is made to be large would keep every reader busy.', bad: 'a description, a system prompt or a template of more than 1 MiB', good: 'at most 1 MiB each; the limit is an option' },
  { ...LIMIT_PATTERNS, why: 'A document that is made to be large would keep every reader busy.', bad: 'an array of permission patterns with more than 500 entries', good: 'at most 500 patterns each; the limit is an option' },
  { ...RENDER_UNDEFINED, why: 'Text with a gap instead of a name, a limit or a rule means something other than its author wrote.', bad: '{"system_prompt": {"template": "You work for {{company}}.", "variables": {}}}', good: '{"system_prompt": {"template": "You work for {{company}}.", "variables": {"company": "Acme"}}}' },
  { ...SIGNATURE_INVALID, why: 'The document was changed after it was signed, or it was not signed with the key that it names.', bad: '{"security": {"attestation": {"type": "self", "signature": {"algorithm": "Ed25519", "value": "not base64url!", "signed_content": "canonical"}}}}', good: '{"security": {"attestation": {"type": "self", "signature": {"algorithm": "Ed25519", "value": "AAAA", "signed_content": "canonical"}}}}' },
  { ...MEDIA_TYPE_PROFILE, why: 'Programs that choose a document by its media type expect the profiles that it names.', bad: 'Content-Type: application/adl+json; profile="urn:adl:profile:governance:1.0"\n\n{"profiles": []}', good: 'Content-Type: application/adl+json; profile="urn:adl:profile:governance:1.0"\n\n{"profiles": ["governance"]}' },
  { ...INVENTORY_FILE, why: 'An unreadable inventory approves nothing.', bad: '{"version": 1, "agents": [{"id": "https://acme.example/agents/a", "version": "1.0.0", "digest": "sha256:00", "signer": null, "approved": "2026-02-18T00:00:00Z"}]}', good: 'blazon approve agent.json --inventory approved.json' },
  { ...INVENTORY_NOT_APPROVED, why: 'Nobody has reviewed this agent, or this version of it.', bad: '{"version": 1, "agents": [{"id": "https://acme.example/agents/a", "version": "1.0.0", "digest": "sha256:00", "signer": null, "approved": "2026-02-18T00:00:00Z"}]}', good: 'blazon approve agent.json --inventory approved.json' },
  { ...INVENTORY_DIGEST, why: 'A document that changed without a new version was tampered with, or released carelessly. Review it before it runs.', bad: '{"version": 1, "agents": [{"id": "https://acme.example/agents/a", "version": "1.0.0", "digest": "sha256:00", "signer": null, "approved": "2026-02-18T00:00:00Z"}]}', good: 'blazon approve agent.json --inventory approved.json' },
  { ...INVENTORY_SIGNER, why: 'The document looks the same, but another key signed it, or none.', bad: '{"version": 1, "agents": [{"id": "https://acme.example/agents/a", "version": "1.0.0", "digest": "sha256:00", "signer": null, "approved": "2026-02-18T00:00:00Z"}]}', good: 'blazon approve agent.json --inventory approved.json' },
  { ...TRUST_FILE, why: 'An unreadable file makes nobody trusted.', bad: '{"version": 1, "registry": ["https://registry.acme.example/"]}', good: '{"version": 1, "registries": ["https://registry.acme.example/"]}' },
  { ...PROMPT_ABSENT, why: 'A prompt is rendered by its name. An agent without system_prompt has no system prompt to render.', bad: '{"prompts": [{"name": "summarize"}]}', good: '{"prompts": [{"name": "summarize", "template": "Summarize {{text}}"}]}' },
  { ...PROMPT_HIDDEN_TEXT, why: 'A model reads control characters, tags and marks that change the direction of text. A human reviewer does not see them.', bad: '{"variables": {"name": "Ada\\u202e"}}', good: '{"variables": {"name": "Ada"}}' },
  { ...PROMPT_SEAM, why: 'Half a delimiter in a value joins the other half next to it, and becomes a reference when the result is rendered again.', bad: '{"template": "{{a}}{{b}}", "variables": {"a": "{", "b": "{x}"}}', good: '{"template": "{{a}} {{b}}", "variables": {"a": "(", "b": "x"}}' },
  { ...RENDER_ARGUMENT, why: 'Arguments are JSON Schema, so that the model gets values in the form that the author expected.', bad: '{"arguments": {"properties": {"days": {"type": "integer"}}}, "variables": {"days": "soon"}}', good: '{"arguments": {"properties": {"days": {"type": "integer"}}}, "variables": {"days": 7}}' },
  { ...REVIEW_CLASSIFICATION, why: 'Confidential and restricted data is not meant for everyone.', bad: '{"data_classification": {"sensitivity": "restricted"}}', good: '{"data_classification": {"sensitivity": "public"}}' },
  { ...REVIEW_PROMPT, why: 'A prompt shows who uses the agent and for what, and shows attackers what to argue against.', bad: '{"system_prompt": "Refuse refunds above 50 EUR unless the customer threatens to leave."}', good: '{"description": "Handles refunds."}' },
  { ...REVIEW_CONTACT, why: 'Names and addresses of people are personal data, and are harvested where they are public.', bad: '{"metadata": {"authors": [{"name": "Ada Lovelace", "email": "ada@acme.example.com"}]}}', good: '{"provider": {"name": "Acme", "contact": "agents@acme.example.com"}}' },
  { ...REVIEW_HOST, why: 'The list of allowed hosts is a map of the systems that the agent uses.', bad: '{"permissions": {"network": {"allowed_hosts": ["ledger.prod.acme.example.com"]}}}', good: '{"permissions": {"network": {"allowed_hosts": ["api.acme.example.com"]}}}' },
  { ...REVIEW_PATH, why: 'Paths show where files are, and which of them are worth denying.', bad: '{"permissions": {"filesystem": {"denied_paths": ["/srv/payroll/**"]}}}', good: '{"permissions": {"filesystem": {"allowed_paths": [{"path": "/data/**", "access": "read"}]}}}' },
  { ...REVIEW_PROCESS, why: 'Names of variables and commands show how the host is set up, and where secrets are.', bad: '{"permissions": {"environment": {"denied_variables": ["STRIPE_LIVE_*"]}}}', good: '{"permissions": {"environment": {"allowed_variables": ["APP_*"]}}}' },
  { ...REVIEW_ADDRESS, why: 'Documentation, repositories and stores may be systems that should stay unknown.', bad: '{"metadata": {"repository": "https://git.acme.example.com/secret-project"}}', good: '{"metadata": {"documentation": "https://docs.acme.example.com/agents"}}' },
  { ...REVIEW_EXAMPLE, why: 'Examples often come from real use, with names and numbers of customers.', bad: '{"tools": [{"name": "find", "description": "Finds.", "examples": [{"input": {"customer": "Jane Roe"}}]}]}', good: '{"tools": [{"name": "find", "description": "Finds.", "examples": [{"input": {"customer": "Example Ltd"}}]}]}' },
  { ...REVIEW_EXTENSION, why: 'Only those who defined an x_ member know what it holds.', bad: '{"x_acme_cost_center": "4711"}', good: '{"metadata": {"tags": ["finance"]}}' },
  { ...REVIEW_TOOL_DATA, why: 'It shows which tool is worth attacking.', bad: '{"tools": [{"name": "payroll", "description": "Reads.", "data_classification": {"sensitivity": "restricted"}}]}', good: '{"tools": [{"name": "payroll", "description": "Reads."}]}' },
  { ...SIGNATURE_ABSENT, why: 'Without a signature, nothing shows who wrote the document, or that it is unchanged.', bad: '{"security": {"attestation": {"type": "self"}}}', good: '{"security": {"attestation": {"type": "self", "signature": {"algorithm": "Ed25519", "value": "AAAA", "signed_content": "canonical"}}}}' },
  { ...SIGNATURE_UNSUPPORTED, why: 'Blazon does not support the algorithm, so the signature may be valid or not.', bad: '{"security": {"attestation": {"type": "self", "signature": {"algorithm": "ES256K", "value": "AAAA", "signed_content": "canonical"}}}}', good: '{"security": {"attestation": {"type": "self", "signature": {"algorithm": "Ed25519", "value": "AAAA", "signed_content": "canonical"}}}}' },
  { ...SIGNATURE_KEY, why: 'A signature without its key shows nothing.', bad: '{"cryptographic_identity": {"public_key": {"algorithm": "Ed25519", "value": "no key"}}}', good: '{"cryptographic_identity": {"did": "did:web:acme.example.com"}}' },
  { ...SIGNATURE_UNLISTED_KEY, why: 'The controller of the identifier lists its keys, and the document names another.', bad: '{"cryptographic_identity": {"did": "did:web:acme.example.com", "public_key": {"algorithm": "Ed25519", "value": "the key of someone else"}}}', good: '{"cryptographic_identity": {"did": "did:web:acme.example.com"}}' },
  { ...ATTESTATION_DATES, why: 'An attestation that is issued in the future, or after it expires, was never valid. A clock or a program is wrong.', bad: '{"security": {"attestation": {"issued_at": "2027-01-01T00:00:00Z", "expires_at": "2026-01-01T00:00:00Z"}}}', good: '{"security": {"attestation": {"issued_at": "2026-01-01T00:00:00Z", "expires_at": "2027-01-01T00:00:00Z"}}}' },
  { ...ATTESTATION_OWN_KEY, why: 'A third party vouches with its own key. With the agent\'s key, the agent vouches for itself.', bad: '{"security": {"attestation": {"type": "third_party"}}}', good: '{"security": {"attestation": {"type": "self"}}}' },
  { ...IDENTITY_EXPECTED, why: 'A valid signature of someone else does not show that this agent can be trusted.', bad: '{"id": "https://evil.example/agents/scout"}', good: '{"id": "https://acme.example.com/agents/scout"}' },
  { ...IDENTITY_UNPROVEN, why: 'A key inside the document shows only that the document is unchanged, not whose it is.', bad: '{"id": "urn:adl:agent:acme:scout:1.0.0"}', good: '{"id": "https://acme.example.com/agents/scout", "cryptographic_identity": {"did": "did:web:acme.example.com"}}' },
  { ...SIGNATURE_STRAY_DIGEST, why: 'The signature covers the canonical form, so the digest has no effect. Programs that compare it take the document for another one.', bad: '{"security": {"attestation": {"type": "self", "signature": {"algorithm": "Ed25519", "value": "AAAA", "signed_content": "canonical", "digest_algorithm": "SHA-256", "digest_value": "AAAA"}}}}', good: '{"security": {"attestation": {"type": "self", "signature": {"algorithm": "Ed25519", "value": "AAAA", "signed_content": "canonical"}}}}' },
  { ...SIGNATURE_PLACE, why: 'The signature belongs in security.attestation, so both must be objects.', bad: '{"security": []}', good: '{"security": {}}' },
  { ...SIGNATURE_INTEGER, why: 'Programs read integers beyond 2^53 - 1 as different numbers, so they would sign different documents.', bad: '{"x_acme_serial": 9007199254740993}', good: '{"x_acme_serial": "9007199254740993"}' },
  { ...SIGNATURE_OTHER_KEY, why: 'Verification uses the key that the document names, so the signature would never verify.', bad: '{"cryptographic_identity": {"public_key": {"algorithm": "Ed25519", "value": "the key of someone else"}}}', good: '{"cryptographic_identity": {"did": "did:web:acme.example.com"}}' },
  { ...SIGNATURE_UNNAMED_KEY, why: 'Only those who already have the key can verify the signature.', bad: '{"cryptographic_identity": {}}', good: '{"cryptographic_identity": {"did": "did:web:acme.example.com"}}' },
]
