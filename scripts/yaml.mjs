// Makes two copies of the yaml package in dist/: one that only reads, and a complete one. Its composer makes writable
// documents in any version of YAML, so it pulls in the writer, the visitors and the tags of YAML 1.1: 22 KB in
// everything that reads a document. compose.ts sets the schema and refuses other versions before the composer sees
// them, so none of that code is called.
import { readFile } from 'node:fs/promises'
import { markPure } from './pure.mjs'

/** The modules of bindings/document/yaml/ that read. */
const READERS = /[\\/]bindings[\\/]document[\\/]yaml[\\/](?:compose|parse)\.ts$/
const LEFT_OUT = /[\\/]dist[\\/](?:stringify[\\/]\w+|schema[\\/]yaml-1\.1[\\/]\w+|visit|parse[\\/]cst-visit)\.js$/
/** Modules that use none of the left-out ones are shared by both copies. */
const SHARED_NAME =
  /\/(?:lexer|parser|errors|identity|Node|Scalar|toJS|applyReviver|compose-scalar|resolve-(?:block-scalar|flow-scalar|props|end)|util-[\w-]+)\.js$/
const READING = '?reading'
/** Marks the resolve requests of this plugin itself. */
const OWN = 'own'

export const yamlReading = {
  name: 'yaml-reading',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (pluginData === OWN) return undefined
      const isReader = path === 'yaml' && READERS.test(importer)
      const isOfYaml = isReader || pluginData === READING || path.endsWith(READING)
      if (!isOfYaml && !SHARED_NAME.test(path)) return undefined
      const found = await resolve(path.replace(READING, ''), { kind, importer, resolveDir, pluginData: OWN })
      return { path: found.path, suffix: READING, sideEffects: false }
    })
    onLoad({ filter: /[\\/]yaml[\\/]browser[\\/]/ }, async ({ path, suffix }) => {
      if (suffix !== READING) return undefined
      if (!/[\\/]browser[\\/]dist[\\/]/.test(path))
        return { contents: "export * from './dist/index.js'", pluginData: READING }
      const text = await readFile(path, 'utf8')
      return { contents: LEFT_OUT.test(path) ? emptied(text) : markPure(path, closed(text)), pluginData: READING }
    })
  },
}

/** The same exports, all undefined. */
function emptied(text) {
  const names = Array.from(text.matchAll(/^export \{(.*)\};?$/gm), ([, list]) => list.split(',')).flat()
  return names.map((name) => `export const ${name.trim()} = undefined`).join('\n')
}

/** Moves assignments to a class from after it into it: otherwise a bundler could not drop the class. */
function closed(text) {
  const assigned = [...text.matchAll(/^([A-Z]\w*)\.(\w+) = (.+);$/gm)]
  return assigned.reduce(
    (written, [line, name, member, value]) =>
      written.replace(line, '').replace(new RegExp(`^class ${name}\\b.*\\{$`, 'm'), `$&\nstatic ${member} = ${value}`),
    text,
  )
}
