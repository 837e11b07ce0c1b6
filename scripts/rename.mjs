// `node scripts/rename.mjs @scope/blazon`: renames the package in package.json, package-lock.json and wherever it is
// imported or its files are named. The command stays `blazon`.
import { writeFileSync } from 'node:fs'
import { filesOf, isStarted, readJson, readText } from './files.mjs'

const TEXT = /\.(?:md|[mc]?[jt]s|json|jsonc|ya?ml|html)$/
const PLACES = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs'],
  ...['bindings', 'cli', 'edge', 'browser-demo', 'scripts', 'test'],
]

/**
 * A text with the package's name replaced: in imports, in file names such as `blazon/core.wasm`, and where comments and
 * pages name an entry. Names in protocols that look like entries (`blazon/invite/1`, `blazon/card` in `_meta`) stay.
 */
export function renamed(text, from, to, entries) {
  const name = from.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  const imported = new RegExp(
    `((?:\\bfrom|\\bimport|import\\(|import\\.meta\\.resolve\\()\\s*['"\`]|node_modules/)${name}(?=['"/])`,
    'g',
  )
  const file = new RegExp(`(?<![\\w@/.-])${name}(?=/(?:schemas/|core\\.wasm|core-baseline\\.wasm))`, 'g')
  const entry = new RegExp(`(?<![\\w@/.-])${name}(?=/(?:${entries.join('|')})(?![\\w/-]))`, 'g')
  const isProse = (line) => /^\s*(?:\/\/|\/\*|\*)|^[^'"]*$|`blazon\//.test(line) && !line.includes('_meta')
  return text
    .replace(imported, (_, before) => before + to)
    .replace(file, () => to)
    .split('\n')
    .map((line) => (isProse(line) ? line.replace(entry, () => to) : line))
    .join('\n')
}

if (isStarted(import.meta.url)) {
  const [to] = process.argv.slice(2)
  if (!/^(?:@[a-z\d-]+\/)?[a-z\d][a-z\d.-]*$/.test(to ?? '')) {
    console.error('node scripts/rename.mjs NAME: the name of a package, such as @scope/blazon')
    process.exit(2)
  }
  const { name, exports } = readJson('package.json')
  const entries = Object.keys(exports).flatMap((path) => /^\.\/([\w-]+)$/.exec(path)?.[1] ?? [])
  for (const path of PLACES.flatMap(filesOf).filter((path) => TEXT.test(path))) {
    const text = readText(path)
    const next = renamed(text, name, to, entries)
    if (next !== text) writeFileSync(path, next)
  }
  for (const path of ['package.json', 'package-lock.json']) {
    const text = readText(path).replaceAll(`"name": "${name}"`, () => `"name": "${to}"`)
    writeFileSync(path, text)
  }
  console.log(`the package is ${to} now: run node scripts/install.mjs, npm run build and npm test`)
}
