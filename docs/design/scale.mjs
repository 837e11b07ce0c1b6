// Simulates how the directory reaches a hundred million cards and ten thousand queries a second: node docs/design/scale.mjs
//
// A simulation from measured figures; docs/design/scale.md has the source of each. Queries are as frequent as words (Zipf),
// and arrive at roots. Each root remembers the answers to its share of them. Other queries go to every shard through a
// tree that batches queries over a few milliseconds. Each copy of a shard is a queue.

/**
 * Milliseconds of processor time for one query in a shard with this many cards, and for a call regardless of the cards.
 */
const QUERY_MS = (cards) => QUERY_BASE_MS + QUERY_CARD_MS * cards
const QUERY_BASE_MS = 0.3
const QUERY_CARD_MS = 0.5 / 40_000
const CALL_MS = 0.6
/** The time from object to object in one region: the median, and the spread of the tail (log-normal). */
const HOP_MS = 2
const HOP_SPREAD = 0.6
const CARDS_PER_SHARD = 100_000
const CHILDREN = 32
/** Queries that arrive within this time go to a shard in one call. */
const BATCH_MS = 10
/** The largest part of its time that a shard should be busy. */
const BUSY = 0.6

/** How long roots remember answers, the number of distinct queries after folding, and the frequency of common ones. */
const FRESH_S = 60
const DISTINCT = 5_000_000
const ZIPF = 1
/** The most queries to a root in a second. */
const ROOT_RATE = 700

/**
 * US dollars from Cloudflare's price list of 2025: per million calls, million GB-s, million rows written, and GB-month.
 */
const PRICE = { call: 0.15, time: 12.5, row: 1, storage: 0.2, request: 0.3 }
/** This many WebSocket messages, between gatherers and shards, are billed as one call. */
const MESSAGES = 20
const MONTH_S = 2_592_000
const OBJECT_GB = 0.128
const STORED_KB = 4
/** The fraction of the cards that changes within a day, and the rows of tables and indices that each change writes. */
const CHANGED = 0.1
const ROWS = 5

const SAMPLES = 4000

let state = 1
function random() {
  state = (state + 0x6d2b79f5) >>> 0
  let t = Math.imul(state ^ (state >>> 15), 1 | state)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296
}

const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
const hop = () => HOP_MS * Math.exp(HOP_SPREAD * normal())
const most = (n, draw) => {
  let largest = 0
  for (let i = 0; i < n; i++) largest = Math.max(largest, draw())
  return largest
}

/** The fraction of queries that roots answer from memory: a query with rate r misses once in 1 + r t. */
function hitRate(rate) {
  let weights = 0
  let hits = 0
  for (let rank = 1; rank <= DISTINCT; rank++) weights += rank ** -ZIPF
  for (let rank = 1; rank <= DISTINCT; rank++) {
    const share = rank ** -ZIPF / weights
    const expected = share * rate * FRESH_S
    hits += (share * expected) / (1 + expected)
  }
  return hits
}

/**
 * The time until a shard has answered, including the wait, when it is busy for a fraction of its time and service times
 * are nearly constant (M/D/1).
 */
function served(busy, service) {
  if (random() > busy) return service
  return service - (Math.log(1 - random()) * service * busy) / (2 * (1 - busy))
}

function plan(cards, rate) {
  const shards = Math.max(1, Math.ceil(cards / CARDS_PER_SHARD))
  const query = QUERY_MS(cards / shards)
  const hits = hitRate(rate)
  const misses = rate * (1 - hits)
  let copies = 0
  let calls
  let busy
  do {
    copies++
    // Clients call a single shard directly; with many shards, gatherers call them in batches.
    calls = shards === 1 ? misses / copies : Math.min(misses / copies, 1000 / BATCH_MS)
    busy = ((misses / copies) * query + calls * CALL_MS) / 1000
  } while (busy > BUSY)
  const service = (misses / copies / calls) * query + CALL_MS
  const times = Array.from({ length: SAMPLES }, () => latency(shards, busy, service)).sort((a, b) => a - b)
  const gatherers = shards > CHILDREN ? Math.ceil(shards / CHILDREN) * copies : 0
  const roots = shards === 1 ? 0 : Math.ceil(rate / ROOT_RATE)
  const objects = shards * copies + gatherers + roots
  const cost = {
    calls: ((((shards * copies + gatherers) * calls) / MESSAGES + rate) * MONTH_S * PRICE.call) / 1e6,
    time: (objects * OBJECT_GB * MONTH_S * PRICE.time) / 1e6,
    rows: (cards * CHANGED * 30 * ROWS * copies * PRICE.row) / 1e6,
    storage: (cards * STORED_KB * copies * PRICE.storage) / 1e6,
    requests: (rate * MONTH_S * PRICE.request) / 1e6,
  }
  const quantile = (q) => times[Math.floor(q * (SAMPLES - 1))]
  return { shards, copies, objects, hits, misses, busy, p50: quantile(0.5), p99: quantile(0.99), cost }
}

/**
 * The latency of a query that no root remembers. Each shard is called once, because the roots already have the word
 * statistics.
 */
function latency(shards, busy, service) {
  const one = () => hop() + served(busy, service)
  const gather = (n, ask) => hop() + random() * BATCH_MS + most(n, ask)
  if (shards === 1) return one()
  if (shards <= CHILDREN) return gather(shards, one)
  return gather(Math.ceil(shards / CHILDREN), () => gather(CHILDREN, one))
}

const number = (value) => Math.round(value).toLocaleString('en')
console.log(
  '| cards | queries/s | shards | copies | objects | from caches | asked/s | busy | p50 ms | p99 ms | dollars a month |',
)
console.log('|---|---|---|---|---|---|---|---|---|---|---|')
for (const [cards, rate] of [
  [100_000, 100],
  [1_000_000, 500],
  [10_000_000, 2000],
  [100_000_000, 10_000],
]) {
  const { shards, copies, objects, hits, misses, busy, p50, p99, cost } = plan(cards, rate)
  const total = Object.values(cost).reduce((sum, part) => sum + part, 0)
  console.log(
    `| ${number(cards)} | ${number(rate)} | ${number(shards)} | ${copies} | ${number(objects)} | ${(100 * hits).toFixed(0)} % | ` +
      `${number(misses)} | ${(100 * busy).toFixed(0)} % | ${p50.toFixed(0)} | ${p99.toFixed(0)} | ${number(total)} |`,
  )
}
