// The patterns that match one subject: either all of them as a bitmap, which also sorts them, or only the first.
import { take, lowBytes, sameBytes, RESULT, room, seal, top } from "../arena";
import { NO_MEMORY, PATTERN_BLOB, PATTERN_WORK, PATTERN_SUBJECTS } from "../faults";
import {
  BUCKETS, FIRST_TOKEN, GLOB, GLOB_TABLE, GLOBS, GROUP, GROUP_COUNT, GROUP_FILTER, GROUP_FIRST, GROUP_TABLE, GROUPS,
  LITERAL, LITERAL_LENGTH, LITERAL_TABLE, LITERAL_TEXT, LITERALS, NO_KEY, SHIFT, SUFFIX_KEYS, COUNT_BITS, FORMAT,
  HAS_GLOBSTAR, HAS_STAR, HEADER, HOST, IS_GLOBSTAR, KIND, LENGTH, NODE, NODE_BELOW, NODE_CHILDREN, NODE_COUNT,
  NODE_END, NODE_EXACT, NODE_MASK, NODE_SLOT, NODE_TABLE, NODES, ORDER, PATTERNS, separatorOf, SLOTS, TAG, TOKENS,
  FOLD,
} from "./blob";
import { filterBit, hashBytes, globMatches, spend, behindLastByte, firstByte, refill, divides, foldCase } from "./glob";

/** No pattern. */
const NO_HIT: u32 = 0xffffffff;

let bits: usize = 0; // 64 patterns per word; 0 when only the first is wanted
let low: usize = 0;
let high: usize = 0;
let first: u32 = NO_HIT;

/** The lowest index of a matching pattern, or NO_HIT. Tracked only when not all hits are wanted. */
// @ts-ignore: decorator
@inline function firstHit(): u32 { return first; }

/** Makes room for all hits among `patterns` patterns; with 0, tracks only the first hit. Returns 0 or a fault. */
function openHits(patterns: u32): i32 {
  const size = ((<usize>patterns + 63) >> 6) << 3;
  bits = size ? take(size) : 0;
  if (size && !bits) return NO_MEMORY;
  memory.fill(bits, 0, size);
  high = 0;
  return 0;
}

/** Clears the hits of the last subject; `takeHits` has already cleared the bitmap. */
function clearHits(): void {
  first = NO_HIT;
  low = usize.MAX_VALUE;
  high = 0;
}

/** Adds the patterns in `order` from `from` to `to`. */
function addHits(order: usize, from: u32, to: u32): void {
  if (from == to) return;
  const end = order + (<usize>to << 2);
  let p = order + (<usize>from << 2);
  if (!bits) {
    first = min(first, load<u32>(p)); // equal patterns are sorted by their numbers
    return;
  }
  for (; p < end; p += 4) {
    const pattern = load<u32>(p);
    const word = bits + (<usize>(pattern >> 6) << 3);
    store<u64>(word, load<u64>(word) | (<u64>1 << (pattern & 63)));
    low = min(low, word);
    high = max(high, word);
  }
}

/** Writes the numbers of all hits in ascending order and clears them. Returns the end of the output. */
function takeHits(out: usize): usize {
  for (let word = low; word <= high; word += 8) {
    let left = load<u64>(word);
    if (!left) continue;
    store<u64>(word, 0);
    const base = <u32>((word - bits) << 3);
    do {
      store<u32>(out, base + <u32>ctz(left));
      out += 4;
      left &= left - 1;
    } while (left);
  }
  return out;
}

// Finds the tokens that match a segment of a subject: its literal by hash, and its globs by their keys.

let blob: usize = 0;
let literals: u32 = 0;
let globTable: usize = 0;

let found: usize = 0;
let foundEnd: usize = 0;
let mask: u64 = 0;

/** The tokens of the last segment, in [foundTokens(), foundTokensEnd()), and a mask with bit `token & 63` for each. */
// @ts-ignore: decorator
@inline function foundTokens(): usize { return found; }
// @ts-ignore: decorator
@inline function foundTokensEnd(): usize { return foundEnd; }
// @ts-ignore: decorator
@inline function foundMask(): u64 { return mask; }

/** The bytes that `openTokens` needs for the tokens of a segment: its literal and all globs. */
function tokenRoom(set: usize): usize { return (<usize>load<u32>(set, GLOBS) + 1) << 2; }

/** Selects the set in which segments are looked up. */
function openTokens(set: usize, tokens: usize): void {
  blob = set;
  literals = load<u32>(set, LITERALS);
  globTable = set + load<u32>(set, GLOB_TABLE);
  found = tokens;
}

/** Finds the tokens of the segment [start, end). */
function classify(start: usize, end: usize): void {
  foundEnd = found;
  mask = 0;
  if (literals) findLiteral(start, <u32>(end - start));
  let group = blob + load<u32>(blob, GROUP_TABLE);
  for (let left = load<u32>(blob, GROUPS); left; left--) {
    findGlobs(group, start, end);
    group += GROUP;
  }
}

// @ts-ignore: decorator
@inline function add(token: u32): void {
  store<u32>(foundEnd, token);
  foundEnd += 4;
  mask |= <u64>1 << (token & 63);
}

function findLiteral(start: usize, length: u32): void {
  const hash = hashBytes(start, length);
  const bucket = blob + load<u32>(blob, BUCKETS) + (<usize>(hash >> load<u32>(blob, SHIFT)) << 2);
  const first = load<u32>(bucket), end = load<u32>(bucket, 4);
  spend(end - first);
  for (let i = first; i < end; i++) {
    const literal = blob + load<u32>(blob, LITERAL_TABLE) + i * LITERAL;
    if (load<u32>(literal) == hash && load<u32>(literal, LITERAL_LENGTH) == length
      && sameBytes(start, blob + load<u32>(literal, LITERAL_TEXT), length)) {
      add(FIRST_TOKEN + i);
      return;
    }
  }
}

