// bindings/ -> the type declarations of the package. They use types that only hosts declare, such as `CryptoKey`.
// Programs whose libraries lack these types (`"lib": ["es2022"]`) can use the declarations nevertheless.
import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import { ENTRIES } from './entries.mjs'

const run = promisify(execFile)

/** The host's type if the program has it; otherwise `any`, which the compiler also uses for a missing name. */
const known = (shape) => `typeof globalThis extends ${shape} ? T : any`
const ofClass = (name) => known(`{ ${name}: { prototype: infer T } }`)

/** The members of a key that are texts (RFC 7517, RFC 7518), as Web Crypto lists them. */
const KEY_TEXTS = 'alg crv d dp dq e k kty n p q qi use x y'.split(' ').map((member) => `${member}?: string`)

/** The host names that declarations use, and how each is written where it may be missing. */
const PLATFORM = {
  AbortSignal: ofClass('AbortSignal'),
  CryptoKey: ofClass('CryptoKey'),
  CryptoKeyPair: '{ privateKey: CryptoKey; publicKey: CryptoKey }',
  JsonWebKey: `{ ${KEY_TEXTS.join('; ')}; ext?: boolean; key_ops?: string[]; oth?: { d?: string; r?: string; t?: string }[] }`,
  RequestInit: `NonNullable<${known('{ fetch: (input: any, init?: infer T) => any }')}>`,
  Response: ofClass('Response'),
  SubtleCrypto: ofClass('SubtleCrypto'),
  URL: ofClass('URL'),
}
const MODULE = ['Memory', 'Module'].map(
  (name) => `  type ${name} = ${known(`{ WebAssembly: { ${name}: { prototype: infer T } } }`)}\n`,
)
const DECLARATIONS = [
  ...Object.entries(PLATFORM).map(([name, type]) => `export type ${name} = ${type}\n`),
  `export declare namespace WebAssembly {\n${MODULE.join('')}}\n`,
].join('')

/** Writes the declarations of all entries, and those that they need, to a folder. */
export async function writeTypes(folder) {
  // Only code for Node may use Node's types.
  const declare = (project) => run('node', ['node_modules/typescript/bin/tsc', '-p', project, '--outDir', folder])
  await Promise.all(['tsconfig.types.json', 'bindings/node'].map(declare)).catch((e) => {
    throw new Error(e.stdout || e.message)
  })
  const texts = joinedByFolder([[join(folder, 'platform.d.ts'), DECLARATIONS], ...needed(folder)], rootsIn(folder))
  await rm(folder, { recursive: true })
  for (const [path, text] of texts) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, withTabs(text))
  }
}

/** Tabs for the four blanks of tsc make the package 1.2 KB smaller. */
const withTabs = (text) => text.replace(/^(?: {4})+/gm, (blanks) => '\t'.repeat(blanks.length / 4))

/** The declarations of the entries. */
const rootsIn = (folder) =>
  Object.values(ENTRIES).map((source) => join(folder, source.replace(/^bindings\/(.*)\.ts$/, '$1.d.ts')))

/** What entries export and what that refers to, a text for each file. The rest was 40 KB of the package. */
function needed(folder) {
  const roots = rootsIn(folder)
  const program = ts.createProgram(roots, { module: ts.ModuleKind.NodeNext, noLib: true, types: [] })
  const checker = program.getTypeChecker()
  const kept = new Set()
  const keep = (symbol) => {
    for (const declaration of symbol?.declarations ?? []) kept.add(partOf(declaration))
    if (symbol?.flags & ts.SymbolFlags.Alias) keep(checker.getImmediateAliasedSymbol(symbol))
  }
  const keepNamed = (node) => {
    if (ts.isIdentifier(node)) keep(checker.getSymbolAtLocation(node))
    ts.forEachChild(node, keepNamed)
  }
  for (const root of roots) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(root))
    checker.getExportsOfModule(module).forEach(keep)
  }
  for (const part of kept) keepNamed(part)
  const files = new Set([...kept].map((part) => part.getSourceFile()))
  return [...files].map(({ fileName, statements }) => {
    const text = statements.map((statement) => keptOf(statement, kept)).join('')
    const path = relative('.', fileName)
    return [path, withPlatform(path, `${text.trim()}\n`, folder)]
  })
}

/** The part of a file that is kept or left out: a statement, or a name that is imported or exported. */
function partOf(node) {
  const isPart = ts.isImportSpecifier(node) || ts.isExportSpecifier(node) || ts.isSourceFile(node.parent)
  return isPart ? node : partOf(node.parent)
}

