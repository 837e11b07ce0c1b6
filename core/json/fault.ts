// The fault of a document, and its place. Only the first fault that the reader detects is kept; duplicate names are
// detected when their object closes.

import { RESULT } from "../arena";
import { JSON_BOM, JSON_CONTROL, JSON_END, JSON_NUMBER, JSON_UNEXPECTED, JSON_UTF16 } from "../faults";

let code: i32 = 0;
let begin: usize = 0;
let end: usize = 0;

/** Starts reading the document in [from, to). */
export function expectDocument(from: usize, to: usize): void {
  code = 0;
  begin = from;
  end = to;
}

// @ts-ignore: decorator
@inline export function documentBegin(): usize { return begin; }
// @ts-ignore: decorator
@inline export function documentEnd(): usize { return end; }

/** The recorded fault, or 0. */
// @ts-ignore: decorator
@inline export function fault(): i32 { return code; }

/** Records a fault at `p`; returns 0, which scanners return instead of an address. */
export function fail(what: i32, p: usize): usize {
  if (p >= end && (what == JSON_UNEXPECTED || what == JSON_CONTROL || what == JSON_NUMBER)) {
    what = JSON_END;
    p = end;
  }
  // A document in another encoding fails at its first bytes, with a fault that would not help the user.
  if (p <= begin + 1) {
    const encoding = foreignEncoding();
    if (encoding) {
      what = encoding;
      p = begin;
    }
  }
  code = what;
  store<u32>(RESULT, <u32>(p - begin), 4);
  store<i32>(RESULT, -1, 8);
  return 0;
}

/** `fail`, together with the place of an earlier byte that is part of the fault. */
export function failBecause(what: i32, p: usize, first: usize): usize {
  fail(what, p);
  store<u32>(RESULT, <u32>(first - begin), 8);
  return 0;
}

/**
 * The fault of a byte order mark, or of the zero bytes of ASCII text in UTF-16 and UTF-32 (RFC 4627 section 3);
 * otherwise 0.
 */
function foreignEncoding(): i32 {
  const n = end - begin;
  const head = load<u32>(begin); // the padding after the input makes this safe for any length
  if ((head & 0xffffff) == 0xbfbbef) return JSON_BOM;
  const pair = head & 0xffff;
  if (pair == 0xfeff || pair == 0xfffe) return JSON_UTF16;
  if (n < 2 || n == 3) return 0;
  // For an input of two bytes, the zero padding acts as the missing bytes.
  const bigEndian = !(head & 0xff00ff) && load<u8>(begin + min<usize>(n - 1, 3));
  const littleEndian = !(head & 0xff00ff00) && head & 0xff;
  return bigEndian || littleEndian ? JSON_UTF16 : 0;
}
