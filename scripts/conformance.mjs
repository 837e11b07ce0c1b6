// Compares the requirements (fixtures/requirements/*.yaml) with the titles of the tests, and writes
// docs/reference/conformance.md.
//
//   node scripts/conformance.mjs           write the page
//   node scripts/conformance.mjs --check   only check that it is current
//
// Either way it fails for a requirement with neither a test nor a reason, and for a title that cites an unknown
// requirement.
import { parse } from 'yaml'
import { filesOf, keep, readText, runAlone } from './files.mjs'

const PAGE = 'docs/reference/conformance.md'
const ROWS = 'fixtures/requirements'
const HEAD = `# Conformance

Written by \`node scripts/conformance.mjs\` from fixtures/requirements and the titles of the tests; do not edit.
A title cites the requirements that its test shows, as in \`[rfc8785/3.1-1]\`.`
const CITATION = /\[([a-z]+\d*\/[0-9A-Za-z.]+-\d+)\]/g

/** Writes the page, or with `check` compares it. Returns what is wrong with the requirements or the page. */
export function conformance({ check }) {
  const tables = filesOf(ROWS)
    .filter((path) => path.endsWith('.yaml'))
    .map((path) => ({ name: path.slice(ROWS.length + 1), rows: parse(readText(path)) }))
  const citations = readCitations()
  return [
    ...malformed(tables),
    ...unmet(tables, citations),
    ...keep(PAGE, pageOf(tables, citations), 'scripts/conformance.mjs', { check }),
  ]
}

/** For each requirement, the test files whose titles cite it. */
function readCitations() {
  const citations = new Map()
  const files = filesOf('test').filter((path) => path.endsWith('.test.ts'))
  for (const file of files.sort()) {
    for (const [, id] of readText(file).matchAll(CITATION)) {
      citations.set(id, (citations.get(id) ?? new Set()).add(file))
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

function unmet(tables, citations) {
  const rows = tables.flatMap((table) => table.rows)
  const known = new Set(rows.map(({ id }) => id))
  const untested = rows.filter(({ id, reason }) => !citations.has(id) && reason === undefined)
  return [
    ...untested.map(({ id }) => `${id} has neither a test nor a reason`),
    ...[...citations]
      .filter(([id]) => !known.has(id))
      .map(([id, files]) => `${[...files][0]} cites ${id}, which no row has`),
  ]
}

function pageOf(tables, citations) {
  const lines = [HEAD]
  for (const { name, rows } of tables) {
    const tested = rows.filter(({ id }) => citations.has(id)).length
    lines.push('', `## ${name.replace('.yaml', '')}: ${tested} of ${rows.length} shown by tests`, '')
    lines.push('| requirement | level | demand | how | shown by |', '|---|---|---|---|---|')
    for (const { id, section, level, text, how, reason } of rows) {
      const files = [...(citations.get(id) ?? [])].map((file) => `\`${file.replace('test/', '')}\``).join(', ')
      const cells = [`${id} (${section})`, level, text, how, files || `no test: ${reason}`]
      const written = cells.map((cell) => String(cell).trim().replaceAll('|', '\\|').replaceAll('\n', ' '))
      lines.push(`| ${written.join(' | ')} |`)
    }
  }
  return `${lines.join('\n')}\n`
}

await runAlone(import.meta.url, conformance)
