import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { type Host, SCRATCH } from './host.ts'

const OUTPUT = `${SCRATCH}/workerd`

export const workerd: Host = {
  name: 'workerd',
  async run(job) {
    const { metafile } = await build({
      entryPoints: ['test/hosts/worker.ts'],
      outdir: OUTPUT,
      bundle: true,
      format: 'esm',
      target: 'es2022',
      conditions: ['workerd', 'worker'],
      loader: { '.wasm': 'copy' },
      assetNames: '[name]',
      metafile: true,
    })
    const outputs = Object.keys(metafile.outputs)
    const miniflare = new Miniflare({
      compatibilityDate: '2026-04-01',
      modulesRoot: OUTPUT,
      modules: outputs
        .sort((path) => (path.endsWith('worker.js') ? -1 : 1))
        .map((path) =>
          path.endsWith('.wasm')
            ? { type: 'CompiledWasm' as const, path, contents: readFileSync(path) }
            : { type: 'ESModule' as const, path, contents: readFileSync(path, 'utf8') },
        ),
    })
    try {
      const response = await miniflare.dispatchFetch('http://localhost/', {
        method: 'POST',
        body: job as Uint8Array<ArrayBuffer>,
      })
      if (!response.ok) throw new Error(await response.text())
      const { version } = createRequire(import.meta.url)('workerd/package.json') as { version: string }
      return { version, answer: new Uint8Array(await response.arrayBuffer()) }
    } finally {
      await miniflare.dispose()
    }
  },
}
