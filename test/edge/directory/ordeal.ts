// Stress test for a directory: continuous writes and reads, shards that are added meanwhile, and a runtime that is killed
// repeatedly. Every acknowledged card must exist afterwards, exactly once, and not in an older version.

import { type Runtime, type Site, startRuntime } from '../../support/runtime.ts'
import { operator } from '../tokens.ts'
import { type Agent, cardOf, createAgent } from './agents.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const operatorOf = ({ origin }: Runtime) => ({ ...JSON_TYPE, ...operator(origin) })

const LOOK_MS = 3
const LONGEST_LIFE_MS = 20_000

/** An agent, and the answers that it got from the directory. */
interface Known {
  readonly agent: Agent
  /** The highest seq that was acknowledged; 0 before the first. */
  acknowledged: number
  /** The highest seq that was sent. */
  sent: number
}

export interface Plan {
  readonly kills: number
  readonly agents: number
  readonly writers: number
  readonly readers: number
  /** The number of acknowledgements between a start and the kill: from the first number up to the second. */
  readonly life: readonly [number, number]
  /** A shard is added after this number of kills. */
  readonly growEvery: number
  readonly random: () => number
}

export interface Tally {
  kills: number
  acknowledged: number
  unanswered: number
  queries: number
  partial: number
  shards: number
  /** Violations that must never happen. */
  readonly flaws: string[]
}

interface Result {
  readonly agent_card: { readonly id: string; readonly seq?: number }
}

export async function ordeal(site: Site, plan: Plan, say: (line: string) => void = () => {}): Promise<Tally> {
  const tally: Tally = { kills: 0, acknowledged: 0, unanswered: 0, queries: 0, partial: 0, shards: 1, flaws: [] }
  const all: Known[] = []
  for (let i = 0; i < plan.agents; i++) all.push({ agent: await createAgent(), acknowledged: 0, sent: 0 })
  let runtime = await startRuntime(site)
  try {
    while (tally.kills < plan.kills) {
      const [least, most] = plan.life
      const enough = tally.acknowledged + least + plan.random() * (most - least)
      const busy = life(runtime, all, plan, tally)
      await until(() => tally.acknowledged >= enough)
      await runtime.kill()
      tally.kills++
      await busy
      runtime = await startRuntime(site)
      await inspect(runtime, all, tally)
      if (tally.kills % plan.growEvery === 0) {
        tally.shards++
        // Not awaited: the next kill happens while cards move.
        await post(runtime, '/v1/directory/shards', JSON.stringify({ shards: tally.shards }), operatorOf(runtime))
      }
      say(
        `${tally.kills} kills, ${tally.acknowledged} acknowledged, ${tally.queries} queries, ${tally.flaws.length} flaws`,
      )
    }
    await settle(runtime, tally.shards)
    await inspect(runtime, all, tally)
    return tally
  } finally {
    await runtime.kill()
  }
}

/** Writes and reads until the runtime no longer answers. */
async function life(runtime: Runtime, all: readonly Known[], plan: Plan, tally: Tally): Promise<void> {
  const each = Math.ceil(all.length / plan.writers)
  const writers = Array.from({ length: plan.writers }, (_, i) =>
    write(runtime, all.slice(i * each, (i + 1) * each), plan, tally),
  )
  const readers = Array.from({ length: plan.readers }, () => read(runtime, all, plan, tally))
  await Promise.all([...writers, ...readers])
}

async function write(runtime: Runtime, own: readonly Known[], plan: Plan, tally: Tally): Promise<void> {
  if (own.length === 0) return
  for (;;) {
    const known = own[Math.floor(plan.random() * own.length)]!
    const seq = known.sent + 1
    const card = await cardOf(known.agent, seq)
    known.sent = seq
    let answer: { status: number; body: { stored?: boolean; reason?: string } }
    try {
      answer = await post(runtime, '/adp/advertise', card)
    } catch {
      tally.unanswered++
      return
    }
    if (answer.status === 200 && answer.body.stored === true) {
      known.acknowledged = seq
      tally.acknowledged++
    } else if (answer.status !== 503) {
      tally.flaws.push(`${known.agent.id} ${seq}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`)
    }
  }
}

