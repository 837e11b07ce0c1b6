// Writes the reader's records as canonical bytes (RFC 8785).
import { Element, Member, NOT_SLICE, OBJECT, REMOVED } from "../json/member";
import { frameStack, documentLength, documentValue, readDocument, expectDocument, fail, fault } from "../json/reader";
import { RESULT, room, seal, setTop, top } from "../arena";
import { NO_MEMORY } from "../faults";
import { numberGrowth } from "../json/number";
import { foundAt, selectPointers } from "../json/select";
import { reportWarnings, WITH_SELECTION } from "../json/tape";

/** Longer slices are copied with memory.copy; below this, the call costs more than whole 16-byte steps. */
const SHORT: usize = 512;

/**
 * Copies `n` bytes and overwrites up to 31 more: most slices are below 32 bytes, and two unconditional steps cost less
 * than a mispredicted branch.
 */
// @ts-ignore: decorator
@inline function copy(to: usize, from: usize, n: usize): void {
  if (ASC_FEATURE_SIMD) {
    v128.store(to, v128.load(from));
    v128.store(to, v128.load(from, 16), 16);
  } else {
    store<u64>(to, load<u64>(from));
    store<u64>(to, load<u64>(from, 8), 8);
    store<u64>(to, load<u64>(from, 16), 16);
    store<u64>(to, load<u64>(from, 24), 24);
  }
  if (n > 32) copyRest(to, from, n);
}

function copyRest(to: usize, from: usize, n: usize): void {
  if (n > SHORT) {
    memory.copy(to, from, n);
    return;
  }
  let i: usize = 32;
  if (ASC_FEATURE_SIMD) {
    do {
      v128.store(to + i, v128.load(from + i));
      v128.store(to + i, v128.load(from + i, 16), 16);
      i += 32;
    } while (i < n);
  } else {
    do {
      store<u64>(to + i, load<u64>(from + i));
      i += 8;
    } while (i < n);
  }
}

/** Where to continue after a container. */
// @ts-ignore: decorator
@unmanaged class Frame {
  record: usize;
  /** The kind of the enclosing container. */
  kind: u32;
}
const FRAME_SIZE: usize = offsetof<Frame>();

/** Writes the container of `kind` with first record `r` at `o`; returns the end. */
function writeContainer(o: usize, r: usize, kind: u32): usize {
  // Reuses the reader's frame stack; these frames are smaller.
  const bottom = frameStack();
  let frame = bottom;
  store<u8>(o++, kind == OBJECT ? 123 : 91);
  for (;;) {
    if (!r) {
      const close: u8 = kind == OBJECT ? 125 : 93;
      if (load<u8>(o - 1) == 44) store<u8>(o - 1, close);
      else store<u8>(o++, close); // every member was left out
      if (frame == bottom) return o;
      frame -= FRAME_SIZE;
      r = changetype<Frame>(frame).record;
      kind = changetype<Frame>(frame).kind;
      store<u8>(o++, 44);
      continue;
    }
    let value: usize, length: u32;
    if (kind == OBJECT) {
      const member = changetype<Member>(r);
      value = member.value;
      length = member.length;
      const text = member.text, textLength = <usize>member.textLength;
      r = member.next;
      if (length == REMOVED) continue;
      if (length < NOT_SLICE && text + textLength + 1 == value) {
        // `"name":value` is contiguous in the source
        const n = textLength + 1 + length;
        copy(o, text, n);
        o += n;
        store<u8>(o++, 44);
        continue;
      }
      copy(o, text, textLength);
      o += textLength;
      store<u8>(o++, 58);
    } else {
      const element = changetype<Element>(r);
      value = element.value;
      length = element.length;
      r = element.next;
    }
    if (length < NOT_SLICE) {
      copy(o, value, length);
      o += length;
      store<u8>(o++, 44);
    } else {
      const waiting = changetype<Frame>(frame);
      waiting.record = r;
      waiting.kind = kind;
      frame += FRAME_SIZE;
      r = value;
      kind = length;
      store<u8>(o++, kind == OBJECT ? 123 : 91);
    }
  }
  return o;
}

// RFC 8785: the canonical bytes of a document, in the forms that callers need.

/**
 * Writes the canonical form of the document, which takes `n` bytes. Word 0: its address; returns its length, or a
 * fault.
 */
function finish(n: usize): i32 {
  reportWarnings();
  const length = documentLength();
  let start = documentValue();
  if (length < NOT_SLICE) {
    store<u32>(RESULT, <u32>start);
    return <i32>length;
  }
  const value = start;
  start = (top() + 15) & ~15;
  // Only numbers can make the canonical text longer than its source; 512 covers the overshoot of copies.
  if (!room(start, n + numberGrowth() + 512)) {
    fail(NO_MEMORY, value);
    return NO_MEMORY;
  }
  const end = writeContainer(start, value, length);
  setTop(end);
  store<u32>(RESULT, <u32>start);
  return <i32>(end - start);
}

/**
 * Canonicalizes the input, a document of `length` bytes. Returns the length of the result, or a JSON fault.
 * Words: 0 address; for a fault 1 its offset, 2 the offset of the first of two equal names (otherwise -1);
 * 3 number of warnings, 4 address of the first 64, each { u32 warning, u32 offset }.
 */
export function canonicalize(length: u32, maxDepth: u32): i32 {
  const begin = seal(length);
  return readDocument(begin, begin + length, maxDepth, 0) ? finish(length) : fault();
}

/**
 * Returns 1 when the input document is already in canonical form, 0 when it is not, or a JSON fault. Words 1 to 4 as in
 * `canonicalize`.
 */
export function isCanonical(length: u32, maxDepth: u32): i32 {
  const begin = seal(length);
  if (!readDocument(begin, begin + length, maxDepth, 0)) return fault();
  reportWarnings();
  return i32(documentValue() == begin && documentLength() == length);
}

/**
 * Canonicalizes without the values that `count` JSON Pointers name. The input is the pointers (for each a u32 length
 * and its text, `pointersLength` bytes in total), followed by the document. Words as in `canonicalize`, and 5: address
 * of { u32 start, u32 end } in the document for each pointer, both all ones when it names nothing. At most 32 pointers;
 * a pointer must not be "".
 */
export function canonicalizeWithout(length: u32, pointersLength: u32, count: u32, maxDepth: u32): i32 {
  const begin = seal(pointersLength + length) + pointersLength;
  expectDocument(begin, begin + length);
  const refused = selectPointers(begin - pointersLength, begin, count);
  if (refused) {
    fail(refused, begin);
    return refused;
  }
  if (!readDocument(begin, begin + length, maxDepth, WITH_SELECTION)) return fault();
  const found = foundAt();
  for (let p = found; p < found + (count << 3); p += 4) {
    const at = load<u32>(p);
    if (at != 0xffffffff) store<u32>(p, at - <u32>begin);
  }
  store<u32>(RESULT, <u32>found, 20);
  return finish(length);
}
