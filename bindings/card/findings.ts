// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../document/finding.ts'

export type Code = 'CARD-101' | 'CARD-102' | 'CARD-103' | 'CARD-104' | 'CARD-105' | 'CARD-106' | 'CARD-107' | 'CARD-108' | 'CARD-109' | 'CARD-110' | 'CARD-111' | 'CARD-112' | 'CARD-113' | 'CARD-114' | 'CARD-115' | 'CARD-116' | 'CARD-117' | 'CARD-118' | 'CARD-119' | 'CARD-120' | 'CARD-121' | 'CARD-122' | 'CARD-123' | 'CARD-124' | 'CARD-125' | 'CARD-126' | 'CARD-127' | 'CARD-128' | 'CARD-130' | 'CARD-131' | 'CARD-132' | 'CARD-133' | 'CARD-134' | 'CARD-135' | 'CARD-136' | 'CARD-137' | 'CARD-138' | 'CARD-139' | 'CARD-140' | 'CARD-141' | 'CARD-142' | 'CARD-143' | 'CARD-144' | 'CARD-149' | 'CARD-150' | 'CARD-151' | 'CARD-152' | 'CARD-153' | 'CARD-154' | 'CARD-157' | 'CARD-158' | 'CARD-159' | 'CARD-160' | 'CARD-161' | 'CARD-162' | 'CARD-163' | 'CARD-169' | 'CARD-178' | 'CARD-179'

