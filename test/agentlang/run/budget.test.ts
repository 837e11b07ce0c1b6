import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Budget, budgetFault, dollars, limitsOf, openBudget } from '../../../bindings/agentlang/run/budget.ts'

/** The budget of the text. */
const BUDGET = { max_cost_usd: 2.0, tolerance: 0.2, input_1m_price: 3.0, output_1m_price: 15.0 }
const open = (budget: object = BUDGET): Budget => {
  const opened = openBudget({ budget })
  if (opened instanceof Budget) return opened
  throw new Error(opened.detail)
}
/** Output tokens at 15 dollars a million. */
const output = (usd: number) => ({ input: 0, output: Math.round((usd / 15) * 1_000_000) })
const spend = (budget: Budget, usd: number) => budget.reserve(output(usd))!(output(usd))

describe('budgets', () => {
  test('[agentlang/functions-16] tokens cost their declared prices, exactly', () => {
    const budget = open()
    budget.reserve({ input: 1_000, output: 1_000 })!({ input: 1_000, output: 500 })
    // 1,000 x 3 / 1,000,000 + 500 x 15 / 1,000,000 dollars.
    expect(dollars(budget.spent)).toBe('0.0105')
    expect(dollars(budget.remaining!)).toBe('1.9895')
  })

  test('[agentlang/functions-17] warns at 80 %, is over at the cap, and stops after the tolerance', () => {
    const budget = open()
    expect(spend(budget, 1.59)).toBe('ok')
    expect(budget.warning).toBeUndefined()
    expect(spend(budget, 0.03)).toBe('warn')
    expect(budget.warning).toBe('$1.62 of the budget of $2.00 are spent. Finish your work now.')
    expect(spend(budget, 0.39)).toBe('over')
    expect(budget.reserve(output(0.42))).toBeUndefined()
    expect(spend(budget, 0.39)).toBe('over')
    // A provider may charge more than was reserved.
    expect(budget.reserve(output(0))!(output(0.03))).toBe('stop')
    expect(budget.reserve({ input: 0, output: 0 })).toBeUndefined()
  })

  test('[agentlang/functions-18] 2.00 with 0.50 for a child that uses 0.30 leaves 1.70', () => {
    const parent = open()
    const child = parent.child(0.5)!
    expect(dollars(parent.remaining!)).toBe('1.50')
    spend(child, 0.3)
    child.close()
    expect(dollars(parent.remaining!)).toBe('1.70')
    expect(child.reserve(output(0.01))).toBeUndefined()
    expect(child.child(0.01)).toBeUndefined()
    expect(() => child.close()).toThrow(RangeError)
  })

  test('[agentlang/functions-18] a child gets no more than remains, and has no tolerance', () => {
    const parent = open()
    expect(parent.child(2.01)).toBeUndefined()
    const child = parent.child(0.5, { budget: { tolerance: 1, max_cost_usd: 0.4 } })!
    expect(dollars(child.remaining!)).toBe('0.40')
    expect(child.reserve(output(0.41))).toBeUndefined()
    const call = child.reserve(output(0.39))!
    expect(() => child.close()).toThrow(RangeError)
    call(output(0.09))
    expect(() => call(output(0.09))).toThrow(RangeError)
    child.close()
    expect(dollars(parent.spent)).toBe('0.09')
  })

  test('[agentlang/functions-17] a cap without prices is a fault', () => {
    expect(budgetFault({ budget: { max_cost_usd: 2, input_1m_price: 3 } })).toEqual({
      rule: 'budget-price',
      pointer: '/constraints/budget/max_cost_usd',
      detail: 'the cap cannot be kept without output_1m_price',
    })
    for (const [name, value] of [
      ['max_cost_usd', -1],
      ['tolerance', '0.2'],
      ['input_1m_price', Number.NaN],
      ['max_cost_usd', 1e9],
    ] as const) {
      expect(openBudget({ budget: { ...BUDGET, [name]: value } })).toMatchObject({
        pointer: `/constraints/budget/${name}`,
      })
    }
  })

  test('[agentlang/functions-19] without a cap nothing is refused, and a child needs prices for its cap', () => {
    for (const constraints of [{}, { budget: { max_cost_usd: 0 } }]) {
      const unlimited = openBudget(constraints) as Budget
      expect(unlimited.remaining).toBeUndefined()
      expect(unlimited.reserve({ input: 2 ** 53 - 1, output: 2 ** 53 - 1 })!({ input: 1, output: 1 })).toBe('ok')
      expect(unlimited.child(1)).toBeUndefined()
      expect(unlimited.child(1, { budget: { input_1m_price: 3, output_1m_price: 15 } })).toBeInstanceOf(Budget)
    }
  })

  test('a cap below a nano-dollar is not unlimited', () => {
    expect(open({ ...BUDGET, max_cost_usd: 1e-12 }).reserve({ input: 1, output: 0 })).toBeUndefined()
  })

  test('a child with an invalid budget of its own gets nothing', () => {
    const parent = open()
    for (const max_cost_usd of [-1, '1', { valueOf: 1 }]) {
      expect(parent.child(1, { budget: { max_cost_usd } })).toBeUndefined()
      expect(openBudget({ budget: { ...BUDGET, max_cost_usd } })).toHaveProperty('rule', 'budget-price')
    }
    expect(parent.reserved).toBe(0n)
  })

  test('refuses invalid amounts', () => {
    for (const usd of [0, -1, Number.NaN, 1e7]) expect(() => open().child(usd)).toThrow(RangeError)
    for (const count of [-1, 0.5, 2 ** 53])
      expect(() => open().reserve({ input: count, output: 0 })).toThrow(RangeError)
  })

  test('[agentlang/functions-18] in every tree, spent and reserved money stay below the line', () => {
    const step = fc.record({
      what: fc.constantFrom('call', 'settle', 'child', 'close'),
      pick: fc.nat(),
      usd: fc.double({ min: 0.01, max: 1, noNaN: true }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const root = open()
        const budgets = [root]
        const calls: { budget: Budget; most: number; settle: (real: { input: number; output: number }) => unknown }[] =
          []
        const allotted = new Map<Budget, bigint>()
        for (const { what, pick, usd, share } of steps) {
          const budget = budgets[pick % budgets.length]!
          if (what === 'call') {
            const most = output(usd).output
            const call = budget.reserve({ input: 0, output: most })
            if (call !== undefined) calls.push({ budget, most, settle: call })
          } else if (what === 'settle' && calls.length > 0) {
            const [call] = calls.splice(pick % calls.length, 1)
            call!.settle({ input: 0, output: Math.floor(call!.most * share) })
          } else if (what === 'child') {
            const child = budget.child(usd)
            if (child === undefined) continue
            allotted.set(child, child.remaining!)
            budgets.push(child)
          } else if (what === 'close' && budget !== root && budget.reserved === 0n) {
            budget.close()
            budgets.splice(budgets.indexOf(budget), 1)
          }
          expect(root.spent + root.reserved).toBeLessThanOrEqual(2_400_000_000n)
          for (const [child, amount] of allotted) expect(child.spent + child.reserved).toBeLessThanOrEqual(amount)
        }
      }),
    )
  })
})

describe('limits', () => {
  test('[agentlang/functions-19] have the defaults of the table', () => {
    expect(limitsOf({})).toEqual({ max_delegation_depth: 3 })
  })

  test('[agentlang/functions-19] a child only tightens them, and 0 never wins', () => {
    const parent = limitsOf({ limits: { max_turns: 50, timeout: 300 }, sandbox: { max_exec_time: 60 } })
    const child = {
      limits: { max_turns: 0, timeout: 100, max_delegation_depth: 9 },
      sandbox: { max_exec_time: 600, disk_quota: 5 },
    }
    expect(limitsOf(child, parent)).toEqual({
      max_turns: 50,
      max_delegation_depth: 3,
      timeout: 100,
      disk_quota: 5,
      max_exec_time: 60,
    })
  })
})
