// Measures the package: its packed size on npm, and the size of an application that imports one thing from it (bundled
// from dist/, minified, with the files that load at startup). `node scripts/bundles.mjs` writes the table in the docs.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { ENTRIES } from './entries.mjs'
import { keep, runAlone } from './generated.mjs'
import { NAME } from './install.mjs'
import { pure } from './pure.mjs'
import { npmCommand } from './setup.mjs'
import { ROWS, SPECIFICATION_FOLDERS } from './specifications.mjs'
import { yamlReading } from './yaml.mjs'

const run = promisify(execFile)

/** The most bytes of the package as npm packs it. The pages are in the repository only, except README.md. */
const MOST_PACKED = 972_000

/**
 * An import, its entry, and the most bytes of its bundle, 27,000 of which are the core. A change that needs more raises
 * the limit here.
 */
const BUNDLES = [
  ['canonicalize', 'core', 43_500],
  ['importKey', 'keys', 65_500],
  ['parseJson', 'document', 50_500],
  ['decide', 'adl', 213_000],
  ['validate', 'adl', 345_000],
  ['validate', 'card', 263_000],
  ['convert', 'convert', 511_500],
  ['validate', 'index', 582_500],
  ['verify', 'index', 377_500],
  ['discover', 'discover', 209_500],
]

/**
 * The most by which a bundle from dist/ may exceed the same bundle from bindings/. Above it, the way dist/ is cut into
 * files keeps unused code.
 */
const MOST_MORE = 0.09

const PAGE = 'docs/start/embedder.md'
const FROM = '<!-- sizes: written by scripts/bundles.mjs -->'
const TO = '<!-- end of sizes -->'

/** The bundles that the page lists: the imports, and their entry. */
const SHOWN = [
  ['canonicalize', 'core'],
  ['verify, decide', 'adl'],
  ['validate', 'card'],
  ['validate', 'adl'],
  ['validate', 'index'],
]
/** The most by which a size may differ from the one on the page: code changes daily, but its scale does not. */
const MOST_STALE = 0.05

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

/**
 * The bytes of each specification's modules in `validate`, against the limits of their kinds. A specification inside
 * another's folder is counted separately.
 */
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
  for (const { inputs } of await bundled('validate', `./${ENTRIES.index}`))
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const folder = folders.find((name) => path.startsWith(`bindings/${name}/`))
      if (folder !== undefined) added.set(folder, added.get(folder) + bytesInOutput)
    }
  return added
}

/** Writes the table of sizes; with `check`, compares each of its numbers with a new measurement. */
export async function sizesOfPage({ check }) {
  const text = readFileSync(PAGE, 'utf8')
  const [before, rest] = text.split(FROM)
  const [shown, after] = rest?.split(TO) ?? []
  if (after === undefined) return [`${PAGE}: has no place for the sizes`]
  const rows = await Promise.all(SHOWN.map(measured))
  if (!check) {
    const lines = rows.map(
      ([what, ...sizes]) => `| ${what} | ${sizes.map((size) => `${kilobytes(size)} KB`).join(' | ')} |`,
    )
    const table = ['| import | minified | gzip |', '|---|---|---|', ...lines].join('\n')
    return keep(PAGE, `${before}${FROM}\n${table}\n${TO}${after}`, 'scripts/bundles.mjs', { check })
  }
  return rows.flatMap(([what, ...sizes]) => {
    const line = shown.split('\n').find((line) => line.startsWith(`| ${what} |`)) ?? ''
    const printed = [...line.matchAll(/(\d+) KB/g)].map(([, number]) => Number(number) * 1000)
    const isFresh = sizes.every((size, i) => Math.abs(size - printed[i]) <= size * MOST_STALE + 500)
    const now = sizes.map((size) => `${kilobytes(size)} KB`).join(', ')
    return isFresh ? [] : [`${PAGE}: ${what} has ${now} now: run node scripts/bundles.mjs`]
  })
}

async function measured([names, entry]) {
  const outputs = await bundled(names, `./dist/${entry}.js`, false)
  const packed = outputs.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0)
  const from = entry === 'index' ? NAME : `${NAME}/${entry}`
  return [`${names.replace(/\w+/g, '`$&`')} of \`${from}\``, bytesOf(outputs), packed]
}

/** The bytes of an application that imports only `name`. */
export const bundledBytes = async (name, from) => bytesOf(await bundled(name, from))

const kilobytes = (bytes) => Math.round(bytes / 1000)

const bytesOf = (outputs) => outputs.reduce((sum, { bytes }) => sum + bytes, 0)

/**
 * The outputs of a script that imports only `name`: its own, and the chunks that it imports, without those loaded on
 * demand. Without `splitting`, everything is in one file. Bundles from bindings/ leave out the same modules as the
 * build.
 */
async function bundled(name, from, splitting = true) {
  const { metafile, outputFiles } = await build({
    stdin: { contents: `export { ${name} } from '${from}'`, resolveDir: '.', sourcefile: 'bundle.js' },
    bundle: true,
    minify: true,
    splitting,
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
  return [...loaded].map((path) => ({
    ...metafile.outputs[path],
    contents: outputFiles.find((file) => file.path.endsWith(path)).contents,
  }))
}

await runAlone(import.meta.url, sizesOfPage)