const T0 = 'Agent Card 3.1'
const T1 = 'Agent Card 3.4'
const T2 = 'Agent Card 3.5'
const T3 = 'info'
const T4 = 'warning'
const T5 = 'Agent Card 3.6'
const T6 = 'Agent Card 3.6.1'
const T7 = 'Agent Card 3.7'
const T8 = 'Agent Card 7.1'
const T9 = 'Agent Card 6.3'
const T10 = 'Agent Card 7.6'
const T11 = 'Agent Card 5'
const T12 = 'Agent Card 7.5'
const T13 = 'Agent Card 7'
const T14 = 'Agent Card 3.2'
const T15 = 'No signature'
const T16 = 'Agent Card 7.4'
export const ROOT_OBJECT = /* @__PURE__ */ finding('root-object', 'CARD-101', 'Card is not a JSON object', 'Agent Card 3')
export const CARD_SIZE = /* @__PURE__ */ finding('card-size', 'CARD-102', 'Card larger than a message', T10)
export const MISSING_MEMBER = /* @__PURE__ */ finding('missing-member', 'CARD-103', 'Missing required member', T0)
export const MEMBER_TYPE = /* @__PURE__ */ finding('member-type', 'CARD-104', 'Invalid member type', T0)
export const EMPTY_VALUE = /* @__PURE__ */ finding('empty-value', 'CARD-105', 'Empty value', T0)
export const NUMBER_RANGE = /* @__PURE__ */ finding('number-range', 'CARD-106', 'Number out of range', T7)
export const TIMESTAMP = /* @__PURE__ */ finding('timestamp', 'CARD-107', 'Invalid timestamp', T0)
export const AGENT_ID = /* @__PURE__ */ finding('agent-id', 'CARD-108', 'Id is not an agent:// URI', T0)
export const SEQ = /* @__PURE__ */ finding('seq', 'CARD-109', 'Sequence number is not a uint64', T0)
export const SIGNATURE_FORM = /* @__PURE__ */ finding('signature-form', 'CARD-110', 'Not an Ed25519 signature', T14)
export const TOOL_NAME = /* @__PURE__ */ finding('tool-name', 'CARD-111', 'Tool name too long', T1)
export const DUPLICATE_TOOL = /* @__PURE__ */ finding('duplicate-tool', 'CARD-112', 'Tool name used twice', T1, T4, { strict: 'error' })
export const TOOL_SCHEMA = /* @__PURE__ */ finding('tool-schema', 'CARD-113', 'Invalid JSON Schema', T1)
export const ENDPOINT_METHOD = /* @__PURE__ */ finding('endpoint-method', 'CARD-114', 'Endpoint method that is not a tool', T2, T3)
export const ENDPOINT_PROTOCOL = /* @__PURE__ */ finding('endpoint-protocol', 'CARD-115', 'Protocol that the draft does not define', T2, T3)
export const ENDPOINT_URI = /* @__PURE__ */ finding('endpoint-uri', 'CARD-116', 'Endpoint is not a URI', T2)
export const ENDPOINT_SCHEME = /* @__PURE__ */ finding('endpoint-scheme', 'CARD-117', 'URI scheme of another protocol', T2, T4, { strict: 'error' })
export const ENDPOINT_AUTH = /* @__PURE__ */ finding('endpoint-auth', 'CARD-118', 'Authentication that the draft does not define', T2, T4, { strict: 'error' })
export const NO_METHODS = /* @__PURE__ */ finding('no-methods', 'CARD-119', 'Endpoint with an empty list of methods', T2, T4)
export const SKILL_FORM = /* @__PURE__ */ finding('skill-form', 'CARD-120', 'Tag that is not in lower-case ASCII with hyphens', T5, T4)
export const SKILL_PATH = /* @__PURE__ */ finding('skill-path', 'CARD-121', 'Tag that no query matches', T5, T4, { strict: 'error' })
export const SKILL_CATEGORY = /* @__PURE__ */ finding('skill-category', 'CARD-122', 'Tag outside the recommended categories', T6, T3)
export const DUPLICATE_SKILL = /* @__PURE__ */ finding('duplicate-skill', 'CARD-123', 'Tag listed twice', T5, T4, { spec: 'off' })
export const SKILL_SPELLING = /* @__PURE__ */ finding('skill-spelling', 'CARD-124', 'Tag that resembles a tag of the standard vocabulary', T6, T3, { spec: 'off' })
export const LANGUAGE = /* @__PURE__ */ finding('language', 'CARD-125', 'Not an ISO 639-1 language code', T7)
export const RATE_LIMIT = /* @__PURE__ */ finding('rate-limit', 'CARD-126', 'Unreadable rate limit', T7, T4, { strict: 'error' })
export const NO_TASK = /* @__PURE__ */ finding('no-task', 'CARD-127', 'Limit that allows nothing', T11, T4, { spec: 'off' })
export const EXTENSION_NAMESPACE = /* @__PURE__ */ finding('extension-namespace', 'CARD-128', 'Unusual form of a namespace', 'Agent Card 3.8', T4)
export const NO_SEQ = /* @__PURE__ */ finding('no-seq', 'CARD-130', 'No sequence number', T8, T4, { security: 'error' })
export const NO_SIGNATURE = /* @__PURE__ */ finding('no-signature', 'CARD-131', T15, T8, T4, { security: 'error' })
export const NO_CREATED_AT = /* @__PURE__ */ finding('no-created-at', 'CARD-132', 'No time of creation', 'Agent Card 6.1', T4)
export const TIME_ORDER = /* @__PURE__ */ finding('time-order', 'CARD-133', 'Updated before it was created', T9, T4, { spec: 'off' })
export const FUTURE_TIME = /* @__PURE__ */ finding('future-time', 'CARD-134', 'Time in the future', T9, T4, { spec: 'off' })
export const VERSION = /* @__PURE__ */ finding('version', 'CARD-135', 'Not a semantic version', T0)
export const DID_SYNTAX = /* @__PURE__ */ finding('did-syntax', 'CARD-136', 'Not a DID', T0)
export const REVOCATION = /* @__PURE__ */ finding('revocation', 'CARD-137', 'Card that revokes its agent', 'Agent Card 6.4', T3)
export const EMPTY_MEMBER = /* @__PURE__ */ finding('empty-member', 'CARD-138', 'Empty optional member', T10, T4)
export const HARD_TO_FIND = /* @__PURE__ */ finding('hard-to-find', 'CARD-139', 'Nothing to find the agent by', T11, T3, { spec: 'off' })
export const CLEARTEXT_ENDPOINT = /* @__PURE__ */ finding('cleartext-endpoint', 'CARD-140', 'Endpoint without encryption', T13, T4, { spec: 'off', security: 'error' })
export const MEMBER_SPELLING = /* @__PURE__ */ finding('member-spelling', 'CARD-141', 'Member in the spelling of another format', T0, T3, { spec: 'off' })
export const PRIVATE_HOST = /* @__PURE__ */ finding('private-host', 'CARD-142', 'Private host or address', T12, T4, { spec: 'off' })
export const SECRET = /* @__PURE__ */ finding('secret', 'CARD-143', 'Text that looks like a credential', T12, T4, { spec: 'off', strict: 'error', security: 'error' })
export const SCRIPT_ENDPOINT = /* @__PURE__ */ finding('script-endpoint', 'CARD-144', 'Endpoint that runs or reads something when it is opened', T13)
export const PLACEHOLDER = /* @__PURE__ */ finding('placeholder', 'CARD-149', 'Placeholder of the template', T0, T4, { spec: 'off', strict: 'error' })
export const CARD_SIGNATURE_INVALID = /* @__PURE__ */ finding('card-signature-invalid', 'CARD-150', 'Invalid signature', T14)
export const CARD_SIGNATURE_ABSENT = /* @__PURE__ */ finding('card-signature-absent', 'CARD-151', T15, T14)
export const CARD_KEY_ABSENT = /* @__PURE__ */ finding('card-key-absent', 'CARD-152', 'No key to verify with', T14)
export const CARD_PARTIAL = /* @__PURE__ */ finding('card-partial', 'CARD-153', 'Part of a card', 'Agent Card 4.1')
export const CARD_SELF_ASSERTED = /* @__PURE__ */ finding('card-self-asserted', 'CARD-154', 'Self-asserted', 'Agent Card 3.3')
export const CARD_SIGNATURE_ID = /* @__PURE__ */ finding('card-signature-id', 'CARD-157', 'Card without an agent', T0)
export const CARD_SIGNATURE_KEY = /* @__PURE__ */ finding('card-signature-key', 'CARD-158', 'Signed with another key than the card names', T14)
export const CARD_SIGNATURE_SEQ = /* @__PURE__ */ finding('card-signature-seq', 'CARD-159', 'Signed without a sequence number', T14, T4)
export const CARD_USED_SEQ = /* @__PURE__ */ finding('card-used-seq', 'CARD-160', 'Other content under a used sequence number', T0)
export const CARD_NO_HIGHER_SEQ = /* @__PURE__ */ finding('card-no-higher-seq', 'CARD-161', 'Sequence number that cannot be raised', T0)
export const CARD_DIFFERENT_PARTS = /* @__PURE__ */ finding('card-different-parts', 'CARD-162', 'Parts of different cards', T10)
export const CARD_CBOR = /* @__PURE__ */ finding('card-cbor', 'CARD-163', 'Not a valid card in CBOR', 'Agent Card 1.5, RFC 8949 4.2')
export const CARD_SIGNATURE_NAME = /* @__PURE__ */ finding('card-signature-name', 'CARD-169', 'Signed under a name that is not a key', T14, T4)
export const PROBE_ABSENT_TOOL = /* @__PURE__ */ finding('probe-absent-tool', 'CARD-178', 'Claimed tool that does not exist', T16, T4)
export const PROBE_SILENT_ENDPOINT = /* @__PURE__ */ finding('probe-silent-endpoint', 'CARD-179', 'Endpoint that does not list its tools', T16, T3)

