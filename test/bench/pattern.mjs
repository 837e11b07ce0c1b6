// Sets of patterns against the same rules as regular expressions, and one pattern against picomatch.
import { compilePatterns } from 'blazon/core'
import { random } from './documents.mjs'

export const title = 'Patterns'

const PATTERNS = 500
const SUBJECTS = 10_000

const WORDS =
  'api v1 v2 agents tasks users orders search invoice data public private well-known agent card json tools call stream events admin status health models chat files'.split(
    ' ',
  )
const SYLLABLES = 'ba ko li mu ne ra si to vu da fe gi ho ju ka lo me nu po qui ro sa te'.split(' ')
const ENDINGS = ['com', 'org', 'net', 'io', 'dev', 'ai', 'co.uk']

function times(count, make) {
  return Array.from({ length: count }, make)
}

/** Paths of services and files, and patterns for them rich in wildcards, all as ADL 4.4 allows them. */
function pathSet() {
  const next = random(3)
  const below = (n) => Math.floor(next() * n)
  const word = () => WORDS[below(WORDS.length)]
  const segment = () => word() + (next() < 0.3 ? `-${below(100)}` : '')
  const subjects = times(SUBJECTS, () => times(2 + below(5), segment).join('/') + (next() < 0.3 ? '.json' : ''))
  const part = () => {
    const kind = next()
    if (kind < 0.15) return '*'
    if (kind < 0.3) return '**'
    if (kind < 0.45) return `${word()}*`
    if (kind < 0.5) return `*-${below(100)}`
    if (kind < 0.55) return `${word().slice(0, 2)}*`
    return word()
  }
  const patterns = times(PATTERNS, () => times(1 + below(4), part).join('/') + (next() < 0.2 ? '/*.json' : ''))
  // A bare `*` matches everything (ADL 4.4), which no translation of its characters says.
  return { patterns: patterns.map((pattern) => (pattern === '*' ? '*/*' : pattern)), subjects }
}

/** Hosts of 400 organizations, and what their owners would allow. */
function hostSet() {
  const next = random(5)
  const below = (n) => Math.floor(next() * n)
  const name = () => times(2 + below(3), () => SYLLABLES[below(SYLLABLES.length)]).join('')
  const organizations = times(400, name)
  const domain = () => `${organizations[below(400)]}.${ENDINGS[below(ENDINGS.length)]}`
  const service = () => ['api', 'agents', 'www', 'eu', 'us'][below(5)]
  const subjects = times(
    SUBJECTS,
    () => (next() < 0.7 ? `${name()}.` : '') + (next() < 0.4 ? `${service()}.` : '') + domain(),
  )
  const patterns = times(PATTERNS, () => {
    const kind = next()
    if (kind < 0.4) return `*.${domain()}`
    if (kind < 0.6) return `*.*.${domain()}`
    if (kind < 0.75) return `api.${domain()}`
    if (kind < 0.9) return domain()
    if (kind < 0.95) return `api-*.${domain()}`
    return `*.*.${ENDINGS[below(ENDINGS.length)]}`
  })
  return { patterns, subjects }
}

/** The rules of ADL 4.4 as the fastest expression found for them. Hosts here are small letters only: no `i` is needed. */
function toRegExp(pattern, separator) {
  const literal = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  const body = literal
    .replace(/(^|\/)(\*\*\/)+/g, '$1\u0001')
    .replace(/\*\*$/, '\u0002')
    .replaceAll('*', `[^${separator}]*`)
    .replaceAll('\u0001', '(?:.*\\/)?')
    .replace('\u0002', '.*')
  return new RegExp(`^${body}$`)
}

function count(subjects, expressions) {
  let matches = 0
  for (const subject of subjects) for (const expression of expressions) if (expression.test(subject)) matches++
  return matches
}

function sameMatches(set, expressions, subjects) {
  const { offsets, patterns } = set.allOf(subjects)
  subjects.forEach((subject, i) => {
    const ours = [...patterns.subarray(offsets[i], offsets[i + 1])].join()
    const theirs = expressions.flatMap((expression, n) => (expression.test(subject) ? [n] : [])).join()
    if (ours !== theirs) throw new Error(`${subject}: matched by ${ours}, by regular expressions ${theirs}`)
  })
}

function setCase(name, kind, separator, { patterns, subjects }, floor, aim) {
  const set = compilePatterns(kind, patterns)
  const expressions = patterns.map((pattern) => toRegExp(pattern, separator))
  return {
    name,
    floor,
    aim,
    ours: () => set.allOf(subjects).patterns.length,
    peers: { 'RegExp each': () => count(subjects, expressions) },
    check: () => sameMatches(set, expressions, subjects),
  }
}

/** What permissions look like, each with subjects that match, nearly match, and do not. */
const SINGLES = [
  ['path', '/data/**', ['/data/foo/bar/baz.csv', '/data/x', '/etc/passwd']],
  ['path', '/srv/jobs/**/secrets', ['/srv/jobs/a/b/secrets', '/srv/jobs/a/b/c.txt', '/var/srv']],
  ['path', '/var/log/*.log', ['/var/log/syslog.log', '/var/log/app/x.log', '/var/lib/x']],
  ['env', 'APP_*', ['APP_PORT', 'PATH', 'APPLICATION']],
  ['host', '*.example.com', ['api.example.com', 'api.example.org', 'www.test.io']],
  ['path', 'src/**/*.ts', ['src/core/pattern/walk.ts', 'src/index.ts', 'test/x.js']],
  [
    'path',
    'api/*/agents/**/tasks/*.json',
    ['api/v1/agents/42/x/y/tasks/list.json', 'api/v1/agents/42/x/y/tasks/list.txt', 'web/v1/agents/1'],
  ],
]
const ROUNDS = 2_000

function singleCase(picomatch) {
  const rows = SINGLES.map(([kind, pattern, subjects]) => {
    const set = compilePatterns(kind, [pattern])
    const theirs = picomatch(pattern, { dot: true, strictSlashes: true })
    return { pattern, subjects, ours: (subject) => set.test(subject), theirs: (subject) => theirs(subject) }
  })
  const repeat = (who) => () => {
    let matches = 0
    for (const { [who]: test, subjects } of rows) {
      for (let i = 0; i < ROUNDS; i++) for (const subject of subjects) if (test(subject)) matches++
    }
    return matches
  }
  return {
    name: `one compiled pattern, ${SINGLES.length} of them, ${3 * ROUNDS} tests each`,
    floor: 1,
    aim: 1.5,
    ours: repeat('ours'),
    peers: { picomatch: repeat('theirs') },
    check: () => {
      for (const { pattern, subjects, ours, theirs } of rows) {
        const wrong = subjects.find((subject) => ours(subject) !== theirs(subject))
        if (wrong !== undefined) throw new Error(`${pattern} and ${wrong}: not the same answer as picomatch`)
      }
    },
  }
}

export async function cases({ peer }) {
  const { default: picomatch } = await peer('picomatch')
  return [
    setCase('500 patterns x 10,000 paths', 'path', '/', pathSet(), 6.5, 20),
    setCase('500 patterns x 10,000 hosts', 'host', '.', hostSet(), 65, 150),
    singleCase(picomatch),
  ]
}
