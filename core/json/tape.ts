// The tape: one entry for each value and each member name, in document order. It answers questions about the document
// (where is /a/0? what is at byte 17?) without reading it again. Entries contain offsets, so a tape can be copied out
// and kept.

import { room, setTop, top } from "../arena";
import { documentBegin } from "./fault";

// @ts-ignore: decorator
@unmanaged export class Entry {
  /** The offset of the first byte. */
  start: u32;
  /** The offset after the last byte. */
  end: u32;
  /** NULL to NAME, plus ESCAPED_TEXT for a string or name with an escape. */
  kind: u32;
  /** The index of the entry after the value and everything in it; for a name, of the entry of its value. */
  next: u32;
}

export const NULL: u32 = 0;
export const FALSE: u32 = 1;
export const TRUE: u32 = 2;
export const NUMBER: u32 = 3;
export const STRING: u32 = 4;
/** An array; an object is the next number. */
export const CONTAINER: u32 = 5;
export const NAME: u32 = 7;
export const ESCAPED_TEXT: u32 = 8;

const NONE: u32 = 0xffffffff;

/** For longer documents it pays to count the entries that the tape can need. */
const LONG: usize = 65535;

let tape: usize = 0;
let count: u32 = 0;
/** The innermost open container. While open, its `next` is the index of its parent: the tape is its own stack. */
let open: u32 = NONE;

// @ts-ignore: decorator
@inline export function tapeAt(): usize { return tape; }
// @ts-ignore: decorator
@inline export function tapeCount(): u32 { return count; }
// @ts-ignore: decorator
@inline export function entryAt(i: u32): Entry { return changetype<Entry>(tape + (<usize>i << 4)); }

/** Reserves as many entries as the document in [p, end) can need. False when there is no memory. */
export function startTape(p: usize, end: usize): bool {
  count = 0;
  open = NONE;
  tape = (top() + 15) & ~15;
  let entries = end - p + 2; // one entry per byte, as in [[[[
  if (end - p > LONG) {
    // A comma, a colon and an opening bracket each add at most one entry; those inside strings only make this too
    // generous.
    entries = 2;
    for (; p < end; p++) {
      const c = load<u8>(p);
      entries += usize(c == 44) + usize(c == 58) + usize((c & 0xdf) == 91);
    }
  }
  // Every entry takes at least one byte of input, and inputs are below 2^28 bytes, so this cannot overflow.
  if (!room(tape, (entries + 1) << 4)) return false;
  setTop(tape + (entries << 4));
  return true;
}

function put(start: usize, end: usize, kind: u32, next: u32): void {
  const entry = entryAt(count++);
  const begin = documentBegin();
  entry.start = <u32>(start - begin);
  entry.end = <u32>(end - begin);
  entry.kind = kind;
  entry.next = next;
}

export function tapeScalar(start: usize, end: usize, kind: u32): void {
  put(start, end, kind, count + 1);
}

export function tapeOpen(start: usize, kind: u32): void {
  put(start, start, kind, open);
  open = count - 1;
}

export function tapeClose(end: usize): void {
  const entry = entryAt(open);
  open = entry.next;
  entry.end = <u32>(end - documentBegin());
  entry.next = count;
}
