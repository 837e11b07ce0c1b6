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

const SINGLE = 'api/*/agents/**/tasks/*.json'
const SINGLE_SUBJECTS = [
  'api/v1/agents/42/x/y/tasks/list.json',
  'api/v1/agents/42/x/y/tasks/list.txt',
  'web/v1/agents/1',
]

function singleCase(picomatch) {
  const set = compilePatterns('path', [SINGLE])
  const isMatch = picomatch(SINGLE, { dot: true, strictSlashes: true })
  const repeat = (test) => () => {
    let matches = 0
    for (let i = 0; i < 30_000; i++) if (test(SINGLE_SUBJECTS[i % 3])) matches++
    return matches
  }
  return {
    name: 'one compiled pattern, 30,000 tests',
    floor: 1,
    aim: 1.5,
    ours: repeat((subject) => set.test(subject)),
    peers: { picomatch: repeat((subject) => isMatch(subject)) },
    check: () => {
      for (const subject of SINGLE_SUBJECTS) {
        if (set.test(subject) !== isMatch(subject)) throw new Error(`${subject}: not the same answer as picomatch`)
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
