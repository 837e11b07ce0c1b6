// A document and its tape, for questions about places: separate exports for hosts without bindings.

import { RESULT, seal } from "../arena";
import { fault } from "./fault";
import { readDocument } from "./reader";
import { tapeAt, tapeCount } from "./tape";
import { reportWarnings } from "./warning";
import { WITH_TAPE } from "./watch";

/**
 * Reads the input, a document of `length` bytes, and writes its tape. Returns the number of entries, or a JSON fault.
 * Words: 0 address of the tape (tape.ts has the layout of an entry); 1 to 4 as in `canonicalize`.
 */
export function readTape(length: u32, maxDepth: u32): i32 {
  const begin = seal(length);
  if (!readDocument(begin, begin + length, maxDepth, WITH_TAPE)) return fault();
  reportWarnings();
  store<u32>(RESULT, <u32>tapeAt());
  return <i32>tapeCount();
}
