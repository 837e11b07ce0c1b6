import { resolve } from 'node:path'
import { build } from 'esbuild'

/**
 * Bundles a Worker for workerd as a deployment does: under its condition, the module beside the script and not in it. Nothing is
 * written: `modulesRoot` is where the paths of the modules begin.
 */
export async function bundleWorker(entry) {
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
