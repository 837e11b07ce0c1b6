// A slice of the long run (test/soak/agents.mjs): three kills.
import { describe, expect, test } from 'vitest'
import { bind } from '../support/dns-lab.ts'
import { random } from '../support/random.ts'
import { ordealOfAgents } from './ordeal.ts'

describe.runIf(bind.available)('an agent that is killed under load', () => {
  test('has lost nothing that it took, and takes nothing twice', async () => {
    const plan = { kills: 3, life: [1_000, 2_000], random: random(5) } as const
    const { messages, tasks, flaws } = await ordealOfAgents(plan, () => {})
    expect(flaws).toEqual([])
    expect([messages, tasks].every((count) => count > 0)).toBe(true)
  }, 240_000)
})
