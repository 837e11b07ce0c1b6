// Measures the package: its packed size on npm, and the size of an application that imports one thing from it (bundled
// from dist/, minified, with the files that load at startup). `node scripts/bundles.mjs` writes the table in the docs.
import { gzipSync } from 'node:zlib'
import { bundle, pure, yamlReading } from './bundler.mjs'
import { ENTRIES } from './entries.mjs'
import { keep, readText, runAlone } from './files.mjs'
import { NAME } from './install.mjs'
import { npmPack } from './release.mjs'
import { LIMITS } from './rules.mjs'
import { ROWS, SPECIFICATION_FOLDERS } from './specifications.mjs'

/** The most by which a bundle from dist/ may exceed that from bindings/: above it, cutting keeps unused code. */
const MOST_MORE = 0.03

const PAGE = 'docs/start/embedder.md'
const TABLE = /(<!-- sizes: written by scripts\/bundles\.mjs -->)([\s\S]*?)(<!-- end of sizes -->)/
/** The bundles that the page lists: an entry, and what is imported from it. */
const SHOWN = ['core: canonicalize', 'adl: verify, decide', 'card: validate', 'adl: validate', 'index: validate']
/** The most by which a size may differ from the one on the page: code changes daily, but its scale does not. */
const MOST_STALE = 0.05

/** All that is larger than it may be, and sizes on the page that are no longer right. */
export async function carried() {
  return [
    ...(await packedSize()),
    ...(await bundles()),
    ...(await specifications()),
    ...(await sizesOfPage({ check: true })),
  ]
}

async function packedSize() {
  const [{ size }] = await npmPack('--dry-run')
  return size > LIMITS.packed ? [`the package: ${size} bytes packed, limit ${LIMITS.packed}`] : []
}

async function bundles() {
  const problems = LIMITS.bundles.map(async ([name, entry, limit, more = MOST_MORE]) => {
    const [built, written] = [
      await bundledBytes(name, `./dist/${entry}.js`),
      await bundledBytes(name, `./${ENTRIES[entry]}`),
    ]
    const what = `${name} of dist/${entry}.js: ${built} bytes`
    return [
      ...(built > limit ? [`${what}, limit ${limit}`] : []),
      ...(built > written * (1 + more) ? [`${what}, of bindings/ ${written}`] : []),
    ]
  })
  return (await Promise.all(problems)).flat()
}

/** The bytes of each specification in `validate`, without those in its folder, against the limits of their kinds. */
async function specifications() {
  return [...(await addedBytes())].flatMap(([name, bytes]) => {
    const limit = ROWS.filter(({ folder }) => folder === name).reduce((sum, { adds = 0 }) => sum + adds, 0)
    return bytes > limit ? [`${name} adds ${bytes} bytes to validate, limit ${limit}`] : []
  })
}

/** The bytes that each specification adds to `validate`, by its folder. */
export async function addedBytes() {
  const added = new Map(SPECIFICATION_FOLDERS.map((name) => [name, 0]))
  const folders = SPECIFICATION_FOLDERS.toSorted((a, b) => b.length - a.length)
  for (const { inputs } of await applicationOf('validate', `./${ENTRIES.index}`))
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const folder = folders.find((name) => path.startsWith(`bindings/${name}/`))
      if (folder !== undefined) added.set(folder, added.get(folder) + bytesInOutput)
    }
  return added
}

/** Writes the table of sizes; with `check`, compares each of its numbers with a new measurement. */
async function sizesOfPage({ check }) {
  const text = readText(PAGE)
  const [, , shown] = TABLE.exec(text) ?? []
  if (shown === undefined) return [`${PAGE}: has no place for the sizes`]
  const rows = await Promise.all(SHOWN.map(measured))
  if (!check) {
    const lines = rows.map(([what, ...sizes]) => `| ${what} | ${sizes.map(kilobytes).join(' | ')} |\n`)
    const table = `\n| import | minified | gzip |\n|---|---|---|\n${lines.join('')}`
    return keep(PAGE, text.replace(TABLE, `$1${table}$3`), 'scripts/bundles.mjs', { check })
  }
  return rows.flatMap(([what, ...sizes]) => {
    const line = shown.split('\n').find((line) => line.startsWith(`| ${what} |`)) ?? ''
    const printed = [...line.matchAll(/(\d+) KB/g)].map(([, number]) => Number(number) * 1000)
    const isFresh = sizes.every((size, i) => Math.abs(size - printed[i]) <= size * MOST_STALE + 500)
    return isFresh ? [] : [`${PAGE}: ${what} has ${sizes.map(kilobytes).join(', ')} now: run node scripts/bundles.mjs`]
  })
}

async function measured(line) {
  const [entry, names] = line.split(': ')
  const outputs = await applicationOf(names, `./dist/${entry}.js`, false)
  const from = entry === 'index' ? NAME : `${NAME}/${entry}`
  const packed = outputs.map(({ contents }) => gzipSync(contents).length)
  return [`${names.replace(/\w+/g, '`$&`')} of \`${from}\``, bytesOf(outputs), packed.reduce((sum, size) => sum + size)]
}

/** The bytes of an application that imports only `name`. */
export const bundledBytes = async (name, from) => bytesOf(await applicationOf(name, from))

const kilobytes = (bytes) => `${Math.round(bytes / 1000)} KB`

const bytesOf = (outputs) => outputs.reduce((sum, { bytes }) => sum + bytes, 0)

/**
 * The outputs of a script that imports only `name`: its own, and the chunks that it imports, without those loaded on
 * demand. Without `splitting`, everything is in one file.
 */
async function applicationOf(name, from, splitting = true) {
  const { metafile, outputFiles } = await bundle({
    stdin: { contents: `export { ${name} } from '${from}'`, resolveDir: '.', sourcefile: 'bundle.js' },
    minify: true,
    splitting,
    platform: 'neutral',
    external: ['node:*'],
    outdir: 'bundle',
    metafile: true,
    plugins: [yamlReading, pure],
  })
  const start = Object.keys(metafile.outputs).find((path) => metafile.outputs[path].entryPoint === 'bundle.js')
  const loaded = new Set([start])
  for (const path of loaded)
    for (const { path: next, kind } of metafile.outputs[path].imports) if (kind === 'import-statement') loaded.add(next)
  return [...loaded].map((path) => ({
    ...metafile.outputs[path],
    contents: outputFiles.find((file) => file.path.endsWith(path)).contents,
  }))
}

await runAlone(import.meta.url, sizesOfPage)
