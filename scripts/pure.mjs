// Marks the values that a module makes when it loads as free of side effects, each constant separately. package.json
// says so for whole files (`sideEffects`), but that is lost when the build joins files into a chunk. A bundler then
// keeps every `new Map(...)` that it cannot judge, and everything that it refers to. A bundle of `decide` alone from
// dist/ had 395 KB without the marks, and has 241 KB with them.
import { readFile } from 'node:fs/promises'
import ts from 'typescript'

const { SyntaxKind } = ts
/**
 * Apart from imports, the only statements at the top level of a module of bindings/: anything else would be a side
 * effect.
 */
const DECLARATIONS = new Set([
  SyntaxKind.ExportDeclaration,
  SyntaxKind.InterfaceDeclaration,
  SyntaxKind.TypeAliasDeclaration,
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.ClassDeclaration,
  SyntaxKind.VariableStatement,
])
/** Values that bundlers know to be free of side effects. Inside a call they could not be inlined as constants. */
const PLAIN = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.NumericLiteral,
  SyntaxKind.TrueKeyword,
  SyntaxKind.FalseKeyword,
  SyntaxKind.NullKeyword,
  SyntaxKind.RegularExpressionLiteral,
  SyntaxKind.ArrowFunction,
  SyntaxKind.FunctionExpression,
])

/**
 * The source of a module with every top-level initialiser inside a call that is marked as pure. Throws if the module
 * has side effects.
 */
export function markPure(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const effect = file.statements.find(isEffect)
  if (effect !== undefined) throw new Error(`${path}: an effect at the top level: ${effect.getText(file)}`)
  return file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .flatMap(({ initializer }) => initializer ?? [])
    .filter((initializer) => !isPlain(initializer))
    .reduceRight((marked, initializer) => {
      const [from, to] = [initializer.getStart(file), initializer.end]
      const written = text.slice(from, to)
      const pure = isCallOfPlain(initializer) ? written : `(() => (${written}))()`
      return `${marked.slice(0, from)}/* @__PURE__ */ ${pure}${marked.slice(to)}`
    }, text)
}

/** True when bundlers know that making the value has no side effects. */
function isPlain(node) {
  if (ts.isAsExpression(node)) return isPlain(node.expression)
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isPlain)
  if (ts.isObjectLiteralExpression(node)) return node.properties.every(isPlain)
  if (ts.isPropertyAssignment(node)) return !ts.isComputedPropertyName(node.name) && isPlain(node.initializer)
  return PLAIN.has(node.kind)
}

/**
 * True for a call whose arguments are all plain. A mark before a call does not cover its arguments; a function around
 * the whole expression does, at the cost of a call when the module loads.
 */
function isCallOfPlain(node) {
  return (ts.isCallExpression(node) || ts.isNewExpression(node)) && (node.arguments ?? []).every(isPlain)
}

function isEffect(statement) {
  return ts.isImportDeclaration(statement) ? statement.importClause === undefined : !DECLARATIONS.has(statement.kind)
}

/** An esbuild plugin that marks the modules of bindings/. */
export const pure = {
  name: 'pure',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]bindings[\\/].*\.ts$/ }, async ({ path }) => {
      return { loader: 'ts', contents: markPure(path, await readFile(path, 'utf8')) }
    })
  },
}
