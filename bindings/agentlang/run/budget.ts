// Costs are integers of nano-dollars: sums are exact, whatever the order of calls.
import { type JsonObject, member, objectOf } from '../../text/members.ts'
import type { FunctionFault } from '../files.ts'

export declare namespace Budget {
  type State = 'ok' | 'warn' | 'over' | 'stop'

  interface Tokens {
    readonly input: number
    readonly output: number
  }
}

const WARN_PERCENT = 80n
/** In dollars. */
const MOST = 1_000_000
const PRICES = ['input_1m_price', 'output_1m_price'] as const

/** True for a sub-agent without models of its own: it uses that of its parent, at the parent's prices. */
export const inheritsModel = (agent: JsonObject): boolean => Object.keys(objectOf(member(agent, 'models'))).length === 0

/** The reason why a budget cannot be kept: it has a cap without prices, or an invalid number. */
export function budgetFault(constraints: JsonObject, hasOtherPrices = false): FunctionFault | undefined {
  const budget = objectOf(member(constraints, 'budget'))
  const invalid = ['max_cost_usd', 'tolerance', ...PRICES].find((name) => {
    const value = budget[name] ?? 0
    return !(typeof value === 'number' && value >= 0 && value <= MOST)
  })
  const lacking = budget['max_cost_usd'] && !hasOtherPrices ? PRICES.find((name) => budget[name] == null) : undefined
  const name = invalid ?? (lacking && 'max_cost_usd')
  if (name === undefined) return undefined
  const detail = invalid ? `expected a number from 0 to ${MOST}` : `the cap cannot be kept without ${lacking}`
  return { rule: 'budget-price', pointer: `/constraints/budget/${name}`, detail }
}

/** The budget of an agent's `constraints`, or its fault. 0 and absent mean unlimited. */
export function openBudget(constraints: JsonObject): Budget | FunctionFault {
  const budget = objectOf(member(constraints, 'budget'))
  const fault = budgetFault(constraints)
  if (fault !== undefined) return fault
  const cap = budget['max_cost_usd'] ? nano(budget['max_cost_usd']) : undefined
  return new Budget(cap, nano(budget['tolerance']), pricesOf(budget))
}

const pricesOf = (budget: JsonObject) => PRICES.map((name) => (budget[name] == null ? undefined : nano(budget[name])))

/** The constraints of an agent that pays the prices of another one. */
export function withoutPrices(constraints: JsonObject): JsonObject {
  const { input_1m_price: _, output_1m_price: __, ...budget } = objectOf(member(constraints, 'budget'))
  return { ...constraints, budget }
}

const nano = (usd: unknown): bigint => BigInt(Math.round((Number(usd) || 0) * 1e9))

/** Nano-dollars as dollars: `1700000000n` is `1.70`. */
export function dollars(amount: bigint): string {
  const digits = String(amount).padStart(10, '0')
  return `${digits.slice(0, -9)}.${digits.slice(-9).replace(/0{1,7}$/, '')}`
}

/** Counts what calls of a model cost. A call reserves its upper bound first and settles its real cost later. */
export class Budget {
  /** In nano-dollars, as all amounts. */
  spent = 0n
  /** What open calls and children may still cost. */
  reserved = 0n
  readonly #cap: bigint | undefined
  #stop: bigint
  readonly #prices: readonly (bigint | undefined)[]
  readonly #settle: (spent: bigint) => void

  /** @internal `tolerance` counts billionths of the cap; `prices` are of a million tokens. */
  constructor(
    cap: bigint | undefined,
    tolerance: bigint,
    prices: readonly (bigint | undefined)[],
    settle = (_spent: bigint) => {},
  ) {
    this.#cap = cap
    this.#stop = (cap ?? 0n) + ((cap ?? 0n) * tolerance) / 1_000_000_000n
    this.#prices = prices
    this.#settle = settle
  }

  /** What is neither spent nor reserved; undefined without a cap, negative within the tolerance. */
  get remaining(): bigint | undefined {
    return this.#cap === undefined ? undefined : this.#cap - this.spent - this.reserved
  }

