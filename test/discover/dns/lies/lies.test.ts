// Compares Blazon's verdicts with those of BIND's delv, in zones with NSEC and NSEC3, for honest answers and for lies
// made of true records. `BLAZON_LIES=COUNT` runs more of them, from another `BLAZON_SEED`.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bind } from '../../../support/dns-lab.ts'
import { random } from '../../../support/random.ts'
import { areExpected, type LieLab, QUESTIONS, startLieLab } from './lab.ts'

if (!bind.available) console.warn(`NOT RUN: lies about zones against delv: ${bind.reason}`)

const COUNT = Number(process.env['BLAZON_LIES'] ?? 24)

describe.runIf(bind.available)('the verdict is that of delv, or a stricter one', () => {
  let lab: LieLab
  beforeAll(async () => {
    lab = await startLieLab()
  })
  afterAll(() => lab?.close())

  test(`for ${COUNT} honest answers`, async () => {
    const step = Math.max(1, Math.floor(QUESTIONS.length / COUNT))
    for (const asked of QUESTIONS.filter((_, i) => i % step === 0)) {
      const verdicts = await lab.verdicts(asked)
      expect(areExpected(verdicts, asked), `${asked.name} ${asked.type} ${JSON.stringify(verdicts)}`).toBe(true)
    }
  })

  test(`for ${COUNT} lies`, async () => {
    const chance = random(Number(process.env['BLAZON_SEED'] ?? 31))
    for (let i = 0; i < COUNT; i++) {
      const lie = await lab.makeLie(chance)
      const verdicts = await lab.verdicts(lie.asked, lie)
      expect(areExpected(verdicts, lie.asked, lie), `${lie.title} ${JSON.stringify(verdicts)}`).toBe(true)
    }
  })
})
