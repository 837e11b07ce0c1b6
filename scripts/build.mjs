// core/ -> two modules; bindings/, cli/, browser-demo/ -> dist/. `npm run build` does everything in order. It builds in
// a separate folder, so that dist/ stays complete while others use it, and when the build fails. It does nothing when
// nothing changed, unless `--force` is given.
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, transform } from 'esbuild'
import { buildAgents } from './agents.mjs'
import { buildWorker } from './bundle-worker.mjs'
import { compileCore } from './core.mjs'
import { isCurrent, keepCurrent } from './current.mjs'
import { cut, withoutDetours } from './cut.mjs'
import { ENTRIES } from './entries.mjs'
import { catalogueAsData, findings } from './findings.mjs'
import { inlineModule } from './pack.mjs'
import { buildSite } from './page.mjs'
import { pure } from './pure.mjs'
import { replaceFolder } from './replace.mjs'
import { copySchemas } from './schemas.mjs'
import { codeAlone, specifications } from './specifications.mjs'
import { packagesOf, thirdParty } from './third-party.mjs'
import { writeTypes } from './types.mjs'
import { yamlReading } from './yaml.mjs'

/** Each process has its own folder, because two may build at once. */
const ASIDE = `build/${process.pid}`
/** Stands for the marks of pure.mjs while white space is removed. */
const PURE_MEANWHILE = '~~~~'
/**
 * Imports only for side effects. esbuild writes them to keep the order of modules. Our modules have no side effects, so
 * bundlers would warn about each import, and a process would load files that it never uses.
 */
const FOR_EFFECTS = /\bimport ?"\.{1,2}\/[\w./-]+\.js";\n?/g
process.chdir(fileURLToPath(new URL('..', import.meta.url)))

/**
 * Builds the module for each kind of host. workerd refuses to compile bytes, so it imports the file; all others get it
 * inlined. Returns the script that contains it.
 */
async function wasm() {
  await mkdir(`${ASIDE}/wasm`, { recursive: true })
  for (const simd of [true, false]) {
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
 * One graph for all entries and the command line tool, so that `blazon` and `blazon/core` share one instance and one
 * DocumentError.
 */
const PROGRAM = {
  entryPoints: { ...ENTRIES, 'cli/blazon': 'cli/blazon.ts' },
  outdir: ASIDE,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  external: ['#wasm', 'node:*'],
  write: false,
  metafile: true,
}

/** bindings/ and cli/ -> dist/. Returns the packages that are bundled. */
async function program() {
  const { metafile } = await build({ ...PROGRAM, plugins: [yamlReading, catalogueAsData, codeAlone, pure] })
  const made = await build({ ...PROGRAM, plugins: [yamlReading, catalogueAsData, codeAlone, cut(metafile), pure] })
  const files = made.outputFiles.map(({ path, text }) => ({ path, text: text.replace(FOR_EFFECTS, '') }))
  for (const { path, text } of withoutDetours(files, made.metafile)) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, await minified(text))
  }
  await chmod(`${ASIDE}/cli/blazon.js`, 0o755)
  return packagesOf(metafile)
}

/**
 * Shortens names and removes white space, with line lengths that a stack trace can show. Exports and methods keep their
 * names. esbuild would remove the marks of pure.mjs as white space, so an operator that nobody writes stands for each
 * of them meanwhile. esbuild's syntax minification stays off, because it loses marks, which doubles the size of
 * bundles.
 */
async function minified(text) {
  if (text.includes(PURE_MEANWHILE)) throw new Error(`an output has ${PURE_MEANWHILE}`)
  const marked = text.replaceAll('/* @__PURE__ */', PURE_MEANWHILE)
  const { code } = await transform(marked, {
    minifyWhitespace: true,
    minifyIdentifiers: true,
    lineLimit: 1000,
    format: 'esm',
    target: 'es2022',
    legalComments: 'inline',
  })
  return code.replaceAll(PURE_MEANWHILE, '/*@__PURE__*/')
}

async function buildAll() {
  const types = writeTypes(`${ASIDE}/types`)
  const [library, page] = await Promise.all([
    program(),
    wasm().then((module) => buildSite(`${ASIDE}/site`, module)),
    buildAgents(ASIDE),
    copySchemas(ASIDE),
    types,
  ])
  const notices = thirdParty({ 'the package': library, 'the page': page })
  await writeFile(`${ASIDE}/site/third-party.txt`, notices)
  replaceFolder('dist', ASIDE)
  // It imports what stands in dist/.
  await buildWorker()
  keepCurrent()
}

const problems = [...findings({ check: false }), ...specifications({ check: false })]
if (problems.length > 0) throw new Error(problems.join('\n'))
if (!process.argv.includes('--force') && isCurrent()) console.log('dist/ is current')
else await buildAll().finally(() => rm(ASIDE, { recursive: true, force: true }))
