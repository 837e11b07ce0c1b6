// Explanations of the findings in patterns, templates and values. Only the catalogue loads them.
import { type Explanations, explained, type FindingInfo } from '../document/finding.ts'
import { PATTERN_KINDS } from './pattern-faults.ts'
import { TEMPLATE_KINDS } from './template/faults.ts'
import { VALUE_FAULTS } from './value-faults.ts'

const GREETING = 'Hello {{name}}'

const PATTERNS: Explanations = {
  'DOC-130': { why: 'A pattern without a character stands for nothing.', bad: '', good: 'api.example.com' },
  'DOC-131': {
    why: 'A pattern has at most 65,535 bytes: it keeps the time of matching bounded.',
    bad: 'a path of 70,000 bytes',
    good: '/data/**',
  },
  'DOC-132': {
    why: 'Patterns are printable: a character that nobody sees would grant or deny unseen.',
    bad: '/data/\\u0000',
    good: '/data/file',
  },
  'DOC-133': {
    why: 'ADL patterns are printable ASCII without spaces. Paths with spaces exist; other readers may refuse them.',
    bad: 'git status',
    good: 'git',
  },
  'DOC-134': {
    why: 'ADL patterns are ASCII: names that look alike would be different hosts. International names have a form in ASCII.',
    bad: 'bücher.example',
    good: 'xn--bcher-kva.example',
  },
  'DOC-135': {
    why: '* stands for characters within a segment, ** for whole segments; three stars stand for nothing.',
    bad: '/data/***',
    good: '/data/**',
  },
  'DOC-136': {
    why: 'Only paths have segments that ** could stand for.',
    bad: '**.example.com',
    good: '*.example.com',
  },
  'DOC-137': {
    why: '** stands for whole segments, and so has to be one.',
    bad: '/data**',
    good: '/data/**',
  },
  'DOC-138': {
    why: 'A host has no empty label.',
    bad: 'api..example.com',
    good: 'api.example.com',
  },
  'DOC-139': {
    why: 'A tag has * as its whole last segment, or not at all.',
    bad: 'nlp/trans*',
    good: 'nlp/*',
  },
  'DOC-140': {
    why: 'At most 256 segments may stand behind a **: it keeps the time of matching bounded.',
    bad: '/**/ and then 300 segments',
    good: '/data/**/*.json',
  },
  'DOC-141': {
    why: 'Half of a surrogate pair is no character and has no UTF-8: nothing could match it.',
    bad: '/data/\\ud83d',
    good: '/data/file',
  },
  'DOC-142': {
    why: '* alone permits every host, variable or command.',
    bad: '*',
    good: '*.example.com',
  },
  'DOC-143': {
    why: 'A star between characters is matched as it reads; other readers may refuse it.',
    bad: 'APP_*_URL',
    good: 'APP_*',
  },
  'DOC-144': {
    why: 'A host has no scheme, port or path: the pattern will match none.',
    bad: 'https://api.example.com',
    good: 'api.example.com',
  },
}

const TEMPLATES: Explanations = {
  'DOC-150': {
    why: 'A {{ without }} could be a reference or text. Two braces that are no reference are written \\{{.',
    bad: 'Hello {{name',
    good: GREETING,
  },
  'DOC-151': { why: 'A reference without a name refers to nothing.', bad: 'Hello {{}}', good: GREETING },
  'DOC-152': {
    why: 'Names begin with a letter, and no spaces stand between braces and name.',
    bad: 'Hello {{1st}}',
    good: 'Hello {{first}}',
  },
  'DOC-153': {
    why: 'A name is a letter, then letters, digits and _: other programs read no others.',
    bad: 'Hello {{first-name}}',
    good: 'Hello {{first_name}}',
  },
  'DOC-154': {
    why: 'Bytes that begin no character are never replaced silently: the text would be another one.',
    bad: 'a template with the byte FF',
    good: 'the template saved as UTF-8',
  },
  'DOC-155': {
    why: 'Nothing is rendered without a value: an empty place in a prompt can turn its meaning around.',
    bad: `${GREETING}, without a value for name`,
    good: `${GREETING}, with {"name": "Ada"}`,
  },
  'DOC-156': {
    why: 'A value is a string, a number or a boolean: of others everybody makes another text.',
    bad: '{"name": ["Ada"]}',
    good: '{"name": "Ada"}',
  },
  'DOC-157': {
    why: 'The caller asked for such values to be refused: whoever renders the result again would find references in it.',
    bad: '{"name": "{{secret}}"}',
    good: '{"name": "Ada"}',
  },
  'DOC-158': {
    why: 'A value that is longer than the caller allows pushes aside what the template says.',
    bad: 'a value of 2000 bytes where 1000 are allowed',
    good: 'a value of at most as many; the limit is an option',
  },
  'DOC-159': {
    why: 'A short template can ask for a long value very often. The limit is 16 MiB when the caller does not say.',
    bad: 'a value of 1 MiB that is used twenty times',
    good: 'the value used once; the limit is an option',
  },
}

const VALUES: Explanations = {
  'DOC-170': {
    why: 'JSON.stringify would write null, or nothing. A member of an object that is undefined is left out.',
    bad: '[1, undefined]',
    good: '[1, null]',
  },
  'DOC-171': { why: 'A sparse array has no value at an index.', bad: '[1, , 2]', good: '[1, null, 2]' },
  'DOC-172': { why: 'JSON has no functions.', bad: '[() => 1]', good: '[1]' },
  'DOC-173': { why: 'JSON has no symbols.', bad: "[Symbol('a')]", good: '["a"]' },
  'DOC-174': {
    why: 'RFC 8785 writes numbers as doubles; digits that a double cannot hold go into a string.',
    bad: '[9007199254740993n]',
    good: '["9007199254740993"]',
  },
  'DOC-175': {
    why: 'JSON.stringify would write null for NaN and the infinities.',
    bad: '[Number.NaN]',
    good: '[null]',
  },
  'DOC-176': {
    why: 'The JSON of a value inside of itself would never end. One value in several places beside each other is no cycle.',
    bad: 'const list = []; list.push(list)',
    good: 'const list = []; list.push([])',
  },
  'DOC-177': {
    why: 'JSON.stringify would write {}, or bytes as members. Instances of classes of your own pass, with their enumerable members.',
    bad: "new Map([['a', 1]])",
    good: '{"a": 1}',
  },
  'DOC-178': {
    why: 'A getter, a method toJSON or a proxy threw. The error has the thrown value as its cause.',
    bad: "{ get a() { throw new Error('no') } }",
    good: '{"a": 1}',
  },
}

/** The findings in patterns, in templates and their values, and in values that have no canonical form. */
export const coreFindings = (): readonly FindingInfo[] => [
  ...explained(Object.values(PATTERN_KINDS), PATTERNS),
  ...explained(TEMPLATE_KINDS, TEMPLATES),
  ...explained(Object.values(VALUE_FAULTS), VALUES),
]
