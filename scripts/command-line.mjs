// cli/ -> dist/cli: the command line has a graph of its own, made small and of few files, for a process compiles all that it
// loads and pays for each file besides. Cut where commands share something, checking one document took 51 files and twice as
// long as starting Node; with all of it in one file 1.7 times as long.
import { chmod, readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { build } from 'esbuild'
import { packagesOf } from './third-party.mjs'

const ENTRY = 'cli/blazon.ts'
/** They have no part in checking documents, and are asked for more often by people than by programs. */
const LIGHT = ['cli/run.ts', 'cli/help.ts']
/** What checking a document takes: one file, which every command but the light ones loads whole. */
const BASE = { 'cli/execute.ts': 'execute', 'cli/commands/validate.ts': 'run', 'bindings/document/parse.ts': 'parse' }

const OPTIONS = {
  minify: true,
  entryPoints: [ENTRY],
  outdir: 'dist/cli',
  chunkNames: '[name]-[hash]',
  alias: { '#wasm': './cli/wasm.ts' },
  external: ['node:*'],
}

/** `common`: how everything of the project is bundled. Gives the packages that are in it. */
export async function buildCommandLine(common) {
  const options = { ...common, ...OPTIONS }
  const { metafile } = await build({ ...options, write: false, metafile: true })
  const loaded = Object.values(metafile.outputs).flatMap(({ entryPoint }) => entryPoint ?? [])
  await build({ ...options, plugins: [joined(loaded.filter((file) => file !== ENTRY && !LIGHT.includes(file)))] })
  await chmod('dist/cli/blazon.js', 0o755)
  return packagesOf(metafile)
}

/** What is loaded on demand exports the base too: what the same entries need lies in the same file. */
function joined(entries) {
  return {
    name: 'base',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^base$/ }, ({ path }) => ({ path, namespace: 'base' }))
      onLoad({ filter: /^base$/, namespace: 'base' }, () => {
        // One function of each, by name: for whole modules esbuild would need a helper in a file of its own.
        const imports = Object.entries(BASE).map(([file, name]) => `import { ${name} } from './${file}'`)
        return {
          resolveDir: process.cwd(),
          contents: `${imports.join('\n')}\nexport const base = [${Object.values(BASE)}]`,
        }
      })
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!entries.includes(relative('.', path).replaceAll('\\', '/'))) return undefined
        return { loader: 'ts', contents: `${await readFile(path, 'utf8')}\nexport { base } from 'base'\n` }
      })
    },
  }
}
