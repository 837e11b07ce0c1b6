// Writes bindings/verb-names.ts: the ids and codes of findings of verbs other than validation, from
// bindings/specifications.ts.
//
//   node scripts/verb-names.mjs           write the file
//   node scripts/verb-names.mjs --check   only check that it is current
import { fileURLToPath } from 'node:url'
import { evaluated } from './evaluate.mjs'
import { keep } from './generated.mjs'

const FILE = 'bindings/verb-names.ts'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

/** Writes the file; with `check` returns its differences, a line each. */
export async function verbNames({ check }) {
  const byKind = await evaluated('VERB_FINDINGS', 'bindings/specifications.ts', /\/verb-names\.ts$/)
  const lists = Object.entries(byKind).map(([kind, rows]) => {
    const all = [...new Set(rows.flatMap(({ id, code }) => [id, code]))].sort()
    return `export const ${kind.toUpperCase()}_NAMES: readonly string[] = [\n${all.map((name) => `  '${name}',`).join('\n')}\n]\n`
  })
  const text = `// Written by scripts/verb-names.mjs; do not edit. Ids and codes of what verbs report that do not check.\n\n${lists.join('\n')}`
  return keep(FILE, text, 'scripts/verb-names.mjs', { check })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = await verbNames({ check: process.argv.includes('--check') })
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}
