// JSON Pointers (RFC 6901) and byte offsets, answered from the tape of the last `readTape`. The tape and the document
// lie in the arena until the next `reserve`; a pointer's text goes into bytes that `take` gave.

import { RESULT, room, setTop, top } from "../arena";
import { sameBytes } from "../bytes";
import { JSON_POINTER, NO_MEMORY } from "../faults";
import { documentBegin } from "./fault";
import { indexOfToken, tokenLength, tokenText, decodeToken } from "./token";
import { rewriteString } from "./string";
import { CONTAINER, ESCAPED_TEXT, NAME, entryAt, tapeCount } from "./tape";

const ABSENT: i32 = -1000;

/** The entry of the value that the pointer of `length` bytes at `pointer` names, -1000 when none, or JSON_POINTER. The text is decoded in place. */
export function tapeFind(pointer: usize, length: u32): i32 {
  const end = pointer + length;
  let value: u32 = 0;
  let p = pointer;
  let there = tapeCount() != 0;
  while (p < end) {
    if (load<u8>(p) != 47) return JSON_POINTER;
    p = decodeToken(p + 1, end);
    if (!p) return JSON_POINTER;
    if (there) {
      value = child(value);
      there = value != 0;
    }
  }
  return there ? <i32>value : ABSENT;
}

/** The child of the container entry that the token decoded last names; 0, which is the root, when there is none. */
function child(container: u32): u32 {
  const kind = load<u32>(entryAt(container), 8);
  const behind = load<u32>(entryAt(container), 12);
  let i = container + 1;
  if (kind == CONTAINER) {
    for (let n = indexOfToken(); i < behind && n; n--) i = load<u32>(entryAt(i), 12);
    return i < behind ? i : 0;
  }
  if (kind != CONTAINER + 1) return 0;
  for (; i < behind; i = load<u32>(entryAt(i + 1), 12)) if (isNamed(entryAt(i))) return i + 1;
  return 0;
}

/** Whether the name at the entry is the token decoded last. */
function isNamed(entry: usize): bool {
  let text = documentBegin() + load<u32>(entry) + 1;
  let end = documentBegin() + load<u32>(entry, 4) - 1;
  const arena = top();
  if (load<u32>(entry, 8) & ESCAPED_TEXT) {
    text = rewriteString(text, end, false);
    if (!text) return false;
    end = top();
    setTop(arena);
  }
  return <u32>(end - text) == tokenLength() && sameBytes(text, tokenText(), end - text);
}

/** The innermost entry, value or name, that the byte at `offset` belongs to; -1000 outside of the document's value. */
export function tapeAtOffset(offset: u32): i32 {
  if (!tapeCount() || !covers(0, offset)) return ABSENT;
  let at: u32 = 0;
  let i: u32 = 1;
  while (i < load<u32>(entryAt(at), 12)) {
    if (covers(i, offset)) {
      at = i;
      i++;
    } else i = load<u32>(entryAt(i), 12);
  }
  return <i32>at;
}

// @ts-ignore: decorator
@inline function covers(i: u32, offset: u32): bool {
  return load<u32>(entryAt(i)) <= offset && offset < load<u32>(entryAt(i), 4);
}

/** Writes the pointer of the value at an entry (of a name: of its value). Word 0: its address; returns its length, or a fault. */
export function tapePointer(entry: u32): i32 {
  if (entry >= tapeCount()) return JSON_POINTER;
  const text = top();
  if ((load<u32>(entryAt(entry), 8) & 7) == NAME) entry++;
  let o = text;
  let at: u32 = 0;
  while (at != entry) {
    let i = at + 1;
    let index: u32 = 0;
    const named = load<u32>(entryAt(at), 8) != CONTAINER;
    for (;;) {
      const value = i + u32(named);
      if (entry < load<u32>(entryAt(value), 12)) break;
      i = load<u32>(entryAt(value), 12);
      index++;
    }
    o = named ? writeName(o, entryAt(i)) : writeIndex(o, index);
    if (!o) return NO_MEMORY;
    at = i + u32(named);
  }
  setTop(o);
  store<u32>(RESULT, <u32>text);
  return <i32>(o - text);
}

/** Appends `/` and the name, its `~` and `/` escaped. 0 when there is no memory. */
function writeName(o: usize, entry: usize): usize {
  const from = documentBegin() + load<u32>(entry) + 1;
  const to = documentBegin() + load<u32>(entry, 4) - 1;
  // Escaping doubles a name at the most; the decoded name is put behind that.
  const longest = (to - from) * 2 + 1;
  if (!room(o, longest)) return 0;
  setTop(o + longest);
  let p = rewriteString(from, to, false);
  if (!p) return 0;
  const end = top();
  store<u8>(o++, 47);
  for (; p < end; p++) {
    const c = load<u8>(p);
    if (c == 126 || c == 47) {
      store<u8>(o, 126);
      store<u8>(o, c == 47 ? 49 : 48, 1);
      o += 2;
    } else store<u8>(o++, c);
  }
  return o;
}

function writeIndex(o: usize, index: u32): usize {
  if (!room(o, 16)) return 0;
  store<u8>(o++, 47);
  let digits = 1;
  for (let rest = index; rest >= 10; rest /= 10) digits++;
  for (let i = digits - 1; i >= 0; i--) {
    store<u8>(o + i, 48 + (index % 10));
    index /= 10;
  }
  return o + digits;
}
