/** A shard's answer to a claim on cards that it does not have, or has no longer. */
export const MOVED = 'moved'
export type MovedAnswer = typeof MOVED
