// Reads bindings/specifications.ts, and writes what follows from it: the rows without their code, the code of all kinds,
// and the examples of the page. The build runs it.
//
//   node scripts/specifications.mjs           write the files
//   node scripts/specifications.mjs --check   only check that they are current
import { dirname } from 'node:path'
import { replacing, tableOf } from './bundler.mjs'
import { keep, runAlone } from './files.mjs'

const HEAD = '// Written by scripts/specifications.mjs from bindings/specifications.ts; do not edit.\n'
/** The reader of each form: its path below bindings/, and its name. */
const READERS = {
  commented: { path: 'document/parse-commented.ts', name: 'parseCommented' },
  toml: { path: 'document/toml/parse.ts', name: 'parseToml' },
  prose: { path: 'document/parse-prose.ts', name: 'parseProse' },
  lines: { path: 'document/split-lines.ts', name: 'parseLines' },
  text: { path: 'document/parse-text.ts', name: 'parseText' },
  archive: { path: 'agentlang/container/archive.ts', name: 'parseArchive' },
}
const IMPORT = /\bimport\("\.\/(.+?)"\)\)\.(\w+)/

const { SPECIFICATIONS, specificationOf } = await tableOf(new URL('../bindings/specifications.ts', import.meta.url))

/** The rows, each with the folder of its rules. The functions in `load` become `{ path, name }`: a module, its export. */
export const ROWS = SPECIFICATIONS.map((row) => {
  const load = Object.entries(row.load).map(([verb, code]) => {
    const [, path, name] = IMPORT.exec(code)
    return [verb, { path, name }]
  })
  const { check } = Object.fromEntries(load)
  return { ...row, load: Object.fromEntries(load), folder: check && dirname(check.path) }
})

/** The folders below bindings/ that have the rules of a kind. */
export const SPECIFICATION_FOLDERS = [...new Set(ROWS.flatMap(({ folder }) => folder ?? []))]

/** Writes the files; with `check` returns their differences, a line each. */
export function specifications({ check }) {
  const files = {
    'bindings/tables/kinds.ts': kinds(),
    'bindings/tables/needs.ts': needs(),
    'bindings/tables/finds.ts': finds(),
    'bindings/all-specifications.ts': allSpecifications(),
    'bindings/all-provings.ts': allProvings(),
    'bindings/form-readers.ts': formReaders(),
    'browser-demo/kind-examples.ts': examples(),
  }
  return Object.entries(files).flatMap(([file, text]) => keep(file, text, 'scripts/specifications.mjs', { check }))
}

function kinds() {
  const rows = ROWS.map(({ load, folder, finds, adds, needs, schemas, template, example, ...traits }) => {
    const row = {
      ...traits,
      isChecked: load.check !== undefined,
      isSigned: load.sign !== undefined,
      isProved: (load.verify ?? load.prove) !== undefined,
    }
    return `  ${JSON.stringify(row)},\n`
  })
  return `${HEAD}\nexport const KINDS = [\n${rows.join('')}] as const\n`
}

function needs() {
  const rows = ROWS.filter((row) => row.needs).map(
    (row) => `  ${JSON.stringify(row.kind)}: ${JSON.stringify(row.needs)},\n`,
  )
  return `${HEAD}\nexport const NEEDS = {\n${rows.join('')}} as const\n`
}

/** Apart from the kinds: only folders take it. */
function finds() {
  const rows = ROWS.flatMap(({ files, finds = files.length > 0 ? [{ names: files }] : [] }) =>
    finds.map((find) => `  ${JSON.stringify(find)},\n`),
  )
  return `${HEAD}\nexport const FINDS = [\n${rows.join('')}] as const\n`
}

function allSpecifications() {
  const code = (verb) => ROWS.flatMap(({ load }) => load[verb] ?? [])
  const names = (verb) => code(verb).map(({ name }) => name)
  const list = (name, type, items) => `\nexport const ${name}: readonly ${type}[] = [${items.join(', ')}]\n`
  const signed = ROWS.flatMap(({ load: { check, sign } }) =>
    sign === undefined ? [] : `{ signing: ${sign.name}, specification: ${check.name} }`,
  )
  return [
    HEAD,
    "import type { SignedKind } from './frame/sign.ts'\n",
    "import type { Verifying } from './frame/signing.ts'\n",
    "import type { Specification } from './frame/specification.ts'\n",
    ...['check', 'sign', 'verify'].flatMap(code).map(({ path, name }) => `import { ${name} } from './${path}'\n`),
    list('CHECKED', 'Specification', names('check')),
    list('SIGNED', 'SignedKind', signed),
    list('VERIFIED', 'Verifying', names('verify')),
  ].join('')
}

/** Loaded on demand. In a file of its own, because bundlers keep such code for all programs that have the file. */
function allProvings() {
  const rows = ROWS.flatMap(({ kind, load: { prove } }) =>
    prove === undefined
      ? []
      : `  ${JSON.stringify(kind)}: async () => (await import('./${prove.path}')).${prove.name},\n`,
  )
  return [
    HEAD,
    "import type { Proving } from './frame/signing.ts'\n",
    "import type { Kind } from './kinds.ts'\n",
    `\nexport const PROVED: Readonly<Partial<Record<Kind, () => Promise<Proving>>>> = {\n${rows.join('')}}\n`,
  ].join('')
}

/** The readers of the forms that some kind has. */
function formReaders() {
  const forms = Object.entries(READERS).filter(([form]) => ROWS.some((row) => row.form === form))
  return [
    HEAD,
    ...forms.map(([, { path, name }]) => `import { ${name} } from './${path}'\n`).sort(),
    "import type { FormReaders } from './frame/source.ts'\n",
    `\nexport const READERS: FormReaders = { ${forms.map(([form, { name }]) => `${form}: ${name}`).join(', ')} }\n`,
  ].join('')
}

function examples() {
  const shown = ROWS.filter(({ example }) => example)
  const name = ({ kind }) => kind.replace(/\W/g, '_')
  return [
    HEAD,
    ...shown.map((row) => `import ${name(row)} from '../bindings/${row.example.file}' with { type: 'json' }\n`),
    '\nexport const KIND_EXAMPLES = {\n',
    ...shown.map((row) => {
      const { title, about } = row.example
      const texts = `title: ${JSON.stringify(title)}, about: ${JSON.stringify(about)}`
      return `  '${row.kind}': { ${texts}, document: ${name(row)} },\n`
    }),
    '}\n',
  ].join('')
}

/** An esbuild plugin that leaves out what programs have from the table of kinds, and what only scripts read. */
export const codeAlone = replacing(/[\\/]bindings[\\/]specifications\.ts$/, () => {
  const rows = SPECIFICATIONS.filter(({ load }) => load.check)
  const plain = rows.map(({ kind, load, template }) => ({ kind, load, template }))
  return `export const SPECIFICATIONS = ${written(plain)}\nexport ${specificationOf}\n`
})

/** The source of a value. */
function written(value) {
  if (value === null || typeof value !== 'object')
    return typeof value === 'function' ? String(value) : JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(written)}]`
  return `{${Object.entries(value).map(([name, member]) => `${name}:${written(member)}`)}}`
}

await runAlone(import.meta.url, specifications)
