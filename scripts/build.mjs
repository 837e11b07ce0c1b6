// core/ -> two modules; bindings/, cli/, browser-demo/ -> dist/. `npm run build` runs all, in order.

import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { buildAgents } from './agents.mjs'
import { compileCore } from './core.mjs'
import { cut } from './cut.mjs'
import { ENTRIES } from './entries.mjs'
import { buildSite } from './page.mjs'
import { pure } from './pure.mjs'
import { copySchemas } from './schemas.mjs'
import { packagesOf, thirdParty } from './third-party.mjs'
import { yamlReading } from './yaml.mjs'

const run = promisify(execFile)
process.chdir(fileURLToPath(new URL('..', import.meta.url)))

/** The module for each kind of host. workerd refuses to compile bytes, so it imports the file; all others get it baked in. */
async function wasm() {
  // Compiled elsewhere first: dist/ is complete again a moment after it is cleared.
  await mkdir('build', { recursive: true })
  await compileCore('build/core.wasm', { simd: true })
  await compileCore('build/core-baseline.wasm', { simd: false })
  await rm('dist', { recursive: true, force: true })
  await mkdir('dist/wasm', { recursive: true })
  for (const file of ['core.wasm', 'core-baseline.wasm']) await copyFile(`build/${file}`, `dist/wasm/${file}`)
  const base64 = (await readFile('dist/wasm/core.wasm')).toString('base64')
  await writeFile('dist/wasm/module.workerd.js', "export { default } from './core.wasm'\n")
  await writeFile(
    'dist/wasm/module.inline.js',
    // Buffer is not everywhere. Where it is, it takes a tenth of a millisecond, and the loop three.
    `const text = '${base64}'\n` +
      "export default new WebAssembly.Module(globalThis.Buffer?.from(text, 'base64') ?? decoded(atob(text)))\n" +
      'function decoded(text) {\n' +
      '  const bytes = new Uint8Array(text.length)\n' +
      '  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i)\n' +
      '  return bytes\n' +
      '}\n',
  )
  await writeFile('dist/wasm/module.d.ts', 'declare const module: WebAssembly.Module\nexport default module\n')
}

/**
 * One graph for all entries and the terminal tool, so that `blazon` and `blazon/core` share one instance and one
 * DocumentError.
 */
const PROGRAM = {
  entryPoints: { ...ENTRIES, 'cli/blazon': 'cli/blazon.ts' },
  outdir: 'dist',
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

/** bindings/ and cli/ -> dist/. Returns the packages that are in it. */
async function program() {
  const { metafile } = await build({ ...PROGRAM, plugins: [yamlReading, pure] })
  const { outputFiles } = await build({ ...PROGRAM, plugins: [yamlReading, cut(metafile), pure] })
  for (const { path, text } of outputFiles) {
    await mkdir(dirname(path), { recursive: true })
    // Drops imports that are only for effects. esbuild writes them to keep the order of modules; our modules have no
    // effects, so bundlers would warn of each, and a process would load files that it never uses.
    await writeFile(path, text.replace(/\bimport ?"\.{1,2}\/[\w./-]+\.js";\n?/g, ''))
  }
  await chmod('dist/cli/blazon.js', 0o755)
  return packagesOf(metafile)
}

/** Only code for Node may know its types. */
async function types() {
  const declare = (project) => run('node', ['node_modules/typescript/bin/tsc', '-p', project])
  await Promise.all(['tsconfig.types.json', 'bindings/node'].map(declare)).catch((e) => {
    throw new Error(e.stdout || e.message)
  })
  const declared = new Set(
    Object.values(ENTRIES).map((source) => source.replace(/^bindings\/(.*)\.ts$/, 'dist/types/$1.d.ts')),
  )
  for (const path of declared) {
    const text = await readFile(path, 'utf8')
    for (const [, from] of text.matchAll(/(?:from|import\() ?['"](\.[^'"]*)\.[jt]s['"]/g))
      declared.add(join(dirname(path), `${from}.d.ts`))
  }
  // Most files declare nothing that an entry exports: they were 60 KB of the package.
  for (const path of await readdir('dist/types', { recursive: true })) {
    const file = join('dist/types', path)
    if (file.endsWith('.ts') && !declared.has(file)) await rm(file)
  }
}

await wasm()
const [library, page] = await Promise.all([program(), buildSite(), types(), buildAgents()])
await copySchemas()
const notices = thirdParty({ 'the package': library, 'the page': page })
await writeFile('dist/site/third-party.txt', notices)
