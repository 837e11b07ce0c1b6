// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from './finding.ts'

export type Code = 'DOC-100' | 'DOC-101' | 'DOC-102' | 'DOC-103' | 'DOC-104' | 'DOC-105' | 'DOC-106' | 'DOC-107' | 'DOC-108' | 'DOC-109' | 'DOC-110' | 'DOC-111' | 'DOC-112' | 'DOC-113' | 'DOC-114' | 'DOC-120' | 'DOC-121'

const T0 = 'RFC 8259 section 2'
const T1 = 'RFC 8259 section 8.1'
const T2 = 'RFC 8259 section 7'
const T3 = 'RFC 8259 section 9'
const T4 = 'RFC 8259 section 6'
const T5 = 'warning'
export const LIMIT_MEMORY = /* @__PURE__ */ finding('limit/memory', 'DOC-100', 'Out of memory', 'docs/reference/diagnostics.md')
export const JSON_UNEXPECTED = /* @__PURE__ */ finding('json/unexpected', 'DOC-101', 'Not JSON', T0)
export const JSON_END = /* @__PURE__ */ finding('json/end', 'DOC-102', 'Unfinished document', T0)
export const JSON_TRAILING = /* @__PURE__ */ finding('json/trailing', 'DOC-103', 'More than one value', T0)
export const JSON_UTF_8 = /* @__PURE__ */ finding('json/utf-8', 'DOC-104', 'Not UTF-8', 'RFC 3629 section 4')
export const JSON_BYTE_ORDER_MARK = /* @__PURE__ */ finding('json/byte-order-mark', 'DOC-105', 'Byte order mark', T1)
export const JSON_UTF_16 = /* @__PURE__ */ finding('json/utf-16', 'DOC-106', 'UTF-16 or UTF-32', T1)
export const JSON_DUPLICATE_MEMBER = /* @__PURE__ */ finding('json/duplicate-member', 'DOC-107', 'Duplicate member', 'RFC 7493 section 2.3')
export const JSON_LONE_SURROGATE = /* @__PURE__ */ finding('json/lone-surrogate', 'DOC-108', 'Half of a surrogate pair', 'RFC 7493 section 2.1')
export const JSON_ESCAPE = /* @__PURE__ */ finding('json/escape', 'DOC-109', 'Invalid escape', T2)
export const JSON_CONTROL_CHARACTER = /* @__PURE__ */ finding('json/control-character', 'DOC-110', 'Control character in a string', T2)
export const JSON_NUMBER = /* @__PURE__ */ finding('json/number', 'DOC-111', 'Not a JSON number', T4)
export const JSON_NUMBER_OVERFLOW = /* @__PURE__ */ finding('json/number-overflow', 'DOC-112', 'Number too large', 'RFC 8785 section 3.2.2.3')
export const JSON_DEPTH = /* @__PURE__ */ finding('json/depth', 'DOC-113', 'Nested too deeply', T3)
export const LIMIT_SIZE = /* @__PURE__ */ finding('limit/size', 'DOC-114', 'Document too large', T3)
export const JSON_UNSAFE_INTEGER = /* @__PURE__ */ finding('json/unsafe-integer', 'DOC-120', 'Integer that does not fit a double', 'RFC 7493 section 2.2', T5)
export const JSON_NUMBER_UNDERFLOW = /* @__PURE__ */ finding('json/number-underflow', 'DOC-121', 'Number that reads as zero', T4, T5)

export const ALL: readonly FindingKind[] = [LIMIT_MEMORY, JSON_UNEXPECTED, JSON_END, JSON_TRAILING, JSON_UTF_8, JSON_BYTE_ORDER_MARK, JSON_UTF_16, JSON_DUPLICATE_MEMBER, JSON_LONE_SURROGATE, JSON_ESCAPE, JSON_CONTROL_CHARACTER, JSON_NUMBER, JSON_NUMBER_OVERFLOW, JSON_DEPTH, LIMIT_SIZE, JSON_UNSAFE_INTEGER, JSON_NUMBER_UNDERFLOW]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...LIMIT_MEMORY, why: 'The host refused to give WebAssembly more memory. Reading needs up to nine times the size of a document.', bad: 'a document of 400 MB in a host that gives 1 GB', good: 'the same in parts, or in a host with more memory' },
  { ...JSON_UNEXPECTED, why: 'Something is not allowed at this place in JSON. Programs that repair it do so differently.', bad: '{"name": "Scout",}', good: '{"name": "Scout"}' },
  { ...JSON_END, why: 'The document ends inside a value, or is empty. A part is missing, and nothing shows which.', bad: '{"name": "Scout"', good: '{"name": "Scout"}' },
  { ...JSON_TRAILING, why: 'A document is one value; JSON Lines are many documents.', bad: '{} {}', good: '[{}, {}]' },
  { ...JSON_UTF_8, why: 'Invalid bytes are never replaced silently, because the result would differ from what was signed.', bad: 'the byte FF in a string; an overlong form; half of a surrogate pair; anything above U+10FFFF', good: 'the document saved as UTF-8' },
  { ...JSON_BYTE_ORDER_MARK, why: 'The mark is not part of JSON. Checking and formatting ignore it; canonical bytes, hashes and signatures refuse it.', bad: 'the bytes EF BB BF, then {"name": "Scout"}', good: '{"name": "Scout"}' },
  { ...JSON_UTF_16, why: 'JSON is exchanged in UTF-8. Readers of another encoding get a different text, or none.', bad: 'a document that begins with the bytes FF FE 7B 00', good: 'the document saved as UTF-8' },
  { ...JSON_DUPLICATE_MEMBER, why: 'Of two equal names, some programs read the first and some the last, so two readers of one signed document could act on different values.', bad: '{"allow": false, "\\u0061llow": true}', good: '{"allow": false}' },
  { ...JSON_LONE_SURROGATE, why: 'Half of a surrogate pair is not a character and has no UTF-8.', bad: '["\\ud83d"]', good: '["\\ud83d\\ude00"]' },
  { ...JSON_ESCAPE, why: 'JSON defines only a few escapes. A backslash itself is written twice.', bad: '["C:\\temp\\x"]', good: '["C:\\\\temp\\\\x"]' },
  { ...JSON_CONTROL_CHARACTER, why: 'Characters below U+0020 are written as escapes. A raw line break is most often a missing quote.', bad: '["two\nlines"]', good: '["two\\nlines"]' },
  { ...JSON_NUMBER, why: 'A leading zero, or no digit after the sign, the point or the e. Programs read such a number differently, or not at all.', bad: '[01]', good: '[1]' },
  { ...JSON_NUMBER_OVERFLOW, why: 'A number beyond the largest double would read as infinity, which JSON cannot write.', bad: '[1e400]', good: '["1e400"]' },
  { ...JSON_DEPTH, why: 'Deep nesting keeps readers busy, or crashes them.', bad: 'more than 1024 nested containers, or than the caller or the kind of document allows', good: 'a document within the limit, which is an option' },
  { ...LIMIT_SIZE, why: 'A document that is made to be large would keep every reader busy. It was not read.', bad: 'more than 268,435,456 bytes, or than the caller or the kind of document allows', good: 'a document within the limit, which is an option' },
  { ...JSON_UNSAFE_INTEGER, why: 'JavaScript reads another number than programs with larger integers do, and the canonical form has the double.', bad: '[9007199254740993]', good: '["9007199254740993"]' },
  { ...JSON_NUMBER_UNDERFLOW, why: 'The number is closer to zero than the smallest double. It reads as zero, and its canonical form is 0.', bad: '[1e-400]', good: '[0]' },
]
