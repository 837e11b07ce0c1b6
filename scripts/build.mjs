// core/ -> two modules; bindings/, cli/, browser-demo/ -> dist/. `npm run build` does everything in order. It builds in
// a separate folder, so that dist/ stays complete while others use it, and when the build fails. It does nothing when
// nothing changed, unless `--force` is given. With `--to-serve` it makes no types and no module without SIMD, and leaves
// those of an earlier build: only other programs use them, and they take more than half of the time.
import { existsSync, readFileSync } from 'node:fs'
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { transform } from 'esbuild'
import { bundle, PARAMETER, pure, TARGET, withoutComments, yamlReading } from './bundler.mjs'
import { compileCore } from './core.mjs'
import { cut, withoutDetours, withShortNames } from './cut.mjs'
import { buildDocs, DOCS } from './docs/site.mjs'
import { ENTRIES, SCHEMAS } from './entries.mjs'
import { hashOf, ROOT, readJson, replaceFolder, SOURCES } from './files.mjs'
import { catalogueAsData, findings } from './findings.mjs'
import { inlineModule } from './pack.mjs'
import { buildSite } from './page.mjs'
import { codeAlone, specifications } from './specifications.mjs'
import { packagesOf, thirdParty } from './third-party.mjs'
import { writeTypes } from './types.mjs'
import { buildAgents, buildWorker } from './worker.mjs'

/** Each process has its own folder, because two may build at once. */
const ASIDE = `build/${process.pid}`
/** The hashes of the sources, of the docs and of dist/ after the last build. */
const CURRENT = 'build/current.json'
const PURE_MEANWHILE = '~~~~'
/** The start of a function around pure code. esbuild counts the parameters of nested ones. */
const UNUSED = new RegExp(`\\(\\(${PARAMETER}\\d*\\) => `, 'g')
const isWhole = !process.argv.includes('--to-serve')
const ONLY_WHOLE = /^types\/|^wasm\/core-baseline/
/**
 * Imports only for side effects. esbuild writes them to keep the order of modules. Our modules have no side effects, so
 * bundlers would warn about each import, and a process would load files that it never uses.
 */
const FOR_EFFECTS = /\bimport ?"\.{1,2}\/[\w./-]+\.js";\n?/g
process.chdir(ROOT)

/**
 * The module for each kind of host: workerd refuses to compile bytes, so it imports the file; all others get it inlined.
 * Returns the script that contains it.
 */
async function wasm() {
  await mkdir(`${ASIDE}/wasm`, { recursive: true })
  for (const simd of isWhole ? [true, false] : [true]) {
    const warnings = await compileCore(`${ASIDE}/wasm/core${simd ? '' : '-baseline'}.wasm`, { simd })
    if (warnings.trim() !== '') throw new Error(warnings)
  }
  await writeFile(`${ASIDE}/wasm/module.workerd.js`, "import module from './core.wasm'\nexport default () => module\n")
  await writeFile(`${ASIDE}/wasm/module.d.ts`, 'export default function module(): WebAssembly.Module\n')
  const inline = inlineModule(await readFile(`${ASIDE}/wasm/core.wasm`))
  await writeFile(`${ASIDE}/wasm/module.inline.js`, inline)
  return inline
}

/**
 * bindings/ and cli/ -> dist/: one graph for all entries and the command line tool, so that `blazon` and `blazon/core`
 * share one instance and one DocumentError. Returns the packages that are bundled.
 */
async function program() {
  const graph = (...plugins) =>
    bundle({
      entryPoints: { ...ENTRIES, 'cli/blazon': 'cli/blazon.ts' },
      outdir: ASIDE,
      chunkNames: 'chunks/[name]-[hash]',
      splitting: true,
      minifySyntax: true,
      platform: 'neutral',
      external: ['#wasm', 'node:*'],
      metafile: true,
      plugins: [yamlReading, withoutComments, catalogueAsData, codeAlone, ...plugins, pure],
    })
  const { metafile } = await graph()
  const made = await graph(cut(metafile))
  const files = made.outputFiles.map(({ path, text }) => ({ path, text: text.replace(FOR_EFFECTS, '') }))
  for (const { path, text } of withShortNames(withoutDetours(files, made.metafile))) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, await minified(text))
  }
  await chmod(`${ASIDE}/cli/blazon.js`, 0o755)
  return packagesOf(metafile)
}

/**
 * Shortens names and removes white space, with line lengths that a stack trace can show. An operator that nobody writes
 * stands for the marks of pure code, which are white space to esbuild. Shorter syntax comes before, with the marks known:
 * here it would be judged with the operator.
 */
async function minified(text) {
  if (text.includes(PURE_MEANWHILE)) throw new Error(`an output has ${PURE_MEANWHILE}`)
  const marked = text.replaceAll(UNUSED, '(() => ').replaceAll('/* @__PURE__ */', PURE_MEANWHILE)
  const options = { minifyWhitespace: true, minifyIdentifiers: true, lineLimit: 4000, legalComments: 'inline' }
  const { code } = await transform(marked, { ...options, format: 'esm', target: TARGET })
  return code.replaceAll(PURE_MEANWHILE, '/*@__PURE__*/')
}

/** Copies the published schemas: for readers to the Worker, and in one line, 3.5 KB less, to the package. */
async function copySchemas() {
  await Promise.all([`${ASIDE}/schemas`, `${ASIDE}/site/schema`].map((folder) => mkdir(folder, { recursive: true })))
  for (const [name, source] of Object.entries(SCHEMAS)) {
    await copyFile(source, `${ASIDE}/site/schema/${name}`)
    await writeFile(`${ASIDE}/schemas/${name}`, `${JSON.stringify(readJson(source))}\n`)
  }
}

async function buildAll() {
  const types = isWhole ? writeTypes(`${ASIDE}/types`) : undefined
  const [library, page] = await Promise.all([
    program(),
    wasm().then((module) => buildSite(`${ASIDE}/site`, module)),
    buildDocs(`${ASIDE}/site/docs`),
    buildAgents(ASIDE),
    copySchemas(),
    types,
  ])
  const notices = thirdParty({ 'the package': library, 'the page': page })
  await writeFile(`${ASIDE}/site/third-party.txt`, notices)
  replaceFolder('dist', ASIDE, isWhole ? undefined : ONLY_WHOLE)
  // It imports what stands in dist/.
  await buildWorker()
  await keepState(isWhole)
}

/** Replaces the site of the docs alone, when nothing else changed. */
async function buildDocsAlone() {
  await buildDocs(`${ASIDE}/docs`)
  replaceFolder('dist/site/docs', `${ASIDE}/docs`)
  await keepState(last.whole)
}

/** What the build depends on. `whole` is false for a build only to serve. */
const state = (whole) => {
  const [sources, docs, built] = [SOURCES, DOCS, ['dist']].map(hashOf)
  return { node: process.versions.node, sources, docs, built, whole }
}
const keepState = (whole) => writeFile(CURRENT, JSON.stringify(state(whole)))

const problems = [...findings({ check: false }), ...specifications({ check: false })]
if (problems.length > 0) throw new Error(problems.join('\n'))
const last = existsSync(CURRENT) ? JSON.parse(readFileSync(CURRENT, 'utf8')) : {}
const now = state(isWhole)
const isSame = ['node', 'sources', 'built'].every((name) => last[name] === now[name]) && (last.whole || !isWhole)
if (process.argv.includes('--force') || !isSame) await building(buildAll())
else if (last.docs !== now.docs) await building(buildDocsAlone())
else console.log('dist/ is current')

function building(work) {
  return work.finally(() => rm(ASIDE, { recursive: true, force: true }))
}
