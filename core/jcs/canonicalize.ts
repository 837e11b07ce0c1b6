// RFC 8785: the canonical bytes of a document, in the forms that callers need.

import { RESULT, room, seal, setTop, top } from "../arena";
import { NO_MEMORY } from "../faults";
import { expectDocument, fail, fault } from "../json/fault";
import { NOT_SLICE } from "../json/member";
import { numberGrowth } from "../json/number";
import { documentLength, documentValue, readDocument } from "../json/reader";
import { foundAt, selectPointers } from "../json/select";
import { reportWarnings } from "../json/warning";
import { WITH_SELECTION } from "../json/watch";
import { writeContainer } from "./write";

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
