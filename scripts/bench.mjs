// `npm run bench [-- --only json,pattern] [--runs 5]`: measures Blazon and its alternatives, prints a table, and writes
// docs/reference/benchmarks.md after a full run.
import { spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { PEERS } from '../test/support/peers.mjs'
import { ROOT } from './files.mjs'
import { ensureBuilt, ensureInstalled } from './setup.mjs'

const PAGE = 'docs/reference/benchmarks.md'
const NOT_SECTIONS = ['harness.mjs', 'documents.mjs', 'echo-worker.mjs', 'section.mjs']
const HEAD = ['job', 'against', 'we take', 'got', 'at least', 'aim', 'verdict']

process.chdir(ROOT)
const { values } = parseArgs({ options: { only: { type: 'string' }, runs: { type: 'string', default: '1' } } })
const runs = Number(values.runs)
if (!Number.isInteger(runs) || runs < 1) fail(`--runs: expected a count, got ${values.runs}`)
ensureInstalled({ tests: true })
// stdout has only the tables.
if (!ensureBuilt(['ignore', 2, 2])) fail('scripts/build.mjs did not work')

const { median, verdict } = await import('../test/bench/harness.mjs')
const results = new Map(sectionNames().map((name) => [name, []]))
for (let i = 1; i <= runs; i++) {
  if (runs > 1) console.error(`run ${i} of ${runs}`)
  for (const [name, came] of results) came.push(measured(name))
}
const tables = Array.from(results.values(), tableOf)
for (const table of tables) print(table)
if (values.only === undefined) writeFileSync(PAGE, page(tables))
const below = tables.flatMap(({ rows }) => rows).filter(({ verdict: word }) => word === 'BELOW')
if (below.length > 0) console.log(`${below.length} below the floor`)
process.exitCode = below.length > 0 ? 1 : 0

/** The requested modules of test/bench. */
function sectionNames() {
  const names = readdirSync('test/bench')
    .filter((file) => file.endsWith('.mjs') && !NOT_SECTIONS.includes(file))
    .map((file) => file.slice(0, -4))
    .sort()
  const only = values.only?.split(',')
  const unknown = only?.find((name) => !names.includes(name))
  if (unknown !== undefined) fail(`--only: expected some of ${names.join(', ')}, got ${unknown}`)
  return names.filter((name) => only?.includes(name) ?? true)
}

/** The results of one run of a section, in its own process: the heap of others changes the cost of collecting it. */
function measured(name) {
  const options = { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8', timeout: 1_800_000 }
  const { status, stdout } = spawnSync(process.execPath, ['test/bench/section.mjs', name], options)
  if (status !== 0) fail(`${name} did not work`)
  return JSON.parse(stdout)
}

/** One row for each job and alternative, with the median of all runs. */
function tableOf(came) {
  const { title, notes, rows } = came.at(-1)
  const medianOf = (i, of) => median(came.map((run) => run.rows[i][of]))
  const middle = rows.map((row, i) => {
    const typical = { ...row, got: medianOf(i, 'got'), ...(row.ours !== undefined && { ours: medianOf(i, 'ours') }) }
    return { ...typical, verdict: verdict(typical) }
  })
  return { title, notes, rows: middle }
}

function cells({ name, peer, got, floor, aim, ours, unit, verdict: word }) {
  const figure = (value) => (value === undefined ? '' : `${unit === undefined ? '' : '<= '}${value}${unit ?? 'x'}`)
  const took =
    ours === undefined ? '' : ours < 1 ? `${(ours * 1000).toFixed(ours < 0.01 ? 2 : 1)} us` : `${ours.toFixed(2)} ms`
  return [name, peer, took, `${got.toFixed(got < 10 ? 2 : 1)}${unit ?? 'x'}`, figure(floor), figure(aim), word]
}

function print({ title, rows }) {
  const lines = [HEAD, ...rows.map(cells)]
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  console.log(`\n${title}`)
  const textOf = (line) => line.map((cell, column) => cell.padEnd(widths[column])).join('  ')
  for (const line of lines) console.log(`  ${textOf(line).trimEnd()}`)
}

function page(all) {
  const peers = Object.entries(PEERS).map((pair) => pair.join(' '))
  const lines = [
    '# Benchmarks',
    '',
    `Written by \`npm run bench${runs > 1 ? ` -- --runs ${runs}` : ''}\`: a process a table, medians of 21 rounds or more in which we and the peers take`,
    `turns, answers compared first${runs > 1 ? `, and of the whole ${runs} runs the median` : ''}. "Got" is the peer's time divided by ours.`,
    '',
    `Machine: ${cpus()[0]?.model.trim()}, ${cpus().length} cores, Node ${process.versions.node}, ${process.platform} ${process.arch}.`,
    `Peers: ${peers.join(', ')}.`,
  ]
  for (const { title, notes, rows } of all) {
    lines.push('', `## ${title}`, '', `| ${HEAD.join(' | ')} |`, `|${HEAD.map(() => '---').join('|')}|`)
    lines.push(...rows.map((row) => `| ${cells(row).join(' | ')} |`))
    for (const note of notes) lines.push('', note)
  }
  return `${lines.join('\n')}\n`
}

function fail(message) {
  console.error(`bench: ${message}`)
  process.exit(2)
}
