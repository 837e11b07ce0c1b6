// The two scanners that process every byte of a document. Both read past the end of the input, where the zero padding
// stops them.
import { room, setTop, top } from "../arena";
import { JSON_CONTROL, JSON_END, JSON_ESCAPE, JSON_SURROGATE, JSON_UTF8, NO_MEMORY } from "../faults";
import { documentEnd, fail } from "./reader";

/**
 * The first byte from `p` that ends or interrupts plain text in a string: `"`, `\`, a control character, or non-ASCII.
 */
// @ts-ignore: decorator
@inline export function stringStop(p: usize): usize {
  if (ASC_FEATURE_SIMD) {
    for (;;) {
      const v = v128.load(p);
      // Signed comparison: bytes from 0x80 on are negative, so a single comparison finds both control characters and
      // non-ASCII.
      const stop = v128.or(v128.or(i8x16.eq(v, i8x16.splat(34)), i8x16.eq(v, i8x16.splat(92))), i8x16.lt_s(v, i8x16.splat(32)));
      const mask = i8x16.bitmask(stop);
      if (mask) return p + ctz(mask);
      p += 16;
    }
  } else {
    for (;;) {
      const v = load<u64>(p);
      const stop = (zeroBytes(v ^ 0x2222222222222222) | zeroBytes(v ^ 0x5c5c5c5c5c5c5c5c) | ((v - 0x2020202020202020) & ~v) | v) & 0x8080808080808080;
      if (stop) return p + <usize>(ctz(stop) >> 3);
      p += 8;
    }
  }
  return p;
}

/**
 * The high bit of each zero byte. Exact up to the lowest zero byte; above it a borrow can set wrong bits, which does
 * not matter to callers that need only the lowest.
 */
// @ts-ignore: decorator
@inline function zeroBytes(v: u64): u64 {
  return (v - 0x0101010101010101) & ~v & 0x8080808080808080;
}

/** The first byte from `p` that is not JSON white space. */
export function skipSpace(p: usize): usize {
  return load<u8>(p) > 32 ? p : skipRun(p);
}

/** `skipSpace` for a byte known to be at most 32. Inlined, because a call makes indented documents 6 % slower. */
// @ts-ignore: decorator
@inline export function skipRun(p: usize): usize {
  if (load<u8>(p) == 32 && load<u8>(p, 1) > 32) return p + 1;
  if (ASC_FEATURE_SIMD) {
    for (;;) {
      const v = v128.load(p);
      const space = v128.or(
        v128.or(i8x16.eq(v, i8x16.splat(32)), i8x16.eq(v, i8x16.splat(10))),
        v128.or(i8x16.eq(v, i8x16.splat(13)), i8x16.eq(v, i8x16.splat(9))),
      );
      const mask = i8x16.bitmask(space);
      if (mask != 0xffff) return p + ctz(~mask);
      p += 16;
    }
  } else {
    let c = load<u8>(p);
    while (c == 32 || c == 10 || c == 13 || c == 9) c = load<u8>(++p);
  }
  return p;
}

// Strings: checked in place, and rewritten only when their spelling is not canonical.

/** The string has an escape. */
export const ESCAPED = 1;
/** The string has an escape that RFC 8785 section 3.2.2.2 writes differently. */
export const RESPELLED = 2;
/** The string has a character from U+E000 on: its UTF-8 order and its UTF-16 order may differ. */
export const HIGH = 4;

let flags: i32 = 0;

/** The flags of the last `stringEnd`. */
// @ts-ignore: decorator
@inline export function stringFlags(): i32 { return flags; }

/** The value of four hexadecimal digits; above 0xffff for any other bytes. */
function hexQuad(p: usize): u32 {
  const x = load<u32>(p), low = x & 0x7f7f7f7f, letter = low | 0x20202020;
  // The high bit of each byte: between '0' and '9', or between 'a' and 'f' after a change to lower case.
  const good = ((low + 0x50505050) & ~(low + 0x46464646)) | ((letter + 0x1f1f1f1f) & ~(letter + 0x19191919));
  return (good & ~x & 0x80808080) == 0x80808080 ? hexValue(x) : 0x10000;
}

/** The value of four hexadecimal digits, the first one in the lowest byte. */
// @ts-ignore: decorator
@inline function hexValue(x: u32): u32 {
  const digits = (x & 0x0f0f0f0f) + 9 * (x >> 6 & 0x01010101);
  const pairs = digits << 4 | digits >> 8;
  return (pairs & 0xff) << 8 | (pairs >> 16 & 0xff);
}

/** The second character of the escapes for U+0008 to U+000D; U+000B has none. */
const SHORT: usize = memory.data<u8>([98, 116, 110, 0, 102, 114]);

/** True for control characters that have an escape of two characters: \b \t \n \f \r. */
// @ts-ignore: decorator
@inline function hasShortEscape(c: u32): bool {
  return c - 8 < 6 && c != 11;
}

/** True for the letters of the canonical escapes of two characters: \" \\ \b \f \n \r \t. */
// @ts-ignore: decorator
@inline function isShort(e: u32): bool {
  return e < 128 && <bool>((e < 64 ? <u64>1 << 34 : <u64>0x0014404410000000) >> <u64>e & 1);
}

