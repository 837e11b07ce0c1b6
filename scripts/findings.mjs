// Findings are data: each folder that reports some has a findings.yaml. This writes findings.ts next to it, with what the
// code needs of each finding, and bindings/catalogue.ts, which explains all of them. The build runs it.
//
//   node scripts/findings.mjs           write the files
//   node scripts/findings.mjs --check   only check that they are current
import { dirname, relative } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { parse, parseAllDocuments } from 'yaml'
import { replacing } from './bundler.mjs'
import { filesOf, keep, readText, runAlone } from './files.mjs'

const DATA = 'findings.yaml'
const CATALOGUE = 'bindings/catalogue.ts'
/** The texts of faults that every schema can have. A finding of such a rule may leave them out. */
const SHARED = 'bindings/frame/shape-rules.yaml'
const HEAD = '// Written by scripts/findings.mjs from findings.yaml; do not edit.\n'
const MEMBERS = ['code', 'rule', 'title', 'section', 'severity', 'why', 'bad', 'good']

/** Writes the files; with `check` returns their differences, a line each. */
export function findings({ check }) {
  const [library, cli] = ['bindings', 'cli'].map(roomsIn)
  const problems = [...library, ...cli].flatMap(({ rows }) => rows.flatMap(faultsOf))
  if (problems.length > 0) return problems
  const files = [...library, ...cli].map(({ folder, rows }) => [`${folder}/findings.ts`, moduleOf(folder, rows)])
  return [...files, [CATALOGUE, catalogueOf(library)]].flatMap(([file, text]) =>
    keep(file, text, 'scripts/findings.mjs', { check }),
  )
}

const rooms = new Map()

/** The folders below a path that have findings. They are read once a process. */
function roomsIn(path) {
  if (!rooms.has(path)) rooms.set(path, readRooms(path))
  return rooms.get(path)
}

/** Every finding, as the pages of the docs show it. */
export const findingRows = () => [...roomsIn('bindings'), ...roomsIn('cli')].flatMap(({ rows }) => rows)

function readRooms(path) {
  const shared = parse(readText(SHARED))
  const folders = filesOf(path)
    .filter((file) => file.endsWith(`/${DATA}`))
    .map(dirname)
    .sort()
  return folders.map((folder) => ({ folder, rows: rowsOf(folder, shared) }))
}

/**
 * The findings of a folder, each with the name of its constant: `dns/no-answer` is `DNS_NO_ANSWER` unless it has a name.
 * Findings of other verbs than `validate` are in a second document of the file.
 */
function rowsOf(folder, shared) {
  const path = `${folder}/${DATA}`
  const [own, others = []] = parseAllDocuments(readText(path)).map((document) => document.toJS())
  return [...own, ...others.map((row) => ({ ...row, isOther: true }))].map((row) => {
    return { path, name: row.rule.toUpperCase().replace(/\W/g, '_'), ...shared[row.rule], ...row }
  })
}

function faultsOf(row) {
  const lacking = MEMBERS.filter((name) => typeof row[name] !== 'string')
  return lacking.map((name) => `${row.path}: ${row.code} ${row.rule} has no ${name}`)
}

function moduleOf(folder, rows) {
  const from = relative(folder, 'bindings/document/finding.ts').replaceAll('\\', '/')
  const codes = new Set(rows.map(({ code }) => code))
  const own = rows.filter(({ isOther }) => !isOther)
  const others = new Set(rows.filter(({ isOther }) => isOther).flatMap(({ rule, code }) => [rule, code]))
  const shared = sharedTexts(rows)
  return [
    HEAD,
    `import { type FindingInfo, type FindingKind, finding, namesOf } from '${from.startsWith('.') ? from : `./${from}`}'\n\n`,
    `export type Code = ${[...codes].map(quoted).join(' | ')}\n\n`,
    ...[...shared].map(([text, name]) => `const ${name} = ${quoted(text)}\n`),
    ...rows.map(
      (row) => `export const ${row.name} = /* @__PURE__ */ finding(${argumentsOf(row, shared).join(', ')})\n`,
    ),
    `\nexport const ALL: readonly FindingKind[] = [${own.map(({ name }) => name).join(', ')}]\n`,
    `\nexport const names = (): readonly string[] => ${namesOf(others)}\n`,
    '\n/** For `explain`. */\nexport const explained = (): readonly FindingInfo[] => [\n',
    ...rows.map(({ name, ...texts }) => {
      const members = ['why', 'bad', 'good'].map((member) => `${member}: ${quoted(texts[member])}`)
      return `  { ...${name}, ${members.join(', ')} },\n`
    }),
    ']\n',
  ].join('')
}

/** Other verbs give names alone, so that a program that validates does not carry their findings. */
function namesOf(others) {
  return others.size === 0 ? 'namesOf(ALL)' : `[...namesOf(ALL), ...${quoted([...others].join(' '))}.split(' ')]`
}

/** Constants for texts that several findings have, which no minifier would share. */
function sharedTexts(rows) {
  const texts = rows
    .flatMap(({ code, title, section, severity }) => [code, title, section, severity])
    .filter((text) => text !== 'error')
  const repeated = new Set(texts.filter((text, i) => texts.indexOf(text) !== i))
  return new Map([...repeated].map((text, i) => [text, `T${i}`]))
}

function argumentsOf({ rule, code, title, section, severity, rulesets }, shared) {
  const written = (text) => shared.get(text) ?? quoted(text)
  const texts = [rule, code, title, section].map(written)
  if (rulesets === undefined) return severity === 'error' ? texts : [...texts, written(severity)]
  const own = Object.entries(rulesets).map(([name, level]) => `${name}: ${written(level)}`)
  return [...texts, written(severity), `{ ${own.join(', ')} }`]
}

/** A string in single quotes. */
const quoted = (text) => `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`

/** The list of all findings below bindings/, as data in the package: catalogueAsData. */
function catalogueOf(rooms) {
  const own = rooms.map(({ folder }) => folder)
  const name = (folder) => folder.replace(/^bindings\//, '').replace(/\W(\w)/g, (_, letter) => letter.toUpperCase())
  return [
    HEAD,
    "import type { FindingInfo } from './document/finding.ts'\n",
    ...own.map((folder) => `import * as ${name(folder)} from './${relative('bindings', folder)}/findings.ts'\n`),
    '\n/** Every finding once, except those of profiles that a caller registers. */\n',
    `export const catalogue = (): readonly FindingInfo[] => [\n`,
    ...own.map((folder) => `  ...${name(folder)}.explained(),\n`),
    ']\n',
  ].join('')
}

/**
 * An esbuild plugin that writes the catalogue as data, so that `explain` loads no other module for it. Only Node reads it.
 * Compressed, it takes 12 KB less of the package.
 */
export const catalogueAsData = replacing(/[\\/]bindings[\\/]catalogue\.ts$/, () => {
  const rows = roomsIn('bindings').flatMap(({ rows }) => rows)
  const plain = rows.map(({ rule, code, title, section, severity, rulesets, why, bad, good }) => {
    return { id: rule, code, title, section, severity, rulesets, why, bad, good }
  })
  const text = brotliCompressSync(JSON.stringify(plain)).toString('base64')
  const read = `JSON.parse(brotliDecompressSync(Buffer.from('${text}', 'base64')).toString())`
  return `import { brotliDecompressSync } from 'node:zlib'\nexport const catalogue = () => ${read}\n`
})

await runAlone(import.meta.url, findings)
