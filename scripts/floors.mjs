// The allowed imports between folders, and inside of them: no files may import each other in a circle. `npm run check`
// compares every import with that, including type imports. The diagram in docs/design/design.md is made from the rows.
//
//   node scripts/floors.mjs           write the diagram
//   node scripts/floors.mjs --check   only report problems
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { keep, runAlone } from './files.mjs'
import { SPECIFICATION_FOLDERS } from './specifications.mjs'

const DRAWING = 'docs/design/design.md'
const FROM = '<!-- floors: written by scripts/floors.mjs -->'
const TO = '<!-- end of floors -->'

/** The folders of specifications, except those of traces and of runs. */
const SPECIFIED = [...new Set(SPECIFICATION_FOLDERS.map((folder) => `${folder.split('/')[0]}/`))].filter(
  (room) => room !== 'discover/' && room !== 'runs/',
)

/**
 * From the top down: a name, the folder of its rooms, and the rooms. An import must point to a lower floor, or on the same
 * one to a room behind a `>`: rooms between two of these do not import each other.
 */
const FLOORS = [
  ['apps', '', 'cli/ edge/worker.ts browser-demo/'],
  ['routes', 'edge/', 'routes.ts objects/ > wellknown/ api/ operator/ > a2a/ gateway/ registry/ runs/ > agents/'],
  ['Worker', 'edge/', 'moderation/ > directory/ > access/ > env.ts > contracts/ > storage/ > http/ > platform/'],
  ['entries', 'bindings/', 'node/ > *.ts'],
  ['systems', 'bindings/', 'agp/ selftest/ > convert/ discover/ directory/ > runs/'],
  ['specifications', 'bindings/', SPECIFIED.join(' ')],
  ['frame', 'bindings/', 'policy/ > mcp/ > net/ > frame/ > kinds.ts'],
  ['ground', 'bindings/', 'schema/ keys/ tables/ > core/ > document/ > text/ > wasm/'],
]
const LEVELS = FLOORS.flatMap(([, folder, rooms]) =>
  rooms.split(' > ').map((level) => level.split(' ').map((room) => folder + room)),
)

const SOURCE = /\.(ts|mts)$/
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g

/** Rooms whose files may import each other in a circle, until they are put in order. */
const CIRCULAR = ['bindings/directory/', 'bindings/discover/', 'bindings/schema/', 'browser-demo/', 'cli/']

/** The violations among the imports below `root`, a line each. */
export function floors(root = '.') {
  const floorOf = new Map(LEVELS.flatMap((rooms, level) => rooms.map((room) => [room, level])))
  const tops = new Set([...floorOf.keys()].map((room) => room.split('/')[0]))
  const paths = [...tops].flatMap((top) => [...sourcesIn(root, top)])
  const imports = new Map(paths.map((path) => [path, importsOf(root, path)]))
  const problems = paths.flatMap((path) => [...wrongImports(path, imports.get(path), floorOf)])
  for (const path of paths) if (CIRCULAR.some((room) => path.startsWith(room))) imports.delete(path)
  return [...problems, ...circles(imports).map((files) => `${files.join(' -> ')}: a circle of imports`)]
}

function importsOf(root, path) {
  const found = readFileSync(join(root, path), 'utf8').matchAll(IMPORT)
  return Array.from(found, ([, target]) => normalize(join(dirname(path), target)).replaceAll('\\', '/'))
}

function* wrongImports(path, imports, floorOf) {
  const own = roomOf(path, floorOf)
  if (own === undefined) {
    yield `${path}: stands in a room that scripts/floors.mjs does not have`
    return
  }
  for (const to of imports) {
    const other = roomOf(to, floorOf)
    if (other === undefined || other === own || floorOf.get(other) > floorOf.get(own)) continue
    yield `${path}: imports ${to}, which is ${floorOf.get(other) === floorOf.get(own) ? 'beside' : 'above'} it`
  }
}

/** The files of each circle: an import of a file that leads to the importing one. */
function circles(imports) {
  const [found, done] = [[], new Set()]
  const visit = (path, trail) => {
    if (trail.includes(path)) found.push([...trail.slice(trail.indexOf(path)), path])
    else if (!done.has(path)) {
      for (const to of imports.get(path) ?? []) visit(to, [...trail, path])
      done.add(path)
    }
  }
  for (const path of imports.keys()) visit(path, [])
  return found
}

/** `bindings/card/`, `bindings/*.ts`, or undefined: the longest matching row wins. */
function roomOf(path, floorOf) {
  let best
  for (const room of floorOf.keys()) {
    const fits = room.endsWith('*.ts') ? dirname(path) === dirname(room) : path.startsWith(room)
    if (fits && (best === undefined || room.length > best.length)) best = room
  }
  return best
}

function* sourcesIn(root, folder) {
  if (!existsSync(join(root, folder))) return
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) yield* sourcesIn(root, path)
    else if (SOURCE.test(entry.name)) yield path
  }
}

/** The diagram of the floors in docs/design/design.md. */
export function drawing({ check }) {
  const text = readFileSync(DRAWING, 'utf8')
  const [before, rest] = text.split(FROM)
  const after = rest?.split(TO)[1]
  if (after === undefined) return [`${DRAWING}: has no place for the floors`]
  const ground = ['core', 'core/', 'AssemblyScript: one module, no imports, no garbage collector']
  const lines = [...FLOORS, ground].map(([name, ...rooms]) => `    ${name.padEnd(16)}${rooms.join('  ').trim()}`)
  const drawn = lines.toSpliced(-1, 0, `    ${'='.repeat(14)}`)
  return keep(DRAWING, `${before}${FROM}\n\n${drawn.join('\n')}\n\n${TO}${after}`, 'scripts/floors.mjs', { check })
}

await runAlone(import.meta.url, (options) => [...floors(), ...drawing(options)])
