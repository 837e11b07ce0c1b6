// Numbers the distinct segments of a set: literals by hash, then globs by group and key.
import { take, sortAddresses, RESULT, room, setTop, top, seal } from "../arena";
import {
  FIRST_TOKEN, BELOW_TOKEN, GLOBSTAR_TOKEN, HAS_GLOBSTAR, HAS_STAR, IS_GLOBSTAR, NODE, NODE_BELOW, NODE_CHILDREN,
  NODE_COUNT, NODE_END, NODE_EXACT, NODE_MASK, NODE_SLOT, STAR_TOKEN, BUCKETS, FOLD, FORMAT, GLOB, GLOB_FAILURE,
  GLOB_KEY, GLOB_LEAST, GLOB_LENGTH, GLOB_PREFIX, GLOB_SUFFIX, GLOB_TABLE, GLOB_TEXT, GLOBS, GROUP, GROUP_COUNT,
  GROUP_FILTER, GROUP_FIRST, GROUP_TABLE, GROUPS, HEADER, KIND, LENGTH, LITERAL, LITERAL_LENGTH, LITERAL_TABLE,
  LITERAL_TEXT, LITERALS, NO_KEY, NODE_TABLE, NODES, ORDER, PATTERNS, SHIFT, SLOTS, TOKENS, HOST, LARGEST_SET, TAG,
} from "./blob";
import {
  LITERAL_GROUP, SEGMENT, SEGMENT_GROUP, SEGMENT_KEY, SEGMENT_LENGTH, SEGMENT_TEXT, SEGMENT_TOKEN, WILDCARDS, ROW,
  ROW_COUNT, cutPattern, behindLastByte, filterBit, firstByte, divides, foldCase, buildFailures, checkPattern,
} from "./glob";
import { NO_MEMORY, BAD_INPUT, PATTERN_SET } from "../faults";

let distinct: usize = 0;
let literals: u32 = 0;
let globs: u32 = 0;

/** The address of the list of distinct segments in token order, and the numbers of literals and globs. */
function distinctSegments(): usize { return distinct; }
function literalCount(): u32 { return literals; }
function globCount(): u32 { return globs; }

/** Assigns a token to each segment in [segments, end). False when there is no memory. */
function numberSegments(segments: usize, end: usize): bool {
  distinct = take((end - segments) / SEGMENT * 4);
  if (!distinct) return false;
  let n: u32 = 0;
  for (let p = segments; p < end; p += SEGMENT) {
    if (load<u32>(p, SEGMENT_GROUP) == WILDCARDS) continue;
    store<u32>(distinct + (<usize>n << 2), <u32>p);
    n++;
  }
  sortAddresses(distinct, n, precedes);
  literals = 0;
  globs = 0;
  let last: usize = 0;
  for (let i: u32 = 0; i < n; i++) {
    const p = <usize>load<u32>(distinct + (<usize>i << 2));
    if (!last || order(last, p)) {
      store<u32>(distinct + (<usize>(literals + globs) << 2), <u32>p);
      if (load<u32>(p, SEGMENT_GROUP) == LITERAL_GROUP) literals++;
      else globs++;
    }
    store<u32>(p, FIRST_TOKEN + literals + globs - 1, SEGMENT_TOKEN);
    last = p;
  }
  return true;
}

function precedes(a: usize, b: usize): bool {
  const sign = order(a, b);
  return sign ? sign < 0 : a < b;
}

/** Negative when segment `a` sorts before `b`, zero when they are the same. */
function order(a: usize, b: usize): i32 {
  const group = load<u32>(a, SEGMENT_GROUP), otherGroup = load<u32>(b, SEGMENT_GROUP);
  if (group != otherGroup) return group < otherGroup ? -1 : 1;
  const key = load<u64>(a, SEGMENT_KEY), otherKey = load<u64>(b, SEGMENT_KEY);
  if (key != otherKey) return key < otherKey ? -1 : 1;
  const length = load<u32>(a, SEGMENT_LENGTH), otherLength = load<u32>(b, SEGMENT_LENGTH);
  if (length != otherLength) return length - otherLength;
  let text = <usize>load<u32>(a, SEGMENT_TEXT), otherText = <usize>load<u32>(b, SEGMENT_TEXT);
  const end = text + length;
  while (text < end) {
    const difference = <i32>load<u8>(text++) - <i32>load<u8>(otherText++);
    if (difference) return difference;
  }
  return 0;
}

