// A compiled set of patterns is a position-independent blob: little-endian, with every offset relative to its own
// start.
//
//   header    the words named below
//   order     a u32 for each pattern: the patterns' numbers, sorted by their segments; nodes refer to ranges of it
//   nodes     the trie over segments; children are adjacent, in the order of their tokens
//   tokens    a u32 for each node: the token that leads to it
//   literals  the distinct literal segments, sorted by hash, found through `buckets` (by the first bits of the hash)
//   globs     the distinct segments with a `*` among other characters, sorted by group and key
//   groups    of globs that have the position and length of their key in common
//   text      the bytes of literals and globs; each glob is followed by its failure table (glob.ts)
//
// A token stands for one distinct segment of the set: a subject's segment is looked up once, and then each active node
// only compares numbers. docs/guide/abi/patterns.md describes what an embedder needs to know.

export const HOST: u32 = 0;
export const PATH: u32 = 1;
export const ENV: u32 = 2;
export const COMMAND: u32 = 3;
export const TAG: u32 = 4;

/** This byte occurs in no text, so that env and command patterns have a single segment. */
const NO_SEPARATOR: u32 = 0xff;

/** The separator of segments in patterns and subjects of a kind. */
export function separatorOf(kind: u32): u32 {
  if (kind == HOST) return 0x2e;
  return kind == PATH || kind == TAG ? 0x2f : NO_SEPARATOR;
}

/**
 * The limit for the patterns of a set in bytes: even the largest blob, for nothing but separators, stays below 256 MiB.
 */
export const LARGEST_SET: u32 = 1 << 22;

export const FORMAT: u32 = 0x31544150; // "PAT1"
export const LENGTH: usize = 4;
export const KIND: usize = 8;
export const FOLD: usize = 12; // 1: ignores the case of ASCII letters
export const PATTERNS: usize = 16;
export const NODES: usize = 20;
export const SLOTS: usize = 24;
export const LITERALS: usize = 28;
export const SHIFT: usize = 32; // from a hash to its bucket
export const GLOBS: usize = 36;
export const GROUPS: usize = 40;
export const ORDER: usize = 44;
export const NODE_TABLE: usize = 48;
export const TOKENS: usize = 52;
export const BUCKETS: usize = 56;
export const LITERAL_TABLE: usize = 60;
export const GLOB_TABLE: usize = 64;
export const GROUP_TABLE: usize = 68;
export const HEADER: usize = 72;

/** Node: patterns order[EXACT, BELOW) end here; order[BELOW, END) need one more segment, or several. */
export const NODE: u32 = 32;
export const NODE_EXACT: usize = 0;
export const NODE_BELOW: usize = 4;
export const NODE_END: usize = 8;
export const NODE_CHILDREN: usize = 12; // the first child that is a literal or a glob, after those for `**` and `*`
export const NODE_COUNT: usize = 16; // the number of such children, with the bits below
export const NODE_SLOT: usize = 20; // the slot of its mark (walk.ts), if it needs one
export const NODE_MASK: usize = 24; // u64: bit `token & 63` of each such child

export const HAS_STAR: u32 = 1 << 31;
export const HAS_GLOBSTAR: u32 = 1 << 30;
export const IS_GLOBSTAR: u32 = 1 << 29; // reached by `**`: stays active for any further segment
export const COUNT_BITS: u32 = IS_GLOBSTAR - 1;

/**
 * The token after a node's segments in a pattern. A trailing `**` is not a node: the pattern is listed as one of those
 * below.
 */
export const BELOW_TOKEN: u32 = 0;
export const GLOBSTAR_TOKEN: u32 = 1;
export const STAR_TOKEN: u32 = 2;
export const FIRST_TOKEN: u32 = 3; // followed by the literals and then the globs

export const LITERAL: u32 = 12; // hash | length | text
export const LITERAL_LENGTH: usize = 4;
export const LITERAL_TEXT: usize = 8;

export const GLOB: u32 = 32;
export const GLOB_KEY: usize = 0; // u64: bytes with which a matching segment must begin or end
export const GLOB_TEXT: usize = 8;
export const GLOB_LENGTH: usize = 12;
export const GLOB_PREFIX: usize = 16; // bytes before the first `*`
export const GLOB_SUFFIX: usize = 20; // bytes after the last
export const GLOB_LEAST: usize = 24; // bytes other than `*`: no shorter segment matches
export const GLOB_FAILURE: usize = 28; // the failure table; 0 when there is only one `*`

export const GROUP: u32 = 24;
export const GROUP_KEY: usize = 0; // 1 to 8: that many first bytes; 9 to 16: that many last bytes plus 8; 17: no key
export const GROUP_FIRST: usize = 4;
export const GROUP_COUNT: usize = 8;
export const GROUP_FILTER: usize = 16; // u64: bit `byte & 63` for the lowest byte of each key

export const SUFFIX_KEYS: u32 = 8;
export const NO_KEY: u32 = 17;
