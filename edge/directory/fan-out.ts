// Queries to shards: to the owner of an id, or to all at once. A shard refuses a caller with an old layout, which reads
// the new one and asks again. So an answer always belongs to one layout, in which each card has one shard.
import { type Claim, type Layout, MOVED, type MovedAnswer, type ShardObject } from '../contracts/directory.ts'
import { directoryMap, type Env, numberOf, shardStub } from '../env.ts'
import { Problem } from '../http/problem.ts'
import { ownerOf } from './layout.ts'

type Question<T> = (shard: ShardObject, claim: Claim) => Promise<T | MovedAnswer>

/** A shard says that the layout is old. */
class OldLayout extends Error {}

/** Attempts while cards are moving, about a second and a half together. */
const ATTEMPTS = 12
const PAUSE_MS = 25

/** Kept for as long as the isolate lives. A shard that disagrees says so. */
let known: Layout | undefined

/** The result of `work` with the layout, repeated with a newer one while shards say that it is old. */
export async function withLayout<T>(env: Env, work: (layout: Layout) => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      known ??= await directoryMap(env).layout()
      return await work(known)
    } catch (error) {
      if (!(error instanceof OldLayout)) throw error
    }
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, attempt * PAUSE_MS))
    known = undefined
  }
  throw new Problem('unavailable', 'Cards are moving between shards. Try again in a moment.')
}

/** Asks the shard that has an id. The question must be harmless if it is asked twice. */
export function askOwner<T>(env: Env, id: string, question: Question<T>): Promise<T> {
  return withLayout(env, (layout) => ask(env, ownerOf(layout, id), question))
}

/**
 * The answers of several shards, by shard, at least one. Those of shards that failed or took too long are missing, and
 * `partial` then has their number.
 */
export async function askAll<T>(env: Env, claims: readonly Claim[], question: Question<T>) {
  const all = await Promise.all(claims.map((claim) => inTime(env, ask(env, claim, question)).catch(report)))
  const answers = new Map<number, T>()
  for (const [i, answer] of all.entries()) if (answer !== undefined) answers.set(claims[i]!.shard, answer)
  if (answers.size === 0) throw nobodyAnswers()
  const missing = { asked: claims.length, answered: answers.size }
  return {
    answers: [...answers.values()],
    answered: [...answers.keys()],
    partial: answers.size < claims.length && { missing },
  }
}

export function nobodyAnswers(): Problem {
  return new Problem('unavailable', 'No shard of the directory answers. It may work in a moment.')
}

/** Moving or restarting an object breaks the connections to it; a second attempt reaches it again. */
async function ask<T>(env: Env, claim: Claim, question: Question<T>): Promise<T> {
  const attempt = () => question(shardStub(env, claim.shard), claim)
  const answer = await attempt().catch((error) => {
    console.error(error)
    return attempt()
  })
  if (answer === MOVED) throw new OldLayout()
  return answer
}

function report(error: unknown): undefined {
  if (error instanceof OldLayout) throw error
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
