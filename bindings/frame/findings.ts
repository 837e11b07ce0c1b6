// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../document/finding.ts'

export type Code = 'DOC-125' | 'DOC-126' | 'DOC-127' | 'DOC-119' | 'DOC-187' | 'DOC-188' | 'KEY-129' | 'CARD-155' | 'CARD-156'

const T0 = 'docs/reference/diagnostics.md'
export const LIMIT_DIAGNOSTICS = /* @__PURE__ */ finding('limit/diagnostics', 'DOC-125', 'More findings than are listed', 'ADL 18.5', 'info')
export const KIND_UNSIGNED = /* @__PURE__ */ finding('kind/unsigned', 'DOC-126', 'Kind without signatures', T0)
export const KIND_OTHER = /* @__PURE__ */ finding('kind/other', 'DOC-127', 'Wrong kind of document', T0)
export const KIND_FOLDER = /* @__PURE__ */ finding('kind/folder', 'DOC-119', 'Folder without its document', 'docs/guide/agentlang.md')
export const KIND_UNDETECTED = /* @__PURE__ */ finding('kind/undetected', 'DOC-187', 'Unknown kind of document', T0)
export const KIND_UNSUPPORTED = /* @__PURE__ */ finding('kind/unsupported', 'DOC-188', 'Kind that is not checked yet', T0)
export const SIGNATURE_UNTRUSTED_KEY = /* @__PURE__ */ finding('signature-untrusted-key', 'KEY-129', 'Valid signature by a key that you do not trust', 'ADL 18.11')
export const CARD_OTHER_ID = /* @__PURE__ */ finding('card-other-id', 'CARD-155', 'Card of another agent', 'Agent Card 3.1')
export const CARD_SIGNATURE_INTEGER = /* @__PURE__ */ finding('card-signature-integer', 'CARD-156', 'Integer that no signature covers', 'Agent Card 3.2')

export const ALL: readonly FindingKind[] = [LIMIT_DIAGNOSTICS, KIND_UNSIGNED, KIND_OTHER, KIND_FOLDER, KIND_UNDETECTED, KIND_UNSUPPORTED, SIGNATURE_UNTRUSTED_KEY, CARD_OTHER_ID, CARD_SIGNATURE_INTEGER]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...LIMIT_DIAGNOSTICS, why: 'A document can have as many faults as bytes. The first ones show what is wrong.', bad: 'a document with more than 1000 findings', good: 'at most 1000 findings, which is an option' },
  { ...KIND_UNSIGNED, why: 'Documents of this kind have no place for a signature, so nothing in them can show whose they are.', bad: '{"$schema": "https://static.modelcontextprotocol.io/schemas/2025-09-29/server.schema.json"}', good: '{"id": "agent://scout", "name": "Scout"}' },
  { ...KIND_OTHER, why: 'As another kind, the document would look faulty, or permit nothing. Neither says anything about it.', bad: 'blazon grants server.json', good: 'blazon grants agent.adl.json' },
  { ...KIND_FOLDER, why: 'One file of a folder is its document, and names the others. Without it, nothing says what the folder is.', bad: 'a folder with prompt.yaml alone', good: 'a folder with agent.yaml' },
  { ...KIND_UNDETECTED, why: 'The members identify the kind of a document, and these match no kind. The option `as` names the kind.', bad: '{"title": "Scout"}', good: '{"adl_spec": "0.1.0", "name": "Scout"}' },
  { ...KIND_UNSUPPORTED, why: 'The kind is known, but this version of Blazon has no rules for it.', bad: '{"$schema": "https://static.modelcontextprotocol.io/schemas/2025-09-29/server.schema.json"}', good: '{"adl_spec": "0.1.0", "name": "Scout"}' },
  { ...SIGNATURE_UNTRUSTED_KEY, why: 'The document has not changed since it was signed, but you do not trust the key that signed it. Anyone can sign with their own key and write that key into the document.', bad: 'blazon verify agent.adl.json --key other.pub.pem, where the document holds the key of its signer', good: 'blazon verify agent.adl.json --key signer.pub.pem, with the key that the signer gave you' },
  { ...CARD_OTHER_ID, why: 'A valid signature of another agent does not show that this one can be trusted.', bad: '{"id": "agent://scout-2"}', good: '{"id": "agent://scout"}' },
  { ...CARD_SIGNATURE_INTEGER, why: 'The canonical form (RFC 8785) rounds integers beyond 2^53 - 1, so one signature would cover several numbers.', bad: '{"seq": 9007199254740993}', good: '{"seq": 9007199254740991}' },
]
