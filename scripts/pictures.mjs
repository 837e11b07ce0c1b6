// Draws the pictures of README.md from the real thing: what the command line prints about a faulty definition, and the
// ratios of docs/reference/benchmarks.md. Both follow the reader's choice of light or dark.
//
//   node scripts/pictures.mjs          writes docs/images/*.svg; `npm run check` compares them
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { keep, runAlone } from './files.mjs'

const FAULTY = `adl_spec: 0.1.0
name: Invoice Processor
description: Reads invoices and checks their amounts.
version: 1.0
data_classification: { sensitivity: internal }
tools:
  - name: read_invoice
    descripton: Reads one invoice.
`

/** The bars of the chart: its words for a job, and the table, job and peer of the row in docs/reference/benchmarks.md. */
const BARS = [
  ['best 10 of 100,000 agent cards, against minisearch', 'Ranking', 'a query, p50', 'minisearch'],
  ['500 host patterns, against a RegExp each', 'Patterns', '500 patterns x 10,000 hosts', 'RegExp each'],
  ['a prompt of 100 KB, against handlebars', 'Templates', '100 KB to bytes', 'handlebars'],
  ['100 KB of canonical JSON, against canonicalize', 'JSON: bytes', '100 KB, against canonicalize', 'canonicalize'],
  ['the same, against JSON.parse alone', 'JSON: bytes', '100 KB, against decode and JSON.parse alone', 'JSON.parse'],
  ['check a definition, against Ajv and our rules', 'ADL', 'validate, 6.1 KB', 'JSON.parse, Ajv, rules'],
  ['check a card, against Ajv and our rules', 'Agent Cards', 'validate, 1.5 KB', 'JSON.parse, Ajv, rules'],
  ['a compiled schema, against Ajv', 'JSON Schema', 'a value that is valid, the schema compiled before', 'ajv'],
]

const STYLE = `
    svg { color-scheme: light dark }
    text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #1f2328; white-space: pre }
    .back { fill: #f6f8fa; stroke: #d1d9e0 } .bar { fill: #0969da } .slower { fill: #bc4c00 } .line { stroke: #59636e }
    .b { font-weight: 700 } .d { fill: #59636e } .r { fill: #b3261e } .y { fill: #7d5a00 } .c { fill: #0b6b74 }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 } .back { fill: #151b23; stroke: #3d444d } .bar { fill: #4493f8 } .slower { fill: #db6d28 } .line { stroke: #9198a1 }
      .d { fill: #9198a1 } .r { fill: #ff8a80 } .y { fill: #e3b341 } .c { fill: #76e3ea }
    }`

const LINE = 20
const CHARACTER = 8.43
const PADDING = 20

/** The classes that a code of a terminal begins and ends. */
const BEGINS = { 1: 'b', 2: 'd', 31: 'r', 33: 'y', 36: 'c' }
const ENDS = { 22: ['b', 'd'], 39: ['r', 'y', 'c'] }

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function svg(width, height, label, body) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${label}">
  <style>${STYLE}
  </style>
  <rect class="back" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${body.join('\n')}
</svg>
`
}

/** A terminal that shows a command and what it printed, in colour. */
function terminal(command, output) {
  const lines = [`\x1b[2m$\x1b[22m ${command}`, '', ...output.trimEnd().split('\n')]
  const columns = Math.max(...lines.map((line) => stripVTControlCharacters(line).length))
  const body = lines.map((line, i) => {
    const y = PADDING + 14 + i * LINE
    return `  <text x="${PADDING}" y="${y}" xml:space="preserve">${spansOf(line).join('')}</text>`
  })
  const label = 'blazon validate shows two errors of a definition, each with its place and a hint'
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

function printed() {
  const folder = mkdtempSync(join(tmpdir(), 'blazon-picture-'))
  writeFileSync(join(folder, 'agent.adl.yaml'), FAULTY)
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
  const sections = readFileSync('docs/reference/benchmarks.md', 'utf8').split(/^## /m)
  const body = BARS.flatMap((bar, i) => {
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
  const height = 2 * PADDING + 2 * LINE + BARS.length * 1.3 * LINE
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
  const script = 'scripts/pictures.mjs'
  return [
    ...keep('docs/images/validate.svg', terminal('blazon validate agent.adl.yaml', printed()), script, { check }),
    ...keep('docs/images/speed.svg', chart(), script, { check }),
  ]
}

await runAlone(import.meta.url, pictures)
