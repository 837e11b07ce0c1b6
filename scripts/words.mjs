// Plain English: words and patterns that make a sentence hard to read, long sentences of pages, and exported types named by
// a bare participle. words.yaml has the words. CONTRIBUTING.md has the rules for writing.
//
//   node scripts/words.mjs [PATH ...]  every place, also where `npm run check` does not look yet
import { parse } from 'yaml'
import { filesOf, isStarted, readText } from './files.mjs'

const { words, exact, plain } = parse(readText(new URL('words.yaml', import.meta.url)))
const patternsOf = (table, flags) => Object.entries(table).map(([text, instead]) => [new RegExp(text, flags), instead])
/** A pattern, and what to write instead. */
const WORDS = [...patternsOf(words, 'i'), ...patternsOf(exact)]

const PARTICIPLE =
  /^export (?:interface|type|class) ((?:(?!Need\b)[A-Z][a-z]+ed|Told|Kept|Held|Found|Shown|Given|Known|Seen|Made|Sent|Taken|Drawn|Read)\b)(?!\w)/

const MOST_WORDS = 40

const FOLDERS = ['core', 'bindings', 'cli', 'edge', 'browser-demo', 'scripts', 'test', 'docs']
const PAGES = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md']
/** The texts of findings, and those of the API. */
const DATA = /\/(?:findings|shape-rules|openapi)\.yaml$/
/** Written from these texts. */
const GENERATED = /\/(?:findings|catalogue)\.ts$/
const READ = /\.(?:ts|mts|mjs|md|html|css|c)$/
/** Of tests only comments and titles count: what they send and expect is data. */
const TITLE = /^\s*(?:\/\/|\/?\*|(?:test|describe|it)(?:\.\w+)*\()/

/** The places below these paths, a line each. */
export function places(paths = [...plain, ...PAGES, ...filesOf('bindings').filter((path) => DATA.test(path))]) {
  return paths.flatMap(filesOf).flatMap((path) => {
    if (!(READ.test(path) || DATA.test(path)) || GENERATED.test(path)) return []
    const text = readText(path)
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

if (isStarted(import.meta.url)) {
  const paths = process.argv.slice(2)
  for (const place of places(paths.length > 0 ? paths : [...FOLDERS, ...PAGES])) console.log(place)
}