/** Checks a string from `p` on, where `stringStop` stopped. Returns its closing quote, or 0. */
export function stringEnd(p: usize): usize {
  let seen = 0;
  for (;;) {
    let c = <u32>load<u8>(p);
    if (c == 34) {
      flags = seen;
      return p;
    }
    if (c == 92) {
      seen |= ESCAPED;
      const e = <u32>load<u8>(p, 1);
      if (isShort(e)) p += 2;
      else if (e == 47) {
        seen |= RESPELLED;
        p += 2;
      } else if (e == 117) {
        const unit = hexQuad(p + 2);
        if (unit > 0xffff) return failEscape(p);
        if (unit < 0x20 && !hasShortEscape(unit)) {
          // Canonical, unless a digit is upper-case: 0x41..0x46 have bit 0x40 and lack bit 0x20.
          if ((load<u8>(p, 5) & 0x60) == 0x40) seen |= RESPELLED;
          p += 6;
        } else {
          seen |= RESPELLED;
          if (unit >= 0xd800 && unit < 0xe000) {
            if (unit >= 0xdc00 || load<u16>(p, 6) != 0x755c) return fail(JSON_SURROGATE, p);
            const low = hexQuad(p + 8);
            if (low > 0xffff) return failEscape(p + 6);
            if (low < 0xdc00 || low > 0xdfff) return fail(JSON_SURROGATE, p);
            seen |= HIGH;
            p += 12;
          } else {
            if (unit >= 0xe000) seen |= HIGH;
            p += 6;
          }
        }
      } else return failEscape(p);
      if (load<u8>(p) != 92) p = stringStop(p);
    } else if (c >= 0x80) {
      if (ASC_FEATURE_SIMD) {
        p = skipUtf8(p);
        if (sawHigh) seen |= HIGH;
        c = load<u8>(p);
      }
      while (c >= 0x80) {
        const length = sequenceLength(p, c);
        if (!length) return fail(JSON_UTF8, p);
        if (c >= 0xee) seen |= HIGH;
        p += length;
        c = load<u8>(p);
      }
      if (c != 34) p = stringStop(p);
    } else return fail(JSON_CONTROL, p);
  }
  return 0;
}

// UTF-8, 16 bytes at once. J. Keiser and D. Lemire, "Validating UTF-8 in less than one instruction per byte" (2021),
// section 5. Each table maps four bits to the errors that they allow; what all three allow is an error:
//
//   1 too short | 2 too long | 4 overlong, 3 bytes | 8 above U+10FFFF or F5.. | 16 surrogate | 32 overlong, 2 bytes
//   64 overlong, 4 bytes, or above U+13FFFF | 128 two continuations, an error unless a third or fourth byte is due

let sawHigh: bool = false;

/**
 * Skips text from `p`, where a character begins, up to the next quote, backslash or control character. Stops earlier,
 * where a character begins, when malformed UTF-8 follows. Sets `sawHigh` for characters from U+E000 on.
 */
function skipUtf8(p: usize): usize {
  const start = p;
  let high: u32 = 0;
  for (;;) {
    const v = v128.load(p), one = v128.load(p - 1);
    const errors = v128.and(
      v128.and(
        i8x16.swizzle(i8x16(2, 2, 2, 2, 2, 2, 2, 2, -128, -128, -128, -128, 33, 1, 21, 73), i8x16.shr_u(one, 4)),
        i8x16.swizzle(
          i8x16(-25, -93, -125, -125, -117, -53, -53, -53, -53, -53, -53, -53, -53, -37, -53, -53),
          v128.and(one, i8x16.splat(15)),
        ),
      ),
      i8x16.swizzle(i8x16(1, 1, 1, 1, 1, 1, 1, 1, -26, -82, -70, -70, 1, 1, 1, 1), i8x16.shr_u(v, 4)),
    );
    // The bytes that must be the third or the fourth of a character.
    const due = v128.or(i8x16.ge_u(v128.load(p - 2), i8x16.splat(-32)), i8x16.ge_u(v128.load(p - 3), i8x16.splat(-16)));
    const wrong = i8x16.bitmask(i8x16.ne(errors, v128.and(due, i8x16.splat(-128))));
    const ends = v128.or(i8x16.eq(v, i8x16.splat(34)), i8x16.eq(v, i8x16.splat(92)));
    const stop = i8x16.bitmask(v128.or(ends, i8x16.lt_u(v, i8x16.splat(32))));
    const before = stop ^ (stop - 1); // the bytes up to the stop
    if (wrong & before) break;
    high |= i8x16.bitmask(i8x16.ge_u(v, i8x16.splat(-18))) & before;
    if (stop) {
      sawHigh = high != 0;
      return p + ctz(stop);
    }
    p += 16;
  }
  // Back to the character before the block, which may be incomplete.
  if (p > start) do p--; while ((load<u8>(p) & 0xc0) == 0x80);
  sawHigh = high != 0;
  return p;
}

