// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../finding.ts'

export type Code = 'DOC-190' | 'DOC-191' | 'DOC-192' | 'DOC-193' | 'DOC-194' | 'DOC-195' | 'DOC-196' | 'DOC-197' | 'DOC-198' | 'DOC-199' | 'DOC-203'

const T0 = 'YAML 1.2.2 section 10.3'
const T1 = 'YAML 1.2.2 section 7.1'
export const YAML_SYNTAX = /* @__PURE__ */ finding('yaml/syntax', 'DOC-190', 'Not YAML', 'YAML 1.2.2 section 5')
export const YAML_ONE_DOCUMENT = /* @__PURE__ */ finding('yaml/one-document', 'DOC-191', 'Not one document', 'YAML 1.2.2 section 9.2')
export const YAML_VERSION = /* @__PURE__ */ finding('yaml/version', 'DOC-192', 'Another version of YAML', 'YAML 1.2.2 section 6.8.1')
export const YAML_CONTROL_CHARACTER = /* @__PURE__ */ finding('yaml/control-character', 'DOC-193', 'Control character in YAML', 'YAML 1.2.2 section 5.1')
export const YAML_NAME = /* @__PURE__ */ finding('yaml/name', 'DOC-194', 'Name that is not a string', 'YAML 1.2.2 section 3.2.1.1')
export const YAML_MERGE_KEY = /* @__PURE__ */ finding('yaml/merge-key', 'DOC-195', 'Merge key', T0)
export const YAML_TAG = /* @__PURE__ */ finding('yaml/tag', 'DOC-196', 'Tag without a JSON value', T0)
export const YAML_ALIAS = /* @__PURE__ */ finding('yaml/alias', 'DOC-197', 'Alias without an anchor', T1)
export const YAML_EXPANSION = /* @__PURE__ */ finding('yaml/expansion', 'DOC-198', 'Aliases that expand too much', T1)
export const YAML_NOT_FINITE = /* @__PURE__ */ finding('yaml/not-finite', 'DOC-199', 'Number that is not finite', 'YAML 1.2.2 section 10.3.2')
export const YAML_DIRECTIVE = /* @__PURE__ */ finding('yaml/directive', 'DOC-203', 'Reserved directive', 'YAML 1.2.2 section 6.8', 'warning')

export const ALL: readonly FindingKind[] = [YAML_SYNTAX, YAML_ONE_DOCUMENT, YAML_VERSION, YAML_CONTROL_CHARACTER, YAML_NAME, YAML_MERGE_KEY, YAML_TAG, YAML_ALIAS, YAML_EXPANSION, YAML_NOT_FINITE, YAML_DIRECTIVE]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...YAML_SYNTAX, why: 'The text does not follow the grammar, such as a wrong indentation, or an unclosed bracket or quote.', bad: 'name: Scout: the second', good: 'name: \'Scout: the second\'' },
  { ...YAML_ONE_DOCUMENT, why: 'The text has several documents, or none because it is empty or has only comments.', bad: 'name: Scout\n---\nname: Spy', good: 'name: Scout' },
  { ...YAML_VERSION, why: 'In YAML 1.1, yes, 0777, 10:30 and << have other meanings.', bad: '%YAML 1.1\n---\nactive: yes', good: 'active: true' },
  { ...YAML_CONTROL_CHARACTER, why: 'Control characters are allowed only as escapes in double quotes. Programs differ in whether a lone carriage return ends a line.', bad: 'name: ab', good: 'name: "a\\u0007b"' },
  { ...YAML_NAME, why: 'Names are strings in JSON. A number, a boolean, null or a container is a name only in quotes.', bad: '1: first', good: '\'1\': first' },
  { ...YAML_MERGE_KEY, why: '<< merges mappings in YAML 1.1, and is an ordinary name in YAML 1.2. The meaning of a document must not depend on that.', bad: 'defaults: &defaults\n  retries: 3\ntool:\n  <<: *defaults', good: 'tool:\n  retries: 3' },
  { ...YAML_TAG, why: 'Only tags of the core schema, on matching values, have a meaning in JSON.', bad: 'icon: !!binary aGVsbG8=', good: 'icon: aGVsbG8=' },
  { ...YAML_ALIAS, why: 'No earlier anchor has this name, or the alias is inside the value that it refers to.', bad: 'tools: [*search]', good: 'first: &search web\ntools: [*search]' },
  { ...YAML_EXPANSION, why: 'Aliases of aliases multiply. A short text could expand to more than a program can hold.', bad: 'aliases that expand to more than 100,000 values, or to text of more than four times the document and 1 MiB', good: 'the values written out' },
  { ...YAML_NOT_FINITE, why: 'Infinity and NaN have no form in JSON.', bad: 'limit: .inf', good: 'limit: null' },
  { ...YAML_DIRECTIVE, why: 'Only %YAML and %TAG have a meaning. Programs ignore other directives, so they say nothing.', bad: '%FOO bar\n---\nname: Scout', good: 'name: Scout' },
]
