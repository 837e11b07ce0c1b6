// A compiled set of patterns is a blob with no address in it, little-endian, every offset from its own start:
//
//   header    the words named below
//   order     u32 a pattern: the patterns' numbers, sorted by their segments; a node names ranges of this list
//   nodes     the trie over segments, children next to each other in the order of their tokens
//   tokens    u32 a node: the token that leads to it
//   literals  the distinct literal segments, sorted by hash, found through `buckets` (by the hash's first bits)
//   globs     the distinct segments with a `*` among other characters, sorted by group and key
//   groups    of globs that share where and how long their key is
//   text      the bytes of literals and globs; behind a glob's, its failure table (glob.ts)
//
// A token stands for one distinct segment of the set: a subject's segment is looked up once, and each active node
// compares numbers. docs/abi/patterns.md says what an embedder needs to know.

export const HOST: u32 = 0;
export const PATH: u32 = 1;
export const ENV: u32 = 2;
export const COMMAND: u32 = 3;
export const TAG: u32 = 4;

/** No text has this byte: the kinds env and command are one segment. */
const NO_SEPARATOR: u32 = 0xff;

/** The separator of segments in patterns and subjects of a kind. */
export function separatorOf(kind: u32): u32 {
  if (kind == HOST) return 0x2e;
  return kind == PATH || kind == TAG ? 0x2f : NO_SEPARATOR;
}

/** The most bytes to compile a set from: the largest blob, of nothing but separators, stays below 256 MiB. */
export const LARGEST_SET: u32 = 1 << 22;

export const FORMAT: u32 = 0x31544150; // "PAT1"
export const LENGTH: usize = 4;
export const KIND: usize = 8;
export const FOLD: usize = 12; // 1: ASCII letters are compared without their case
export const PATTERNS: usize = 16;
export const NODES: usize = 20;
export const SLOTS: usize = 24;
export const LITERALS: usize = 28;
export const SHIFT: usize = 32; // of a hash, to its bucket
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

/** Node: patterns order[EXACT, BELOW) end here, order[BELOW, END) are those that want one segment more, or several. */
export const NODE: u32 = 32;
export const NODE_EXACT: usize = 0;
export const NODE_BELOW: usize = 4;
export const NODE_END: usize = 8;
export const NODE_CHILDREN: usize = 12; // the first child that is a literal or a glob; `*` and before it `**` precede
export const NODE_COUNT: usize = 16; // of such children, with the bits below
export const NODE_SLOT: usize = 20; // of a mark (walk.ts), where one is needed
export const NODE_MASK: usize = 24; // u64: bit `token & 63` of each such child

export const HAS_STAR: u32 = 1 << 31;
export const HAS_GLOBSTAR: u32 = 1 << 30;
export const IS_GLOBSTAR: u32 = 1 << 29; // reached by `**`: stays active whatever segment comes
export const COUNT_BITS: u32 = IS_GLOBSTAR - 1;

/**
 * The token of what follows a node's segments in a pattern. A trailing `**` is not a node: it makes the pattern one of
 * those below.
 */
export const BELOW_TOKEN: u32 = 0;
export const GLOBSTAR_TOKEN: u32 = 1;
export const STAR_TOKEN: u32 = 2;
export const FIRST_TOKEN: u32 = 3; // then the literals, then the globs

export const LITERAL: u32 = 12; // hash | length | text
export const LITERAL_LENGTH: usize = 4;
export const LITERAL_TEXT: usize = 8;

export const GLOB: u32 = 32;
export const GLOB_KEY: usize = 0; // u64: bytes that a matching segment must begin or end with
export const GLOB_TEXT: usize = 8;
export const GLOB_LENGTH: usize = 12;
export const GLOB_PREFIX: usize = 16; // bytes before the first `*`
export const GLOB_SUFFIX: usize = 20; // bytes after the last
export const GLOB_LEAST: usize = 24; // bytes that are no `*`: no shorter segment matches
export const GLOB_FAILURE: usize = 28; // the failure table, 0 when there is one `*` only

export const GROUP: u32 = 24;
export const GROUP_KEY: usize = 0; // 1 to 8: that many first bytes; 9 to 16: that many last bytes and 8; 17: none
export const GROUP_FIRST: usize = 4;
export const GROUP_COUNT: usize = 8;
export const GROUP_FILTER: usize = 16; // u64: bit `byte & 63` of each key's lowest byte

export const SUFFIX_KEYS: u32 = 8;
export const NO_KEY: u32 = 17;
