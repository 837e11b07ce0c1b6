// Writes the reader's records as canonical bytes (RFC 8785).

import { Element, Member, NOT_SLICE, OBJECT, REMOVED } from "../json/member";
import { frameStack } from "../json/reader";

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
export function writeContainer(o: usize, r: usize, kind: u32): usize {
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
