// Writes bindings/tables/oasf.ts: names and ids of OASF's skills, from the taxonomy that BLAZON_DATA has.
//
//   node scripts/oasf.mjs
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { keep } from './generated.mjs'

const VERSION = '1.1.1'
const FILE = 'bindings/tables/oasf.ts'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const data = process.env.BLAZON_DATA ?? '../shared/data'
const { skills } = JSON.parse(readFileSync(`${data}/interop/oasf-skills.json`, 'utf8'))

/** For each skill that has others below it a line: id, path, and those others as `name.number`. */
const lines = new Map([['', []]])
for (const { id, name } of skills[`v${VERSION}`]) {
  const at = name.lastIndexOf('/')
  const parent = at < 0 ? '' : name.slice(0, at)
  if (!lines.has(parent)) lines.set(parent, [])
  lines.get(parent).push(`${name.slice(at + 1)}.${id % 100}`)
}
const ids = new Map(skills[`v${VERSION}`].map(({ id, name }) => [name, id]))
const table = Array.from(lines, ([path, below]) => `${ids.get(path) ?? 0} ${path || '-'} ${below.join(' ')}`)

const text = `// Written by scripts/oasf.mjs; do not edit.

/** The version of OASF whose skills these are: others give the same ids to other skills. */
export const OASF_VERSION = '${VERSION}'

/**
 * Names and ids of the skills of OASF ${VERSION} (github.com/agntcy/oasf, Apache-2.0). A line has a skill and those below
 * it, each with the last two digits of its id; the first line has the categories.
 */
export const OASF_SKILLS = \`
${table.join('\n')}
\`
`
keep(FILE, text, 'scripts/oasf.mjs', { check: false })
