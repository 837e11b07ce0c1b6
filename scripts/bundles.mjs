// Measures the package: the size that npm sends, and the size of an application that uses one thing of it (bundled from
// dist/, minified, with the files that load at the start).
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { ENTRIES } from './entries.mjs'
import { pure } from './pure.mjs'
import { npmCommand } from './setup.mjs'
import { yamlReading } from './yaml.mjs'

const run = promisify(execFile)

/** The most bytes of the package as npm packs it. Pages of what the terminal tool prints (help, explain) are not in it a second time. */
const MOST_PACKED = 810_000

/** An import, its entry, and the most bytes that it may come to, 27,000 of which are the core. A change that needs more raises it here. */
const BUNDLES = [
  ['canonicalize', 'core', 45_000],
  ['importKey', 'keys', 66_000],
  ['parseJson', 'document', 52_000],
  ['decide', 'adl', 214_000],
  ['validate', 'adl', 340_000],
  ['validate', 'card', 270_000],
  ['convert', 'convert', 475_000],
  ['validate', 'index', 440_000],
  ['verify', 'index', 250_000],
  ['discover', 'discover', 191_500],
]

/** The most bytes that each specification may add to `validate` of any kind. */
const SPECIFICATIONS = {
  adl: 72_000,
  'adl/discovery': 3_000,
  card: 27_500,
  a2a: 22_500,
  wellknown: 14_700,
  'wellknown/invite': 5_500,
  'discover/trace': 6_000,
  'mcp-server': 12_000,
  'ai-catalog': 7_500,
}

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
      const [built, written] = (
        await Promise.all([bundled(name, `./dist/${entry}.js`), bundled(name, `./${ENTRIES[entry]}`)])
      ).map(bytesOf)
      const what = `${name} of dist/${entry}.js`
      return [
        built > limit && `${what}: ${built} bytes, limit ${limit}`,
        built > written * (1 + MOST_MORE) && `${what}: ${built} bytes, of bindings/ ${written}`,
      ]
    }),
  )
  return [...problems.flat().filter(Boolean), ...(await specifications())]
}

/** The bytes of each specification's modules in `validate`; those of one that lies in another's folder are its own. */
async function specifications() {
  const added = new Map(Object.keys(SPECIFICATIONS).map((name) => [name, 0]))
  const folders = [...added.keys()].sort((a, b) => b.length - a.length)
  for (const { inputs } of await bundled('validate', `./${ENTRIES.index}`))
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const folder = folders.find((name) => path.startsWith(`bindings/${name}/`))
      if (folder !== undefined) added.set(folder, added.get(folder) + bytesInOutput)
    }
  return [...added].flatMap(([name, bytes]) => {
    const limit = SPECIFICATIONS[name]
    return bytes > limit ? [`${name} adds ${bytes} bytes to validate, limit ${limit}`] : []
  })
}

const bytesOf = (outputs) => outputs.reduce((sum, { bytes }) => sum + bytes, 0)

/**
 * The outputs of a script that imports only `name`: its own, with the chunks that it imports, but without those loaded on
 * demand. What is bundled from bindings/ is left without what the build leaves out.
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
    plugins: [yamlReading, pure],
  })
  const start = Object.keys(metafile.outputs).find((path) => metafile.outputs[path].entryPoint === 'bundle.js')
  const loaded = new Set([start])
  for (const path of loaded)
    for (const { path: next, kind } of metafile.outputs[path].imports) if (kind === 'import-statement') loaded.add(next)
  return [...loaded].map((path) => metafile.outputs[path])
}
