// Statement coverage of core/: a copy of the sources counts every statement, and the tests of the core run on that
// copy.
//
//   node test/soak/coverage.mjs            prints percentages per file and the lines never reached; fails below 95 %
//
// Both builds are counted, because a statement that depends on ASC_FEATURE_SIMD is in only one of them.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { compileCore } from '../../scripts/core.mjs'
import { isStarted } from '../../scripts/files.mjs'

const NEEDED = 95
const OUTPUT = '.scratch/coverage'
const TESTS = ['conformance', 'digest', 'json', 'number', 'pattern', 'template', 'rank']
/** Left out: they take most of the time, and reach only one statement in a hundred that the others do not. */
const LONG = [
  ...['conformance/memory', 'json/hostile', 'json/selection', 'number/powers', 'number/published'],
  ...['pattern/hostile', 'pattern/sets', 'rank/random', 'template/hostile'],
]

/** Runs everything; returns `{ percent, passed }`. */
export async function measureCoverage() {
  const statements = await compileCounting(OUTPUT)
  if (!runTests()) return { percent: 0, passed: false }
  const percent = report(statements, readCounts(statements.length))
  return { percent, passed: percent >= NEEDED }
}

/**
 * Compiles both builds with counters into `folder`; returns `{ file, line }` for each statement, ordered by its number.
 */
export async function compileCounting(folder) {
  rmSync(folder, { recursive: true, force: true })
  const statements = instrumentAll(folder)
  await compileCore(`${folder}/core.wasm`, { simd: true, entry: `${folder}/core/abi.ts`, extra: ['-O1'] })
  await compileCore(`${folder}/core-baseline.wasm`, {
    simd: false,
    entry: `${folder}/core/baseline.ts`,
    extra: ['-O1'],
  })
  return statements
}

/** Writes counting copies of all sources; returns `{ file, line }` for each statement, ordered by its number. */
function instrumentAll(folder) {
  const statements = []
  for (const file of reachable('baseline.ts')) {
    const to = join(folder, 'core', file)
    mkdirSync(dirname(to), { recursive: true })
    const counter = `./${relative(dirname(to), join(folder, 'core/coverage'))}`
    let text = instrument(file, readFileSync(join('core', file), 'utf8'), statements)
    if (file === 'abi.ts') text += `export { coverage, statements } from "${counter}";\n`
    writeFileSync(to, `import { hit } from "${counter}";\n${text}`)
  }
  writeFileSync(
    join(folder, 'core/coverage.ts'),
    `const COUNTS: usize = memory.data(${statements.length * 4}, 16);
// @ts-ignore: decorator
@inline export function hit(i: u32): void { store<u32>(COUNTS + (i << 2), load<u32>(COUNTS + (i << 2)) + 1); }
export function coverage(): usize { return COUNTS; }
export function statements(): i32 { return ${statements.length}; }
`,
  )
  return statements
}

/** The sources of the module: `file` of core/ and everything that it imports. */
function reachable(file, found = new Set()) {
  if (found.has(file)) return found
  found.add(file)
  for (const [, target] of readFileSync(join('core', file), 'utf8').matchAll(/ from "(\..*?)";/g)) {
    reachable(`${join(dirname(file), target)}.ts`, found)
  }
  return found
}

/** The source with a call before each statement. Statements without braces get them. */
function instrument(file, source, statements) {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ESNext, true)
  const insertions = []
  const count = (statement, braced) => {
    const start = statement.getStart(tree)
    insertions.push({ at: start, text: `${braced ? '' : '{ '}hit(${statements.length}); ` })
    if (!braced) insertions.push({ at: statement.getEnd(), text: ' }' })
    statements.push({ file, line: tree.getLineAndCharacterOfPosition(start).line + 1 })
  }
  const body = (statement) => {
    if (statement !== undefined && !ts.isBlock(statement) && !ts.isIfStatement(statement)) count(statement, false)
  }
  const visit = (node) => {
    if (ts.isBlock(node) || ts.isCaseOrDefaultClause(node))
      for (const statement of node.statements) count(statement, true)
    if (ts.isIfStatement(node)) {
      if (ts.isIfStatement(node.thenStatement)) count(node.thenStatement, false)
      body(node.thenStatement)
      body(node.elseStatement)
    }
    if (ts.isIterationStatement(node, false)) body(node.statement)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  // From the end, so that earlier places stay valid. At one place, closing insertions precede opening ones.
  const order = (insertion) => (insertion.text === ' }' ? 0 : 1)
  insertions.sort((a, b) => b.at - a.at || order(b) - order(a))
  return insertions.reduce((text, { at, text: more }) => text.slice(0, at) + more + text.slice(at), source)
}

function runTests() {
  const folders = TESTS.map((name) => `test/${name}`)
  const without = LONG.map((name) => `--exclude=test/${name}.test.ts`)
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--project', 'node', ...folders, ...without],
    {
      stdio: 'inherit',
      env: { ...process.env, BLAZON_CORE: OUTPUT, BLAZON_COVERAGE: `${OUTPUT}/counts` },
    },
  )
  return status === 0
}

/** test/support/coverage.ts writes one file per test file. */
function readCounts(length) {
  const total = new Float64Array(length)
  for (const file of readdirSync(`${OUTPUT}/counts`)) {
    const counts = JSON.parse(readFileSync(`${OUTPUT}/counts/${file}`, 'utf8'))
    for (let i = 0; i < length; i++) total[i] += counts[i]
  }
  return total
}

function report(statements, counts) {
  const byFile = new Map()
  statements.forEach(({ file, line }, i) => {
    const entry = byFile.get(file) ?? { all: 0, hit: 0, missing: new Set() }
    byFile.set(file, entry)
    entry.all++
    if (counts[i] > 0) entry.hit++
    else entry.missing.add(line)
  })
  for (const [file, { all, hit, missing }] of [...byFile].sort()) {
    const lines = missing.size === 0 ? '' : `lines ${[...missing].join(', ')}`
    console.log(`${((100 * hit) / all).toFixed(1).padStart(6)} %  ${`core/${file}`.padEnd(32)} ${lines}`.trimEnd())
  }
  const percent = (100 * counts.filter((n) => n > 0).length) / statements.length
  console.log(`${percent.toFixed(1).padStart(6)} %  of ${statements.length} statements (${NEEDED} % needed)`)
  return percent
}

if (isStarted(import.meta.url)) {
  const { passed } = await measureCoverage()
  process.exitCode = passed ? 0 : 1
}
