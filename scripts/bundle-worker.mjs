import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'

/** By entry: a process that starts a Worker several times bundles it once. */
const bundles = new Map()

/**
 * Bundles a Worker for workerd like a deployment: under its condition, with the module in a separate file. Writes no
 * files: `modulesRoot` is the base of the modules' paths.
 */
export function bundleWorker(entry) {
  const path = resolve(entry)
  if (!bundles.has(path)) bundles.set(path, bundle(path))
  return bundles.get(path)
}

async function bundle(entry) {
  const modulesRoot = resolve('dist/worker')
  const { outputFiles } = await build({
    entryPoints: [entry],
    outdir: modulesRoot,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker'],
    loader: { '.wasm': 'copy' },
    assetNames: '[name]',
    write: false,
    external: ['cloudflare:*'],
  })
  const compiled = outputFiles.filter(({ path }) => path.endsWith('.wasm'))
  const scripts = outputFiles.filter((file) => !compiled.includes(file))
  return {
    modulesRoot,
    modules: [
      ...scripts.map(({ path, text }) => ({ type: 'ESModule', path, contents: text })),
      ...compiled.map(({ path, contents }) => ({ type: 'CompiledWasm', path, contents: Buffer.from(contents) })),
    ],
  }
}

const BUILT = 'dist/worker'

/** Keeps the bundle of the Worker for `npm start`, which would need as long to make it as for all else. */
export async function buildWorker() {
  const { modules } = await bundleWorker('edge/worker.ts')
  mkdirSync(BUILT, { recursive: true })
  for (const { path, contents } of modules) writeFileSync(path, contents)
}

/** The kept bundle of a checkout. */
export function builtWorker(root = '.') {
  const modulesRoot = resolve(root, BUILT)
  const modules = readdirSync(modulesRoot).map((name) => {
    const path = join(modulesRoot, name)
    return name.endsWith('.wasm')
      ? { type: 'CompiledWasm', path, contents: readFileSync(path) }
      : { type: 'ESModule', path, contents: readFileSync(path, 'utf8') }
  })
  return { modulesRoot, modules: modules.sort(({ type }) => (type === 'ESModule' ? -1 : 1)) }
}
