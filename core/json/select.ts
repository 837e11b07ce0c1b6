// Finds the values that a handful of JSON Pointers (RFC 6901) name, while the reader passes them.
//
// Pointers are bits of a mask: a value's mask holds those whose first tokens spell the way to it. Where the mask is
// empty, which is nearly everywhere, following the reader costs a store a container.

import { take } from "../arena";
import { sameBytes } from "../bytes";
import { JSON_POINTER, NO_MEMORY } from "../faults";
import { decodeToken, indexOfToken, tokenLength, tokenText } from "./token";

/** As many pointers as a mask has bits. */
export const MOST_POINTERS: u32 = 32;
/** As many tokens as a pointer may have. */
const MOST_TOKENS: u32 = 64;
const BEFORE_FIRST: u32 = 0xffffffff;

// A pointer, 8 bytes: its first token's number, its count of tokens.
const POINTERS: usize = memory.data(MOST_POINTERS * 8, 8);
// What was found, 8 bytes a pointer: start and end of the value; both all ones where the pointer names nothing.
const FOUND: usize = memory.data(MOST_POINTERS * 8, 8);
// The containers around the open one, 8 bytes each: mask, index of the element. Deeper down masks are empty.
const OUTER: usize = memory.data((MOST_TOKENS + 1) * 8, 8);

// Tokens, 12 bytes each: decoded text, its length, its value as an array index.
let tokens: usize = 0;
let level: u32 = 0;
/** Of the open container. */
let mask: u32 = 0;
let index: u32 = 0;
/** Of the value that comes next, or is open. */
let next: u32 = 0;

export function foundAt(): usize { return FOUND; }

/** Takes `count` pointers, each a u32 length and its text, from [p, end). 0, or a fault. */
export function selectPointers(p: usize, end: usize, count: u32): i32 {
  if (count > MOST_POINTERS) return JSON_POINTER;
  tokens = take((end - p) * 12 + 16);
  if (!tokens) return NO_MEMORY;
  let used: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    if (p + 4 > end || <usize>load<u32>(p) > end - p - 4) return JSON_POINTER;
    const stop = p + 4 + load<u32>(p);
    const first = used;
    p += 4;
    if (p == stop) return JSON_POINTER; // "" names the document itself, which cannot be left out of itself
    while (p < stop) {
      if (load<u8>(p) != 47) return JSON_POINTER;
      p = decodeToken(p + 1, stop);
      if (!p || used - first == MOST_TOKENS) return JSON_POINTER;
      const token = tokens + <usize>used * 12;
      store<u32>(token, <u32>tokenText());
      store<u32>(token, tokenLength(), 4);
      store<u32>(token, indexOfToken(), 8);
      used++;
    }
    store<u32>(POINTERS + (i << 3), first);
    store<u32>(POINTERS + (i << 3), used - first, 4);
  }
  memory.fill(FOUND, 0xff, MOST_POINTERS << 3);
  level = 0;
  mask = 0;
  next = count == 32 ? 0xffffffff : (1 << count) - 1;
  return 0;
}

export function selectOpen(): void {
  if (level <= MOST_TOKENS) {
    store<u32>(OUTER + (level << 3), mask);
    store<u32>(OUTER + (level << 3), index, 4);
  }
  level++;
  mask = next;
  index = BEFORE_FIRST;
}

export function selectName(name: usize, length: u32): void {
  next = mask && narrow(name, length);
}

export function selectElement(): void {
  index++;
  next = mask && narrow(0, index);
}

/** The pointers of the container's mask whose token at this level is the name, or, without a name, the index `n`. */
function narrow(name: usize, n: u32): u32 {
  let kept: u32 = 0;
  for (let rest = mask; rest; rest &= rest - 1) {
    const bit = ctz(rest);
    const pointer = POINTERS + (bit << 3);
    if (load<u32>(pointer, 4) < level) continue;
    const token = tokens + (load<u32>(pointer) + level - 1) * 12;
    const same = name
      ? load<u32>(token, 4) == n && sameBytes(load<u32>(token), name, n)
      : load<u32>(token, 8) == n;
    if (same) kept |= 1 << bit;
  }
  return kept;
}

/** The scalar in [from, to) is read. True when it is one of those to leave out. */
// @ts-ignore: decorator
@inline export function selectScalar(from: usize, to: usize): bool {
  return next != 0 && found(from, to);
}

/** The container in [from, to) is read. True when it is one of those to leave out. */
export function selectClose(from: usize, to: usize): bool {
  next = mask;
  level--;
  if (level <= MOST_TOKENS) {
    mask = load<u32>(OUTER + (level << 3));
    index = load<u32>(OUTER + (level << 3), 4);
  }
  return next != 0 && found(from, to);
}

function found(from: usize, to: usize): bool {
  let any = false;
  for (let rest = next; rest; rest &= rest - 1) {
    const bit = ctz(rest);
    if (load<u32>(POINTERS + (bit << 3), 4) != level) continue;
    store<u32>(FOUND + (bit << 3), <u32>from);
    store<u32>(FOUND + (bit << 3), <u32>to, 4);
    any = true;
  }
  return any;
}
