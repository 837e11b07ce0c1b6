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
const SPECIFIED = [...new Set(SPECIFICATION_FOLDERS.map((folder) => `bindings/${folder.split('/')[0]}/`))].filter(
  (room) => room !== 'bindings/discover/' && room !== 'bindings/runs/',
)

/** From the top down. An import must point to a lower floor, never to another folder on the same floor. */
const FLOORS = [
  {
    rooms: ['cli/', 'edge/worker.ts', 'browser-demo/'],
    what: 'apps: they own I/O, nothing else',
  },
  { rooms: ['edge/routes.ts', 'edge/objects/'], what: 'all routes; the Durable Objects' },
  {
    rooms: ['edge/wellknown/', 'edge/api/', 'edge/operator/'],
    what: 'routes of a host, for documents, for operators',
  },
  {
    rooms: ['edge/a2a/', 'edge/gateway/', 'edge/registry/', 'edge/runs/'],
    what: 'routes: A2A, conversations and tasks, containers, runs',
  },
  { rooms: ['edge/agents/'], what: 'routes: definitions, metadata, cards, keys, hosts' },
  { rooms: ['edge/moderation/'], what: 'which cards are accepted' },
  { rooms: ['edge/directory/'], what: 'cards in shards, searched as one' },
  { rooms: ['edge/access/'], what: 'who may use a route' },
  { rooms: ['edge/env.ts'], what: 'bindings, settings, stubs' },
  { rooms: ['edge/contracts/'], what: 'interfaces of the Durable Objects' },
  { rooms: ['edge/storage/'], what: 'lists in SQLite' },
  { rooms: ['edge/http/'], what: 'bodies, parameters, answers' },
  { rooms: ['edge/platform/'], what: 'what the Worker needs of Cloudflare; nothing else names it' },
  { rooms: ['bindings/node/'], what: 'the one entry that may use node:*' },
  { rooms: ['bindings/*.ts'], what: 'the verbs for documents of any kind' },
  { rooms: ['bindings/agp/', 'bindings/selftest/'], what: 'messages between agents; tests that ship' },
  {
    rooms: ['bindings/convert/', 'bindings/discover/', 'bindings/directory/'],
    what: 'conversions; discovery on the network; many cards',
  },
  { rooms: ['bindings/runs/'], what: 'records of runs, and what an agent may do in them' },
  {
    rooms: SPECIFIED,
    what: 'a specification a folder: rules, signature, verbs',
  },
  {
    rooms: ['bindings/policy/'],
    what: 'permissions, trust, tool values, differences',
  },
  { rooms: ['bindings/mcp/'], what: "messages of MCP, a client's session" },
  { rooms: ['bindings/net/'], what: 'fetching with a guard, did:web' },
  {
    rooms: ['bindings/frame/'],
    what: 'kinds, rules, findings, proofs',
  },
  { rooms: ['bindings/kinds.ts'], what: 'what is known about each kind without its code' },
  {
    rooms: ['bindings/schema/', 'bindings/keys/', 'bindings/tables/'],
    what: 'JSON Schema and text formats; keys, signatures; named lists, the table of kinds',
  },
  { rooms: ['bindings/core/'], what: 'typed access to the module' },
  { rooms: ['bindings/document/'], what: 'documents with places, faults, edits' },
  { rooms: ['bindings/text/'], what: 'functions of strings and values' },
  {
    rooms: ['bindings/wasm/'],
    what: 'the module, its memory and exports',
  },
]

const SOURCE = /\.(ts|mts)$/
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g

/** Rooms whose files may import each other in a circle, until they are put in order. */
const CIRCULAR = ['bindings/directory/', 'bindings/discover/', 'bindings/schema/', 'browser-demo/', 'cli/']

/** The violations among the imports below `root`, a line each. */
export function floors(root = '.', rows = FLOORS) {
  const floorOf = new Map(rows.flatMap(({ rooms }, floor) => rooms.map((room) => [room, floor])))
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
  const lines = FLOORS.map(({ rooms, what }) => {
    const names = rooms.filter((room) => room.endsWith('*.ts') || existsSync(room)).join('  ')
    return names.length > 46 ? `    ${names}\n    ${' '.repeat(48)}${what}` : `    ${names.padEnd(48)}${what}`
  })
  const drawn = [
    ...lines,
    `    ${'='.repeat(36)}`,
    `    ${'core/'.padEnd(48)}AssemblyScript: one module, no imports, no garbage collector`,
  ]
  return keep(DRAWING, `${before}${FROM}\n\n${drawn.join('\n')}\n\n${TO}${after}`, 'scripts/floors.mjs', { check })
}

await runAlone(import.meta.url, (options) => [...floors(), ...drawing(options)])
