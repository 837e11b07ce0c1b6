// Which tests may see a fault: those that reach its file by imports, or by what is built of it. The nearest come first.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ENTRIES } from '../../../scripts/entries.mjs'
import { filesOf } from '../../../scripts/files.mjs'

/** What tests name in dist/, and the sources that it is built of. */
const BUILT = {
  'dist/wasm': ['core/abi.ts', 'core/baseline.ts'],
  'dist/site': [...['app', 'engine', 'loader', 'sw', 'live/live'].map((name) => `browser-demo/${name}.ts`)],
  'dist/program': ['cli/blazon.ts', ...Object.values(ENTRIES)],
}
BUILT['dist/site'].push('edge/directory-page/page.mjs')

/** A file that fewer tests see directly is seen by what is built of it. */
const FEW = 10
const FOLDERS = ['core', 'bindings', 'cli', 'edge', 'browser-demo', 'scripts', 'test']
const TYPES_ONLY = /^(?:import|export) type [^'=]*'[^']*'$/gm
const IMPORTS = /\b(?:from\s+|import\s*\(?\s*)['"]([^'"]+)['"]/g
const COMMENTS = /^\s*(?:\/\/|\/?\*).*$/gm
const NAMED_SOURCES = /\b(?:bindings|cli|edge|browser-demo|test)\/[\w./-]+\.(?:ts|mjs)\b/g
const NAMED_BUILDS = /(?:[^\w/]|\.\.\/)dist\/(wasm|site)?/g

const files = new Set(FOLDERS.flatMap(filesOf).filter((file) => /\.(?:ts|mjs)$/.test(file)))
const texts = new Map([...files].map((file) => [file, readFileSync(file, 'utf8')]))
/** It fails in a copy, whose node_modules are elsewhere. */
const UNFIT = 'test/package/build.test.ts'
const isTest = (file) => file.startsWith('test/') && file.endsWith('.test.ts') && file !== UNFIT

/** The files that import a file, or run it. */
const users = new Map()
for (const [file, text] of texts) for (const used of usedBy(file, text)) link(file, used)
for (const [built, sources] of Object.entries(BUILT)) for (const source of sources) link(built, source)

function link(user, used) {
  users.set(used, [...(users.get(used) ?? []), user])
}

/** The core's compiler adds the ending. */
function withEnding(file) {
  return files.has(`${file}.ts`) ? `${file}.ts` : file
}

function usedBy(file, text) {
  const code = text.replace(COMMENTS, '').replace(TYPES_ONLY, '')
  const imported = Array.from(code.matchAll(IMPORTS), ([, name]) =>
    name === '#wasm' ? 'dist/wasm' : withEnding(join(dirname(file), name)),
  )
  if (!file.startsWith('test/')) return new Set(imported)
  const built = Array.from(code.matchAll(NAMED_BUILDS), ([, folder = 'program']) => `dist/${folder}`)
  return new Set([...imported, ...(code.match(NAMED_SOURCES) ?? []), ...built])
}

/** The number of steps from each test to a file; not through `closed`. */
function distances(start, closed) {
  const found = new Map([[start, 0]])
  for (const [file, distance] of found)
    for (const user of users.get(file) ?? [])
      if (!found.has(user) && !closed.includes(user)) found.set(user, distance + 1)
  return found
}

/** The tests that see a fault directly, and by the build that they need besides. */
export function testsFor({ file, block }) {
  const words = wordsOf(file)
  const near = (test, distance) => {
    const shared = wordsOf(test).filter((word) => words.includes(word)).length
    const names = block.name !== undefined && new RegExp(`\\b${block.name}\\b`).test(texts.get(test))
    const isOwn = test.startsWith(`test/${words[0]}/`)
    return distance - 6 * (shared + (isOwn ? 1 : 0)) - (names ? 1 : 0)
  }
  const sort = (found) =>
    Array.from(found)
      .filter(([test]) => isTest(test))
      .map(([test, distance]) => [near(test, distance), test])
      .sort(([a], [b]) => a - b)
      .map(([, test]) => test)
  const direct = sort(distances(file, ['dist/site', 'dist/program']))
  const later = ['program', 'site'].map((build) => {
    const closed = build === 'site' ? 'dist/program' : 'dist/site'
    return { build, tests: sort(distances(file, [closed])).filter((test) => !direct.includes(test)) }
  })
  const all = [{ build: file.startsWith('core/') ? 'core' : undefined, tests: direct }]
  // Building is dear, and what many tests see directly needs none.
  return (direct.length < FEW ? [...all, ...later] : all).filter(({ tests }) => tests.length > 0)
}

/** The words of a path, without plurals; folders of apps have the names of their tests. */
function wordsOf(file) {
  const path = file.replace(/^browser-demo/, 'page').replace(/^(?:bindings|core|test)\//, '')
  return [
    ...new Set(
      path
        .replace(/(?:\.test)?\.\w+$/, '')
        .split(/\W/)
        .map((word) => word.replace(/s$/, '')),
    ),
  ]
}
