import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'esbuild'

/** What Miniflare is told of a Worker's modules, the first being the main one. */
interface Bundle {
  modulesRoot: string
  modules: (
    | { type: 'ESModule'; path: string; contents: string }
    | { type: 'CompiledWasm'; path: string; contents: Buffer<ArrayBuffer> }
  )[]
}

/** Bundles a Worker for workerd as a deployment does: under its condition, the module beside the script and not in it. */
export async function bundleWorker(entry: string, outdir: string): Promise<Bundle> {
  const { metafile } = await build({
    entryPoints: [entry],
    outdir,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker'],
    loader: { '.wasm': 'copy' },
    assetNames: '[name]',
    metafile: true,
    external: ['cloudflare:*'],
  })
  const outputs = Object.keys(metafile.outputs).map((path) => resolve(path))
  const scripts = outputs.filter((path) => path.endsWith('.js'))
  const compiled = outputs.filter((path) => path.endsWith('.wasm'))
  return {
    modulesRoot: resolve(outdir),
    modules: [
      ...scripts.map((path) => ({ type: 'ESModule' as const, path, contents: readFileSync(path, 'utf8') })),
      ...compiled.map((path) => ({ type: 'CompiledWasm' as const, path, contents: readFileSync(path) })),
    ],
  }
}
