// Completes canonical text in which a host has marked what the module writes faster. No UTF-8 has these bytes:
//
//   FF  the next number    FE  before and after a part of a string that is not escaped

import { RESULT, room, seal, setTop, top } from "../arena";
import { NO_MEMORY } from "../faults";
import { writeEscape } from "../json/string";
import { formatDouble } from "../number/write";

const TEXT: u32 = 0xfe;

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
 * Completes the input: `numbers` finite doubles, followed by `length` bytes with that many marks for numbers. Returns the
 * length of the text, with its address in result word 0, or NO_MEMORY.
 */
export function completeMarked(length: u32, numbers: u32): i32 {
  let number = seal(length + (numbers << 3));
  let p = number + (numbers << 3);
  const end = p + length;
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
      o = formatDouble(o, load<u64>(number));
      number += 8;
    } else o = writeEscape(o, c);
  }
  setTop(o);
  store<u32>(RESULT, <u32>start);
  return <i32>(o - start);
}
