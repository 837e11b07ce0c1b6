// Coverage-guided fuzzing of the core: node test/soak/fuzz.mjs [seconds, 600] [seed, from the clock] [--only=json,card] [--keep]
//
// Inputs that reach a statement more often than any before (by powers of two) are kept and varied further. Every input
// runs in a build with SIMD that counts its statements and in the plain build, which must agree. The corpus lies in
// fixtures/fuzz, a file a target, an input a line in base64; --keep replaces it by the fewest and shortest inputs, of it
// and of what this run found, that reach as much. test/soak/corpus.test.ts replays it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { compileCounting } from './coverage.mjs'

const [seconds = '600', seed = String(Date.now() % 1e9)] = process.argv
  .slice(2)
  .filter((word) => !word.startsWith('--'))
const keep = process.argv.includes('--keep')
const only = process.argv
  .find((word) => word.startsWith('--only='))
  ?.slice('--only='.length)
  .split(',')
const SCRATCH = '.scratch/fuzz'
const CORPUS = 'fixtures/fuzz'
/** No input is larger, and none may take longer than this. */
const LONGEST = 4096
const SLOWEST_MS = 2000

const DICTIONARY = {
  json: [
    '{"a":1}',
    '[',
    ']',
    '{',
    '}',
    '"',
    ',',
    ':',
    '\\u',
    '\\ud83d\\ude00',
    '1e400',
    '-0',
    '0.1',
    'true',
    'null',
    'false',
    '9007199254740993',
    '1E-7',
    ' ',
    '\n',
  ],
  without: ['/a', '/a/0', '/~0', '/~1', ' ', '\n', '{"a":{"b":[1,2]},"c":3}', '"a":'],
  template: ['{{', '}}', '\\{{', '{{a}}', '{{b_1}}', '{', '}', '\\', '\n'],
  pattern: ['*', '**', '/**', '/a/**/b', '*.b.c', '.', '/', ' ', '\n', 'a', 'A_*'],
  card: [
    '{"id":"agent://a","name":"n","description":"translate text","skills":["nlp/x"],"tools":[{"name":"a"}]}',
    '"id":"agent://a"',
    '"skills":["nlp/x"]',
    '"description":"translate text"',
    '"tools":[{"name":"a"}]',
    '{',
    '}',
    ',',
    '"name":"n"',
  ],
  snapshot: ['\0\0\0\0', '\xff\xff\xff\xff', '\x01\0\0\0'],
}

await compileCounting(SCRATCH)
await build({
  entryPoints: ['test/soak/fuzz-targets.ts'],
  outfile: `${SCRATCH}/targets.mjs`,
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  external: ['#wasm'],
})

const counters = []
const Plain = WebAssembly.Instance
WebAssembly.Instance = class extends Plain {
  constructor(module, imports) {
    super(module, imports)
    if ('coverage' in this.exports) counters.push(this.exports)
  }
}
const load = async (name, module, baseline) => {
  const loaded = await import(`${pathToFileURL(`${SCRATCH}/targets.mjs`)}?${name}`)
  const [build, cards] = [module, baseline].map((file) => new WebAssembly.Module(readFileSync(file)))
  loaded.use(build, cards)
  return loaded
}
const counted = await load('counting', `${SCRATCH}/core.wasm`, `${SCRATCH}/core-baseline.wasm`)
const plain = await load('plain', 'dist/wasm/core-baseline.wasm', 'dist/wasm/core-baseline.wasm')

let state = Number(seed) >>> 0
function random() {
  state = (state + 0x6d2b79f5) >>> 0
  let t = Math.imul(state ^ (state >>> 15), 1 | state)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296
}
const below = (n) => Math.floor(random() * n)
const pick = (list) => list[below(list.length)]

/** The most often, as a power of two, that each statement was reached. */
let reached = new Uint8Array(0)

/** Adds up what the last input reached; true when some statement was reached more often than ever. */
function isNews() {
  let news = false
  for (const core of counters) {
    const counts = new Uint32Array(core.memory.buffer, core.coverage(), core.statements())
    if (reached.length === 0) reached = new Uint8Array(counts.length)
    for (let i = 0; i < counts.length; i++) {
      if (counts[i] === 0) continue
      const level = 32 - Math.clz32(counts[i])
      if (level > reached[i]) {
        reached[i] = level
        news = true
      }
      counts[i] = 0
    }
  }
  // Instances of their own come and go with the indexes that own them; the first is the shared one.
  counters.splice(1)
  return news
}

