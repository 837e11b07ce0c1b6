// Where each card lives. The space of hashes is cut into ranges, one a shard; growing cuts a range in two. So a card moves
// only when its own range is cut, and a range moves by its boundary, a few cards at a time.

/** Each is asked twice for a query, and a request of a Worker may make a thousand calls. */
export const MOST_SHARDS = 256

/** Hashes are below it. */
const SPACE = 2 ** 32

export interface Range {
  /** The first hash of the range, which ends where the next begins. */
  readonly from: number
  readonly shard: number
}

export interface Layout {
  /** Rises with every boundary that moves. */
  readonly version: number
  /** By `from`, the first from 0. */
  readonly ranges: readonly Range[]
}

/** What somebody takes a shard to have. It is asked with this, and says so when it is no longer so. */
export interface Claim {
  readonly version: number
  readonly shard: number
  readonly from: number
  /** The first hash behind the range. */
  readonly to: number
}

/** FNV-1a over the UTF-16 units, and MurmurHash3's last step, which spreads what differs in the last letters only. */
export function hashOf(id: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** The ranges of a layout as claims on its shards. */
export function claimsOf({ version, ranges }: Layout): Claim[] {
  return ranges.map(({ from, shard }, i) => ({ version, shard, from, to: ranges[i + 1]?.from ?? SPACE }))
}

/** The claim on the shard that has an id. */
export function ownerOf(layout: Layout, id: string): Claim {
  const hash = hashOf(id)
  return claimsOf(layout).find(({ from, to }) => hash >= from && hash < to)!
}

/** The range to cut next. */
export function widest(layout: Layout): Claim {
  return claimsOf(layout).reduce((best, claim) => (claim.to - claim.from > best.to - best.from ? claim : best))
}
