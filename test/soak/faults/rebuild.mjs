// Builds a part of dist/ anew, without types and without cutting: node test/soak/faults/rebuild.mjs core|program|site
import { readFile, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'
import { yamlReading } from '../../../scripts/bundler.mjs'
import { compileCore } from '../../../scripts/core.mjs'
import { ENTRIES } from '../../../scripts/entries.mjs'
import { catalogueAsData } from '../../../scripts/findings.mjs'
import { inlineModule } from '../../../scripts/pack.mjs'
import { buildSite } from '../../../scripts/page.mjs'
import { codeAlone } from '../../../scripts/specifications.mjs'

const BUILDS = {
  async core() {
    await compileCore('dist/wasm/core.wasm', { simd: true })
    await compileCore('dist/wasm/core-baseline.wasm', { simd: false })
    await writeFile('dist/wasm/module.inline.js', inlineModule(await readFile('dist/wasm/core.wasm')))
  },
  program: () =>
    build({
      entryPoints: { ...ENTRIES, 'cli/blazon': 'cli/blazon.ts' },
      outdir: 'dist',
      bundle: true,
      splitting: true,
      format: 'esm',
      target: 'es2022',
      platform: 'neutral',
      external: ['#wasm', 'node:*'],
      plugins: [yamlReading, catalogueAsData, codeAlone],
    }),
  site: async () => buildSite('dist/site', inlineModule(await readFile('dist/wasm/core.wasm'))),
}

await BUILDS[process.argv[2]]()
