// `npm run bench [-- --only json,pattern] [--runs 5]`: measures against peers, prints a table, writes docs/benchmarks.md
// when everything was measured.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { PEERS, peer } from './peers.mjs'
import { ensureInstalled } from './setup.mjs'

const PAGE = 'docs/benchmarks.md'
const NOT_MODULES = ['harness.mjs', 'documents.mjs']
/** Its indexes leave a large heap behind, which would make what comes after it wait for the collector. */
const LAST = 'rank.mjs'
const HEAD = ['job', 'against', 'we take', 'got', 'at least', 'aim', 'verdict']

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const { values } = parseArgs({ options: { only: { type: 'string' }, runs: { type: 'string', default: '1' } } })
const runs = Number(values.runs)
if (!Number.isInteger(runs) || runs < 1) fail(`--runs: expected a count, got ${values.runs}`)
ensureInstalled()
if (!existsSync('dist/index.js')) run(process.execPath, ['scripts/build.mjs'])

const { measure, median, verdict } = await import('../test/bench/harness.mjs')
const sections = await loadSections()
const results = new Map()
for (let i = 1; i <= runs; i++) {
  if (runs > 1) console.error(`run ${i} of ${runs}`)
  for (const section of sections) await runSection(section)
}
const tables = sections.map(({ title, notes = [] }) => ({ title, notes, rows: rowsOf(title) }))
for (const table of tables) print(table)
if (values.only === undefined) writeFileSync(PAGE, page(tables))
const below = tables.flatMap(({ rows }) => rows).filter(({ verdict: word }) => word === 'BELOW')
if (below.length > 0) console.log(`${below.length} below the floor`)
process.exitCode = below.length > 0 ? 1 : 0

/** The modules of test/bench that were asked for: `{ title, cases, notes }`; notes say what limits a figure. */
async function loadSections() {
  const names = readdirSync('test/bench').filter((file) => file.endsWith('.mjs') && !NOT_MODULES.includes(file))
  const only = values.only?.split(',')
  const unknown = only?.find((name) => !names.includes(`${name}.mjs`))
  if (unknown !== undefined)
    fail(`--only: expected some of ${names.map((name) => name.slice(0, -4)).join(', ')}, got ${unknown}`)
  const chosen = names
    .filter((name) => only === undefined || only.includes(name.slice(0, -4)))
    .sort((a, b) => (a === LAST) - (b === LAST) || (a < b ? -1 : 1))
  return Promise.all(chosen.map((name) => import(pathToFileURL(`test/bench/${name}`).href)))
}

async function runSection({ title, cases }) {
  const list = await cases({ peer })
  for (const job of list) {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${title}: ${job.name}`)
    for (const row of await measure(job)) {
      const key = JSON.stringify([title, row.name, row.peer])
      results.set(key, [...(results.get(key) ?? []), row])
    }
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
}

/** One row a job and peer, the median of all runs. */
function rowsOf(title) {
  return [...results].flatMap(([key, rows]) => {
    if (JSON.parse(key)[0] !== title) return []
    const row = { ...rows[0], got: median(rows.map(({ got }) => got)) }
    if (row.ours !== undefined) row.ours = median(rows.map(({ ours }) => ours))
    return [{ ...row, verdict: verdict(row) }]
  })
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
  for (const line of lines)
    console.log(
      `  ${line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd()}`,
    )
}

function page(all) {
  const lines = [
    '# Benchmarks',
    '',
    `Written by \`npm run bench${runs > 1 ? ` -- --runs ${runs}` : ''}\`: one process, medians of 21 rounds or more in which we and the peers take turns,`,
    `answers compared first${runs > 1 ? `, and of the whole ${runs} runs the median` : ''}. "Got" is the peer's time divided by ours.`,
    '',
    `Machine: ${cpus()[0]?.model.trim()}, ${cpus().length} cores, Node ${process.versions.node}, ${process.platform} ${process.arch}.`,
    `Peers: ${Object.entries(PEERS)
      .map((pair) => pair.join(' '))
      .join(', ')}.`,
  ]
  for (const { title, notes, rows } of all) {
    lines.push('', `## ${title}`, '', `| ${HEAD.join(' | ')} |`, `|${HEAD.map(() => '---').join('|')}|`)
    lines.push(...rows.map((row) => `| ${cells(row).join(' | ')} |`))
    for (const note of notes) lines.push('', note)
  }
  return `${lines.join('\n')}\n`
}

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 2, 2], timeout: 300_000 })
  if (status !== 0) fail(`${command} ${args[0]} did not work`)
}

function fail(message) {
  console.error(`bench: ${message}`)
  process.exit(2)
}
