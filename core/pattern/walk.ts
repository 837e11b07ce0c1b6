// Walks a subject's segments through the trie of a set. A node is active when its segments match the subject's segments
// so far. Each node becomes active at most once per segment, so a subject costs at most its segments times the nodes.

import { take } from "../arena";
import { NO_MEMORY, PATTERN_BLOB, PATTERN_WORK } from "../faults";
import {
  COUNT_BITS, FORMAT, HAS_GLOBSTAR, HAS_STAR, HEADER, HOST, IS_GLOBSTAR, KIND, LENGTH, NODE, NODE_BELOW,
  NODE_CHILDREN, NODE_COUNT, NODE_END, NODE_EXACT, NODE_MASK, NODE_SLOT, NODE_TABLE, NODES, ORDER, PATTERNS,
  separatorOf, SLOTS, TAG, TOKENS,
} from "./blob";
import { behindLastByte, firstByte } from "./bytes";
import { classify, foundMask, foundTokens, foundTokensEnd, openTokens, tokenRoom } from "./classify";
import { addHits, clearHits, openHits } from "./hits";
import { refill, spend } from "./work";

/**
 * This byte and the one above it never occur in UTF-8: a subject that begins with one is not text and matches nothing.
 */
const NOT_TEXT: u32 = 0xfe;

let nodes: usize = 0;
let tokens: usize = 0;
let order: usize = 0;
let kind: u32 = 0;
let separator: u32 = 0;

let active: usize = 0; // addresses of nodes
let activeEnd: usize = 0;
let following: usize = 0;
let followingEnd: usize = 0;

/**
 * When each slot was last used: once per segment for a node of `**`, once per subject for a node with patterns below
 * it.
 */
let marks: usize = 0;
let time: u32 = 0;
let subjectTime: u32 = 0;

/** Selects the set at `blob` for matching; `all` as in hits.ts. Returns 0 or a fault. */
export function openSet(blob: usize, length: u32, all: bool): i32 {
  if (length < HEADER || load<u32>(blob) != FORMAT || load<u32>(blob, LENGTH) != length) return PATTERN_BLOB;
  kind = load<u32>(blob, KIND);
  separator = separatorOf(kind);
  nodes = blob + load<u32>(blob, NODE_TABLE);
  tokens = blob + load<u32>(blob, TOKENS);
  order = blob + load<u32>(blob, ORDER);

  const lists = <usize>load<u32>(blob, NODES) << 2;
  const slots = <usize>load<u32>(blob, SLOTS) << 2;
  active = take(lists);
  following = take(lists);
  marks = take(slots);
  const found = take(tokenRoom(blob));
  if (!active || !following || !marks || !found) return NO_MEMORY;
  memory.fill(marks, 0, slots);
  time = 0;
  openTokens(blob, found);
  return openHits(all ? load<u32>(blob, PATTERNS) : 0);
}

/** Matches the subject [start, end); the matching patterns become the hits (hits.ts). Returns 0 or a fault. */
export function walk(start: usize, end: usize): i32 {
  clearHits();
  if (start < end && load<u8>(start) >= NOT_TEXT) return 0;
  subjectTime = ++time;
  followingEnd = following;
  reach(nodes, false);
  refill();
  for (let last = false; !last && followingEnd > following; ) {
    const from = kind == HOST ? behindLastByte(start, end, separator) : start;
    const to = kind == HOST ? end : firstByte(start, end, separator);
    last = from == start && to == end;
    swapLists();
    classify(from, to);
    if (!spend((activeEnd - active) >> 2)) return PATTERN_WORK;
    time++;
    for (let p = active; p < activeEnd; p += 4) step(load<u32>(p), last);
    if (kind == HOST) end = from - 1;
    else start = to + 1;
  }
  return 0;
}

function swapLists(): void {
  const list = active;
  active = following;
  activeEnd = followingEnd;
  following = list;
  followingEnd = list;
}

/** Continues from an active node with the segment that was classified last. */
function step(node: usize, last: bool): void {
  const bits = load<u32>(node, NODE_COUNT);
  const first = load<u32>(node, NODE_CHILDREN);
  if (bits & IS_GLOBSTAR && !last) activate(node);
  if (bits & HAS_STAR) reach(nodes + (first - 1) * NODE, last);
  const mask = load<u64>(node, NODE_MASK) & foundMask();
  if (!mask) return;
  // Both token lists are ascending: iterates over the shorter one and searches the longer one.
  let few = foundTokens(), fewEnd = foundTokensEnd();
  let many = tokens + (<usize>first << 2), manyEnd = many + (<usize>(bits & COUNT_BITS) << 2);
  const swap = manyEnd - many < fewEnd - few;
  if (swap) {
    const list = few, end = fewEnd;
    few = many;
    fewEnd = manyEnd;
    many = list;
    manyEnd = end;
    spend((fewEnd - few) >> 2);
  }
  for (; few < fewEnd; few += 4) {
    const token = load<u32>(few);
    if (!((mask >> (token & 63)) & 1)) continue;
    const same = find(token, many, manyEnd);
    if (same) reach(nodes + ((swap ? few : same) - tokens) / 4 * NODE, last);
  }
}

/** The address of the token in the list, which must not be empty, or 0. */
// @ts-ignore: decorator
@inline function find(token: u32, list: usize, end: usize): usize {
  let count = <u32>(end - list) >> 2;
  spend(32 - clz(count));
  while (count > 1) {
    const half = count >> 1;
    const middle = list + (<usize>half << 2);
    list = select(middle, list, load<u32>(middle) <= token);
    count -= half;
  }
  return load<u32>(list) == token ? list : 0;
}

/** Called when the subject's segments so far lead to `node`: patterns may end there or continue below it. */
function reach(node: usize, last: bool): void {
  const below = load<u32>(node, NODE_BELOW);
  // A tag also matches everything below it (Agent Card 3.6.1, parent match).
  if (last || kind == TAG) addHits(order, load<u32>(node, NODE_EXACT), below);
  if (last) return;
  const end = load<u32>(node, NODE_END);
  if (end > below && mark(node, subjectTime)) addHits(order, below, end);
  const bits = load<u32>(node, NODE_COUNT);
  if (bits & ~HAS_GLOBSTAR) append(node);
  if (bits & HAS_GLOBSTAR) activate(nodes + (load<u32>(node, NODE_CHILDREN) - 1 - <u32>((bits & HAS_STAR) != 0)) * NODE);
}

/** Activates a node of `**`, which can be reached from the previous node and from itself. */
function activate(node: usize): void {
  if (mark(node, time)) append(node);
}

/** Records the time in the node's slot. False when it was already recorded. */
// @ts-ignore: decorator
@inline function mark(node: usize, now: u32): bool {
  const slot = marks + (<usize>load<u32>(node, NODE_SLOT) << 2);
  if (load<u32>(slot) == now) return false;
  store<u32>(slot, now);
  return true;
}

// @ts-ignore: decorator
@inline function append(node: usize): void {
  store<u32>(followingEnd, <u32>node);
  followingEnd += 4;
}
