// Writes bindings/tables/codes.ts from the lists of the packages that package.json pins.
//
//   node scripts/tables.mjs           write the file
//   node scripts/tables.mjs --check   only check that it is current
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { iso6393To1 } from 'iso-639-3'
import { iso31661, iso31661Reserved } from 'iso-3166'
import { keep, runAlone } from './generated.mjs'

const FILE = 'bindings/tables/codes.ts'
const WIDTH = 116

const require = createRequire(import.meta.url)
const versionOf = (name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version

function currencies() {
  const xml = readFileSync('node_modules/currency-codes/iso-4217-list-one.xml', 'utf8')
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

/** Writes the file; with `check` returns its differences, a line each. */
export function tables({ check }) {
  const parts = Object.entries(TABLES).map(
    ([name, { source, codes }]) => `/** ${source}. */\nexport const ${name} = \`\n${wrap(codes)}\n\`\n`,
  )
  const text = ['// Written by scripts/tables.mjs; do not edit.\n', ...parts].join('\n')
  return keep(FILE, text, 'scripts/tables.mjs', { check })
}

await runAlone(import.meta.url, tables)