async function read(runtime: Runtime, all: readonly Known[], plan: Plan, tally: Tally): Promise<void> {
  const placeOf = new Map(all.map(({ agent }, i) => [agent.id, i]))
  const queries = ['translate contracts', 'images', 'legal reviews', 'weather maps', 'helps']
  for (;;) {
    const query = queries[Math.floor(plan.random() * queries.length)]!
    // An answer must not have an older version than one that was acknowledged before the request.
    const before = Uint32Array.from(all, ({ acknowledged }) => acknowledged)
    let answer: { status: number; body: { results?: Result[]; missing?: unknown } }
    try {
      answer = await post(runtime, '/adp/discover', JSON.stringify({ query, limit: 100, min_score: 0 }))
    } catch {
      return
    }
    if (answer.status === 503) continue
    tally.queries++
    if (answer.body.missing !== undefined) tally.partial++
    const seen = new Set<string>()
    for (const { agent_card: card } of answer.body.results ?? []) {
      if (seen.has(card.id)) tally.flaws.push(`${card.id} is twice in an answer`)
      seen.add(card.id)
      const place = placeOf.get(card.id)
      if (place === undefined) tally.flaws.push(`${card.id} was never sent`)
      // A result with only id and name, because of its size, has no seq.
      else if (card.seq !== undefined && card.seq < before[place]!) {
        tally.flaws.push(`${card.id}: an answer has seq ${card.seq}, acknowledged was ${before[place]}`)
      }
    }
  }
}

/** Checks that every acknowledged card exists, and that none is duplicate or stale. */
async function inspect(runtime: Runtime, all: readonly Known[], tally: Tally): Promise<void> {
  const listed = new Map<string, number>()
  for (let path: string | undefined = '/v1/directory/export?limit=500'; path !== undefined; ) {
    const response: Response = await retry(() => fetch(runtime.origin + path, { headers: operatorOf(runtime) }))
    for (const line of (await response.text()).split('\n').filter((text) => text !== '')) {
      const { id, card } = JSON.parse(line) as { id: string; card: string }
      if (listed.has(id)) tally.flaws.push(`${id} is twice in the directory`)
      listed.set(id, (JSON.parse(Buffer.from(card, 'base64url').toString()) as { seq: number }).seq)
    }
    const next: string | undefined = /<([^>]+)>/.exec(response.headers.get('link') ?? '')?.[1]
    path = next?.slice(runtime.origin.length)
  }
  for (const known of all) {
    const seq = listed.get(known.agent.id) ?? 0
    if (seq < known.acknowledged) {
      tally.flaws.push(`${known.agent.id}: acknowledged was seq ${known.acknowledged}, there is ${seq}`)
    }
    if (seq > known.sent) tally.flaws.push(`${known.agent.id}: there is seq ${seq}, which was never sent`)
    // A card that was sent without an answer may have been stored.
    known.acknowledged = Math.max(seq, known.acknowledged)
    known.sent = Math.max(known.sent, seq)
  }
}

/** Waits until the requested number of shards exists. */
export async function settle(runtime: Runtime, shards: number): Promise<void> {
  for (;;) {
    const response = await retry(() => fetch(`${runtime.origin}/v1/directory/state`, { headers: operatorOf(runtime) }))
    const { growth } = (await response.json()) as { growth: { shards: number; moving: boolean } }
    if (growth.shards >= shards && !growth.moving) return
    await new Promise((done) => setTimeout(done, 50))
  }
}

/** Polls often, so that it ends during the work, but not forever: the inspection then reports why nothing happened. */
async function until(enough: () => boolean): Promise<void> {
  for (let waited = 0; waited < LONGEST_LIFE_MS && !enough(); waited += LOOK_MS) {
    await new Promise((done) => setTimeout(done, LOOK_MS))
  }
}

/** The answer, repeated while cards are moving. */
async function retry(ask: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await ask()
    if (response.status !== 503) return response
    await response.body?.cancel()
  }
}

export async function post<Body>(
  { origin }: Runtime,
  path: string,
  body: string,
  headers: Record<string, string> = JSON_TYPE,
): Promise<{ status: number; body: Body }> {
  const response = await fetch(origin + path, { method: 'POST', body, headers })
  return { status: response.status, body: (await response.json()) as Body }
}