function keptOf(statement, kept) {
  const names = statement.exportClause ?? statement.importClause?.namedBindings
  if (names === undefined)
    return kept.has(statement) || ts.isExportDeclaration(statement) ? statement.getFullText() : ''
  const used = names.elements.filter((name) => kept.has(name))
  const list = `{ ${used.map((name) => name.getText()).join(', ')} }`
  return used.length === 0 ? '' : statement.getFullText().replace(names.getText(), list)
}

/** The declarations of a file, with an import of the host names that it uses. */
function withPlatform(path, text, folder) {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  const names = [...Object.keys(PLATFORM), 'WebAssembly'].filter((name) =>
    new RegExp(`(?<![.\\w'"$])${name}(?![\\w'"$:?])`).test(code),
  )
  if (names.length === 0) return text
  const from = relative(join(path, '..'), join(folder, 'platform')).replaceAll('\\', '/')
  return `import type { ${names.join(', ')} } from '${from.startsWith('.') ? from : `./${from}`}.ts'\n${text}`
}

/**
 * Joins the declarations of a folder into one file, because each file takes fifty bytes of the package, and as much for
 * what it imports. Files stay apart if they name other things alike, and so do entries.
 */
function joinedByFolder(texts, roots) {
  const folders = grouped(
    texts.filter(([path]) => !roots.includes(path)),
    ([path]) => dirname(path),
  )
  const parts = new Map(Array.from(folders, ([folder, files]) => [`${folder}/all.d.ts`, joinable(files)]))
  const homes = new Map(Array.from(parts, ([home, files]) => files.map(([path]) => [path, home])).flat())
  const alone = texts.filter(([path]) => !homes.has(path)).map(([path, text]) => [path, withHomes(path, text, homes)])
  const joined = Array.from(parts, ([home, files]) => {
    const body = files.map(([path, text]) => withHomes(path, text.replace(IMPORT, ''), homes))
    return [home, [...importsOf(home, files, homes), ...body].join('')]
  })
  return [...alone, ...joined.filter(([, text]) => text !== '')]
}

/** The items by a key, as `Map.groupBy` does it from Node 21 on. */
function grouped(items, keyOf) {
  const groups = new Map()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

const IMPORT = /^import (?:type )?\{([^{}]*)\} from '([^']+)';?\n/gm
const DECLARED = /^(?:export )?(?:declare )?(?:abstract )?(?:function|class|const|namespace|type|interface) (\w+)/gm

const target = (path, from) => join(dirname(path), from).replace(/\.ts$/, '.d.ts')
const specifier = (path, to) => {
  const from = relative(dirname(path), to)
    .replaceAll('\\', '/')
    .replace(/\.d\.ts$/, '.ts')
  return from.startsWith('.') ? from : `./${from}`
}

/** The names that a file imports, each with the file and the name that it has there. */
const importedBy = ([path, text]) =>
  Array.from(text.matchAll(IMPORT), ([, list, from]) =>
    list.split(',').map((one) => {
      const [name, local = name] = one
        .trim()
        .replace(/^type /, '')
        .split(' as ')
      return { name, local, from: target(path, from) }
    }),
  ).flat()

/** Those of the files, in order, whose names mean the same in all of them. */
function joinable(files) {
  const meanings = new Map()
  return files.filter((file) => {
    const declared = Array.from(file[1].matchAll(DECLARED), ([, name]) => [name, `${file[0]} ${name}`])
    const imported = importedBy(file).map(({ name, local, from }) => [local, `${from} ${name}`])
    const names = [...declared, ...imported]
    if (names.some(([name, meaning]) => (meanings.get(name) ?? meaning) !== meaning)) return false
    for (const [name, meaning] of names) meanings.set(name, meaning)
    return true
  })
}

/** One import for each file that others of the joined files need. */
function importsOf(home, files, homes) {
  const needed = files.flatMap(importedBy).map((one) => ({ ...one, from: homes.get(one.from) ?? one.from }))
  const others = grouped(
    needed.filter(({ from }) => from !== home),
    ({ from }) => from,
  )
  return Array.from(others, ([from, names]) => {
    const list = new Set(names.map(({ name, local }) => (name === local ? name : `${name} as ${local}`)))
    return `import { ${[...list].join(', ')} } from '${specifier(home, from)}';\n`
  })
}

/** The text of a file with the places to which others moved. */
function withHomes(path, text, homes) {
  const own = homes.get(path) ?? path
  const moved = (from) => {
    const to = target(path, from)
    return specifier(own, homes.get(to) ?? to)
  }
  return text
    .replace(/(?<=^(?:import|export) .* from ')\.[^']*(?=')/gm, moved)
    .replace(/(?<=import\(")[^"]+(?="\))/g, moved)
}
