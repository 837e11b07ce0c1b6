// Writes bindings/tables/oasf.ts: names and ids of OASF's skills, from the taxonomy in BLAZON_DATA.
//
//   node scripts/oasf.mjs           write the file
//   node scripts/oasf.mjs --check   only check that it is current
import { existsSync, readFileSync } from 'node:fs'
import { keep, runAlone } from './generated.mjs'

const VERSION = '1.1.1'
const FILE = 'bindings/tables/oasf.ts'

const SOURCE = `${process.env.BLAZON_DATA ?? '../shared/data'}/interop/oasf-skills.json`

/**
 * Writes the file; with `check` returns its differences, a line each. Returns none when the taxonomy is not available.
 */
export function oasf({ check }) {
  if (check && !existsSync(SOURCE)) return []
  const skills = JSON.parse(readFileSync(SOURCE, 'utf8')).skills[`v${VERSION}`]
  const ids = new Map(skills.map(({ id, name }) => [name, id]))
  /** The children of each skill, as `name.number`. */
  const below = new Map([['', []]])
  for (const { id, name } of skills) {
    const at = name.lastIndexOf('/')
    const parent = at < 0 ? '' : name.slice(0, at)
    if (!below.has(parent)) below.set(parent, [])
    below.get(parent).push(`${name.slice(at + 1)}.${id % 100}`)
  }
  const lines = Array.from(below, ([path, names]) => `${ids.get(path) ?? 0} ${path || '-'} ${names.join(' ')}`)
  return keep(FILE, text(lines), 'scripts/oasf.mjs', { check })
}

const text = (lines) => `// Written by scripts/oasf.mjs; do not edit.

/** The version of OASF whose skills these are: others give the same ids to other skills. */
export const OASF_VERSION = '${VERSION}'

/**
 * Names and ids of the skills of OASF ${VERSION} (github.com/agntcy/oasf, Apache-2.0). A line has a skill and those below
 * it, each with the last two digits of its id; the first line has the categories.
 */
export const OASF_SKILLS = \`
${lines.join('\n')}
\`
`

await runAlone(import.meta.url, oasf)
