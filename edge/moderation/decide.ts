import { MOST_RULES, type Rule } from '../contracts/moderation.ts'
import { offer, ownId } from '../directory/service.ts'
import { type Env, moderation } from '../env.ts'
import { Problem } from '../http/problem.ts'
import { keepsOut } from './rules.ts'
import { idForm } from './subjects.ts'

/** Waiting cards that are read, and offered to shards, at once. */
const AT_ONCE = 32

/**
 * Changes rules. Once this returns, every shard uses the new rules, blocked cards are gone, and waiting cards that a
 * rule allows are stored. Returns the ids of those cards.
 */
export async function decide(env: Env, changes: readonly Rule[]): Promise<readonly string[]> {
  const own = idForm(await ownId(env))
  if (changes.some((rule) => rule.of === 'id' && rule.value === own && keepsOut(rule))) {
    throw new Problem('bad-request', `${own} is this directory itself: its card cannot be taken down.`)
  }
  // A shard that cannot be reached would continue with the old rules, so the change must not be acknowledged.
  const isDone = await moderation(env)
    .change(changes)
    .catch((error) => {
      console.error(error)
      throw new Problem(
        'unavailable',
        'The change is stored, but a shard of the directory did not get it. Send it again.',
      )
    })
  if (!isDone) throw new Problem('full', `The limit of ${MOST_RULES} rules is reached: remove some first.`)
  return changes.every(keepsOut) ? [] : letIn(env, changes)
}

/** Offers waiting cards again: those that the rules now allow are stored, as if they had just arrived. */
async function letIn(env: Env, changes: readonly Rule[]): Promise<readonly string[]> {
  const ids = new Set(changes.filter(({ of }) => of === 'id').map(({ value }) => value))
  const onlyIds = changes.every(({ of }) => of === 'id')
  const entered: string[] = []
  for (let after = ''; ; ) {
    const { cards } = await moderation(env).waiting(after, AT_ONCE)
    const meant = onlyIds ? cards.filter(({ id }) => ids.has(idForm(id))) : cards
    const settled = await Promise.all(meant.map((card) => offer(env, card)))
    for (const one of meant.filter((_, i) => settled[i]!.stored).map(({ id }) => id)) entered.push(one)
    if (cards.length < AT_ONCE) break
    after = cards.at(-1)!.id
  }
  return entered
}
