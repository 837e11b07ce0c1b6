// Queries to shards: to the owner of an id, or to all at once. A shard refuses a caller with an old layout, which reads
// the new one and asks again. So an answer always belongs to one layout, in which each card has one shard.
import { type Claim, type Layout, MOVED, type MovedAnswer, type ShardObject } from '../contracts/directory.ts'
import { directoryMap, type Env, numberOf, shardStub } from '../env.ts'
import { Problem } from '../http/problem.ts'
import { ownerOf } from './layout.ts'

type Question<T> = (shard: ShardObject, claim: Claim) => Promise<T | MovedAnswer>

/** Attempts while cards are moving, about a second and a half together. */
const ATTEMPTS = 12
const PAUSE_MS = 25

/** Kept for as long as the isolate lives. A shard that disagrees says so. */
let known: Layout | undefined

/** The result of `work` with the layout, repeated with a newer one while shards say that it is old. */
export async function withLayout<T>(env: Env, work: (layout: Layout) => Promise<T | MovedAnswer>): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    known ??= await directoryMap(env).layout()
    const answer = await work(known)
    if (answer !== MOVED) return answer
    if (attempt > 0) await pause(attempt * PAUSE_MS)
    known = undefined
  }
  throw new Problem('unavailable', 'Cards are moving between shards. Try again in a moment.')
}

/** Asks the shard that has an id. The question must be harmless if it is asked twice. */
export function askOwner<T>(env: Env, id: string, question: Question<T>): Promise<T> {
  return withLayout(env, (layout) => askTwice(env, ownerOf(layout, id), question))
}

/** The answers of the shards, by shard, at least one; those that failed or took too long are missing. */
export async function askAll<T>(
  env: Env,
  claims: readonly Claim[],
  question: Question<T>,
): Promise<Map<number, T> | MovedAnswer> {
  const answers = await Promise.all(claims.map((claim) => inTime(env, askTwice(env, claim, question)).catch(report)))
  const answered = new Map<number, T>()
  for (const [i, answer] of answers.entries()) {
    if (answer === MOVED) return MOVED
    if (answer !== undefined) answered.set(claims[i]!.shard, answer)
  }
  if (answered.size === 0) throw nobodyAnswers()
  return answered
}

export function nobodyAnswers(): Problem {
  return new Problem('unavailable', 'No shard of the directory answers. It may work in a moment.')
}

/** Moving or restarting an object breaks the connections to it; a second attempt reaches it again. */
async function askTwice<T>(env: Env, claim: Claim, question: Question<T>): Promise<T | MovedAnswer> {
  try {
    return await question(shardStub(env, claim.shard), claim)
  } catch (error) {
    console.error(error)
    return question(shardStub(env, claim.shard), claim)
  }
}

function report(error: unknown): undefined {
  console.error(error)
}

/** A shard that has not answered a query by then is left out of the answer. */
async function inTime<T>(env: Env, answer: Promise<T>): Promise<T> {
  const patience = numberOf(env, 'SHARD_PATIENCE_MS')
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`a shard did not answer within ${patience} ms`)), patience)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer ?? null)
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
