// Sorts patterns by their tokens and builds the trie breadth first, so that the children of a node are adjacent.

import { take } from "../arena";
import {
  BELOW_TOKEN, GLOBSTAR_TOKEN, HAS_GLOBSTAR, HAS_STAR, IS_GLOBSTAR, NODE, NODE_BELOW, NODE_CHILDREN, NODE_COUNT,
  NODE_END, NODE_EXACT, NODE_MASK, NODE_SLOT, STAR_TOKEN,
} from "./blob";
import { ROW, ROW_COUNT, SEGMENT, SEGMENT_TOKEN } from "./segments";
import { sortAddresses } from "../sort";

let sorted: usize = 0;
let slots: u32 = 0;

/** The address of the list of rows, sorted by their tokens. */
export function sortedRows(): usize { return sorted; }

/** The number of nodes that have a slot. */
export function slotCount(): u32 { return slots; }

/** Sorts the rows. False when there is no memory. */
export function sortRows(rows: usize, count: u32): bool {
  sorted = take(<usize>count << 2);
  if (!sorted) return false;
  for (let i: u32 = 0; i < count; i++) store<u32>(sorted + (<usize>i << 2), <u32>(rows + i * ROW));
  sortAddresses(sorted, count, precedes);
  return true;
}

function precedes(a: usize, b: usize): bool {
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
export function countNodes(count: u32): u32 {
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
export function buildTrie(nodes: usize, tokens: usize, count: u32): void {
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
