// Draws the pictures of README.md from the real thing: what the command line prints about a faulty definition and a
// recorded session, and the ratios of docs/reference/benchmarks.md. All follow the reader's choice of light or dark.
//
//   node scripts/pictures.mjs          writes docs/images/*.svg; `npm run check` compares them
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { parse } from 'yaml'
import { keep, readText, runAlone } from './files.mjs'

const DATA = 'fixtures/pictures'
const LINE = 20
const CHARACTER = 8.43
const PADDING = 20

/** The classes that a code of a terminal begins and ends. */
const BEGINS = { 1: 'b', 2: 'd', 31: 'r', 33: 'y', 36: 'c' }
const ENDS = { 22: ['b', 'd'], 39: ['r', 'y', 'c'] }

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function svg(width, height, label, lines) {
  const values = { width, height, innerWidth: width - 1, innerHeight: height - 1, label, body: lines.join('\n') }
  return readText(`${DATA}/frame.svg`).replace(/\{\{(\w+)\}\}/g, (_, name) => values[name])
}

/** A terminal that shows a command and what it printed, in colour. */
function terminal(label, command, output) {
  const lines = [`\x1b[2m$\x1b[22m ${command}`, '', ...output.trimEnd().split('\n')]
  const columns = Math.max(...lines.map((line) => stripVTControlCharacters(line).length))
  const body = lines.map((line, i) => {
    const y = PADDING + 14 + i * LINE
    return `  <text x="${PADDING}" y="${y}" xml:space="preserve">${spansOf(line).join('')}</text>`
  })
  return svg(Math.ceil(columns * CHARACTER) + 2 * PADDING, lines.length * LINE + 2 * PADDING, label, body)
}

/** The parts of a line, each in the classes that the codes before it began and did not end. */
function spansOf(line) {
  const classes = new Set()
  return line.split('\x1b[').map((part, i) => {
    const [, code, text] = i === 0 ? ['', '', part] : /^(\d+)m(.*)$/.exec(part)
    if (BEGINS[code]) classes.add(BEGINS[code])
    for (const name of ENDS[code] ?? []) classes.delete(name)
    if (text === '' || classes.size === 0) return escaped(text)
    return `<tspan class="${[...classes].join(' ')}">${escaped(text)}</tspan>`
  })
}

/** What happened in a recorded session, without the notes below it. */
function shownRun() {
  const argv = ['dist/cli/blazon.js', 'runs', 'show', `${DATA}/session.ndjson`, '--color']
  const { stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' })
  return stdout + stderr.split('\n')[0]
}

function printed() {
  const folder = mkdtempSync(join(tmpdir(), 'blazon-picture-'))
  copyFileSync(`${DATA}/agent.adl.yaml`, join(folder, 'agent.adl.yaml'))
  const args = ['validate', 'agent.adl.yaml', '--color', '--rule', 'schema-member=off']
  const { stdout, stderr } = spawnSync(process.execPath, [resolve('dist/cli/blazon.js'), ...args], {
    cwd: folder,
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  return stdout + stderr
}

/** The ratio in a row of the benchmarks: the speedup of Blazon over its peer. */
function ratioOf(sections, [name, table, job, peer]) {
  const section = sections.find((text) => text.startsWith(table))
  const row = section?.split('\n').find((line) => line.startsWith(`| ${job} | ${peer} |`))
  const ratio = Number(row?.split('|')[4].trim().replace('x', ''))
  if (!(ratio > 0)) throw new Error(`docs/reference/benchmarks.md has no row for "${name}": ${table}, ${job}, ${peer}`)
  return ratio
}

/** Bars on a logarithmic scale: those to the right of the line are faster than the alternative, those to the left slower. */
function chart() {
  const names = 50 * CHARACTER
  const decade = 130
  const one = names + 80
  const sections = readText('docs/reference/benchmarks.md').split(/^## /m)
  const bars = parse(readText(`${DATA}/bars.yaml`))
  const body = bars.flatMap((bar, i) => {
    const ratio = ratioOf(sections, bar)
    const y = PADDING + 2 * LINE + i * 1.3 * LINE
    const end = one + Math.log10(ratio) * decade
    const [left, width] = [Math.min(one, end), Math.abs(end - one)]
    return [
      `  <text x="${PADDING}" y="${y + 14}">${escaped(bar[0])}</text>`,
      `  <rect class="bar${ratio < 1 ? ' slower' : ''}" x="${left.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="18" rx="2"/>`,
      `  <text class="b" x="${(Math.max(one, end) + 8).toFixed(1)}" y="${y + 14}">${ratio}x</text>`,
    ]
  })
  const height = 2 * PADDING + 2 * LINE + bars.length * 1.3 * LINE
  const head = `  <text class="d" x="${PADDING}" y="${PADDING + 14}">Speedup over the alternative (logarithmic; right of the line is faster)</text>`
  const line = `  <path class="line" d="M${one} ${PADDING + LINE + 10}V${height - PADDING}"/>`
  return svg(
    one + 3 * decade + 2 * PADDING,
    height,
    'Speedups of Blazon over other libraries; docs/reference/benchmarks.md has the numbers',
    [head, ...body, line],
  )
}

export function pictures({ check }) {
  const found = 'blazon validate shows two errors of a definition, each with its place and a hint'
  const done = 'blazon runs show lists what an agent did, and a command that its definition denied'
  const drawn = {
    validate: terminal(found, 'blazon validate agent.adl.yaml', printed()),
    run: terminal(done, 'blazon runs show latest', shownRun()),
    speed: chart(),
  }
  return Object.entries(drawn).flatMap(([name, svg]) =>
    keep(`docs/images/${name}.svg`, svg, 'scripts/pictures.mjs', { check }),
  )
}

await runAlone(import.meta.url, pictures)
