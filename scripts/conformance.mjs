// Compares the requirements (fixtures/requirements/*.yaml) with the titles of the tests, and writes
// docs/reference/conformance.md.
//
//   node scripts/conformance.mjs           write the page
//   node scripts/conformance.mjs --check   only check that it is current
//
// Either way it fails for a requirement with neither a test nor a reason, and for a title that cites an unknown
// requirement.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { keep } from './generated.mjs'

const PAGE = 'docs/reference/conformance.md'
const ROWS = 'fixtures/requirements'
const CITATION = /\[([a-z]+\d*\/[0-9A-Za-z.]+-\d+)\]/g

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

/** Returns `{ problems, rows, tested }`; writes the page, or with `check` adds a problem if the page is out of date. */
export function conformance({ check }) {
  const tables = readdirSync(ROWS)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => ({ name, rows: parse(readFileSync(join(ROWS, name), 'utf8')) }))
  const rows = tables.flatMap((table) => table.rows)
  const citations = readCitations()
  const problems = [...malformed(tables), ...unmet(rows, citations)]
  const page = write(tables, citations)
  problems.push(...keep(PAGE, page, 'scripts/conformance.mjs', { check }))
  return { problems, rows: rows.length, tested: rows.filter(({ id }) => citations.has(id)).length }
}

/** For each requirement, the test files whose titles cite it. */
function readCitations() {
  const citations = new Map()
  for (const file of readdirSync('test', { recursive: true }).sort()) {
    if (!file.endsWith('.test.ts')) continue
    for (const [, id] of readFileSync(join('test', file), 'utf8').matchAll(CITATION)) {
      citations.set(id, (citations.get(id) ?? new Set()).add(`test/${file.replaceAll('\\', '/')}`))
    }
  }
  return citations
}

function malformed(tables) {
  const seen = new Set()
  return tables.flatMap(({ name, rows }) =>
    rows.flatMap((row) => {
      const missing = ['id', 'section', 'level', 'text', 'how'].filter((member) => typeof row[member] !== 'string')
      if (missing.length > 0) return [`${name}: ${row.id ?? 'a row'} has no ${missing.join(', ')}`]
      if (seen.has(row.id)) return [`${name}: ${row.id} stands twice`]
      seen.add(row.id)
      return []
    }),
  )
}

function unmet(rows, citations) {
  const known = new Set(rows.map(({ id }) => id))
  const untested = rows.filter(({ id, reason }) => !citations.has(id) && reason === undefined)
  return [
    ...untested.map(({ id }) => `${id} has neither a test nor a reason`),
    ...[...citations]
      .filter(([id]) => !known.has(id))
      .map(([id, files]) => `${[...files][0]} cites ${id}, which no row has`),
  ]
}

function write(tables, citations) {
  const lines = [
    '# Conformance',
    '',
    'Written by `node scripts/conformance.mjs` from fixtures/requirements and the titles of the tests; do not edit.',
    'A title cites the requirements that its test shows, as in `[rfc8785/3.1-1]`.',
  ]
  for (const { name, rows } of tables) {
    const tested = rows.filter(({ id }) => citations.has(id)).length
    lines.push('', `## ${name.replace('.yaml', '')}: ${tested} of ${rows.length} shown by tests`, '')
    lines.push('| requirement | level | demand | how | shown by |', '|---|---|---|---|---|')
    for (const { id, section, level, text, how, reason } of rows) {
      const files = [...(citations.get(id) ?? [])].map((file) => `\`${file.replace('test/', '')}\``).join(', ')
      const cells = [`${id} (${section})`, level, text, how, files || `no test: ${reason}`]
      lines.push(
        `| ${cells.map((cell) => String(cell).trim().replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`,
      )
    }
  }
  return `${lines.join('\n')}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { problems, rows, tested } = conformance({ check: process.argv.includes('--check') })
  for (const problem of problems) console.error(problem)
  console.log(`${tested} of ${rows} requirements shown by tests`)
  process.exitCode = problems.length > 0 ? 1 : 0
}