function vary(target, corpus) {
  let bytes = [...pick(corpus)]
  for (let n = 1 + below(6); n > 0; n--) {
    const at = below(bytes.length + 1)
    const word = Buffer.from(pick(DICTIONARY[target]), 'latin1')
    const other = pick(corpus)
    const change = pick([
      () => bytes.splice(at, 1 + below(4)),
      () => bytes.splice(at, 0, ...word),
      () => bytes.splice(at, word.length, ...word),
      () => bytes.splice(at, 1, below(256)),
      () => bytes.splice(at, 1, (bytes[at] ?? 0) ^ (1 << below(8))),
      () => bytes.splice(at, 0, ...bytes.slice(at, at + below(32))),
      () => bytes.splice(at, bytes.length, ...other.slice(below(other.length + 1))),
    ])
    change()
  }
  if (bytes.length > LONGEST) bytes = bytes.slice(0, LONGEST)
  return Uint8Array.from(bytes)
}

/** Of a target's corpus what is needed to reach all that it reaches, short inputs first. */
function smallest(name) {
  reached.fill(0)
  return corpora[name].sort((a, b) => a.length - b.length).filter((bytes) => run(name, bytes))
}

const names = Object.keys(counted.targets).filter((name) => only?.includes(name) ?? true)
const corpora = {}
for (const name of names) {
  const file = `${CORPUS}/${name}.txt`
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean) : []
  corpora[name] = lines.map((line) => new Uint8Array(Buffer.from(line, 'base64')))
  if (corpora[name].length === 0)
    corpora[name].push(...DICTIONARY[name].map((word) => new Uint8Array(Buffer.from(word, 'latin1'))))
}
if (corpora.snapshot?.length <= DICTIONARY.snapshot.length) corpora.snapshot.push(plain.seedSnapshot())

let runs = 0
let failures = 0
function run(name, bytes) {
  runs++
  const begun = performance.now()
  try {
    const first = JSON.stringify(counted.targets[name](bytes))
    const second = JSON.stringify(plain.targets[name](bytes))
    if (first !== second) throw new Error(`the builds differ:\n  ${first}\n  ${second}`)
    const took = performance.now() - begun
    if (took > SLOWEST_MS) throw new Error(`took ${took.toFixed(0)} ms`)
  } catch (e) {
    failures++
    console.error(`${name} ${Buffer.from(bytes).toString('base64')}\n  ${e.stack}`)
    if (failures >= 10) process.exit(1)
  }
  return isNews()
}

console.log(`fuzzing for ${seconds} s, seed ${seed}`)
for (const name of names) for (const bytes of corpora[name]) run(name, bytes)
const found = Object.fromEntries(names.map((name) => [name, []]))
const start = performance.now()
let said = start
while (performance.now() - start < Number(seconds) * 1000) {
  const name = pick(names)
  const bytes = vary(name, corpora[name])
  if (run(name, bytes)) {
    corpora[name].push(bytes)
    found[name].push(bytes)
  }
  if (performance.now() - said > 30_000) {
    said = performance.now()
    const sizes = names.map((each) => `${each} ${corpora[each].length}`).join(', ')
    const hit = reached.filter((level) => level > 0).length
    console.log(
      `${((said - start) / 1000).toFixed(0)} s, ${runs} inputs, ${hit} of ${reached.length} statements, corpus: ${sizes}`,
    )
  }
}
if (keep) {
  mkdirSync(CORPUS, { recursive: true })
  for (const name of names) {
    const lines = smallest(name).map((bytes) => `${Buffer.from(bytes).toString('base64')}\n`)
    writeFileSync(`${CORPUS}/${name}.txt`, lines.join(''))
  }
}
console.log(`${runs} inputs, ${Object.values(found).flat().length} new to the corpus, ${failures} failures`)
process.exitCode = failures === 0 ? 0 : 1
