// A compiled template is a position-independent blob: little-endian 32-bit words, followed by bytes:
//
//   header      length of the blob | references | names | offset of the name bytes | offset of the text
//   references  in document order: bytes of text before it | index of its name | offset of its `{{` in the template
//   names       in order of first use: length | number of uses
//   the bytes of the names, then the text between references, unescaped and contiguous
//
// docs/guide/abi/template.md describes the same for embedders.
import { RESULT, room, seal, take, top } from "../arena";
import { BAD_INPUT, NO_MEMORY, TEMPLATE_LARGE } from "../faults";

export const HEADER: usize = 20;
export const REFERENCES: usize = 4;
export const NAMES: usize = 8;
export const NAME_BYTES: usize = 12;
export const TEXT: usize = 16;

export const REFERENCE: usize = 12;
export const REFERENCE_NAME: usize = 4;
export const REFERENCE_OFFSET: usize = 8;

export const NAME: usize = 8;
export const NAME_USES: usize = 4;

/** The largest output, whatever the requested limit: addresses have 32 bits. */
const LARGEST: u32 = 1 << 28;

/** A value of this call: its address and its length. */
const VALUE: usize = 8;
const VALUE_LENGTH: usize = 4;

/**
 * Renders the template at `blob`. The input holds a 32-bit length for each name, in the order of the names, followed by
 * the bytes of the values in the same order. Returns the length of the output, with its address in result word 0; or
 * TEMPLATE_LARGE, before anything is written, when the output would exceed `limit`.
 */
export function templateRender(length: u32, blob: usize, blobLength: u32, limit: u32): i32 {
  const input = seal(length);
  if (blobLength < HEADER || load<u32>(blob) != blobLength) return BAD_INPUT;
  const names = load<u32>(blob, NAMES);
  if (<u64>names * 4 > length) return BAD_INPUT;
  const values = take(names * VALUE);
  if (!values) return NO_MEMORY;

  const text = blob + load<u32>(blob, TEXT);
  const textLength = blob + blobLength - text;
  // 64 bits hold any sum: the values together are below 2^28 bytes, and each is used fewer than 2^24 times.
  let total: u64 = textLength;
  let value = input + (names << 2);
  let left = length - (names << 2);
  let name = blob + load<u32>(blob, NAME_BYTES) - names * NAME;
  for (let i: u32 = 0; i < names; i++) {
    const size = load<u32>(input + (i << 2));
    if (size > left) return BAD_INPUT;
    left -= size;
    store<u32>(values + i * VALUE, <u32>value);
    store<u32>(values + i * VALUE, size, VALUE_LENGTH);
    value += size;
    total += <u64>size * load<u32>(name, NAME_USES);
    name += NAME;
  }
  if (left != 0) return BAD_INPUT;
  if (total > min(limit, LARGEST)) return TEMPLATE_LARGE;

  const output = (top() + 15) & ~15;
  if (!room(output, <usize>total)) return NO_MEMORY;
  write(output, blob, text, textLength, values);
  store<u32>(RESULT, <u32>output);
  return <i32>total;
}

/** Writes text and values alternately. */
function write(output: usize, blob: usize, text: usize, textLength: usize, values: usize): void {
  const textEnd = text + textLength;
  let reference = blob + HEADER;
  const end = reference + load<u32>(blob, REFERENCES) * REFERENCE;
  for (; reference < end; reference += REFERENCE) {
    const before = <usize>load<u32>(reference);
    copy(output, text, before);
    output += before;
    text += before;
    const value = values + load<u32>(reference, REFERENCE_NAME) * VALUE;
    const size = <usize>load<u32>(value, VALUE_LENGTH);
    copy(output, load<u32>(value), size);
    output += size;
  }
  copy(output, text, textEnd - text);
}

/**
 * Copies `n` bytes and overwrites up to 32 bytes after them, which are either written next or lie in the arena's slack.
 * Does not use memory.copy for long pieces: the mere presence of the call slows the loop above (100 KB, 1,300
 * references: 5.0 us without it, 8.8 us with it), while pieces of 10 KB to 8 MB gain at most a third. Copies 32 bytes
 * at a time instead of 16, because that saves one mispredicted branch per piece when other work runs in between.
 */
// @ts-ignore: decorator
@inline function copy(to: usize, from: usize, n: usize): void {
  let i: usize = 0;
  do {
    if (ASC_FEATURE_SIMD) {
      v128.store(to + i, v128.load(from + i));
      v128.store(to + i, v128.load(from + i, 16), 16);
    } else {
      store<u64>(to + i, load<u64>(from + i));
      store<u64>(to + i, load<u64>(from + i, 8), 8);
      store<u64>(to + i, load<u64>(from + i, 16), 16);
      store<u64>(to + i, load<u64>(from + i, 24), 24);
    }
    i += 32;
  } while (i < n);
}
