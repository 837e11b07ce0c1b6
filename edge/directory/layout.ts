// The place of each card. The space of hashes is divided into ranges, one per shard; growing splits a range in two. A
// card moves only when its own range is split. The boundary moves a few cards at a time.
import type { Claim, Layout } from '../contracts/directory.ts'
/** A query asks each shard twice, and a Worker may make a thousand calls per request. */
export const MOST_SHARDS = 256

/** All hashes are below this. */
const SPACE = 2 ** 32

/**
 * FNV-1a over the UTF-16 units, then MurmurHash3's final step, which spreads ids that differ only in their last
 * letters.
 */
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

/** The range to split next. */
export function widest(layout: Layout): Claim {
  return claimsOf(layout).reduce((best, claim) => (claim.to - claim.from > best.to - best.from ? claim : best))
}
