// Puts together the blob of a set: sizes first, then each part in its place.

import { RESULT, take } from "../arena";
import { NO_MEMORY } from "../faults";
import {
  BUCKETS, FOLD, FORMAT, GLOB, GLOB_FAILURE, GLOB_KEY, GLOB_LEAST, GLOB_LENGTH, GLOB_PREFIX, GLOB_SUFFIX, GLOB_TABLE,
  GLOB_TEXT, GLOBS, GROUP, GROUP_COUNT, GROUP_FILTER, GROUP_FIRST, GROUP_TABLE, GROUPS, HEADER, KIND, LENGTH, LITERAL,
  LITERAL_LENGTH, LITERAL_TABLE, LITERAL_TEXT, LITERALS, NODE, NODE_TABLE, NODES, ORDER, PATTERNS, SHIFT, SLOTS, TOKENS,
} from "./blob";
import { behindLastByte, firstByte } from "./bytes";
import { buildFailures } from "./glob";
import { ROW, SEGMENT_GROUP, SEGMENT_KEY, SEGMENT_LENGTH, SEGMENT_TEXT } from "./segments";
import { distinctSegments, globCount, literalCount } from "./tokens";
import { buildTrie, countNodes, slotCount, sortedRows } from "./trie";

const STAR: u32 = 0x2a;

/** Behind the text, so that reading eight bytes at a time never leaves the blob. */
const TEXT_PADDING: usize = 8;

// @ts-ignore: decorator
@inline function distinctAt(i: u32): usize { return load<u32>(distinctSegments() + (<usize>i << 2)); }

/** Writes the blob of the sorted rows and numbered segments. Returns its length, result word 0 its address. */
export function assembleSet(rows: usize, count: u32, kind: u32, fold: bool): i32 {
  const nodes = countNodes(count);
  const literals = literalCount();
  const globs = globCount();
  // More buckets than literals, so that most hold one or none.
  const bits = <u32>(32 - clz(literals | 1));
  const groups = countGroups(literals, globs);

  const nodeTable = (HEADER + (<usize>count << 2) + 7) & ~7;
  const tokens = nodeTable + nodes * NODE;
  const buckets = tokens + (<usize>nodes << 2);
  const literalTable = buckets + (((<usize>1 << bits) + 1) << 2);
  const globTable = (literalTable + literals * LITERAL + 7) & ~7;
  const groupTable = globTable + globs * GLOB;
  const text = groupTable + groups * GROUP;
  const length = text + textSize(literals, globs) + TEXT_PADDING;
  const blob = take(length);
  if (!blob) return NO_MEMORY;

  store<u32>(blob, FORMAT);
  store<u32>(blob, <u32>length, LENGTH);
  store<u32>(blob, kind, KIND);
  store<u32>(blob, <u32>fold, FOLD);
  store<u32>(blob, count, PATTERNS);
  store<u32>(blob, nodes, NODES);
  store<u32>(blob, literals, LITERALS);
  store<u32>(blob, 32 - bits, SHIFT);
  store<u32>(blob, globs, GLOBS);
  store<u32>(blob, groups, GROUPS);
  store<u32>(blob, <u32>HEADER, ORDER);
  store<u32>(blob, <u32>nodeTable, NODE_TABLE);
  store<u32>(blob, <u32>tokens, TOKENS);
  store<u32>(blob, <u32>buckets, BUCKETS);
  store<u32>(blob, <u32>literalTable, LITERAL_TABLE);
  store<u32>(blob, <u32>globTable, GLOB_TABLE);
  store<u32>(blob, <u32>groupTable, GROUP_TABLE);

  for (let i: u32 = 0; i < count; i++) {
    const row = <usize>load<u32>(sortedRows() + (<usize>i << 2));
    store<u32>(blob + HEADER + (<usize>i << 2), <u32>((row - rows) / ROW));
  }
  store<u32>(blob + tokens, 0);
  buildTrie(blob + nodeTable, blob + tokens, count);
  store<u32>(blob, slotCount(), SLOTS);
  const globText = writeLiterals(blob, literals, bits, text);
  writeGlobs(blob, literals, globs, globText);
  writeGroups(blob + groupTable, literals, globs);
  memory.fill(blob + length - TEXT_PADDING, 0, TEXT_PADDING);
  store<u32>(RESULT, <u32>blob);
  return <i32>length;
}

function countGroups(literals: u32, globs: u32): u32 {
  let groups: u32 = 0;
  for (let i: u32 = 0; i < globs; i++) groups += <u32>(i == 0 || groupAt(literals + i) != groupAt(literals + i - 1));
  return groups;
}

