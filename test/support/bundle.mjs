// Bundles sources for scripts that have no build step of their own.
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/**
 * Bundles TypeScript text, whose imports are relative to the project's folder, into .scratch/NAME.mjs, and imports it.
 */
export async function importBundled(name, contents) {
  const outfile = `.scratch/${name}.mjs`
  await build({
    stdin: { contents, resolveDir: '.', loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    alias: { '#wasm': './dist/wasm/module.inline.js' },
    external: ['yaml', 'esbuild', 'miniflare', 'typescript'],
    outfile,
    logLevel: 'error',
  })
  return import(pathToFileURL(outfile).href)
}