/** The length of the well-formed UTF-8 sequence (RFC 3629 section 4) that begins with `c` at `p`, or 0. */
export function sequenceLength(p: usize, c: u32): usize {
  const b1 = <u32>load<u8>(p, 1);
  if ((b1 & 0xc0) != 0x80) return 0;
  if (c < 0xe0) return c < 0xc2 ? 0 : 2;
  if ((load<u8>(p, 2) & 0xc0) != 0x80) return 0;
  if (c < 0xf0) return (c == 0xe0 && b1 < 0xa0) || (c == 0xed && b1 > 0x9f) ? 0 : 3;
  if ((load<u8>(p, 3) & 0xc0) != 0x80) return 0;
  return c > 0xf4 || (c == 0xf0 && b1 < 0x90) || (c == 0xf4 && b1 > 0x8f) ? 0 : 4;
}

// @ts-ignore: decorator
@inline function isHex(c: u32): bool { return c - 48 < 10 || (c | 32) - 97 < 6; }

/** Reports a malformed escape at `p`. An escape that the end of the input cuts short has its own fault. */
function failEscape(p: usize): usize {
  const end = documentEnd();
  let q = p + 1;
  if (q < end && load<u8>(q) == 117) do q++; while (q < p + 6 && isHex(load<u8>(q)));
  return q >= end ? fail(JSON_END, end) : fail(JSON_ESCAPE, p);
}

/**
 * Copies the checked string body [p, q) to the arena: when `canonical`, quoted and spelled as in RFC 8785 section
 * 3.2.2.2, otherwise only its characters. Returns the start; `top()` is the end. Returns 0 when there is no memory.
 */
export function rewriteString(p: usize, q: usize, canonical: bool): usize {
  const start = top();
  // Neither form is longer than the source, because every escape is at least as long as its character.
  if (!room(start, q - p + 64)) return fail(NO_MEMORY, p);
  let o = start;
  if (canonical) store<u8>(o++, 34);
  while (p < q) {
    if (load<u8>(p) != 92) {
      const n = min(copyPlain(o, p), q - p);
      o += n;
      p += n;
      continue;
    }
    const e = <u32>load<u8>(p, 1);
    let unit: u32;
    if (e == 117) {
      unit = hexValue(load<u32>(p, 2));
      p += 6;
      if (unit >= 0xd800 && unit < 0xdc00) {
        unit = 0x10000 + ((unit - 0xd800) << 10) + hexValue(load<u32>(p, 2)) - 0xdc00;
        p += 6;
      }
    } else {
      unit = shortEscape(e);
      p += 2;
    }
    o = canonical && (unit < 32 || unit == 34 || unit == 92) ? writeEscape(o, unit) : writeUtf8(o, unit);
  }
  if (canonical) store<u8>(o++, 34);
  setTop(o);
  return start;
}

/** Copies up to a backslash, at most 16 bytes; returns how many. Overwrites up to 16 bytes. */
// @ts-ignore: decorator
@inline function copyPlain(to: usize, from: usize): usize {
  if (ASC_FEATURE_SIMD) {
    const v = v128.load(from);
    v128.store(to, v);
    return ctz(i8x16.bitmask(i8x16.eq(v, i8x16.splat(92))) | 0x10000);
  } else {
    const v = load<u64>(from);
    store<u64>(to, v);
    const stop = zeroBytes(v ^ 0x5c5c5c5c5c5c5c5c);
    return stop ? <usize>(ctz(stop) >> 3) : 8;
  }
}

/** The character for the two-character escape `\e`. */
function shortEscape(e: u32): u32 {
  for (let c: u32 = 8; c < 14; c++) if (<u32>load<u8>(SHORT + c - 8) == e) return c;
  return e;
}

/** The canonical escape of a control character, quote or backslash. */
export function writeEscape(o: usize, c: u32): usize {
  store<u8>(o, 92);
  if (c >= 32) store<u8>(o, c, 1);
  else if (hasShortEscape(c)) store<u8>(o, load<u8>(SHORT + c - 8), 1);
  else {
    const digit = c & 15;
    store<u32>(o, 0x30303075, 1); // "u000", whose last two bytes are overwritten
    store<u8>(o, 48 + (c >> 4), 4);
    store<u8>(o, digit < 10 ? 48 + digit : 87 + digit, 5);
    return o + 6;
  }
  return o + 2;
}

function writeUtf8(o: usize, c: u32): usize {
  if (c < 0x80) {
    store<u8>(o, c);
    return o + 1;
  }
  if (c < 0x800) {
    store<u8>(o, 0xc0 | (c >> 6));
    store<u8>(o, 0x80 | (c & 63), 1);
    return o + 2;
  }
  if (c < 0x10000) {
    store<u8>(o, 0xe0 | (c >> 12));
    store<u8>(o, 0x80 | ((c >> 6) & 63), 1);
    store<u8>(o, 0x80 | (c & 63), 2);
    return o + 3;
  }
  store<u8>(o, 0xf0 | (c >> 18));
  store<u8>(o, 0x80 | ((c >> 12) & 63), 1);
  store<u8>(o, 0x80 | ((c >> 6) & 63), 2);
  store<u8>(o, 0x80 | (c & 63), 3);
  return o + 4;
}
