/** A shard says that it has not what a claim says, or has it no more. */
export const MOVED = 'moved'
export type Moved = typeof MOVED
