import { build } from 'esbuild'

/**
 * Evaluates one export of a module of bindings/, without the core. Imports whose paths match `left` are replaced by an
 * empty CommonJS module, which gives undefined for any name.
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