function findGlobs(group: usize, start: usize, end: usize): void {
  const size = load<u32>(group);
  const first = load<u32>(group, GROUP_FIRST), last = first + load<u32>(group, GROUP_COUNT);
  if (size == NO_KEY) {
    for (let i = first; i < last; i++) tryGlob(i, start, end);
    return;
  }
  const suffix = size > SUFFIX_KEYS;
  const bytes = suffix ? size - SUFFIX_KEYS : size;
  if (<u32>(end - start) < bytes) return;
  const key = load<u64>(suffix ? end - bytes : start) & lowBytes(bytes);
  if (!(load<u64>(group, GROUP_FILTER) & filterBit(key))) return;
  for (let i = lowerBound(key, first, last); i < last && load<u64>(globTable + i * GLOB) == key; i++) tryGlob(i, start, end);
}

/** The first glob in [low, high) whose key is at least `key`, or `high`. */
function lowerBound(key: u64, low: u32, high: u32): u32 {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u64>(globTable + middle * GLOB) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function tryGlob(i: u32, start: usize, end: usize): void {
  if (globMatches(blob, globTable + i * GLOB, start, end)) add(FIRST_TOKEN + literals + i);
}

// Walks a subject's segments through the trie of a set. A node is active when its segments match the subject's segments
// so far. Each node becomes active at most once per segment, so a subject costs at most its segments times the nodes.

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

/** Selects the set at `blob` for matching; `all` as in resetHits. Returns 0 or a fault. */
function openSet(blob: usize, length: u32, all: bool): i32 {
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

/** Matches the subject [start, end); the matching patterns become the hits. Returns 0 or a fault. */
function walk(start: usize, end: usize): i32 {
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

/** Matches are returned in portions of at most 16 MiB; the matches of a single subject are never split. */
const PORTION: usize = 1 << 24;

/**
 * Returns 1 when any pattern of the set at `blob` matches the subject of `length` bytes, 0 when none does, or a fault.
 */
export function patternTest(length: u32, blob: usize, blobLength: u32): i32 {
  const subject = seal(length);
  const fault = begin(subject, length, blob, blobLength, false);
  if (fault) return fault;
  const stopped = walk(subject, subject + length);
  if (stopped) return refuse(stopped, 0);
  return firstHit() != NO_HIT ? 1 : 0;
}

/**
 * Finds, for each of `count` subjects, the lowest index of a matching pattern, or -1. The input holds the subjects one
 * after another, separated by the byte `separator`, which none of them may contain. Returns the number of matched
 * subjects, with the address of the indexes in result word 0; or a fault, with the subject in word 1.
 */
export function patternMatchFirst(length: u32, blob: usize, blobLength: u32, separator: u32, count: u32): i32 {
  return matchEach(length, blob, blobLength, separator, count, false);
}

/**
 * Finds, for each subject, the indexes of all matching patterns. Input as for `patternMatchFirst`. Returns the number
 * of matches. Result word 0: address of the offsets, one more than there are subjects; word 1: address of the list of
 * indexes that the offsets divide; word 2: the number of subjects answered, which is smaller than `count` when their
 * matches fill a portion.
 */
export function patternMatchAll(length: u32, blob: usize, blobLength: u32, separator: u32, count: u32): i32 {
  return matchEach(length, blob, blobLength, separator, count, true);
}

function matchEach(length: u32, blob: usize, blobLength: u32, separator: u32, count: u32, all: bool): i32 {
  const input = seal(length), end = input + length;
  if (!divides(input, end, separator, count)) return PATTERN_SUBJECTS;
  const fault = begin(input, length, blob, blobLength, all);
  if (fault) return fault;
  // One word per subject: its index, or the offset where the indexes of the next subject begin.
  let word = take((<usize>count + 1) << 2);
  if (!word) return NO_MEMORY;
  store<u32>(RESULT, <u32>word);
  store<u32>(word, 0);
  const most = all ? <usize>load<u32>(blob, PATTERNS) << 2 : 0;
  const list = (top() + 3) & ~3;
  let out = list;
  let p = input;
  let matched: u32 = 0, answered: u32 = 0;
  for (; answered < count && (out + most <= list + PORTION || !answered); answered++) {
    if (!room(out, most)) return NO_MEMORY;
    const stop = firstByte(p, end, separator);
    const stopped = walk(p, stop);
    if (stopped) return refuse(stopped, answered);
    if (all) {
      out = takeHits(out);
      matched = <u32>((out - list) >> 2);
      store<u32>(word, matched, 4);
    } else {
      store<u32>(word, firstHit());
      matched += <u32>(firstHit() != NO_HIT);
    }
    word += 4;
    p = stop + 1;
  }
  store<u32>(RESULT, <u32>list, 4);
  store<u32>(RESULT, answered, 8);
  return <i32>matched;
}

/** Opens the set and folds the input if the set requires it. Returns 0 or a fault. */
function begin(input: usize, length: u32, blob: usize, blobLength: u32, all: bool): i32 {
  const fault = openSet(blob, blobLength, all);
  if (!fault && load<u32>(blob, FOLD)) foldCase(input, input + length);
  return fault;
}

function refuse(fault: i32, subject: u32): i32 {
  store<u32>(RESULT, subject, 4);
  return fault;
}
