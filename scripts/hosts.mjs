// Runs the vectors on every host: `node scripts/hosts.mjs [HOST...]`. Needs a build. TypeScript sources are bundled
// first.
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

/** Bundles and runs test/hosts/main.ts; returns `{ passed, failed, notRun }`. */
export async function runHosts(only) {
  await build({
    entryPoints: { main: 'test/hosts/main.ts', process: 'test/hosts/process.ts' },
    outdir: '.scratch/hosts',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    target: 'node20',
    platform: 'node',
    // `blazon` resolves to this package itself, through its own `exports`, in Node, Deno and Bun alike.
    packages: 'external',
  })
  const { runHosts: run } = await import(pathToFileURL('.scratch/hosts/main.mjs').href)
  return run(only)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2)
  const { passed, failed } = await runHosts(names.length > 0 ? names : undefined)
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}
