// A part of test/soak/runs.mjs: recorders that are killed, and hooks at the same time.
import { describe, expect, test } from 'vitest'
import { random } from '../../support/random.ts'
import { crowdHooks, killRecorders } from './ordeal.ts'

describe('durability', () => {
  test('each acknowledged line of a killed recorder is there once, in order', { timeout: 60_000 }, async () => {
    const { flaws, acknowledged } = await killRecorders({ kills: 3, streams: 8, life: [20, 150], random: random(7) })
    expect([flaws, acknowledged > 0]).toEqual([[], true])
  })

  test('hooks at the same time share one run', { timeout: 60_000 }, async () => {
    expect(await crowdHooks(8)).toEqual({ flaws: [], late: 0 })
  })
})