// Sorts patterns by their tokens and builds the trie breadth first, so that the children of a node are adjacent.

let sorted: usize = 0;
let slots: u32 = 0;

/** The address of the list of rows, sorted by their tokens. */
function sortedRows(): usize { return sorted; }

/** The number of nodes that have a slot. */
function slotCount(): u32 { return slots; }

/** Sorts the rows. False when there is no memory. */
function sortRows(rows: usize, count: u32): bool {
  sorted = take(<usize>count << 2);
  if (!sorted) return false;
  for (let i: u32 = 0; i < count; i++) store<u32>(sorted + (<usize>i << 2), <u32>(rows + i * ROW));
  sortAddresses(sorted, count, comesBefore);
  return true;
}

function comesBefore(a: usize, b: usize): bool {
  const count = load<u32>(a, ROW_COUNT), otherCount = load<u32>(b, ROW_COUNT);
  const shorter = min(count, otherCount);
  const same = sharedSegments(a, b, shorter);
  if (same < shorter) return tokenAt(a, same) < tokenAt(b, same);
  return count != otherCount ? count < otherCount : a < b;
}

function sharedSegments(a: usize, b: usize, most: u32): u32 {
  let same: u32 = 0;
  while (same < most && tokenAt(a, same) == tokenAt(b, same)) same++;
  return same;
}

// @ts-ignore: decorator
@inline function tokenAt(row: usize, depth: u32): u32 {
  return load<u32>(<usize>load<u32>(row) + depth * SEGMENT, SEGMENT_TOKEN);
}

// @ts-ignore: decorator
@inline function rowAt(index: u32): usize { return load<u32>(sorted + (<usize>index << 2)); }

/** The number of segments that lead to the last node of a row; a trailing `**` is not a node. */
function depthOf(row: usize): u32 {
  const count = load<u32>(row, ROW_COUNT);
  return count && tokenAt(row, count - 1) == BELOW_TOKEN ? count - 1 : count;
}

/**
 * The number of nodes of the trie: the root, and each segment that a row does not have in common with the previous one.
 */
function countNodes(count: u32): u32 {
  let nodes: u32 = 1;
  for (let i: u32 = 0; i < count; i++) {
    const depth = depthOf(rowAt(i));
    nodes += depth;
    if (i) nodes -= sharedSegments(rowAt(i - 1), rowAt(i), min(depth, depthOf(rowAt(i - 1))));
  }
  return nodes;
}

/**
 * Fills `nodes` and `tokens`, which must be zero. The nodes are their own queue: a queued node stores its first row
 * and, where its mask will be, its number of rows and its depth.
 */
function buildTrie(nodes: usize, tokens: usize, count: u32): void {
  slots = 0;
  enqueue(nodes, 0, count, 0);
  let next: u32 = 1;
  for (let id: u32 = 0; id < next; id++) next = buildNode(nodes, tokens, id, next);
}

function enqueue(node: usize, first: u32, count: u32, depth: u32): void {
  store<u32>(node, first, NODE_EXACT);
  store<u32>(node, count, NODE_MASK);
  store<u32>(node, depth, NODE_MASK + 4);
}

/** The first row from `row` to `end` that continues with another token. */
function behindToken(row: u32, end: u32, depth: u32, token: u32): u32 {
  while (row < end && tokenAt(rowAt(row), depth) == token) row++;
  return row;
}

