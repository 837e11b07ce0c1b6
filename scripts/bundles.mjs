// Measures the package: the size that npm sends, and the size of an application that uses one thing of it (bundled from
// dist/, minified, with the files that load at the start).
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { ENTRIES } from './entries.mjs'
import { npmCommand } from './setup.mjs'

const run = promisify(execFile)

/** The most bytes of the package as npm packs it: 800,000 without ADP/1.1, which may add 50,000. */
const MOST_PACKED = 850_000

/**
 * An import, its entry, and the most bytes that it may come to, 27,000 of which are the core. An application that knows the
 * kind of its documents takes `validate` of one specification: those rows bound the cost of each. A change that needs more
 * raises it here.
 */
const BUNDLES = [
  ['canonicalize', 'core', 45_000],
  ['importKey', 'keys', 66_000],
  ['parseJson', 'document', 52_000],
  ['decide', 'adl', 214_000],
  ['validate', 'adl', 374_000],
  ['validate', 'card', 274_000],
  ['convert', 'convert', 379_000],
  ['validate', 'index', 500_000],
  ['verify', 'index', 260_000],
  ['discover', 'discover', 214_500],
]

/**
 * The most by which a bundle from dist/ may exceed the same bundle from bindings/: beyond it, the cut of dist/ keeps
 * unused code.
 */
const MOST_MORE = 0.05

export async function packedSize() {
  const [command, ...first] = npmCommand()
  const { stdout } = await run(command, [...first, 'pack', '--json', '--dry-run', '--ignore-scripts'], {
    maxBuffer: 1 << 24,
  })
  const [{ size }] = JSON.parse(stdout)
  return size > MOST_PACKED ? [`the package: ${size} bytes packed, limit ${MOST_PACKED}`] : []
}

export async function bundles() {
  const problems = await Promise.all(
    BUNDLES.map(async ([name, entry, limit]) => {
      const [built, written] = await Promise.all([
        bundled(name, `./dist/${entry}.js`),
        bundled(name, `./${ENTRIES[entry]}`),
      ])
      const what = `${name} of dist/${entry}.js`
      return [
        built > limit && `${what}: ${built} bytes, limit ${limit}`,
        built > written * (1 + MOST_MORE) && `${what}: ${built} bytes, of bindings/ ${written}`,
      ]
    }),
  )
  return problems.flat().filter(Boolean)
}

/**
 * The bytes of a script that imports only `name`, with the chunks that it imports, but without those loaded on demand.
 */
async function bundled(name, from) {
  const { metafile } = await build({
    stdin: { contents: `export { ${name} } from '${from}'`, resolveDir: '.', sourcefile: 'bundle.js' },
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    external: ['node:*'],
    outdir: 'bundle',
    write: false,
    metafile: true,
  })
  const start = Object.keys(metafile.outputs).find((path) => metafile.outputs[path].entryPoint === 'bundle.js')
  const loaded = new Set([start])
  for (const path of loaded)
    for (const { path: next, kind } of metafile.outputs[path].imports) if (kind === 'import-statement') loaded.add(next)
  return [...loaded].reduce((sum, path) => sum + metafile.outputs[path].bytes, 0)
}
