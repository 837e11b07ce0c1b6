// Writes bindings/tables/codes.ts from the lists of the packages that package.json pins, and bindings/tables/oasf.ts,
// names and ids of OASF's skills, from the taxonomy in BLAZON_DATA.
//
//   node scripts/tables.mjs           write the files
//   node scripts/tables.mjs --check   only check that they are current
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { iso6393To1 } from 'iso-639-3'
import { iso31661, iso31661Reserved } from 'iso-3166'
import { keep, readJson, readText, runAlone } from './files.mjs'

const FILE = 'bindings/tables/codes.ts'
const WIDTH = 116

const OASF = 'bindings/tables/oasf.ts'
const OASF_VERSION = '1.1.1'
const TAXONOMY = `${process.env.BLAZON_DATA ?? '../shared/data'}/interop/oasf-skills.json`

const require = createRequire(import.meta.url)
const versionOf = (name) => readJson(`node_modules/${name}/package.json`).version

function currencies() {
  const xml = readText('node_modules/currency-codes/iso-4217-list-one.xml')
  const published = /Pblshd="([^"]+)"/.exec(xml)[1]
  const codes = Array.from(xml.matchAll(/<Ccy>([A-Z]{3})<\/Ccy>/g), ([, code]) => code)
  return { source: `ISO 4217 list one of ${published}, from currency-codes ${versionOf('currency-codes')}`, codes }
}

const spdx = `SPDX, from spdx-license-ids ${versionOf('spdx-license-ids')}`
const iso3166 = `from iso-3166 ${versionOf('iso-3166')}`

const TABLES = {
  CURRENCIES: currencies(),
  COUNTRIES: { source: `ISO 3166-1 alpha-2, ${iso3166}`, codes: iso31661.map(({ alpha2 }) => alpha2) },
  RESERVED: {
    source: `Codes that ISO 3166-1 reserves exceptionally, ${iso3166}`,
    codes: iso31661Reserved.filter(({ state }) => state === 'exceptionally-reserved').map(({ alpha2 }) => alpha2),
  },
  LANGUAGES: { source: `ISO 639-1, from iso-639-3 ${versionOf('iso-639-3')}`, codes: Object.values(iso6393To1) },
  LICENSES: { source: spdx, codes: require('spdx-license-ids') },
  DEPRECATED_LICENSES: { source: `${spdx}: still identifiers`, codes: require('spdx-license-ids/deprecated') },
}

/** The codes in lines of limited length. */
function wrap(codes) {
  const lines = ['']
  for (const code of [...new Set(codes)].sort()) {
    const line = lines.at(-1)
    if (line !== '' && line.length + code.length >= WIDTH) lines.push(code)
    else lines[lines.length - 1] = line === '' ? code : `${line} ${code}`
  }
  return lines.join('\n')
}

/** Writes the lists; with `check` returns their differences, a line each. */
export function tables({ check }) {
  const parts = Object.entries(TABLES).map(
    ([name, { source, codes }]) => `/** ${source}. */\nexport const ${name} = \`\n${wrap(codes)}\n\`\n`,
  )
  const text = ['// Written by scripts/tables.mjs; do not edit.\n', ...parts].join('\n')
  return keep(FILE, text, 'scripts/tables.mjs', { check })
}

/** Writes the skills, or returns their differences, unless the taxonomy is missing. */
export function oasf({ check }) {
  if (!existsSync(TAXONOMY)) return []
  const skills = readJson(TAXONOMY).skills[`v${OASF_VERSION}`]
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
  return keep(OASF, oasfText(lines), 'scripts/tables.mjs', { check })
}

const oasfText = (lines) => `// Written by scripts/tables.mjs; do not edit.

/** The version of OASF whose skills these are: others give the same ids to other skills. */
export const OASF_VERSION = '${OASF_VERSION}'

/**
 * Names and ids of the skills of OASF ${OASF_VERSION} (github.com/agntcy/oasf, Apache-2.0). A line has a skill and those below
 * it, each with the last two digits of its id; the first line has the categories.
 */
export const OASF_SKILLS = \`
${lines.join('\n')}
\`
`

await runAlone(import.meta.url, (options) => [...tables(options), ...oasf(options)])
