// A short version of `npm run soak -- agents`: acknowledged messages, tasks, invitations and results survive SIGKILL,
// exactly once.
import { expect, test } from 'vitest'
import { bind } from '../support/dns-lab.ts'
import { random } from '../support/random.ts'
import { ordeal, sayMoreAfterDeath } from './agent-ordeal.ts'

test.runIf(bind.available)(
  'everything that an agent has acknowledged survives the death of the process, exactly once',
  async () => {
    const { flaws, ...tally } = await ordeal({ kills: 3, life: [40, 120], random: random(14) })
    expect(flaws).toEqual([])
    expect(tally.kills).toBe(3)
    for (const count of [tally.messages, tally.tasks, tally.redeemed, tally.results, tally.replays])
      expect(count).toBeGreaterThan(0)
  },
)

test.runIf(bind.available)('messages before the death of the process count towards the limit after it', async () => {
  const { before, after } = await sayMoreAfterDeath()
  expect(before).toEqual(Array.from({ length: 60 }, () => ({ ack: expect.any(String) })))
  expect(after.at(-1)).toMatchObject({ error: 'AGP-134' })
})
