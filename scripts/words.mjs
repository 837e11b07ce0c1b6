// Plain English: words and patterns that make a sentence hard to read, long sentences of pages, and exported types named by
// a bare participle. CONTRIBUTING.md has the rules for writing.
//
//   node scripts/words.mjs [PATH ...]  every place, also where `npm run check` does not look yet
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { filesOf } from './current.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

/** A pattern, and what to write instead. */
const WORDS = [
  [/\b(?:that|which) (?:is|are) none\b/i, 'invalid'],
  [/(?<!here |hat |nd )\b(?:is|are) no (?!longer|more|less|other|one)[a-z]/i, 'is not a ..., or: is invalid'],
  [/\bthere (?:is|are) none\b/i, 'is missing, or: has no ...'],
  // Templates of definitions have "what it does, for whom", and placeholders are recognized by that text.
  [/(?<!does, )\b(?:of|by|for|from|to|with) whom\b/i, 'name the person'],
  [/\bwhoever\b/i, 'the caller, anyone who'],
  [/\b(?:is|are|was|were|be) told\b/i, 'reports, warns, gets an error'],
  [/\bcomes again\b/i, 'is repeated'],
  [/\bbesides?\b/i, 'next to, or: in addition to'],
  [/\bin place of\b/i, 'instead of'],
  [/\bby turns\b/i, 'alternating'],
  [/\bon the way\b/i, 'in transit, or: meanwhile'],
  [/\bso many\b/i, 'that many, or the number'],
  [/\bhas to be had\b/i, 'is needed'],
  [/\bfor it is\b/i, 'because it is'],
  [/, too[.,;:]/, 'also'],
  [/, of which\b/i, 'begin a new sentence'],
  [/\bWho(?:ever)? \w+s (?!it\b|is\b)\w+ .*\bis\b/, 'name who it is'],
  [/\bfor who\b/i, 'for those who'],
  [/\bwhat nobody\b/i, 'say what it is'],
  [/\bbut for\b/i, 'except'],
  [/\banew\b/i, 'again'],
  [/(?:^|[.!?] |\/\/ |\* )Of [a-z]/, 'begin with the subject'],
  [/\(without it\)/, '(default)'],
  [/\bcards? of A2A\b/i, 'A2A card'],
  [/\bsomebody else/i, "someone else's"],
]

const PARTICIPLE =
  /^export (?:interface|type|class) ((?:(?!Need\b)[A-Z][a-z]+ed|Told|Kept|Held|Found|Shown|Given|Known|Seen|Made|Sent|Taken|Drawn|Read)\b)(?!\w)/

const MOST_WORDS = 40

const FOLDERS = ['core', 'bindings', 'cli', 'edge', 'browser-demo', 'scripts', 'test', 'docs']
const PAGES = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md']
/** Folders and pages that are written in plain words; the others follow. */
const PLAIN = [
  'bindings/adl',
  'bindings/card',
  'bindings/convert',
  'bindings/discover',
  'bindings/frame',
  'bindings/node',
  'bindings/policy',
  'browser-demo',
  'cli',
  'docs/design',
  'docs/guide',
  'docs/start',
  'docs/reference/benchmarks.md',
  'docs/reference/cli.md',
  'docs/reference/conformance.md',
  'docs/reference/diagnostics.md',
  'edge',
  'test/adl',
  'test/card',
  'test/cli',
  'test/convert',
  'test/discover',
  'test/edge',
  'test/frame',
  'test/node',
  'test/page',
  ...PAGES,
]

/** This table of words, and the decisions on words, name them. */
const NAMES_THEM = ['scripts/words.mjs']
/** The texts of findings, and those of the API. */
const DATA = /\/(?:findings|shape-rules|openapi)\.yaml$/
/** Written from these texts. */
const GENERATED = /\/(?:findings|catalogue)\.ts$/
const READ = /\.(?:ts|mts|mjs|md|html|css|c)$/
/** Of tests only comments and titles count: what they send and expect is data. */
const TITLE = /^\s*(?:\/\/|\/?\*|(?:test|describe|it)(?:\.\w+)*\()/

/** The places below these paths, a line each. */
export function places(paths = [...PLAIN, ...filesOf('bindings').filter((path) => DATA.test(path))]) {
  return paths.flatMap(filesOf).flatMap((path) => {
    if (!(READ.test(path) || DATA.test(path)) || GENERATED.test(path) || NAMES_THEM.includes(path)) return []
    const text = readFileSync(path, 'utf8')
    return [...wordsIn(path, text), ...(path.endsWith('.md') ? longSentences(path, text) : [])]
  })
}

function wordsIn(path, text) {
  const isTest = path.startsWith('test/')
  return text.split('\n').flatMap((line, i) => {
    if (isTest && !TITLE.test(line)) return []
    const found = WORDS.filter(([pattern]) => pattern.test(line))
    const name = isTest ? undefined : PARTICIPLE.exec(line)?.[1]
    return [
      ...found.map(([pattern, instead]) => `${path}:${i + 1}: "${pattern.exec(line)[0].trim()}": ${instead}`),
      ...(name === undefined ? [] : [`${path}:${i + 1}: the type ${name}: a noun says what it is`]),
    ]
  })
}

/** Paragraphs are what stands between empty lines; code blocks, tables and headings do not count. */
function longSentences(path, text) {
  const prose = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, (block) => block.replace(/[^\n]/g, ''))
  const problems = []
  let line = 1
  for (const paragraph of prose.split(/\n(?=\s*(?:\n|[-*] |\d+\. |\||#))/)) {
    // Tables, headings, markup, and code that is indented.
    const isProse = !/^\s*[|#<]|^\s*\n {4}\S/.test(paragraph)
    for (const sentence of isProse ? paragraph.split(/(?<=[.!?:;])\s/) : []) {
      const count = sentence.split(/\s+/).filter((word) => /\w/.test(word)).length
      if (count > MOST_WORDS)
        problems.push(`${path}:${line}: a sentence of ${count} words: ${sentence.trim().slice(0, 60)}`)
    }
    line += paragraph.split('\n').length
  }
  return problems
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const paths = process.argv.slice(2)
  for (const place of places(paths.length > 0 ? paths : [...FOLDERS, ...PAGES])) console.log(place)
}
