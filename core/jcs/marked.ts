// Completes canonical text in which a host has marked what the module writes faster. No UTF-8 has these bytes:
//
//   FF  the next number    FE  before and after a part of a string that is not escaped

import { RESULT, room, seal, setTop, top } from "../arena";
import { JSON_OVERFLOW, NO_MEMORY } from "../faults";
import { writeEscape } from "../json/string";
import { formatDouble } from "../number/write";

const TEXT: u32 = 0xfe;
const INFINITY: u64 = 0x7ff0000000000000;

/**
 * Copies up to a byte that must not be copied, at most 16; returns how many. Overwrites up to 16 bytes. `within`: inside
 * a marked text, where quotes, backslashes and control characters stop it as well.
 */
// @ts-ignore: decorator
@inline function copyUnchanged(to: usize, from: usize, within: bool): usize {
  if (ASC_FEATURE_SIMD) {
    const v = v128.load(from);
    v128.store(to, v);
    let stop = i8x16.ge_u(v, i8x16.splat(-2));
    if (within) {
      const escaped = v128.or(i8x16.eq(v, i8x16.splat(34)), i8x16.eq(v, i8x16.splat(92)));
      stop = v128.or(stop, v128.or(escaped, i8x16.lt_u(v, i8x16.splat(32))));
    }
    return ctz(i8x16.bitmask(stop) | 0x10000);
  } else {
    const c = <u32>load<u8>(from);
    store<u8>(to, c);
    return usize(c < TEXT && !(within && (c < 32 || c == 34 || c == 92)));
  }
}

/**
 * Completes the input: `numbers` doubles, followed by `length` bytes. Returns the length of the text, with its address in
 * result word 0; JSON_OVERFLOW for NaN, an infinity or a mark without a number.
 */
export function completeMarked(length: u32, numbers: u32): i32 {
  let number = seal(length + (numbers << 3));
  const text = number + (numbers << 3);
  const end = text + length;
  let p = text;
  const start = top();
  let o = start;
  let within = false;
  for (;;) {
    if (!room(o, 64)) return NO_MEMORY;
    const n = min(copyUnchanged(o, p, within), end - p);
    o += n;
    p += n;
    if (p == end) break;
    const c = <u32>load<u8>(p);
    if (c < TEXT && !(within && (c < 32 || c == 34 || c == 92))) continue;
    p++;
    if (c == TEXT) within = !within;
    else if (c > TEXT) {
      const bits = number < text ? load<u64>(number) : INFINITY;
      if ((bits & INFINITY) == INFINITY) return JSON_OVERFLOW;
      o = formatDouble(o, bits);
      number += 8;
    } else o = writeEscape(o, c);
  }
  setTop(o);
  store<u32>(RESULT, <u32>start);
  return <i32>(o - start);
}
