// core/ -> two modules; bindings/, cli/, browser-demo/ -> dist/. `npm run build` runs all, in order.

import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { buildAgents } from './agents.mjs'
import { buildCommandLine } from './command-line.mjs'
import { compileCore } from './core.mjs'
import { ENTRIES } from './entries.mjs'
import { buildSite } from './page.mjs'
import { packagesOf, thirdParty } from './third-party.mjs'

const run = promisify(execFile)
process.chdir(fileURLToPath(new URL('..', import.meta.url)))

/** The module for each kind of host. workerd refuses to compile bytes, so it imports the file; all others get it baked in. */
async function wasm() {
  // Compiled aside first: dist/ is whole again a moment after it is cleared.
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
    `const text = atob('${base64}')\n` +
      'const bytes = new Uint8Array(text.length)\n' +
      'for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i)\n' +
      'export default new WebAssembly.Module(bytes)\n',
  )
  await writeFile('dist/wasm/module.d.ts', 'declare const module: WebAssembly.Module\nexport default module\n')
}

const COMMON = {
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  external: ['#wasm', 'node:*'],
}

/**
 * Builds without imports for nothing but effects. esbuild writes them to keep the order of modules; none of ours has effects, which
 * package.json says, so bundlers would warn of each, and a process would load files that it never uses.
 */
async function buildPure(options) {
  const { outputFiles, metafile } = await build({ ...COMMON, ...options, write: false, metafile: true })
  for (const { path, text } of outputFiles) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text.replace(/\bimport ?"\.{1,2}\/[\w./-]+\.js";\n?/g, ''))
  }
  return packagesOf(metafile)
}

/** One chunk graph for all entries, so that `blazon` and `blazon/core` share one instance and one DocumentError. */
async function bindings() {
  return buildPure({ entryPoints: ENTRIES, outdir: 'dist', chunkNames: 'chunks/[name]-[hash]' })
}

async function types() {
  await run('node', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.types.json']).catch((e) => {
    throw new Error(e.stdout || e.message)
  })
}

await wasm()
const [library, commandLine, page] = await Promise.all([
  bindings(),
  buildCommandLine(COMMON),
  buildSite(),
  types(),
  buildAgents(),
])
const notices = thirdParty({ 'the package': new Set([...library, ...commandLine]), 'the page': page })
await writeFile('dist/site/third-party.txt', notices)
