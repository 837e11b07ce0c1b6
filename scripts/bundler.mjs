// The one configuration of esbuild: its options, and the plugins with which modules are read. cut.mjs has the plugin that
// groups modules into files.
import { readFile } from 'node:fs/promises'
import { runInNewContext } from 'node:vm'
import { build, transform } from 'esbuild'
import ts from 'typescript'

export const TARGET = 'es2022'

/** Bundles modules without writing files, for any host unless `options` name one. */
export const bundle = (options) => build({ bundle: true, format: 'esm', target: TARGET, write: false, ...options })

/** The module as text that is given to a bundle that is one file. */
export const bundledText = async (options) => (await bundle(options)).outputFiles[0].text

/** A module of tables as data, without loading its imports. */
export async function tableOf(path) {
  const { code } = await transform(await readFile(path, 'utf8'), { loader: 'ts', format: 'cjs' })
  const module = { exports: {} }
  runInNewContext(code, { module, require: () => ({}) })
  return module.exports
}

/** A plugin that replaces the text of the modules whose path matches. */
export const replacing = (filter, textOf, loader = 'ts') => ({
  name: String(filter),
  setup: ({ onLoad }) => onLoad({ filter }, async ({ path }) => ({ loader, contents: await textOf(path) })),
})

/** A plugin that leaves out the comments of schemas, which are for readers of the published files. */
export const withoutComments = replacing(
  /[\\/]bindings[\\/].*\.json$/,
  async (path) => (await readFile(path, 'utf8')).replace(/^ {2}"\$comment": ".*",\n/m, ''),
  'json',
)

/** A plugin that resolves `#wasm`: the package would find the module of the last build in dist/. */
export const wasmModule = (contents) => ({
  name: 'given',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^#wasm$/ }, ({ path }) => ({ path, namespace: 'given' }))
    onLoad({ filter: /.*/, namespace: 'given' }, () => ({ contents }))
  },
})

/**
 * A plugin that marks each value that a module of bindings/ makes when it loads as free of side effects. package.json says
 * so for whole files (`sideEffects`), but that is lost when the build joins files into a chunk, whose every `new Map(...)`
 * bundlers then keep. A bundle of `decide` alone from dist/ had 395 KB without the marks, and has 241 KB with them.
 */
export const pure = replacing(/[\\/]bindings[\\/].*\.ts$/, async (path) => markPure(path, await readFile(path, 'utf8')))

/** Of functions without parameters esbuild would write the expression alone, and the mark would be lost. */
export const PARAMETER = 'unused'

/** The only statements at the top level of bindings/, except imports: anything else would be a side effect. */
const DECLARATIONS = [
  // Modules have only types: `erasableSyntaxOnly` refuses others.
  ...[ts.isExportDeclaration, ts.isInterfaceDeclaration, ts.isTypeAliasDeclaration, ts.isModuleDeclaration],
  ...[ts.isFunctionDeclaration, ts.isClassDeclaration, ts.isVariableStatement],
]
const { BigIntLiteral, FalseKeyword, NullKeyword, TrueKeyword } = ts.SyntaxKind

/** The source of a module with every value at its top level marked. Throws if the module has side effects. */
export function markPure(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const effect = file.statements.find((statement) =>
    ts.isImportDeclaration(statement)
      ? statement.importClause === undefined
      : !DECLARATIONS.some((isSuch) => isSuch(statement)),
  )
  if (effect !== undefined) throw new Error(`${path}: an effect at the top level: ${effect.getText(file)}`)
  return file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .reduceRight((marked, declaration) => {
      const from = declaration.getStart(file)
      return marked.slice(0, from) + markedVariables(declaration, file) + marked.slice(declaration.end)
    }, text)
}

/**
 * A declaration with its value marked. A pattern that takes apart an object or a list becomes a variable for each name,
 * because bundlers keep patterns.
 */
function markedVariables({ name, type, initializer }, file) {
  const textOf = (node) => node.getText(file)
  const pure = (text) => `/* @__PURE__ */ ((${PARAMETER}) => (${text}))()`
  const codeOf = (node) => {
    if (isPlain(node)) return textOf(node)
    return isCallOfPlain(node) ? `/* @__PURE__ */ ${textOf(node)}` : pure(textOf(node))
  }
  if (initializer === undefined) return textOf(name)
  const names = name.elements?.every(isPlainElement) ? name.elements : []
  const { elements: values = [] } = ts.isAsExpression(initializer) ? initializer.expression : initializer
  const isList = values.length >= names.length && !values.some(ts.isSpreadElement)
  const parts = names.map((one, i) => {
    if (ts.isArrayBindingPattern(name)) return isList && `${textOf(one.name)} = ${codeOf(values[i])}`
    return `${textOf(one.name)} = ${pure(`(${textOf(initializer)}).${textOf(one.propertyName ?? one.name)}`)}`
  })
  if (parts.length > 0 && parts.every(Boolean)) return parts.join(', ')
  return `${textOf(name)}${type === undefined ? '' : `: ${textOf(type)}`} = ${codeOf(initializer)}`
}

/** True for a name in a pattern, perhaps of another member, without a default. */
function isPlainElement({ name, propertyName = name, initializer, dotDotDotToken }) {
  return name && [name, propertyName].every(ts.isIdentifier) && !initializer && !dotDotDotToken
}

/** True when bundlers know that the value has no side effects. Inside a call it could not be inlined as a constant. */
function isPlain(node) {
  if (ts.isAsExpression(node)) return isPlain(node.expression)
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isPlain)
  if (ts.isObjectLiteralExpression(node)) return node.properties.every(isPlain)
  if (ts.isPropertyAssignment(node)) return !ts.isComputedPropertyName(node.name) && isPlain(node.initializer)
  if (ts.isIdentifier(node) || ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return true
  if (ts.isLiteralExpression(node)) return node.kind !== BigIntLiteral
  return [TrueKeyword, FalseKeyword, NullKeyword].includes(node.kind)
}

/**
 * True for a call whose arguments are all plain. A mark before a call does not cover its arguments; a function around
 * the whole expression does, at the cost of a call when the module loads. A function that is called at once would be
 * written as its result alone.
 */
function isCallOfPlain(node) {
  const isCall =
    ts.isNewExpression(node) || (ts.isCallExpression(node) && !ts.isParenthesizedExpression(node.expression))
  return isCall && (node.arguments ?? []).every(isPlain)
}

/** The modules of bindings/document/yaml/ that read. */
const READERS = /[\\/]bindings[\\/]document[\\/]yaml[\\/](?:compose|parse)\.ts$/
const LEFT_OUT = /[\\/]dist[\\/](?:stringify[\\/]\w+|schema[\\/]yaml-1\.1[\\/]\w+|visit|parse[\\/]cst-visit)\.js$/
/** Modules that use none of the left-out ones are shared by both copies. */
const SHARED_NAME =
  /\/(?:lexer|parser|errors|identity|Node|Scalar|toJS|applyReviver|compose-scalar|resolve-(?:block-scalar|flow-scalar|props|end)|util-[\w-]+)\.js$/
const READING = '?reading'
/** Marks the resolve requests of this plugin itself. */
const OWN = 'own'

/**
 * A plugin that makes two copies of the yaml package in dist/: one that only reads, and a complete one. Its composer makes
 * writable documents in any version of YAML, for which it needs 22 KB more: the writer, the visitors and the tags of YAML
 * 1.1. compose.ts sets the schema and refuses other versions, so none of that code is called.
 */
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
