// bindings/ -> the type declarations of the package. They use types that only hosts declare, such as `CryptoKey`.
// Programs whose libraries lack these types (`"lib": ["es2022"]`) can use the declarations nevertheless.
import { execFile } from 'node:child_process'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { ENTRIES } from './entries.mjs'

const run = promisify(execFile)

/** The host's type if the program has it; otherwise `any`, which the compiler also uses for a missing name. */
const known = (shape) => `typeof globalThis extends ${shape} ? T : any`
const ofClass = (name) => known(`{ ${name}: { prototype: infer T } }`)

/** The host names that declarations use, and how each is written where it may be missing. */
const PLATFORM = {
  AbortSignal: ofClass('AbortSignal'),
  CryptoKey: ofClass('CryptoKey'),
  CryptoKeyPair: '{ privateKey: CryptoKey; publicKey: CryptoKey }',
  // RFC 7517 and 7518, as Web Crypto lists them.
  JsonWebKey: `{ ${[
    ...['alg', 'crv', 'd', 'dp', 'dq', 'e', 'k', 'kty', 'n', 'p', 'q', 'qi', 'use', 'x', 'y'].map(
      (member) => `${member}?: string`,
    ),
    'ext?: boolean',
    'key_ops?: string[]',
    'oth?: { d?: string; r?: string; t?: string }[]',
  ].join('; ')} }`,
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

/** Writes the declarations of all entries, and of the files that they need, to a folder. */
export async function writeTypes(folder) {
  // Only code for Node may use Node's types.
  const declare = (project) => run('node', ['node_modules/typescript/bin/tsc', '-p', project, '--outDir', folder])
  await Promise.all(['tsconfig.types.json', 'bindings/node'].map(declare)).catch((e) => {
    throw new Error(e.stdout || e.message)
  })
  await writeFile(join(folder, 'platform.d.ts'), DECLARATIONS)
  const declared = new Set(
    Object.values(ENTRIES).map((source) => join(folder, source.replace(/^bindings\/(.*)\.ts$/, '$1.d.ts'))),
  )
  for (const path of declared) {
    const text = withPlatform(path, await readFile(path, 'utf8'), folder)
    await writeFile(path, text)
    for (const [, from] of text.matchAll(/(?:from|import\() ?['"](\.[^'"]*)\.[jt]s['"]/g))
      declared.add(join(path, '..', `${from}.d.ts`))
  }
  // Most files declare nothing that an entry exports. They were 60 KB of the package.
  for (const path of await readdir(folder, { recursive: true })) {
    const file = join(folder, path)
    if (file.endsWith('.ts') && !declared.has(file)) await rm(file)
  }
}

/** The declarations of a file, with an import of the host names that it uses. */
function withPlatform(path, text, folder) {
  if (path === join(folder, 'platform.d.ts')) return text
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  const names = [...Object.keys(PLATFORM), 'WebAssembly'].filter((name) =>
    new RegExp(`(?<![.\\w'"$])${name}(?![\\w'"$:?])`).test(code),
  )
  if (names.length === 0) return text
  const from = relative(join(path, '..'), join(folder, 'platform')).replaceAll('\\', '/')
  return `import type { ${names.join(', ')} } from '${from.startsWith('.') ? from : `./${from}`}.ts'\n${text}`
}
