// Measures one job done by us and by peers: in one process, by turns, medians. Answers are compared before any clock runs.

/** A sample lasts at least this long: what the clock and the loop cost is nothing beside it. */
const SAMPLE_MS = 4
const WARM_UP_MS = 250
const ROUNDS = 21

/**
 * A job. `floor` and `aim` say how many times as fast as a peer we have to be: a number for all peers, or one each.
 * @typedef {{
 *   name: string,
 *   ours: () => unknown, peers: Record<string, () => unknown>, check: () => void,
 *   floor?: number | Record<string, number>, aim?: number | Record<string, number>,
 *   rounds?: number, batch?: number, block?: number, items?: number,
 * }} Job
 *
 * A call works on `items` documents: what we take is told for one of them. `batch` calls make a sample; `block` samples
 * are taken at a turn, so that each finds the caches as its own kind left them.
 *
 * A job whose figure is not a ratio of speeds: `measure` gives it, and less is better.
 * @typedef {{ name: string, unit: string, measure: () => Promise<number>, atMost: number, aim: number }} Figure
 *
 * @typedef {{ name: string, peer: string, got: number, floor?: number, aim?: number, ours?: number, unit?: string }} Row
 */

/**
 * The rows of a job: one a peer, `got` being its time divided by ours.
 * @param {Job | Figure} job
 * @returns {Promise<Row[]>}
 */
export async function measure(job) {
  if ('measure' in job) {
    const { name, unit, atMost, aim } = job
    return [{ name, peer: '', got: await job.measure(), floor: atMost, aim, unit }]
  }
  await job.check()
  const names = Object.keys(job.peers)
  const times = medians([job.ours, ...Object.values(job.peers)], job)
  return names.map((peer, i) => ({
    name: job.name,
    peer,
    got: times[i + 1] / times[0],
    floor: forPeer(job.floor, peer),
    aim: forPeer(job.aim, peer),
    ours: times[0] / (job.items ?? 1),
  }))
}

const forPeer = (wanted, peer) => (typeof wanted === 'object' ? wanted[peer] : wanted)

/** Milliseconds of one call of each, the median over the rounds. */
function medians(contestants, { rounds = ROUNDS, batch, block = 1 }) {
  const calls = contestants.map((work) => batch ?? warmUp(work))
  const samples = contestants.map(() => [])
  for (let round = 0; round < rounds; round++) {
    // A B, then B A: whatever a round does to the machine is not always done to the same one.
    const order = contestants.map((_, i) => i)
    if (round % 2 === 1) order.reverse()
    for (const i of order) {
      for (let n = 0; n < block; n++) samples[i].push(sample(contestants[i], calls[i]) / calls[i])
    }
  }
  return samples.map(median)
}

/** Calls `work` until it is compiled; gives how many calls make a sample. */
function warmUp(work) {
  const start = performance.now()
  let calls = 0
  do {
    sink(work())
    calls++
  } while (performance.now() - start < WARM_UP_MS)
  const each = sample(work, Math.max(1, calls >> 2)) / Math.max(1, calls >> 2)
  return Math.max(1, Math.ceil(SAMPLE_MS / each))
}

function sample(work, calls) {
  const start = performance.now()
  for (let i = 0; i < calls; i++) sink(work())
  return performance.now() - start
}

let kept
/** Uses a result, so that no compiler may leave the work out. */
function sink(result) {
  kept = result
  return kept
}

/** The middle one; of an even count the lower. */
export function median(values) {
  return [...values].sort((a, b) => a - b)[(values.length - 1) >> 1]
}

/** What a row came to. A floor missed by less than a tenth may be noise: five runs tell. */
export function verdict({ got, floor, aim, unit }) {
  if (floor === undefined) return ''
  const reached = (wanted, slack = 1) => (unit === undefined ? got * slack >= wanted : got <= wanted * slack)
  if (aim !== undefined && reached(aim)) return 'aim'
  if (reached(floor)) return 'floor'
  return reached(floor, 1.1) ? 'nearly' : 'BELOW'
}