function buildNode(nodes: usize, tokens: usize, id: u32, next: u32): u32 {
  const node = nodes + id * NODE;
  const depth = load<u32>(node, NODE_MASK + 4);
  let row = load<u32>(node, NODE_EXACT);
  const end = row + load<u32>(node, NODE_MASK);

  while (row < end && load<u32>(rowAt(row), ROW_COUNT) == depth) row++;
  store<u32>(node, row, NODE_BELOW);
  row = behindToken(row, end, depth, BELOW_TOKEN);
  store<u32>(node, row, NODE_END);
  if (row > load<u32>(node, NODE_BELOW)) store<u32>(node, slots++, NODE_SLOT);

  let bits = load<u32>(node, NODE_COUNT) & IS_GLOBSTAR;
  let first = next;
  let mask: u64 = 0;
  while (row < end) {
    const token = tokenAt(rowAt(row), depth);
    const from = row;
    row = behindToken(row, end, depth, token);
    const child = nodes + next * NODE;
    enqueue(child, from, row - from, depth + 1);
    store<u32>(tokens + (<usize>next << 2), token);
    next++;
    if (token == GLOBSTAR_TOKEN) {
      bits |= HAS_GLOBSTAR;
      first++;
      store<u32>(child, IS_GLOBSTAR, NODE_COUNT);
      store<u32>(child, slots++, NODE_SLOT);
    } else if (token == STAR_TOKEN) {
      bits |= HAS_STAR;
      first++;
    } else {
      bits++;
      mask |= <u64>1 << (token & 63);
    }
  }
  store<u32>(node, first, NODE_CHILDREN);
  store<u32>(node, bits, NODE_COUNT);
  store<u64>(node, mask, NODE_MASK);
  return next;
}

// Assembles the blob of a set part by part, in zeroed memory.

const STAR: u32 = 0x2a;

/** Bytes after the text, so that reading eight at a time stays inside the blob, and bytes for aligning the parts. */
const TEXT_PADDING: usize = 8;
const PARTS_PADDING: usize = 128;

let blob: usize = 0;

/** Allocates the next part of the blob and writes its offset into the header. There must be room. */
function part(field: usize, size: usize): usize {
  const at = take(size);
  store<u32>(blob + field, <u32>(at - blob));
  return at;
}

/**
 * Writes the blob for the sorted rows and numbered segments, with at most `length` bytes of text. Returns its length,
 * with its address in result word 0.
 */
function assembleSet(rows: usize, count: u32, length: u32, kind: u32, fold: bool): i32 {
  const nodes = countNodes(count);
  const literals = literalCount();
  const globs = globCount();
  // More buckets than literals, so that most hold one or none.
  const bits = <u32>(32 - clz(literals | 1));
  // A glob's text is followed by up to one byte of alignment and its failure table, which is twice as long as the text.
  const most = HEADER + ((<usize>count + nodes + 1 + (1 << bits)) << 2) + nodes * NODE + literals * LITERAL
    + globs * (GLOB + 1) + min(globs, NO_KEY) * GROUP + <usize>length * 3 + TEXT_PADDING + PARTS_PADDING;
  if (!room(top(), most)) return NO_MEMORY;
  memory.fill(top(), 0, most);
  blob = take(HEADER);
  store<u32>(blob, FORMAT);
  store<u32>(blob, kind, KIND);
  store<u32>(blob, <u32>fold, FOLD);
  store<u32>(blob, count, PATTERNS);
  store<u32>(blob, nodes, NODES);
  store<u32>(blob, literals, LITERALS);
  store<u32>(blob, 32 - bits, SHIFT);
  store<u32>(blob, globs, GLOBS);

  const order = part(ORDER, <usize>count << 2);
  for (let i: usize = 0; i < <usize>count << 2; i += 4) {
    store<u32>(order + i, <u32>((load<u32>(sortedRows() + i) - rows) / ROW));
  }
  buildTrie(part(NODE_TABLE, nodes * NODE), part(TOKENS, <usize>nodes << 2), count);
  store<u32>(blob, slotCount(), SLOTS);
  writeSegments(literals, globs, bits);
  store<u32>(RESULT, <u32>blob);
  store<u32>(blob, <u32>(top() - blob), LENGTH);
  return <i32>(top() - blob);
}

