// Writes what the reader noted as RFC 8785 bytes.

import { NOT_SLICE, OBJECT, REMOVED } from "../json/member";
import { frameStack } from "../json/reader";

/** Slices past this are copied by memory.copy; below, its call costs more than whole 16-byte steps. */
const SHORT: usize = 512;

/** Copies `n` bytes, writing up to 31 more: most slices are below 32 bytes, and two blind steps cost less than a guess. */
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

/** Writes the container of `kind` whose first record is `r` at `o`; returns the end. */
export function writeContainer(o: usize, r: usize, kind: u32): usize {
  // The frames of the reader serve again, 8 bytes a level: the record to go on with, the kind of its container.
  const bottom = frameStack();
  let frame = bottom;
  store<u8>(o++, kind == OBJECT ? 123 : 91);
  for (;;) {
    if (!r) {
      const close: u8 = kind == OBJECT ? 125 : 93;
      if (load<u8>(o - 1) == 44) store<u8>(o - 1, close);
      else store<u8>(o++, close); // every member was left out
      if (frame == bottom) return o;
      frame -= 8;
      r = load<u32>(frame);
      kind = load<u32>(frame, 4);
      store<u8>(o++, 44);
      continue;
    }
    let value: usize, length: u32;
    if (kind == OBJECT) {
      value = load<u32>(r, 24);
      length = load<u32>(r, 28);
      const text = <usize>load<u32>(r, 16), textLength = <usize>load<u32>(r, 20);
      r = load<u32>(r, 32);
      if (length == REMOVED) continue;
      if (length < NOT_SLICE && text + textLength + 1 == value) {
        // `"name":value` stands together in the source
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
      value = load<u32>(r);
      length = load<u32>(r, 4);
      r = load<u32>(r, 8);
    }
    if (length < NOT_SLICE) {
      copy(o, value, length);
      o += length;
      store<u8>(o++, 44);
    } else {
      store<u32>(frame, <u32>r);
      store<u32>(frame, kind, 4);
      frame += 8;
      r = value;
      kind = length;
      store<u8>(o++, kind == OBJECT ? 123 : 91);
    }
  }
  return o;
}
