// Retries, and the action after the last one (ADL 11.3, 11.4).
import { member, objectMember, type PlacedObject, textMember } from '../../text/members.ts'

/** More retries than anyone waits for. */
const MOST_RETRIES = 1000

/** The maximum of setTimeout on every host: 24 days. */
const LONGEST_DELAY = 0x7fffffff

/** The action after a tool has failed. */
export type ErrorAction =
  | { readonly action: 'retry'; readonly delayMs: number }
  | { readonly action: 'abort' | 'continue' }
  | { readonly action: 'return_error' | 'skip'; readonly message?: string }
  | { readonly action: 'use_default'; readonly value: unknown; readonly message?: string }

export interface RetryRules {
  readonly max: number
  readonly strategy: 'fixed' | 'linear' | 'exponential'
  readonly initialMs: number
  readonly mostMs: number
}

/** A value that is present but not a count is read as 0. */
function countOf(of: PlacedObject | undefined, name: string): number | undefined {
  const value = member(of?.value, name)
  if (value === undefined) return undefined
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : 0
}

export function readRetries(policy: PlacedObject | undefined, errors: PlacedObject | undefined): RetryRules {
  const counts = [countOf(policy, 'max_retries'), countOf(errors, 'max_retries')].filter((count) => count !== undefined)
  const wanted = textMember(errors, 'on_tool_error')?.value === 'retry' ? 1 : 0
  const strategy = textMember(policy, 'backoff_strategy')?.value
  return {
    max: Math.min(MOST_RETRIES, counts.length === 0 ? wanted : Math.min(...counts)),
    strategy: strategy === 'linear' || strategy === 'exponential' ? strategy : 'fixed',
    initialMs: countOf(policy, 'initial_delay_ms') ?? 0,
    mostMs: Math.min(LONGEST_DELAY, countOf(policy, 'max_delay_ms') ?? LONGEST_DELAY),
  }
}

const FACTORS = {
  fixed: () => 1,
  linear: (retry: number) => retry,
  exponential: (retry: number) => 2 ** (retry - 1),
} as const

/** The delay before retry number `retry`, counted from 1. */
export function delayBefore({ strategy, initialMs, mostMs }: RetryRules, retry: number): number {
  return Math.min(mostMs, initialMs * FACTORS[strategy](retry))
}

/** The action when no retry is left. */
export function readLastAction(errors: PlacedObject | undefined): ErrorAction {
  const wanted = textMember(errors, 'on_tool_error')?.value
  if (wanted === 'abort' || wanted === 'continue') return { action: wanted }
  const fallback = objectMember(errors, 'fallback_behavior')
  const action = textMember(fallback, 'action')?.value
  const message = textMember(fallback, 'message')?.value
  const said = message === undefined ? {} : { message }
  if (action === 'return_error' || action === 'skip') return { action, ...said }
  if (action === 'use_default') return { action, value: member(fallback?.value, 'default') ?? null, ...said }
  return { action: 'abort' }
}