export const ALL: readonly FindingKind[] = [ROOT_OBJECT, CARD_SIZE, MISSING_MEMBER, MEMBER_TYPE, EMPTY_VALUE, NUMBER_RANGE, TIMESTAMP, AGENT_ID, SEQ, SIGNATURE_FORM, TOOL_NAME, DUPLICATE_TOOL, TOOL_SCHEMA, ENDPOINT_METHOD, ENDPOINT_PROTOCOL, ENDPOINT_URI, ENDPOINT_SCHEME, ENDPOINT_AUTH, NO_METHODS, SKILL_FORM, SKILL_PATH, SKILL_CATEGORY, DUPLICATE_SKILL, SKILL_SPELLING, LANGUAGE, RATE_LIMIT, NO_TASK, EXTENSION_NAMESPACE, NO_SEQ, NO_SIGNATURE, NO_CREATED_AT, TIME_ORDER, FUTURE_TIME, VERSION, DID_SYNTAX, REVOCATION, EMPTY_MEMBER, HARD_TO_FIND, CLEARTEXT_ENDPOINT, MEMBER_SPELLING, PRIVATE_HOST, SECRET, SCRIPT_ENDPOINT, PLACEHOLDER]

export const names = (): readonly string[] => [...namesOf(ALL), ...'card-signature-invalid CARD-150 card-signature-absent CARD-151 card-key-absent CARD-152 card-partial CARD-153 card-self-asserted CARD-154 card-signature-id CARD-157 card-signature-key CARD-158 card-signature-seq CARD-159 card-used-seq CARD-160 card-no-higher-seq CARD-161 card-different-parts CARD-162 card-cbor CARD-163 card-signature-name CARD-169 probe-absent-tool CARD-178 probe-silent-endpoint CARD-179'.split(' ')]

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...ROOT_OBJECT, why: 'A card is one JSON object. Anything else has no members to read.', bad: '[]', good: '{"id": "agent://scout", "name": "Scout"}' },
  { ...CARD_SIZE, why: 'An AIP message has at most 65,535 octets, so a larger card cannot be delivered in one piece.', bad: 'a card of more than 65,535 octets, counted as JSON with its white space', good: 'at most 65,535 octets; the finding names the largest members, and blazon fmt --compact removes white space' },
  { ...MISSING_MEMBER, why: 'Every program that reads the card relies on the required members.', bad: '{"tools": [{"description": "Translates text."}]}', good: '{"tools": [{"name": "translate", "description": "Translates text."}]}' },
  { ...MEMBER_TYPE, why: 'Some programs ignore a value of another type, others crash.', bad: '{"skills": "nlp/translation"}', good: '{"skills": ["nlp/translation"]}' },
  { ...EMPTY_VALUE, why: 'An empty member says nothing, so leave it out or fill it in.', bad: '{"name": ""}', good: '{"name": "Translator"}' },
  { ...NUMBER_RANGE, why: 'A number outside its range is a mistake. Nobody accepts fewer than zero tasks.', bad: '{"constraints": {"max_concurrent_tasks": -1}}', good: '{"constraints": {"max_concurrent_tasks": 1}}' },
  { ...TIMESTAMP, why: 'A time without an offset is a different moment in each time zone, and programs read other notations differently.', bad: '{"metadata": {"created_at": "2026-01-15"}}', good: '{"metadata": {"created_at": "2026-01-15T00:00:00Z"}}' },
  { ...AGENT_ID, why: 'Everyone stores, finds and calls the agent by its id, which is compared exactly.', bad: '{"id": "agent://translator zh en"}', good: '{"id": "agent://translator-zh-en"}' },
  { ...SEQ, why: 'Cards are ordered by this number, which must be an integer from 0 to 18446744073709551615.', bad: '{"seq": -1}', good: '{"seq": 1}' },
  { ...SIGNATURE_FORM, why: 'A signature has 64 octets in base64url without padding. Any other text verifies with no key, and the card is discarded.', bad: '{"signature": "5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVfuIIVkKM7rMYeOXAc-bRr0lv18FlbviRlUUFDjnoQCw=="}', good: '{"signature": "5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVfuIIVkKM7rMYeOXAc-bRr0lv18FlbviRlUUFDjnoQCw"}' },
  { ...TOOL_NAME, why: 'The name is the method of an AITP request, which has one octet for its length. A longer name cannot be called.', bad: '{"tools": [{"name": "translate_translate_translate_translate_translate_translate_translate_translate_translate_translate_translate_translate_translate_translate_translate_translate_translate_translate_translate_translate_translate_translate_translate_translate_translate_translate_"}]}', good: '{"tools": [{"name": "translate"}]}' },
  { ...DUPLICATE_TOOL, why: 'A tool is called by its name. If two have the same name, nobody can say which schema applies.', bad: '{"tools": [{"name": "translate"}, {"name": "translate"}]}', good: '{"tools": [{"name": "translate"}, {"name": "detect_language"}]}' },
  { ...TOOL_SCHEMA, why: 'Callers build and check requests with these schemas (draft 2020-12). An invalid schema checks nothing.', bad: '{"tools": [{"name": "translate", "input_schema": {"type": "objekt"}}]}', good: '{"tools": [{"name": "translate", "input_schema": {"type": "object"}}]}' },
  { ...ENDPOINT_METHOD, why: 'Nobody knows what the method takes and returns. A misspelled name leads nowhere.', bad: '{"tools": [{"name": "translate"}], "endpoints": [{"protocol": "aitp", "uri": "agent://scout", "methods": ["translte"]}]}', good: '{"tools": [{"name": "translate"}], "endpoints": [{"protocol": "aitp", "uri": "agent://scout", "methods": ["translate"]}]}' },
  { ...ENDPOINT_PROTOCOL, why: 'Clients that do not know the protocol ignore the endpoint.', bad: '{"endpoints": [{"protocol": "https", "uri": "https://api.example.com"}]}', good: '{"endpoints": [{"protocol": "http+json", "uri": "https://api.example.com"}]}' },
  { ...ENDPOINT_URI, why: 'Programs read a malformed URI differently, so it leads to different places or nowhere.', bad: '{"endpoints": [{"protocol": "http+json", "uri": "https://api.example.com/a b"}]}', good: '{"endpoints": [{"protocol": "http+json", "uri": "https://api.example.com/a%20b"}]}' },
  { ...ENDPOINT_SCHEME, why: 'The protocol decides the form of the URI, and clients of this protocol do not know this scheme.', bad: '{"endpoints": [{"protocol": "ws", "uri": "https://api.example.com/ws"}]}', good: '{"endpoints": [{"protocol": "ws", "uri": "wss://api.example.com/ws"}]}' },
  { ...ENDPOINT_AUTH, why: 'Callers that do not know the scheme cannot authenticate, and skip the endpoint.', bad: '{"endpoints": [{"protocol": "aitp", "uri": "agent://scout", "auth": "token"}]}', good: '{"endpoints": [{"protocol": "aitp", "uri": "agent://scout", "auth": "bearer"}]}' },
  { ...NO_METHODS, why: 'An empty list says that nothing can be called there. Without a list, all tools can be called.', bad: '{"endpoints": [{"protocol": "aitp", "uri": "agent://scout", "methods": []}]}', good: '{"endpoints": [{"protocol": "aitp", "uri": "agent://scout"}]}' },
  { ...SKILL_FORM, why: 'Tags are compared exactly. A search for nlp/text-analysis does not find NLP/Text_Analysis.', bad: '{"skills": ["nlp/Text Analysis"]}', good: '{"skills": ["nlp/text-analysis"]}' },
  { ...SKILL_PATH, why: 'A tag is a word or a path from general to specific. Wildcards belong in queries, and nobody searches for empty segments.', bad: '{"skills": ["nlp/*"]}', good: '{"skills": ["nlp/translation"]}' },
  { ...SKILL_CATEGORY, why: 'Searches begin with one of the recommended categories, and do not find other tags.', bad: '{"skills": ["languages/translation"]}', good: '{"skills": ["nlp/translation"]}' },
  { ...DUPLICATE_SKILL, why: 'The duplicate adds nothing and takes space.', bad: '{"skills": ["python", "python"]}', good: '{"skills": ["python", "rust"]}' },
  { ...SKILL_SPELLING, why: 'Most queries use common tags. Any other tag is allowed, but only those who know it find it.', bad: '{"skills": ["nlp/tranlation"]}', good: '{"skills": ["nlp/translation"]}' },
  { ...LANGUAGE, why: 'Callers compare codes. A search for en does not find eng or English.', bad: '{"constraints": {"supported_languages": ["EN"]}}', good: '{"constraints": {"supported_languages": ["en"]}}' },
  { ...RATE_LIMIT, why: 'Callers that cannot read it exceed it, and get BUSY in the middle of their work.', bad: '{"constraints": {"rate_limit": "moderate"}}', good: '{"constraints": {"rate_limit": "60/min"}}' },
  { ...NO_TASK, why: 'Searches leave out an agent that is at its limit. An agent with limit 0 is always left out.', bad: '{"constraints": {"max_concurrent_tasks": 0}}', good: '{"constraints": {"max_concurrent_tasks": 1}}' },
  { ...EXTENSION_NAMESPACE, why: 'Two protocols with the same name overwrite each other. Reversed domain names are unique.', bad: '{"extensions": {"My Data": {}}}', good: '{"extensions": {"com.example.data": {}}}' },
  { ...NO_SEQ, why: 'Nobody can tell which of two cards is newer, so an old card can be sent again to offer what no longer exists.', bad: '{"id": "agent://scout", "name": "Scout"}', good: '{"id": "agent://scout", "name": "Scout", "seq": 1}' },
  { ...NO_SIGNATURE, why: 'Anyone who gets the card from a directory, a cache or a friend cannot know whose it is.', bad: '{"id": "agent://scout", "name": "Scout", "seq": 1}', good: '{"id": "agent://scout", "name": "Scout", "seq": 1, "signature": "5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVfuIIVkKM7rMYeOXAc-bRr0lv18FlbviRlUUFDjnoQCw"}' },
  { ...NO_CREATED_AT, why: 'Without a seq, only times show which of two cards is newer.', bad: '{"metadata": {"ttl": 3600}}', good: '{"metadata": {"created_at": "2026-01-15T00:00:00Z", "ttl": 3600}}' },
  { ...TIME_ORDER, why: 'Of two cards without a seq, the one with the later update counts. A wrong time selects the wrong card.', bad: '{"metadata": {"created_at": "2026-02-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z"}}', good: '{"metadata": {"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-02-01T00:00:00Z"}}' },
  { ...FUTURE_TIME, why: 'Until that time, the card counts as newer than any card that its agent writes.', bad: '{"metadata": {"created_at": "2999-01-01T00:00:00Z"}}', good: '{"metadata": {"created_at": "2026-01-01T00:00:00Z"}}' },
  { ...VERSION, why: 'Semantic versions tell callers whether something that they rely on still works.', bad: '{"version": "1.2"}', good: '{"version": "1.2.0"}' },
  { ...DID_SYNTAX, why: 'An identifier without the syntax of a DID does not resolve.', bad: '{"did": "acme.example.com"}', good: '{"did": "did:web:acme.example.com"}' },
  { ...REVOCATION, why: 'Empty tools and endpoints say that the agent is no longer available. A card without these lists does not say that.', bad: '{"tools": [], "endpoints": []}', good: '{"id": "agent://scout", "name": "Scout"}' },
  { ...EMPTY_MEMBER, why: 'Cards travel in messages of at most 65,535 octets, so unused members are left out.', bad: '{"skills": []}', good: '{"skills": ["python"]}' },
  { ...HARD_TO_FIND, why: 'Directories rank by skills and description. An agent with neither comes last, or is not found.', bad: '{"id": "agent://scout", "name": "Scout"}', good: '{"id": "agent://scout", "name": "Scout", "description": "Translates between Chinese and English."}' },
  { ...CLEARTEXT_ENDPOINT, why: 'Anyone on the network can read requests and answers, take tokens and insert other answers.', bad: '{"endpoints": [{"protocol": "http+json", "uri": "http://api.example.com", "auth": "bearer"}]}', good: '{"endpoints": [{"protocol": "http+json", "uri": "https://api.example.com", "auth": "bearer"}]}' },
  { ...MEMBER_SPELLING, why: 'Members that the draft does not define are ignored, even if MCP or A2A uses that name for one of the draft\'s members.', bad: '{"tools": [{"name": "translate", "inputSchema": {"type": "object"}}]}', good: '{"tools": [{"name": "translate", "input_schema": {"type": "object"}}]}' },
  { ...PRIVATE_HOST, why: 'Readers of the card learn the names and addresses of the internal network. Elsewhere the same name leads to another host.', bad: '{"endpoints": [{"protocol": "http+json", "uri": "https://agents.corp/v1"}]}', good: '{"endpoints": [{"protocol": "http+json", "uri": "https://agents.example.com/v1"}]}' },
  { ...SECRET, why: 'Cards are passed on, so everyone who reads one knows the credential in it.', bad: '{"endpoints": [{"protocol": "ws", "uri": "wss://scout:open-sesame@api.example.com/ws"}]}', good: '{"endpoints": [{"protocol": "ws", "uri": "wss://api.example.com/ws", "auth": "bearer"}]}' },
  { ...SCRIPT_ENDPOINT, why: 'A page or a program that opens it would run code of the card\'s author, or read local files.', bad: '{"endpoints": [{"protocol": "http+json", "uri": "javascript:alert(1)"}]}', good: '{"endpoints": [{"protocol": "http+json", "uri": "https://agents.example.com/chat"}]}' },
  { ...PLACEHOLDER, why: 'Directories would rank the agent by words that say nothing about it.', bad: '{"skills": ["your-skill"]}', good: '{"skills": ["nlp/translation"]}' },
  { ...CARD_SIGNATURE_INVALID, why: 'The card was changed after it was signed, or another key signed it. Such a card is discarded.', bad: '{"id": "agent://scout", "name": "Scout", "signature": "not base64url!"}', good: '{"id": "agent://scout", "name": "Scout"}' },
  { ...CARD_SIGNATURE_ABSENT, why: 'Without a signature, only the channel shows whose card it is.', bad: '{"id": "agent://scout", "name": "Scout"}', good: '{"id": "agent://12D3KooWQK1wnefoLrcVHbbnf5tLzbopUd3K3bFAoJpA7YJgL5pV", "name": "Scout", "seq": 1, "signature": "AAAA"}' },
  { ...CARD_KEY_ABSENT, why: 'A plain name gives no key. The caller or a name service must provide it, or the id must itself be a key.', bad: '{"id": "agent://scout", "name": "Scout", "signature": "AAAA"}', good: '{"id": "agent://12D3KooWQK1wnefoLrcVHbbnf5tLzbopUd3K3bFAoJpA7YJgL5pV", "name": "Scout", "signature": "AAAA"}' },
  { ...CARD_PARTIAL, why: 'The signature covers the whole card, so a part is neither valid nor invalid. Request the whole card.', bad: '{"id": "agent://scout", "name": "Scout"}', good: '{"id": "agent://scout", "name": "Scout", "seq": 1, "signature": "of all of it"}' },
  { ...CARD_SELF_ASSERTED, why: 'Anyone can write a card for any id, and sign it with the key that its did names.', bad: '{"id": "agent://scout", "did": "did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw"}', good: '{"id": "agent://12D3KooWQK1wnefoLrcVHbbnf5tLzbopUd3K3bFAoJpA7YJgL5pV"}' },
  { ...CARD_SIGNATURE_ID, why: 'The key belongs to an agent:// URI. Without one, nobody can look up the key.', bad: '{"id": "https://example.com/scout"}', good: '{"id": "agent://scout"}' },
  { ...CARD_SIGNATURE_KEY, why: 'Verification uses the key in the id, so the signature would never verify. A did with another key is a warning.', bad: '{"id": "agent://12D3KooWQK1wnefoLrcVHbbnf5tLzbopUd3K3bFAoJpA7YJgL5pV", "seq": 1}', good: '{"id": "agent://scout", "seq": 1}' },
  { ...CARD_SIGNATURE_SEQ, why: 'Nothing shows which of two signed cards is newer, so an old card can be sent again.', bad: '{"id": "agent://scout", "name": "Scout"}', good: '{"id": "agent://scout", "name": "Scout", "seq": 1}' },
  { ...CARD_USED_SEQ, why: 'Anyone who has the first card keeps it, and treats two signed cards with one seq as equivocation.', bad: '{"id": "agent://scout", "name": "Scout", "description": "changed", "seq": 1, "signature": "of what it was"}', good: '{"id": "agent://scout", "name": "Scout", "description": "changed", "seq": 2}' },
  { ...CARD_NO_HIGHER_SEQ, why: 'An update needs a higher seq, and its signature must cover it. Integers beyond 2^53 - 1 cannot be signed.', bad: '{"seq": 9007199254740991}', good: '{"seq": 9007199254740990}' },
  { ...CARD_DIFFERENT_PARTS, why: 'The card changed between two calls. Together, the parts would be a card that never existed.', bad: 'a part with seq 4, then one with seq 5', good: 'all parts with seq 5: describeAll starts again' },
  { ...CARD_CBOR, why: 'A card has exactly one CBOR form, so nobody can send it in two ways. It contains only values that JSON has.', bad: 'a1 62 69 64 f7: {"id": undefined}', good: 'a1 62 69 64 69 61 67 65 6e 74 3a 2f 2f 61: {"id": "agent://a"}' },
  { ...CARD_SIGNATURE_NAME, why: 'Only those who were given the key can verify the signature. A directory without it refuses the card.', bad: '{"id": "agent://scout", "seq": 1}', good: '{"id": "agent://12D3KooWQK1wnefoLrcVHbbnf5tLzbopUd3K3bFAoJpA7YJgL5pV", "seq": 1}' },
  { ...PROBE_ABSENT_TOOL, why: 'A card can claim anything. Callers can only call what the endpoint itself offers.', bad: '{"tools": [{"name": "translate"}, {"name": "sing"}], "endpoints": [{"protocol": "http+json", "uri": "https://offers.translate.example"}]}', good: '{"tools": [{"name": "translate"}], "endpoints": [{"protocol": "http+json", "uri": "https://offers.translate.example"}]}' },
  { ...PROBE_SILENT_ENDPOINT, why: 'It answered neither tools/list of MCP nor with an A2A card, or not at all. Nothing shows that its tools exist.', bad: '{"endpoints": [{"protocol": "http+json", "uri": "https://nobody.example/v1"}]}', good: '{"endpoints": [{"protocol": "http+json", "uri": "https://mcp.example/mcp"}]}' },
]
