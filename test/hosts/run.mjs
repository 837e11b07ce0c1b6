// Runs the vectors on every host: `node test/hosts/run.mjs [HOST...]`. Needs a build. TypeScript sources are bundled
// first.
import { pathToFileURL } from 'node:url'
import { bundle } from '../../scripts/bundler.mjs'
import { isStarted } from '../../scripts/files.mjs'

/** Bundles and runs test/hosts/main.ts; returns `{ passed, failed, notRun }`. */
export async function runHosts(only) {
  await bundle({
    entryPoints: { main: 'test/hosts/main.ts', process: 'test/hosts/process.ts' },
    outdir: '.scratch/hosts',
    outExtension: { '.js': '.mjs' },
    target: 'node20',
    platform: 'node',
    // `blazon` resolves to this package itself, through its own `exports`, in Node, Deno and Bun alike.
    packages: 'external',
    write: true,
  })
  const { runHosts: run } = await import(pathToFileURL('.scratch/hosts/main.mjs').href)
  return run(only)
}

if (isStarted(import.meta.url)) {
  const names = process.argv.slice(2)
  const { passed, failed } = await runHosts(names.length > 0 ? names : undefined)
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}
