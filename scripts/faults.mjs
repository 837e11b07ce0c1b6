// Writes bindings/wasm/faults.ts: the core's numbers for faults and warnings, under their names in the core. And writes
// docs/reference/faults.md, which says what each fault means.
//
//   node scripts/faults.mjs           write the files
//   node scripts/faults.mjs --check   only check that they are current
import { keep, readText, runAlone } from './files.mjs'

const FILE = 'bindings/wasm/faults.ts'
const NUMBER = /^export const (\w+): i32 = (-\d+);/gm
const WARNING = /^export const (WARN_\w+): [iu]32 = (\d+);/gm
const SOURCES = [
  ['core/faults.ts', NUMBER],
  ['core/json/tape.ts', WARNING],
  ['core/pattern/glob.ts', WARNING],
]

const PAGE = 'docs/reference/faults.md'
const HEAD = `# Faults of the module

Written from core/faults.ts by scripts/faults.mjs; do not edit. An export returns one of these numbers below 0 when it fails;
the [guide](../guide/abi.md) explains the result words.
`

/** The comment of each group with a table of its rows. */
function page() {
  const [, ...groups] = readText('core/faults.ts').split('\n\n')
  const tables = groups.map((group) => {
    const about = group.match(/^\/\/ .*$/gm).map((line) => line.slice(3))
    const rows = group.matchAll(/^export const (\w+): i32 = (-\d+); \/\/ (.*)$/gm)
    const table = Array.from(rows, ([, name, number, meaning]) => `| ${number} | ${name} | ${meaning} |`)
    return `${about.join(' ')}\n\n| number | name | meaning |\n|---|---|---|\n${table.join('\n')}\n`
  })
  return [HEAD, ...tables].join('\n')
}

/** Writes the files; with `check` returns its differences, a line each. */
export function faults({ check }) {
  const parts = SOURCES.map(([source, row]) => {
    const rows = Array.from(readText(source).matchAll(row), ([, name, n]) => `export const ${name} = ${n}`)
    return `// ${source} says what each means.\n${rows.join('\n')}\n`
  })
  const text = ['// Written by scripts/faults.mjs; do not edit.\n', ...parts].join('\n')
  return [
    [FILE, text],
    [PAGE, page()],
  ].flatMap(([file, written]) => keep(file, written, 'scripts/faults.mjs', { check }))
}

await runAlone(import.meta.url, faults)
