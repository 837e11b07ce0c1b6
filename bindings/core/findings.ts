// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../document/finding.ts'

export type Code = 'DOC-130' | 'DOC-131' | 'DOC-132' | 'DOC-133' | 'DOC-134' | 'DOC-135' | 'DOC-136' | 'DOC-137' | 'DOC-138' | 'DOC-139' | 'DOC-140' | 'DOC-141' | 'DOC-142' | 'DOC-143' | 'DOC-144' | 'DOC-150' | 'DOC-151' | 'DOC-152' | 'DOC-153' | 'DOC-154' | 'DOC-155' | 'DOC-156' | 'DOC-157' | 'DOC-158' | 'DOC-159' | 'DOC-170' | 'DOC-171' | 'DOC-172' | 'DOC-173' | 'DOC-174' | 'DOC-175' | 'DOC-176' | 'DOC-177' | 'DOC-178'

const T0 = 'ADL section 4.4'
const T1 = 'warning'
const T2 = 'ADL appendix D, template-var'
const T3 = 'ADL section 7.2'
const T4 = 'ADL section 18'
const T5 = 'RFC 8259 section 3'
const T6 = 'RFC 8785 section 3.2.2.3'
export const PATTERN_EMPTY = /* @__PURE__ */ finding('pattern/empty', 'DOC-130', 'Empty pattern', T0)
export const PATTERN_TOO_LONG = /* @__PURE__ */ finding('pattern/too-long', 'DOC-131', 'Pattern too long', T0)
export const PATTERN_CONTROL_CHARACTER = /* @__PURE__ */ finding('pattern/control-character', 'DOC-132', 'Control character in a pattern', T0)
export const PATTERN_SPACE = /* @__PURE__ */ finding('pattern/space', 'DOC-133', 'Space in a pattern', T0)
export const PATTERN_NON_ASCII = /* @__PURE__ */ finding('pattern/non-ascii', 'DOC-134', 'Non-ASCII character in a pattern', T0)
export const PATTERN_STAR_RUN = /* @__PURE__ */ finding('pattern/star-run', 'DOC-135', 'More than two stars in a row', T0)
export const PATTERN_GLOBSTAR_KIND = /* @__PURE__ */ finding('pattern/globstar-kind', 'DOC-136', 'Two stars outside a path', T0)
export const PATTERN_GLOBSTAR_PLACE = /* @__PURE__ */ finding('pattern/globstar-place', 'DOC-137', 'Two stars that are not a whole segment', T0)
export const PATTERN_EMPTY_LABEL = /* @__PURE__ */ finding('pattern/empty-label', 'DOC-138', 'Empty label in a host', T0)
export const PATTERN_TAG_WILDCARD = /* @__PURE__ */ finding('pattern/tag-wildcard', 'DOC-139', 'Star that is not the last segment of a tag', 'Agent Card section 3.6.1')
export const PATTERN_TOO_MANY_SEGMENTS = /* @__PURE__ */ finding('pattern/too-many-segments', 'DOC-140', 'Too many segments after two stars', T0)
export const PATTERN_LONE_SURROGATE = /* @__PURE__ */ finding('pattern/lone-surrogate', 'DOC-141', 'Pattern that is not valid text', T0)
export const PATTERN_BARE_WILDCARD = /* @__PURE__ */ finding('pattern/bare-wildcard', 'DOC-142', 'Pattern that matches everything', T0, T1)
export const PATTERN_MID_WILDCARD = /* @__PURE__ */ finding('pattern/mid-wildcard', 'DOC-143', 'Star between characters', T0, T1)
export const PATTERN_HOST_CHARACTER = /* @__PURE__ */ finding('pattern/host-character', 'DOC-144', 'Character that a host cannot have', T0, T1)
export const TEMPLATE_UNCLOSED = /* @__PURE__ */ finding('template/unclosed', 'DOC-150', 'Reference that does not end', T2)
export const TEMPLATE_EMPTY_NAME = /* @__PURE__ */ finding('template/empty-name', 'DOC-151', 'Reference without a name', T2)
export const TEMPLATE_NAME_START = /* @__PURE__ */ finding('template/name-start', 'DOC-152', 'Name that does not begin with a letter', T2)
export const TEMPLATE_NAME_CHARACTER = /* @__PURE__ */ finding('template/name-character', 'DOC-153', 'Invalid character in a name', T2)
export const TEMPLATE_UTF_8 = /* @__PURE__ */ finding('template/utf-8', 'DOC-154', 'Template that is not UTF-8', 'RFC 3629 section 4')
export const TEMPLATE_UNDEFINED = /* @__PURE__ */ finding('template/undefined', 'DOC-155', 'Undefined variable', T3)
export const TEMPLATE_VALUE = /* @__PURE__ */ finding('template/value', 'DOC-156', 'Value without a text form', T3)
export const TEMPLATE_DELIMITER = /* @__PURE__ */ finding('template/delimiter', 'DOC-157', 'Template delimiter in a value', T4)
export const LIMIT_VALUE = /* @__PURE__ */ finding('limit/value', 'DOC-158', 'Value too long', T4)
export const LIMIT_OUTPUT = /* @__PURE__ */ finding('limit/output', 'DOC-159', 'Output too long', T4)
export const VALUE_UNDEFINED = /* @__PURE__ */ finding('value/undefined', 'DOC-170', 'Undefined instead of a value', T5)
export const VALUE_HOLE = /* @__PURE__ */ finding('value/hole', 'DOC-171', 'Hole in an array', T5)
export const VALUE_FUNCTION = /* @__PURE__ */ finding('value/function', 'DOC-172', 'Function as a value', T5)
export const VALUE_SYMBOL = /* @__PURE__ */ finding('value/symbol', 'DOC-173', 'Symbol as a value', T5)
export const VALUE_BIGINT = /* @__PURE__ */ finding('value/bigint', 'DOC-174', 'BigInt as a value', T6)
export const VALUE_NUMBER = /* @__PURE__ */ finding('value/number', 'DOC-175', 'Number that is not finite', T6)
export const VALUE_CYCLE = /* @__PURE__ */ finding('value/cycle', 'DOC-176', 'Value that contains itself', T5)
export const VALUE_OPAQUE = /* @__PURE__ */ finding('value/opaque', 'DOC-177', 'Object whose content is not in its members', T5)
export const VALUE_UNREADABLE = /* @__PURE__ */ finding('value/unreadable', 'DOC-178', 'Value that cannot be read', T5)

