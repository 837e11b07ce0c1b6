// Writes bindings/codes.ts: the codes of all findings, in the bindings and in the command line tool.
//
//   node scripts/codes.mjs           write the file
//   node scripts/codes.mjs --check   only check that it is current
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { keep } from './generated.mjs'

const FILE = 'bindings/codes.ts'
/** The member of a finding that has its code. */
const CODE = /\bcode: '([A-Z]+-\d+)'/g

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

function codesOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => Array.from(readFileSync(`${folder}/${path}`, 'utf8').matchAll(CODE), ([, code]) => code))
}

/** Writes the file; with `check` returns its differences, a line each. */
export function codes({ check }) {
  const all = [...new Set(['bindings', 'cli'].flatMap(codesOf))].sort()
  const text = `// Written by scripts/codes.mjs; do not edit.

/** The codes of all findings of Blazon. */
export type KnownCode =
${all.map((code) => `  | '${code}'`).join('\n')}

/** A code of a finding: one of ours, or one that a registered profile brings. */
export type Code = KnownCode | (string & {})
`
  return keep(FILE, text, 'scripts/codes.mjs', { check })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = codes({ check: process.argv.includes('--check') })
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}
