// Writes bindings/verb-names.ts: the ids and codes of what verbs report that do not check, out of bindings/specifications.ts.
//
//   node scripts/verb-names.mjs           write the file
//   node scripts/verb-names.mjs --check   only say whether it is current
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { keep } from './generated.mjs'

const FILE = 'bindings/verb-names.ts'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

/** The rows by kind. The file that is written here is not read for it, nor the core. */
async function rowsByKind() {
  const nothing =
    'export default undefined; export const ADL_NAMES = [], CARD_NAMES = [], A2A_NAMES = [], WELLKNOWN_NAMES = [], INVITE_NAMES = []'
  const without = {
    name: 'without',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^#wasm$|\/verb-names\.ts$/ }, ({ path }) => ({ path, namespace: 'nothing' }))
      onLoad({ filter: /^/, namespace: 'nothing' }, () => ({ contents: nothing }))
    },
  }
  const { outputFiles } = await build({
    stdin: { contents: "export { VERB_FINDINGS } from './bindings/specifications.ts'", resolveDir: '.' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['node:*'],
    write: false,
    plugins: [without],
  })
  const { VERB_FINDINGS } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
  )
  return VERB_FINDINGS
}

/** Writes the file; with `check` gives what is wrong with it, a line each. */
export async function verbNames({ check }) {
  const lists = Object.entries(await rowsByKind()).map(([kind, rows]) => {
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
