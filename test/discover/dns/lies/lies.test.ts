// Compares Blazon's verdicts with those of BIND's delv, in zones with NSEC and NSEC3, for honest answers and for lies
// made of true records. `BLAZON_LIES=COUNT` runs more of them, from another `BLAZON_SEED`.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bind } from '../../../support/dns-lab.ts'
import { random } from '../../../support/random.ts'
import { areExpected, type Case, type Lie, type LieLab, QUESTIONS, startLieLab } from './lab.ts'

if (!bind.available) console.warn(`NOT RUN: lies about zones against delv: ${bind.reason}`)

const COUNT = Number(process.env['BLAZON_LIES'] ?? 24)

describe.runIf(bind.available)('the verdict is that of delv, or a stricter one', () => {
  let lab: LieLab
  beforeAll(async () => {
    lab = await startLieLab()
  })
  afterAll(() => lab?.close())

  const expectExpected = async (cases: readonly Case[]) => {
    const verdicts = await lab.verdicts(cases)
    for (const [i, { asked, lie }] of cases.entries()) {
      const about = `${lie?.title ?? `${asked.name} ${asked.type}`} ${JSON.stringify(verdicts[i])}`
      expect(areExpected(verdicts[i]!, asked, lie), about).toBe(true)
    }
  }

  test(`for ${COUNT} honest answers`, async () => {
    const step = Math.max(1, Math.floor(QUESTIONS.length / COUNT))
    await expectExpected(QUESTIONS.filter((_, i) => i % step === 0).map((asked) => ({ asked })))
  })

  test(`for ${COUNT} lies`, async () => {
    const chance = random(Number(process.env['BLAZON_SEED'] ?? 31))
    const lies: Lie[] = []
    while (lies.length < COUNT) lies.push(await lab.makeLie(chance))
    await expectExpected(lies.map((lie) => ({ asked: lie.asked, lie })))
  })
})
