// Explanations of the findings of the JSON and YAML readers. Only the catalogue loads them.
import { TOO_LARGE } from './faults.ts'
import { type Explanations, explained, type FindingInfo } from './finding.ts'
import { FAULTS, WARNINGS } from './json-faults.ts'
import { YAML_KINDS } from './yaml/faults.ts'

const SCOUT = '{"name": "Scout"}'

const EXPLANATIONS: Explanations = {
  'DOC-100': {
    why: 'The host refused to give WebAssembly more memory. Reading needs up to nine times the size of a document.',
    bad: 'a document of 400 MB in a host that gives a page 1 GB',
    good: 'the same in parts, or in a host that gives more',
  },
  'DOC-101': {
    why: 'Something stands where JSON does not allow it: programs that repair it do so in different ways.',
    bad: '{"name": "Scout",}',
    good: SCOUT,
  },
  'DOC-102': {
    why: 'The document ends inside a value, or is empty: a part of it is missing, and nothing tells which.',
    bad: '{"name": "Scout"',
    good: SCOUT,
  },
  'DOC-103': {
    why: 'A document is one value; JSON Lines are many documents.',
    bad: '{} {}',
    good: '[{}, {}]',
  },
  'DOC-104': {
    why: 'Bytes that are not UTF-8 are never replaced silently: the result would no longer be what was signed.',
    bad: 'the byte FF in a string; an overlong form; half of a surrogate pair; anything above U+10FFFF',
    good: 'the document saved as UTF-8',
  },
  'DOC-105': {
    why: 'The mark is no part of JSON. Checking and formatting leave it out of account; canonical bytes, hashes and signatures refuse it.',
    bad: `the bytes EF BB BF, then ${SCOUT}`,
    good: SCOUT,
  },
  'DOC-106': {
    why: 'JSON is exchanged in UTF-8; who takes another encoding for it reads something else, or nothing.',
    bad: 'a document that begins with the bytes FF FE 7B 00',
    good: 'the document saved as UTF-8',
  },
  'DOC-107': {
    why: 'Programs differ in which of two equal names they read, so two readers of one signed document could act on different values.',
    bad: '{"allow": false, "\\u0061llow": true}',
    good: '{"allow": false}',
  },
  'DOC-108': {
    why: 'Half of a surrogate pair is no character and has no UTF-8.',
    bad: '["\\ud83d"]',
    good: '["\\ud83d\\ude00"]',
  },
  'DOC-109': {
    why: 'JSON has a few escapes and no others; a backslash itself is written twice.',
    bad: '["C:\\temp\\x"]',
    good: '["C:\\\\temp\\\\x"]',
  },
  'DOC-110': {
    why: 'Characters below U+0020 stand in strings as escapes. A raw line end is most often a missing quote.',
    bad: '["two\nlines"]',
    good: '["two\\nlines"]',
  },
  'DOC-111': {
    why: 'A leading zero, or no digit behind the sign, the point or the e: programs read such a number differently, or not at all.',
    bad: '[01]',
    good: '[1]',
  },
  'DOC-112': {
    why: 'A number beyond the largest double would read as infinity, which JSON cannot write.',
    bad: '[1e400]',
    good: '["1e400"]',
  },
  'DOC-113': {
    why: 'Who nests without end keeps its readers busy, or brings them down.',
    bad: 'more than 1024 containers inside of each other, or than the caller or the kind of document allows',
    good: 'at most as many; the limit is an option',
  },
  'DOC-114': {
    why: 'A document made to be large would keep everybody who reads it busy. It was not read.',
    bad: 'more than 268,435,456 bytes, or than the caller or the kind of document allows',
    good: 'at most as many; the limit is an option',
  },
  'DOC-120': {
    why: 'JavaScript reads another number than programs with larger integers do, and the canonical form has the double.',
    bad: '[9007199254740993]',
    good: '["9007199254740993"]',
  },
  'DOC-121': {
    why: 'Nearer to zero than the smallest double, the number reads as zero, and its canonical form is 0.',
    bad: '[1e-400]',
    good: '[0]',
  },
  'DOC-190': {
    why: 'The text does not follow the grammar: an indentation that fits nowhere, a bracket or quote that is not closed.',
    bad: 'name: Scout: the second',
    good: "name: 'Scout: the second'",
  },
  'DOC-191': {
    why: 'The text has several documents, or none: it is empty, or has comments only.',
    bad: 'name: Scout\n---\nname: Spy',
    good: 'name: Scout',
  },
  'DOC-192': {
    why: 'In YAML 1.1 yes, 0777, 10:30 and << mean something else.',
    bad: '%YAML 1.1\n---\nactive: yes',
    good: 'active: true',
  },
  'DOC-193': {
    why: 'Control characters stand only as escapes within double quotes. Programs differ in whether a lone carriage return ends a line.',
    bad: 'name: a\u0007b',
    good: 'name: "a\\u0007b"',
  },
  'DOC-194': {
    why: 'In JSON names are strings: a number, a boolean, null or a container is a name only in quotes.',
    bad: '1: first',
    good: "'1': first",
  },
  'DOC-195': {
    why: '<< merges mappings in YAML 1.1 and is a name like others in YAML 1.2. What a document says must not hang on that.',
    bad: 'defaults: &defaults\n  retries: 3\ntool:\n  <<: *defaults',
    good: 'tool:\n  retries: 3',
  },
  'DOC-196': {
    why: 'Only the tags of the core schema, on values that fit them, have a meaning in JSON.',
    bad: 'icon: !!binary aGVsbG8=',
    good: 'icon: aGVsbG8=',
  },
  'DOC-197': {
    why: 'No anchor in front of the alias has its name, or the alias stands inside of what it stands for.',
    bad: 'tools: [*search]',
    good: 'first: &search web\ntools: [*search]',
  },
  'DOC-198': {
    why: 'Aliases of aliases multiply: a short text could stand for more than a program can hold.',
    bad: 'aliases that stand for more than 100,000 values, or text of more than four times the document and 1 MiB',
    good: 'the values written out',
  },
  'DOC-199': {
    why: 'Infinity and NaN have no form in JSON.',
    bad: 'limit: .inf',
    good: 'limit: null',
  },
}

/** The errors and warnings of reading a document. */
export const readingFindings = (): readonly FindingInfo[] =>
  explained([...Object.values(FAULTS), TOO_LARGE, ...Object.values(WARNINGS), ...YAML_KINDS], EXPLANATIONS)
