// The object with the operator's rules and the waiting cards.

export const SUBJECTS = ['id', 'key', 'host'] as const
export type Subject = (typeof SUBJECTS)[number]

/**
 * `block` takes cards down and refuses new ones. `hide` does the same, but answers as if the cards had never existed.
 * `allow` accepts cards if not everyone is admitted. `none` removes the rule.
 */
export const VERDICTS = ['block', 'hide', 'allow', 'none'] as const
export type Verdict = (typeof VERDICTS)[number]

export interface Rule {
  readonly of: Subject
  /** In canonical form (moderation/subjects.ts). */
  readonly value: string
  readonly verdict: Verdict
  readonly reason: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Every shard holds all rules, and an id has up to 2,048 characters. */
export const MOST_RULES = 10_000

/** A card that waits for the operator. */
export interface Waiting {
  readonly id: string
  readonly bytes: Uint8Array
  readonly signer: string | undefined
  /** Milliseconds since 1970. */
  readonly came: number
}

export interface ModerationObject {
  rules(): Promise<{ readonly rules: readonly Rule[]; readonly version: number }>
  /** Changes rules; returns false when there is no room for them. Can be repeated without harm. */
  change(changes: readonly Rule[]): Promise<boolean>
  /** Sends all rules to a new shard. */
  teach(shard: number): Promise<void>
  /** Queues a card; returns false when `most` others wait. */
  wait(card: Waiting, most: number): Promise<boolean>
  waiting(after: string, limit: number): Promise<{ readonly cards: readonly Waiting[]; readonly size: number }>
  drop(ids: readonly string[]): Promise<number>
}
