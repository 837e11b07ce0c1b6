// Assembles the blob of a set part by part, in zeroed memory.

import { RESULT, room, setTop, take, top } from "../arena";
import { NO_MEMORY } from "../faults";
import {
  BUCKETS, FOLD, FORMAT, GLOB, GLOB_FAILURE, GLOB_KEY, GLOB_LEAST, GLOB_LENGTH, GLOB_PREFIX, GLOB_SUFFIX, GLOB_TABLE,
  GLOB_TEXT, GLOBS, GROUP, GROUP_COUNT, GROUP_FILTER, GROUP_FIRST, GROUP_TABLE, GROUPS, HEADER, KIND, LENGTH, LITERAL,
  LITERAL_LENGTH, LITERAL_TABLE, LITERAL_TEXT, LITERALS, NO_KEY, NODE, NODE_TABLE, NODES, ORDER, PATTERNS, SHIFT, SLOTS,
  TOKENS,
} from "./blob";
import { behindLastByte, filterBit, firstByte } from "./bytes";
import { buildFailures } from "./glob";
import { ROW, SEGMENT_GROUP, SEGMENT_KEY, SEGMENT_LENGTH, SEGMENT_TEXT } from "./segments";
import { distinctSegments, globCount, literalCount } from "./tokens";
import { buildTrie, countNodes, slotCount, sortedRows } from "./trie";

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
export function assembleSet(rows: usize, count: u32, length: u32, kind: u32, fold: bool): i32 {
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
