// Chooses faults in all rooms: a share by lines, at least one for each, at most one for a file.
import { readFileSync } from 'node:fs'
import { filesOf } from '../../../scripts/files.mjs'
import { sitesOf } from './sites.mjs'

const FOLDERS = ['core', 'bindings', 'cli', 'edge', 'browser-demo']
const KINDS = ['condition', 'check', 'await', 'constant']
const TRIES = 10_000

export function chooseFaults(count, seed) {
  const below = belowOf(seed)
  const rooms = roomsOf(FOLDERS.flatMap(filesOf).filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts')))
  const lines = rooms.reduce((sum, room) => sum + room.lines, 0)
  const shares = rooms.map((room) => Math.max(1, Math.floor((room.lines / lines) * count)))
  // What rounding leaves goes to the rooms in turn, the largest first.
  const missing = count - shares.reduce((sum, share) => sum + share, 0)
  return rooms.flatMap(({ name, files }, at) => {
    const share = shares[at] + (at < missing ? 1 : 0)
    return chooseIn(files, share, below).map((fault) => ({ room: name, ...fault }))
  })
}

/** Seeded whole numbers below a limit: linear congruences, the upper bits. */
function belowOf(seed) {
  let state = BigInt(seed)
  return (limit) => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n)
    return Number(state >> 33n) % limit
  }
}

/** The rooms of the sources that people write, the largest first: each folder of bindings/ is one. */
function roomsOf(files) {
  const rooms = new Map()
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    if (text.startsWith('// Written by scripts/')) continue
    const name = /^(?:bindings(?:\/[^/]+(?=\/))?|[^/]+)/.exec(file)[0]
    const room = rooms.get(name) ?? { name, lines: 0, files: [] }
    const lines = text.split('\n').length
    room.files.push({ file, text, lines })
    room.lines += lines
    rooms.set(name, room)
  }
  return [...rooms.values()].sort((a, b) => b.lines - a.lines)
}

function chooseIn(files, share, below) {
  const chosen = new Map()
  const lines = files.flatMap((file) => Array(file.lines).fill(file))
  for (let tries = 0; chosen.size < share && tries < TRIES; tries++) {
    const { file, text } = lines[below(lines.length)]
    if (chosen.has(file)) continue
    const sites = sitesOf(file, text)
    const kinds = KINDS.map((kind) => sites.filter((site) => site.kind === kind)).filter((list) => list.length > 0)
    if (kinds.length === 0) continue
    const some = kinds[below(kinds.length)]
    const site = some[below(some.length)]
    // As many lines as before, so that errors keep their places.
    const after = site.after + '\n'.repeat(site.before.split('\n').length - site.after.split('\n').length)
    chosen.set(file, { ...site, changed: text.slice(0, site.start) + after + text.slice(site.end) })
  }
  return [...chosen.values()]
}