/** Writes literals and globs, their indexes, and their text. */
function writeSegments(literals: u32, globs: u32, bits: u32): void {
  const buckets = part(BUCKETS, ((<usize>1 << bits) + 1) << 2);
  let literal = part(LITERAL_TABLE, literals * LITERAL);
  let glob = part(GLOB_TABLE, globs * GLOB);
  let group = part(GROUP_TABLE, min(globs, NO_KEY) * GROUP) - GROUP;
  let groups: u32 = 0, lastKey: u32 = 0;
  let text = top();
  for (let i: u32 = 0; i < literals + globs; i++) {
    const segment = <usize>load<u32>(distinctSegments() + (<usize>i << 2));
    const key = load<u64>(segment, SEGMENT_KEY);
    const length = load<u32>(segment, SEGMENT_LENGTH);
    const end = text + length;
    memory.copy(text, load<u32>(segment, SEGMENT_TEXT), length);
    if (i < literals) {
      store<u32>(buckets + (<usize>(<u32>key >> (32 - bits)) << 2), i + 1, 4);
      store<u32>(literal, <u32>key);
      store<u32>(literal, length, LITERAL_LENGTH);
      store<u32>(literal, <u32>(text - blob), LITERAL_TEXT);
      literal += LITERAL;
      text = end;
    } else {
      const groupKey = load<u32>(segment, SEGMENT_GROUP);
      if (groupKey != lastKey) {
        lastKey = groupKey;
        group += GROUP;
        groups++;
        store<u32>(group, groupKey);
        store<u32>(group, i - literals, GROUP_FIRST);
      }
      store<u32>(group, load<u32>(group, GROUP_COUNT) + 1, GROUP_COUNT);
      store<u64>(group, load<u64>(group, GROUP_FILTER) | filterBit(key), GROUP_FILTER);
      store<u64>(glob, key, GLOB_KEY);
      text = writeGlob(glob, text, end);
      glob += GLOB;
    }
  }
  // A bucket ends where the next one begins; an empty bucket ends where the previous one does.
  for (let p = buckets + 4; p <= buckets + (<usize>4 << bits); p += 4) store<u32>(p, max(load<u32>(p), load<u32>(p - 4)));
  store<u32>(blob, groups, GROUPS);
  setTop(text + TEXT_PADDING);
}

/** Writes a glob except its key. Returns the end of its text and failure table. */
function writeGlob(glob: usize, text: usize, end: usize): usize {
  const prefix = <u32>(firstByte(text, end, STAR) - text);
  const suffix = <u32>(end - behindLastByte(text, end, STAR));
  let stars: u32 = 0;
  for (let p = text; p < end; p++) stars += <u32>(<u32>load<u8>(p) == STAR);
  store<u32>(glob, <u32>(text - blob), GLOB_TEXT);
  store<u32>(glob, <u32>(end - text), GLOB_LENGTH);
  store<u32>(glob, prefix, GLOB_PREFIX);
  store<u32>(glob, suffix, GLOB_SUFFIX);
  store<u32>(glob, <u32>(end - text) - stars, GLOB_LEAST);
  if (stars == 1) return end;
  const failure = (end + 1) & ~1;
  store<u32>(glob, <u32>(failure - blob), GLOB_FAILURE);
  buildFailures(text, prefix, end - suffix, failure);
  return failure + ((end - text) << 1);
}

/** A flag of `patternCompile`: ignores the case of ASCII letters. Hosts always ignore it. */
const IGNORE_CASE: u32 = 1;

/**
 * Compiles a set of `count` patterns of one kind. The input holds them one after another, separated by the byte
 * `separator`, which none of them may contain, such as 0xff, which never occurs in UTF-8. Returns the length of the
 * blob, with its address in result word 0; or the fault of the first refused pattern, with its place in words 1 and 2
 * and the pattern's index in word 3.
 */
export function patternCompile(length: u32, kind: u32, flags: u32, separator: u32, count: u32): i32 {
  const input = seal(length);
  const end = input + length;
  if (kind > TAG || flags > IGNORE_CASE || !divides(input, end, separator, count)) return BAD_INPUT;
  if (length > LARGEST_SET) return PATTERN_SET;
  const rows = take(count * ROW);
  if (!rows) return NO_MEMORY;
  const segments = (top() + 7) & ~7;
  setTop(segments);

  const fold = kind == HOST || flags == IGNORE_CASE;
  let p = input;
  for (let i: u32 = 0; i < count; i++) {
    const stop = firstByte(p, end, separator);
    const refused = checkPattern(p, <u32>(stop - p), kind);
    if (refused) {
      memory.copy(RESULT + 4, refused + 4, 8);
      store<u32>(RESULT, i, 12);
      return load<i32>(refused);
    }
    if (fold) foldCase(p, stop);
    if (!cutPattern(rows + i * ROW, p, stop, kind)) return NO_MEMORY;
    p = stop + 1;
  }
  if (!numberSegments(segments, top()) || !sortRows(rows, count)) return NO_MEMORY;
  return assembleSet(rows, count, length, kind, fold);
}