// @ts-ignore: decorator
@inline function groupAt(i: u32): u32 { return load<u32>(distinctAt(i), SEGMENT_GROUP); }

function textSize(literals: u32, globs: u32): usize {
  let size: usize = 0;
  for (let i: u32 = 0; i < literals + globs; i++) {
    const segment = distinctAt(i);
    const length = <usize>load<u32>(segment, SEGMENT_LENGTH);
    size += length;
    if (i >= literals && hasPieces(segment)) size += (size & 1) + (length << 1);
  }
  return size;
}

/** Whether there are two stars: then a piece stands between them, for none are next to each other. */
function hasPieces(segment: usize): bool {
  const text = <usize>load<u32>(segment, SEGMENT_TEXT), end = text + load<u32>(segment, SEGMENT_LENGTH);
  return behindLastByte(text, end, STAR) - 1 > firstByte(text, end, STAR);
}

/** Writes the literals, their buckets and their text, which begins at offset `text`; returns where it ends. */
function writeLiterals(blob: usize, literals: u32, bits: u32, text: usize): usize {
  const buckets = blob + load<u32>(blob, BUCKETS);
  let entry = blob + load<u32>(blob, LITERAL_TABLE);
  let bucket: u32 = 0;
  for (let i: u32 = 0; i < literals; i++) {
    const segment = distinctAt(i);
    const hash = <u32>load<u64>(segment, SEGMENT_KEY);
    const length = load<u32>(segment, SEGMENT_LENGTH);
    for (const own = hash >> (32 - bits); bucket <= own; bucket++) store<u32>(buckets + (<usize>bucket << 2), i);
    store<u32>(entry, hash);
    store<u32>(entry, length, LITERAL_LENGTH);
    store<u32>(entry, <u32>text, LITERAL_TEXT);
    memory.copy(blob + text, load<u32>(segment, SEGMENT_TEXT), length);
    text += length;
    entry += LITERAL;
  }
  for (const last = <u32>1 << bits; bucket <= last; bucket++) store<u32>(buckets + (<usize>bucket << 2), literals);
  return text;
}

function writeGlobs(blob: usize, literals: u32, globs: u32, text: usize): void {
  let entry = blob + load<u32>(blob, GLOB_TABLE);
  for (let i: u32 = 0; i < globs; i++) {
    const segment = distinctAt(literals + i);
    const length = load<u32>(segment, SEGMENT_LENGTH);
    const from = blob + text, end = from + length;
    memory.copy(from, load<u32>(segment, SEGMENT_TEXT), length);
    const prefix = <u32>(firstByte(from, end, STAR) - from);
    const suffix = <u32>(end - behindLastByte(from, end, STAR));
    let stars: u32 = 0;
    for (let p = from; p < end; p++) stars += <u32>(<u32>load<u8>(p) == STAR);
    store<u64>(entry, load<u64>(segment, SEGMENT_KEY), GLOB_KEY);
    store<u32>(entry, <u32>text, GLOB_TEXT);
    store<u32>(entry, length, GLOB_LENGTH);
    store<u32>(entry, prefix, GLOB_PREFIX);
    store<u32>(entry, suffix, GLOB_SUFFIX);
    store<u32>(entry, length - stars, GLOB_LEAST);
    store<u32>(entry, 0, GLOB_FAILURE);
    text += length;
    if (stars > 1) {
      text += text & 1;
      store<u32>(entry, <u32>text, GLOB_FAILURE);
      buildFailures(from, prefix, end - suffix, blob + text);
      text += <usize>length << 1;
    }
    entry += GLOB;
  }
}

function writeGroups(table: usize, literals: u32, globs: u32): void {
  let group = table - GROUP;
  for (let i: u32 = 0; i < globs; i++) {
    if (i == 0 || groupAt(literals + i) != groupAt(literals + i - 1)) {
      group += GROUP;
      store<u32>(group, groupAt(literals + i));
      store<u32>(group, i, GROUP_FIRST);
      store<u32>(group, 0, GROUP_COUNT);
      store<u64>(group, 0, GROUP_FILTER);
    }
    store<u32>(group, load<u32>(group, GROUP_COUNT) + 1, GROUP_COUNT);
    const key = load<u64>(distinctAt(literals + i), SEGMENT_KEY);
    store<u64>(group, load<u64>(group, GROUP_FILTER) | (<u64>1 << ((key * 0x9e3779b97f4a7c15) >> 58)), GROUP_FILTER);
  }
}