export const ALL: readonly FindingKind[] = [PATTERN_EMPTY, PATTERN_TOO_LONG, PATTERN_CONTROL_CHARACTER, PATTERN_SPACE, PATTERN_NON_ASCII, PATTERN_STAR_RUN, PATTERN_GLOBSTAR_KIND, PATTERN_GLOBSTAR_PLACE, PATTERN_EMPTY_LABEL, PATTERN_TAG_WILDCARD, PATTERN_TOO_MANY_SEGMENTS, PATTERN_LONE_SURROGATE, PATTERN_BARE_WILDCARD, PATTERN_MID_WILDCARD, PATTERN_HOST_CHARACTER, TEMPLATE_UNCLOSED, TEMPLATE_EMPTY_NAME, TEMPLATE_NAME_START, TEMPLATE_NAME_CHARACTER, TEMPLATE_UTF_8, TEMPLATE_UNDEFINED, TEMPLATE_VALUE, TEMPLATE_DELIMITER, LIMIT_VALUE, LIMIT_OUTPUT, VALUE_UNDEFINED, VALUE_HOLE, VALUE_FUNCTION, VALUE_SYMBOL, VALUE_BIGINT, VALUE_NUMBER, VALUE_CYCLE, VALUE_OPAQUE, VALUE_UNREADABLE]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...PATTERN_EMPTY, why: 'An empty pattern matches nothing.', bad: '', good: 'api.example.com' },
  { ...PATTERN_TOO_LONG, why: 'A pattern has at most 65,535 bytes, so that matching takes bounded time.', bad: 'a path of 70,000 bytes', good: '/data/**' },
  { ...PATTERN_CONTROL_CHARACTER, why: 'Patterns are printable. An invisible character would grant or deny something unseen.', bad: '/data/\\u0000', good: '/data/file' },
  { ...PATTERN_SPACE, why: 'ADL patterns are printable ASCII without spaces. Paths with spaces exist; other readers may refuse them.', bad: 'git status', good: 'git' },
  { ...PATTERN_NON_ASCII, why: 'ADL patterns are ASCII, because similar names could be different hosts. International names have an ASCII form.', bad: 'bücher.example', good: 'xn--bcher-kva.example' },
  { ...PATTERN_STAR_RUN, why: '* matches characters within a segment, ** matches whole segments. Three stars mean nothing.', bad: '/data/***', good: '/data/**' },
  { ...PATTERN_GLOBSTAR_KIND, why: 'Only paths have segments for ** to match.', bad: '**.example.com', good: '*.example.com' },
  { ...PATTERN_GLOBSTAR_PLACE, why: '** matches whole segments, so it must be one.', bad: '/data**', good: '/data/**' },
  { ...PATTERN_EMPTY_LABEL, why: 'A host does not have empty labels.', bad: 'api..example.com', good: 'api.example.com' },
  { ...PATTERN_TAG_WILDCARD, why: 'In a tag, * may only be the whole last segment.', bad: 'nlp/trans*', good: 'nlp/*' },
  { ...PATTERN_TOO_MANY_SEGMENTS, why: 'At most 256 segments may follow a **, so that matching takes bounded time.', bad: '/**/ and then 300 segments', good: '/data/**/*.json' },
  { ...PATTERN_LONE_SURROGATE, why: 'Half of a surrogate pair is not a character and has no UTF-8, so nothing could match it.', bad: '/data/\\ud83d', good: '/data/file' },
  { ...PATTERN_BARE_WILDCARD, why: 'A lone * permits every host, variable or command.', bad: '*', good: '*.example.com' },
  { ...PATTERN_MID_WILDCARD, why: 'Blazon matches a star between characters. Other readers may refuse it.', bad: 'APP_*_URL', good: 'APP_*' },
  { ...PATTERN_HOST_CHARACTER, why: 'A host has no scheme, port or path, so the pattern matches nothing.', bad: 'https://api.example.com', good: 'api.example.com' },
  { ...TEMPLATE_UNCLOSED, why: 'A {{ without }} could be a reference or text. Write two braces that are text as \\{{.', bad: 'Hello {{name', good: 'Hello {{name}}' },
  { ...TEMPLATE_EMPTY_NAME, why: 'A reference without a name refers to nothing.', bad: 'Hello {{}}', good: 'Hello {{name}}' },
  { ...TEMPLATE_NAME_START, why: 'Names begin with a letter, without spaces after the braces.', bad: 'Hello {{1st}}', good: 'Hello {{first}}' },
  { ...TEMPLATE_NAME_CHARACTER, why: 'A name is a letter, then letters, digits and _. Other programs read no other names.', bad: 'Hello {{first-name}}', good: 'Hello {{first_name}}' },
  { ...TEMPLATE_UTF_8, why: 'Invalid bytes are never replaced silently, because that would change the text.', bad: 'a template with the byte FF', good: 'the template saved as UTF-8' },
  { ...TEMPLATE_UNDEFINED, why: 'Nothing is rendered without a value, because a gap in a prompt can reverse its meaning.', bad: 'Hello {{name}}, without a value for name', good: 'Hello {{name}}, with {"name": "Ada"}' },
  { ...TEMPLATE_VALUE, why: 'A value is a string, a number or a boolean. Programs turn other values into different texts.', bad: '{"name": ["Ada"]}', good: '{"name": "Ada"}' },
  { ...TEMPLATE_DELIMITER, why: 'The caller asked to refuse such values. Rendering the result again would find references in them.', bad: '{"name": "{{secret}}"}', good: '{"name": "Ada"}' },
  { ...LIMIT_VALUE, why: 'A value that is longer than the caller allows displaces what the template says.', bad: 'a value of 2000 bytes where 1000 are allowed', good: 'a value within the limit, which is an option' },
  { ...LIMIT_OUTPUT, why: 'A short template can use a long value many times. The default limit is 16 MiB.', bad: 'a value of 1 MiB that is used twenty times', good: 'the value used once; the limit is an option' },
  { ...VALUE_UNDEFINED, why: 'JSON.stringify would write null, or nothing. A member of an object that is undefined is left out.', bad: '[1, undefined]', good: '[1, null]' },
  { ...VALUE_HOLE, why: 'A sparse array has no value at an index.', bad: '[1, , 2]', good: '[1, null, 2]' },
  { ...VALUE_FUNCTION, why: 'JSON has no functions.', bad: '[() => 1]', good: '[1]' },
  { ...VALUE_SYMBOL, why: 'JSON has no symbols.', bad: '[Symbol(\'a\')]', good: '["a"]' },
  { ...VALUE_BIGINT, why: 'RFC 8785 writes numbers as doubles. Put digits that a double cannot hold into a string.', bad: '[9007199254740993n]', good: '["9007199254740993"]' },
  { ...VALUE_NUMBER, why: 'JSON.stringify would write null for NaN and for infinity.', bad: '[Number.NaN]', good: '[null]' },
  { ...VALUE_CYCLE, why: 'The JSON of a value that contains itself would never end. The same value in several places is not a cycle.', bad: 'const list = []; list.push(list)', good: 'const list = []; list.push([])' },
  { ...VALUE_OPAQUE, why: 'JSON.stringify would write {}, or bytes as members. Instances of your own classes are accepted, with their enumerable members.', bad: 'new Map([[\'a\', 1]])', good: '{"a": 1}' },
  { ...VALUE_UNREADABLE, why: 'A getter, a method toJSON or a proxy threw. The error has the thrown value as its cause.', bad: '{ get a() { throw new Error(\'no\') } }', good: '{"a": 1}' },
]