  get state(): Budget.State {
    if (this.#cap === undefined || this.spent * 100n < this.#cap * WARN_PERCENT) return 'ok'
    if (this.spent < this.#cap) return 'warn'
    return this.spent > this.#stop ? 'stop' : 'over'
  }

  /** A text for the agent's context, as soon as the budget runs low. */
  get warning(): string | undefined {
    if (this.state === 'ok') return undefined
    return `$${dollars(this.spent)} of the budget of $${dollars(this.#cap!)} are spent. Finish your work now.`
  }

  /** Reserves the most that a call can cost; undefined when it must not be made. The returned function settles it. */
  reserve(most: Budget.Tokens): ((real: Budget.Tokens) => Budget.State) | undefined {
    const settle = this.#hold(this.#cost(most), this.#stop)
    const settled = (real: Budget.Tokens) => {
      settle!(this.#cost(real))
      return this.state
    }
    return settle && settled
  }

  /** Why a call is not made. */
  refusalOf(most: Budget.Tokens): string {
    const left = this.remaining === undefined || this.remaining < 0n ? 0n : this.remaining
    const tokens = `an estimate for ${most.input} tokens in and max_tokens ${most.output}`
    return `it may cost $${dollars(this.#cost(most))} (${tokens}), and $${dollars(left)} are left`
  }

  /**
   * A budget for another agent; undefined when less remains, or for a cap without prices. It has no tolerance. A lower
   * cap and the prices of its own `constraints` count. Its `close` returns what it did not spend.
   *
   * @param usd the most that it may spend; undefined for no more bound than its own, if this budget has no cap.
   */
  child(usd: number | undefined, constraints: JsonObject = {}): Budget | undefined {
    if (!(usd === undefined ? this.#cap === undefined : usd > 0 && usd <= MOST))
      throw new RangeError(`usd: expected more than 0 and up to ${MOST}, got ${usd}`)
    const own = objectOf(member(constraints, 'budget'))
    if (budgetFault({ budget: own }, true) !== undefined) return undefined
    const most = Math.min(usd ?? Number.POSITIVE_INFINITY, Number(own['max_cost_usd'] || Number.POSITIVE_INFINITY))
    const amount = Number.isFinite(most) ? nano(most) : undefined
    const prices = pricesOf(own).map((price, i) => price ?? this.#prices[i])
    const isPriced = amount === undefined || !prices.includes(undefined)
    const settle = isPriced ? this.#hold(amount ?? 0n, this.#cap ?? 0n) : undefined
    return settle && new Budget(amount, 0n, prices, settle)
  }

  /**
   * Ends the budget of a child.
   *
   * @throws {RangeError} while the cost of a call or of a child is open, and the second time.
   */
  close(): void {
    if (this.reserved > 0n) throw new RangeError('close: a call or a child is still open')
    this.#settle(this.spent)
    this.#stop = -1n
  }

  /** Reserves an amount up to a line; the returned function replaces it by the real one, once. */
  #hold(amount: bigint, line: bigint): ((real: bigint) => void) | undefined {
    const isClosed = this.#stop < 0n
    if (isClosed || (this.#cap !== undefined && this.spent + this.reserved + amount > line)) return undefined
    let isOpen = true
    this.reserved += amount
    return (real) => {
      if (!isOpen) throw new RangeError('settle: it was settled before')
      isOpen = false
      this.reserved -= amount
      this.spent += real
    }
  }

  #cost({ input, output }: Budget.Tokens): bigint {
    if (![input, output].every((count) => Number.isSafeInteger(count) && count >= 0))
      throw new RangeError('tokens: expected whole numbers')
    return (BigInt(input) * (this.#prices[0] ?? 0n) + BigInt(output) * (this.#prices[1] ?? 0n) + 999_999n) / 1_000_000n
  }
}

/** The part of `constraints` that has each limit. */
export const LIMIT_PARTS = {
  max_turns: 'limits',
  max_delegation_depth: 'limits',
  timeout: 'limits',
  disk_quota: 'sandbox',
  max_exec_time: 'sandbox',
} as const

export declare namespace limitsOf {
  /** An absent limit is unlimited. */
  type Limits = Readonly<Partial<Record<keyof typeof LIMIT_PARTS, number>>>
}

/** The limits of `constraints`; those of a child are at most its parent's. 0 means unlimited; the depth is 3 by default. */
export function limitsOf(
  constraints: JsonObject,
  parent: limitsOf.Limits = {},
): limitsOf.Limits & { readonly max_delegation_depth: number } {
  const limits = (Object.keys(LIMIT_PARTS) as (keyof typeof LIMIT_PARTS)[]).flatMap((name) => {
    const given = [member(objectOf(member(constraints, LIMIT_PARTS[name])), name), parent[name]]
    const least = Math.min(...given.filter((limit): limit is number => typeof limit === 'number' && limit > 0))
    return least === Number.POSITIVE_INFINITY ? [] : [[name, least]]
  })
  return { max_delegation_depth: 3, ...Object.fromEntries(limits) }
}
