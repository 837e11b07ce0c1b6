// Passes the places that the reader visits on to the tape or to the pointer search. For documents that need neither,
// each call site in the reader costs only a branch.

import { selectClose, selectElement, selectName, selectOpen, selectScalar } from "./select";
import { ESCAPED_TEXT, NAME, CONTAINER, tapeClose, tapeOpen, tapeScalar } from "./tape";

/** In addition to recording, writes the tape. */
export const WITH_TAPE = 1;
/** In addition to recording, leaves out the values that select.ts was given. */
export const WITH_SELECTION = 2;

let watch: i32 = 0;

export function startWatch(what: i32): void { watch = what; }

/** Called for the name in [from, to), whose decoded text is `length` bytes at `name`. */
export function watchName(from: usize, to: usize, name: usize, length: u32): void {
  if (watch == WITH_TAPE) tapeScalar(from, to, name == from + 1 ? NAME : NAME | ESCAPED_TEXT);
  else selectName(name, length);
}

/** Called before each element of an array. */
export function watchElement(): void {
  if (watch == WITH_SELECTION) selectElement();
}

/** True when the scalar in [from, to) must be left out. */
export function watchScalar(from: usize, to: usize, kind: u32): bool {
  if (watch == WITH_SELECTION) return selectScalar(from, to);
  tapeScalar(from, to, kind);
  return false;
}

export function watchOpen(p: usize, c: u32): void {
  if (watch == WITH_TAPE) tapeOpen(p, CONTAINER + u32(c == 123));
  else selectOpen();
}

/** True when the container in [from, to) must be left out. */
export function watchClose(from: usize, to: usize): bool {
  if (watch == WITH_SELECTION) return selectClose(from, to);
  tapeClose(to);
  return false;
}
