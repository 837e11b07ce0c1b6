// What the entries of the package export, as the TypeScript checker sees it: CONTRIBUTING.md, "How public names are made".
import { dirname, relative, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { ENTRIES } from '../../scripts/entries.mjs'

/** Each entry of a specification has its own of these; an application renames on import. */
const BARE = ['validate', 'sign', 'verify']

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile('tsconfig.json', ts.sys.readFile).config,
  ts.sys,
  resolve('.'),
)
const program = ts.createProgram(
  Object.values(ENTRIES).map((path) => resolve(path)),
  options,
)
const checker = program.getTypeChecker()

/** The declarations behind the names of an entry. */
function exportsOf(path: string): ReadonlyMap<string, ts.Symbol> {
  const module = checker.getSymbolAtLocation(program.getSourceFile(resolve(path))!)!
  return new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, behind(symbol)]))
}

const behind = (symbol: ts.Symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)

const pathOf = (symbol: ts.Symbol) => relative('.', symbol.declarations![0]!.getSourceFile().fileName)

/** Another entry than this one has the room: types that its declarations name are found there. */
function isElsewhere(path: string, entry: string): boolean {
  return Object.values(ENTRIES).some(
    (other) => dirname(other) !== 'bindings' && other !== entry && dirname(other) === roomOf(path),
  )
}

const roomOf = (path: string) => path.split('/').slice(0, 2).join('/')

/** The types of ours that a declaration names where its user can see them. */
function* namedIn(node: ts.Node): Generator<ts.Symbol> {
  if (isHidden(node)) return
  const symbol = ts.isTypeReferenceNode(node) ? checker.getSymbolAtLocation(node.typeName) : undefined
  if (symbol !== undefined) yield behind(symbol)
  for (const child of childrenOf(node)) yield* namedIn(child)
}

/** The types that are members of a function or class under another name: `verify.Options`. */
const aliasesIn = ({ exports }: ts.Symbol) =>
  [...(exports?.values() ?? [])].flatMap(({ declarations = [] }) =>
    declarations.filter(ts.isTypeAliasDeclaration).flatMap((alias) => [...namedIn(alias)]),
  )

const childrenOf = (node: ts.Node) => {
  const children: ts.Node[] = []
  ts.forEachChild(node, (child) => void children.push(child))
  return children
}

/** Parameters of types, and shorthand that its file keeps to itself. */
const isKept = ({ flags, declarations = [] }: ts.Symbol) =>
  (flags & ts.SymbolFlags.TypeParameter) !== 0 ||
  !declarations.some((one) => ts.getCombinedModifierFlags(one) & ts.ModifierFlags.Export)

/** Bodies, initializers and private members; what an interface or a namespace is made of is seen through it. */
function isHidden(node: ts.Node): boolean {
  if (ts.isBlock(node) || ts.isHeritageClause(node) || ts.isConstructorDeclaration(node)) return true
  if (ts.isModuleDeclaration(node)) return true
  const { parent } = node
  if (
    (ts.isParameter(parent) || ts.isPropertyDeclaration(parent) || ts.isVariableDeclaration(parent)) &&
    parent.initializer === node
  )
    return true
  if (!ts.isClassElement(node)) return false
  return (
    (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) !== 0 ||
    (node.name !== undefined && ts.isPrivateIdentifier(node.name))
  )
}

describe('the names of the package', () => {
  it('mean one thing each over all entries, but for those that each specification has', () => {
    const meanings = new Map<string, Set<ts.Symbol>>()
    for (const path of Object.values(ENTRIES)) {
      for (const [name, symbol] of exportsOf(path)) {
        if (!BARE.includes(name)) meanings.set(name, (meanings.get(name) ?? new Set()).add(symbol))
      }
    }
    expect([...meanings].filter(([, symbols]) => symbols.size > 1).map(([name]) => name)).toEqual([])
  })

  it('belong to functions of three parameters at the most', () => {
    const symbols = Object.values(ENTRIES).flatMap((path) => [...exportsOf(path).values()])
    const long = symbols.filter(({ declarations = [] }) =>
      declarations.some((one) => ts.isFunctionDeclaration(one) && one.parameters.length > 3),
    )
    expect(long.map(({ name }) => name)).toEqual([])
  })

  const known = new Set(
    Object.values(ENTRIES).flatMap((path) => [...exportsOf(path).values()].flatMap((one) => [one, ...aliasesIn(one)])),
  )

  it.each(Object.entries(ENTRIES))('of %s come with every type that its functions and classes name', (_, path) => {
    const exported = exportsOf(path)
    const missing = new Set<string>()
    for (const [name, symbol] of exported) {
      if (isElsewhere(pathOf(symbol), path) || !(symbol.flags & ts.SymbolFlags.Value)) continue
      for (const found of symbol.declarations!.flatMap((declaration) => [...namedIn(declaration)])) {
        if (isKept(found) || !pathOf(found).startsWith('bindings/')) continue
        if (!known.has(found)) missing.add(`${name}: ${found.name} of ${pathOf(found)}`)
      }
    }
    expect([...missing]).toEqual([])
  })
})
