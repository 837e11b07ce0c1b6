// How large the project is: source without tests, data and generated files, what programs can import, and written docs.
//
//   node scripts/counts.mjs            a line a folder
import { ENTRIES } from './entries.mjs'
import { filesOf, isStarted, readText } from './files.mjs'

const FOLDERS = ['core', 'bindings', 'cli', 'edge', 'browser-demo', 'scripts']
const SOURCE = /\.(ts|mts|mjs|c|css|html)$/
const DOCS = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs']
/** Scripts write these first lines, and these pages, whole. */
const GENERATED = /^(?:\/\/ Written by scripts\/|<!-- Written by )/
const GENERATED_DOCS = /^docs\/reference\//

/** The most of each; the project may only shrink. A change that needs more names what it cut, or raises it here. */
const MOST = { lines: 126_300, files: 777, scripts: 4_900, entries: 460, words: 56_000 }

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0)
const written = (path) => !GENERATED.test(readText(path))

function linesOf(folder) {
  const files = filesOf(folder).filter((path) => SOURCE.test(path) && written(path))
  return { folder, files: files.length, lines: sum(files.map((path) => readText(path).split('\n').length - 1)) }
}

/** The names that an entry exports: its module is a list of them. */
function entriesOf(path) {
  const lists = readText(path).matchAll(/^export (?:type )?\{([^}]*)\}/gm)
  return Array.from(lists).flatMap(([, names]) => names.split(',').filter((name) => name.trim() !== '')).length
}

export function counts() {
  const folders = FOLDERS.map(linesOf)
  const pages = DOCS.flatMap(filesOf).filter(
    (path) => path.endsWith('.md') && !GENERATED_DOCS.test(path) && written(path),
  )
  return {
    folders,
    lines: sum(folders.map(({ lines }) => lines)),
    files: sum(folders.map(({ files }) => files)),
    scripts: folders.find(({ folder }) => folder === 'scripts').lines,
    entries: sum(Object.values(ENTRIES).map(entriesOf)),
    words: sum(pages.map((path) => readText(path).split(/\s+/).length)),
  }
}

/** What is larger than it may be. */
export function tooLarge() {
  const { folders, ...now } = counts()
  const found = Object.entries(now).map(([name, count]) => `${count} ${name}`)
  console.log(`        ${found.join(', ')}`)
  return Object.entries(now).flatMap(([name, count]) =>
    count > MOST[name] ? [`${count} ${name}, limit ${MOST[name]}`] : [],
  )
}

if (isStarted(import.meta.url)) {
  const { folders, ...totals } = counts()
  for (const { folder, files, lines } of folders) {
    console.log(`${folder.padEnd(14)} ${String(lines).padStart(6)} lines ${String(files).padStart(5)} files`)
  }
  console.log(totals)
}
