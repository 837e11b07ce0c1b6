// Modules -> classic scripts, for a page opened from file://, where neither modules nor import() work.
import { basename } from 'node:path'
import { build, transform } from 'esbuild'

/**
 * Bundles modules, splits them wherever one is loaded by `import()`, and writes each part as a classic script for
 * browser-demo/loader.ts: `scripts` has their texts by name. `closure` lists everything that a source needs before it
 * runs, ending with its own part; `source` is the module that a part was split off for, unless it is only shared by
 * others.
 */
export async function classicParts(options, entryPoints) {
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints,
    splitting: true,
    format: 'esm',
    outdir: 'dist',
    metafile: true,
  })
  const parts = new Map(Object.entries(metafile.outputs).map(([path, part]) => [basename(path), part]))

  const imported = (name, found = new Set()) => {
    for (const { path, kind } of parts.get(name).imports) {
      if (kind === 'import-statement') imported(basename(path), found)
    }
    return found.add(name)
  }
  const classic = async ({ path, text }) => {
    const { code } = await transform(text, { format: 'cjs', minify: true, target: options.target })
    const body = code.replace(/\b(require|import)\("\.\/([\w.-]+)"\)/g, (_, how, name) =>
      how === 'require' ? `require("${name}")` : `blazon.load("${[...imported(name)].join('","')}")`,
    )
    const name = basename(path)
    return [name, `blazon.part("${name}",(function(require,module){${body.trim()}}));\n`]
  }
  return {
    scripts: new Map(await Promise.all(outputFiles.map(classic))),
    closure: (source) => [...imported([...parts].find(([, { entryPoint }]) => entryPoint === source)[0])],
    source: (name) => parts.get(name).entryPoint,
    metafile,
  }
}
