import { build } from 'esbuild'

/**
 * One thing that a module of bindings/ exports. It is made without the core, and without what is imported by paths that end
 * in `left`: a module of CommonJS gives undefined for any name.
 */
export async function evaluated(name, path, left = /^#wasm$/) {
  const without = {
    name: 'without',
    setup({ onResolve, onLoad }) {
      for (const filter of [/^#wasm$/, left]) onResolve({ filter }, ({ path }) => ({ path, namespace: 'nothing' }))
      onLoad({ filter: /^/, namespace: 'nothing' }, () => ({ contents: 'module.exports = {}' }))
    },
  }
  const { outputFiles } = await build({
    stdin: { contents: `export { ${name} } from './${path}'`, resolveDir: '.' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['node:*'],
    write: false,
    plugins: [without],
  })
  const code = Buffer.from(outputFiles[0].contents).toString('base64')
  return (await import(`data:text/javascript;base64,${code}`))[name]
}
