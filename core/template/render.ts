import { RESULT, room, seal, take, top } from "../arena";
import { BAD_INPUT, NO_MEMORY, TEMPLATE_LARGE } from "../faults";
import { HEADER, NAME, NAME_BYTES, NAME_USES, NAMES, REFERENCE, REFERENCE_NAME, REFERENCES, TEXT } from "./blob";

/** The largest output, whatever limit is requested: addresses have 32 bits. */
const LARGEST: u32 = 1 << 28;

/** A value of this call: its address, then its length. */
const VALUE: usize = 8;
const VALUE_LENGTH: usize = 4;

/**
 * Renders the template at `blob`. The input holds a 32-bit length for each name, in the order of the names, then the
 * bytes of the values in the same order. Returns the length of the output, result word 0 its address; or TEMPLATE_LARGE
 * when that would be more than `limit`, before anything is written.
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
  // 64 bits hold any sum: the values together are below 2^28 bytes and each is used fewer than 2^24 times.
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

/** Text and values by turns. */
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
 * Copies `n` bytes and up to 32 bytes of rubbish behind them, which what comes next overwrites and the arena's slack
 * has room for. No memory.copy for long pieces: the mere presence of the call in the loop above slows it (100 KB,
 * 1,300 references: 5.0 us so, 8.8 us with it), while pieces of 10 KB to 8 MB gain a third to nothing. By 32 bytes
 * rather than 16, because each piece costs one branch predicted wrongly less when other work came between.
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
