// The tape: one entry for each value and each member name, in document order. It answers questions about the document
// (where is /a/0? what is at byte 17?) without reading it again. Entries contain offsets, so a tape can be copied out
// and kept.
import { room, setTop, top, RESULT, seal } from "../arena";
import { documentBegin, fault, readDocument } from "./reader";
import { selectClose, selectElement, selectName, selectOpen, selectScalar } from "./select";

// @ts-ignore: decorator
@unmanaged class Entry {
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
const NAME: u32 = 7;
export const ESCAPED_TEXT: u32 = 8;

const NONE: u32 = 0xffffffff;

/** For longer documents it pays to count the entries that the tape can need. */
const LONG: usize = 65535;

let tape: usize = 0;
let count: u32 = 0;
/** The innermost open container. While open, its `next` is the index of its parent: the tape is its own stack. */
let open: u32 = NONE;

// @ts-ignore: decorator
@inline function tapeAt(): usize { return tape; }
// @ts-ignore: decorator
@inline function tapeCount(): u32 { return count; }
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

function tapeScalar(start: usize, end: usize, kind: u32): void {
  put(start, end, kind, count + 1);
}

function tapeOpen(start: usize, kind: u32): void {
  put(start, start, kind, open);
  open = count - 1;
}

function tapeClose(end: usize): void {
  const entry = entryAt(open);
  open = entry.next;
  entry.end = <u32>(end - documentBegin());
  entry.next = count;
}

// Warnings about numbers that the reader accepts although a double cannot hold them.

/** An integer beyond 2^53 - 1: its neighbours read as the same number. */
export const WARN_INTEGER: u32 = 1;
/** A non-zero number that reads as zero. */
export const WARN_UNDERFLOW: u32 = 2;

/** Further warnings are counted but not listed. */
const MOST: u32 = 64;

// @ts-ignore: decorator
@unmanaged class Warning {
  what: u32;
  offset: u32;
}
const LIST: usize = memory.data(MOST * 8, 8);

let warnings: u32 = 0;

export function resetWarnings(): void { warnings = 0; }

export function warn(what: u32, p: usize): void {
  if (warnings < MOST) {
    const warning = changetype<Warning>(LIST + (<usize>warnings << 3));
    warning.what = what;
    warning.offset = <u32>(p - documentBegin());
  }
  warnings++;
}

/** Stores the number of warnings in result word 3 and the list of { warning, offset } (at most 64) in word 4. */
export function reportWarnings(): void {
  store<u32>(RESULT, warnings, 12);
  store<u32>(RESULT, <u32>LIST, 16);
}

// Passes the places that the reader visits on to the tape or to the pointer search. For documents that need neither,
// each call site in the reader costs only a branch.

/** In addition to recording, writes the tape. */
export const WITH_TAPE = 1;
/** In addition to recording, leaves out the values that select.ts was given. */
export const WITH_SELECTION = 2;

let watch: i32 = 0;

export function startWatch(what: i32): void { watch = what; }

/** Called for the name in [from, to), whose decoded text is `length` bytes at `name`. */
export function watchName(from: usize, to: usize, name: usize, length: u32): void {
  if (watch == WITH_TAPE) tapeScalar(from, to, name == from + 1 ? NAME : NAME | ESCAPED_TEXT);
  else selectName(name, length);
}

/** Called before each element of an array. */
export function watchElement(): void {
  if (watch == WITH_SELECTION) selectElement();
}

/** True when the scalar in [from, to) must be left out. */
export function watchScalar(from: usize, to: usize, kind: u32): bool {
  if (watch == WITH_SELECTION) return selectScalar(from, to);
  tapeScalar(from, to, kind);
  return false;
}

export function watchOpen(p: usize, c: u32): void {
  if (watch == WITH_TAPE) tapeOpen(p, CONTAINER + u32(c == 123));
  else selectOpen();
}

/** True when the container in [from, to) must be left out. */
export function watchClose(from: usize, to: usize): bool {
  if (watch == WITH_SELECTION) return selectClose(from, to);
  tapeClose(to);
  return false;
}

// A document and its tape, for questions about places: separate exports for hosts without bindings.

/**
 * Reads the input, a document of `length` bytes, and writes its tape. Returns the number of entries, or a JSON fault.
 * Words: 0 address of the tape (tape.ts has the layout of an entry); 1 to 4 as in `canonicalize`.
 */
export function readTape(length: u32, maxDepth: u32): i32 {
  const begin = seal(length);
  if (!readDocument(begin, begin + length, maxDepth, WITH_TAPE)) return fault();
  reportWarnings();
  store<u32>(RESULT, <u32>tapeAt());
  return <i32>tapeCount();
}
