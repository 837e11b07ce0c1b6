// true, false, null, and words that resemble them.

import { JSON_UNEXPECTED } from "../faults";
import { fail } from "./fault";

/**
 * Reports a byte that begins no value. For a word like `nul` or `True`, reports the first byte that differs from the
 * literal.
 */
export function failLiteral(p: usize): usize {
  const c = load<u8>(p);
  let word: u64 = 0;
  if (c == 116) word = 0x65757274;
  else if (c == 102) word = 0x65736c6166;
  else if (c == 110) word = 0x6c6c756e;
  while (word && <u64>load<u8>(p) == (word & 0xff)) {
    word >>= 8;
    p++;
  }
  return fail(JSON_UNEXPECTED, p);
}
