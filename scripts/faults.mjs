// Writes bindings/wasm/faults.ts: the core's numbers for faults and warnings, under their names in the core.
//
//   node scripts/faults.mjs           write the file
//   node scripts/faults.mjs --check   only check that it is current
import { readFileSync } from 'node:fs'
import { keep, runAlone } from './generated.mjs'

const FILE = 'bindings/wasm/faults.ts'
const NUMBER = /^export const (\w+): i32 = (-\d+);/gm
const WARNING = /^export const (WARN_\w+): [iu]32 = (\d+);/gm
const SOURCES = [
  ['core/faults.ts', NUMBER],
  ['core/json/warning.ts', WARNING],
  ['core/pattern/check.ts', WARNING],
]

/** Writes the file; with `check` returns its differences, a line each. */
export function faults({ check }) {
  const parts = SOURCES.map(([source, row]) => {
    const rows = Array.from(readFileSync(source, 'utf8').matchAll(row), ([, name, n]) => `export const ${name} = ${n}`)
    return `// ${source} says what each means.\n${rows.join('\n')}\n`
  })
  const text = ['// Written by scripts/faults.mjs; do not edit.\n', ...parts].join('\n')
  return keep(FILE, text, 'scripts/faults.mjs', { check })
}

await runAlone(import.meta.url, faults)
