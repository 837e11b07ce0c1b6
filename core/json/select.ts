// Reference tokens of a JSON Pointer (RFC 6901 sections 3 and 4).
import { take, sameBytes } from "../arena";
import { JSON_POINTER, NO_MEMORY } from "../faults";

const NO_INDEX: u32 = 0xffffffff;

let text: usize = 0;
let length: u32 = 0;
let asIndex: u32 = 0;

/** The last decoded token: its text, and its value as an array index (all ones when it is not one). */
// @ts-ignore: decorator
@inline function tokenText(): usize { return text; }
// @ts-ignore: decorator
@inline function tokenLength(): u32 { return length; }
// @ts-ignore: decorator
@inline function indexOfToken(): u32 { return asIndex; }

/**
 * Decodes `~0` and `~1` in the token at `p` in place; it can only get shorter. Returns its end, or 0 for an invalid
 * escape.
 */
function decodeToken(p: usize, end: usize): usize {
  text = p;
  let o = p;
  let value: u64 = 0;
  let digits = true;
  while (p < end && load<u8>(p) != 47) {
    let c = <u32>load<u8>(p++);
    if (c == 126) {
      if (p == end || <u32>load<u8>(p) - 48 > 1) return 0;
      c = load<u8>(p++) == 48 ? 126 : 47;
    }
    if (c - 48 < 10 && value < NO_INDEX) value = value * 10 + (c - 48);
    else digits = false;
    store<u8>(o++, c);
  }
  length = <u32>(o - text);
  asIndex = digits && length && value < NO_INDEX && (length == 1 || load<u8>(text) != 48) ? <u32>value : NO_INDEX;
  return p;
}

// Finds the values that a few JSON Pointers (RFC 6901) name, while the reader passes them.
//
// Each pointer is one bit of a mask. A value's mask contains the pointers whose first tokens match the path to it.
// Where the mask is empty, which is nearly everywhere, this costs only one store for each container.

/** The maximum number of pointers: the bits of a mask. */
const MOST_POINTERS: u32 = 32;
/** The maximum number of tokens in a pointer. */
const MOST_TOKENS: u32 = 64;
const BEFORE_FIRST: u32 = 0xffffffff;

// @ts-ignore: decorator
@unmanaged class Token {
  /** The decoded text. */
  text: usize;
  length: u32;
  /** The token as an array index. */
  index: u32;
}
const TOKEN_SIZE: usize = offsetof<Token>();

// @ts-ignore: decorator
@unmanaged class Pointer {
  /** The index of its first token. */
  first: u32;
  tokens: u32;
}

/** The start and end of a value; both all ones when the pointer names nothing. */
// @ts-ignore: decorator
@unmanaged class Place {
  start: usize;
  end: usize;
}

/** The state of an enclosing container: its mask, and the index of its current element. */
// @ts-ignore: decorator
@unmanaged class Level {
  mask: u32;
  index: u32;
}

// The pointers, the result of each, and the enclosing containers; those deeper than MOST_TOKENS have empty masks. 8
// bytes each.
const POINTERS: usize = memory.data(MOST_POINTERS * 8, 8);
const FOUND: usize = memory.data(MOST_POINTERS * 8, 8);
const OUTER: usize = memory.data((MOST_TOKENS + 1) * 8, 8);

let tokens: usize = 0;
let level: u32 = 0;
/** The mask of the open container. */
let mask: u32 = 0;
let index: u32 = 0;
/** The mask of the next value, or of the open one. */
let next: u32 = 0;

// @ts-ignore: decorator
@inline function pointerAt(i: u32): Pointer { return changetype<Pointer>(POINTERS + (i << 3)); }
// @ts-ignore: decorator
@inline function placeAt(i: u32): Place { return changetype<Place>(FOUND + (i << 3)); }
// @ts-ignore: decorator
@inline function tokenAt(i: u32): Token { return changetype<Token>(tokens + <usize>i * TOKEN_SIZE); }
/** The container that encloses the one at this level. */
// @ts-ignore: decorator
@inline function outer(): Level { return changetype<Level>(OUTER + (level << 3)); }

export function foundAt(): usize { return FOUND; }

/** Reads `count` pointers from [p, end), each a u32 length and its text. Returns 0, or a fault. */
export function selectPointers(p: usize, end: usize, count: u32): i32 {
  if (count > MOST_POINTERS) return JSON_POINTER;
  tokens = take((end - p) * TOKEN_SIZE + 16);
  if (!tokens) return NO_MEMORY;
  let used: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    if (p + 4 > end || <usize>load<u32>(p) > end - p - 4) return JSON_POINTER;
    const stop = p + 4 + load<u32>(p);
    const first = used;
    p += 4;
    if (p == stop) return JSON_POINTER; // "" names the document itself, which cannot be left out
    while (p < stop) {
      if (load<u8>(p) != 47) return JSON_POINTER;
      p = decodeToken(p + 1, stop);
      if (!p || used - first == MOST_TOKENS) return JSON_POINTER;
      const token = tokenAt(used);
      token.text = tokenText();
      token.length = tokenLength();
      token.index = indexOfToken();
      used++;
    }
    pointerAt(i).first = first;
    pointerAt(i).tokens = used - first;
  }
  memory.fill(FOUND, 0xff, MOST_POINTERS << 3);
  level = 0;
  mask = 0;
  next = count == 32 ? 0xffffffff : (1 << count) - 1;
  return 0;
}

export function selectOpen(): void {
  if (level <= MOST_TOKENS) {
    outer().mask = mask;
    outer().index = index;
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

/** The container's pointers whose token at this level is the name or, without a name, the index `n`. */
function narrow(name: usize, n: u32): u32 {
  let kept: u32 = 0;
  for (let rest = mask; rest; rest &= rest - 1) {
    const bit = ctz(rest);
    const pointer = pointerAt(bit);
    if (pointer.tokens < level) continue;
    const token = tokenAt(pointer.first + level - 1);
    const same = name ? token.length == n && sameBytes(token.text, name, n) : token.index == n;
    if (same) kept |= 1 << bit;
  }
  return kept;
}

/** Called after the scalar in [from, to). True when it must be left out. */
// @ts-ignore: decorator
@inline export function selectScalar(from: usize, to: usize): bool {
  return next != 0 && found(from, to);
}

/** Called after the container in [from, to). True when it must be left out. */
export function selectClose(from: usize, to: usize): bool {
  next = mask;
  level--;
  if (level <= MOST_TOKENS) {
    mask = outer().mask;
    index = outer().index;
  }
  return next != 0 && found(from, to);
}

function found(from: usize, to: usize): bool {
  let any = false;
  for (let rest = next; rest; rest &= rest - 1) {
    const bit = ctz(rest);
    if (pointerAt(bit).tokens != level) continue;
    const place = placeAt(bit);
    place.start = from;
    place.end = to;
    any = true;
  }
  return any;
}
