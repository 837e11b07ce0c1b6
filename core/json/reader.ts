// The fault of a document, and its place. Only the first fault that the reader detects is kept; duplicate names are
// detected when their object closes.
import { RESULT, room, top, setTop, take } from "../arena";
import {
  JSON_BOM, JSON_CONTROL, JSON_END, JSON_NUMBER, JSON_UNEXPECTED, JSON_UTF16, NO_MEMORY, JSON_DEPTH, JSON_TRAILING,
} from "../faults";
import {
  Member, ARRAY, ELEMENT_SIZE, Element, MEMBER_SIZE, NOT_SLICE, OBJECT, REMOVED, noteMember, precedes,
} from "./member";
import { numberLength, numberText, readNumber, resetGrowth } from "./number";
import { orderMembers } from "./order";
import {
  skipRun, skipSpace, stringStop, ESCAPED, HIGH, RESPELLED, rewriteString, stringEnd, stringFlags,
} from "./string";
import {
  CONTAINER, ESCAPED_TEXT, FALSE, NULL, NUMBER, STRING, TRUE, startTape, resetWarnings, WITH_TAPE, startWatch,
  watchClose, watchElement, watchName, watchOpen, watchScalar,
} from "./tape";

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

// true, false, null, and words that resemble them.

/**
 * Reports a byte that begins no value. For a word like `nul` or `True`, reports the first byte that differs from the
 * literal.
 */
function failLiteral(p: usize): usize {
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

// Reads a document once: checks it against RFC 8259 and records it in canonical order (member.ts).
//
// A state machine without recursion: open containers are on a stack of frames, as deep as the caller allows. A
// container whose text is already canonical (no white space, names ascending, children canonical) becomes a single
// slice and its records are released, so a canonical document costs no records and no copy.

// Flags of the open container.
const IN_OBJECT = 1;
/** The container's text is not canonical. */
const CHANGED = 2;
const UNSORTED = 4;
/** At least one name has a character from U+E000 on. */
const HIGH_NAMES = 8;

/** An enclosing container, which waits until the open one is complete. */
// @ts-ignore: decorator
@unmanaged class Frame {
  /** The first and the last record. */
  head: usize;
  tail: usize;
  /** The start in the source. */
  start: usize;
  flags: i32;
}
const FRAME_SIZE: usize = offsetof<Frame>();

const EMPTY_OBJECT: usize = memory.data<u8>([123, 125]);
const EMPTY_ARRAY: usize = memory.data<u8>([91, 93]);

let frames: usize = 0;
let rootValue: usize = 0;
let rootLength: u32 = 0;

/** The document's value after `readDocument`: a slice, or a container's first record. */
// @ts-ignore: decorator
@inline export function documentValue(): usize { return rootValue; }
/** The length of the slice, or the kind of container (member.ts). */
// @ts-ignore: decorator
@inline export function documentLength(): u32 { return rootLength; }
/** The memory of the frame stack, one frame per level; code that walks the records may reuse it. */
// @ts-ignore: decorator
@inline export function frameStack(): usize { return frames; }

/** Reads the document in [begin, end), with at most `maxDepth` nested containers. False when a fault was recorded. */
export function readDocument(begin: usize, end: usize, maxDepth: u32, watch: i32): bool {
  expectDocument(begin, end);
  resetWarnings();
  resetGrowth();
  // No document is nested deeper than it is long.
  const deepest = min(maxDepth, <u32>(end - begin));
  frames = take((<usize>deepest + 1) * FRAME_SIZE);
  if (!frames || (watch == WITH_TAPE && !startTape(begin, end))) {
    fail(NO_MEMORY, begin);
    return false;
  }
  setTop((top() + 7) & ~7);
  startWatch(watch);
  return read(begin, end, deepest, watch != 0);
}

/** Saves the state of a container while the one inside it is read. */
function wait(frame: Frame, head: usize, tail: usize, start: usize, flags: i32): void {
  frame.head = head;
  frame.tail = tail;
  frame.start = start;
  frame.flags = flags;
}

/**
 * The state machine. `watch`: report every place to tape.ts. Moving more of it into separate functions made it 3 to 7
 * % slower.
 */
function read(begin: usize, end: usize, deepest: u32, watch: bool): bool {
  let p = skipSpace(begin);
  let depth: u32 = 0;
  let frame = frames;
  // The open container.
  let head: usize = 0, tail: usize = 0, start: usize = 0, flags = 0;
  let wantName = false;
  for (;;) {
    if (wantName) {
      wantName = false;
      if (load<u8>(p) != 34) return <bool>fail(JSON_UNEXPECTED, p);
      const body = p + 1;
      let q = stringStop(body);
      if (!room(top(), MEMBER_SIZE)) return <bool>fail(NO_MEMORY, p);
      let name = body, nameLength = <u32>(q - body);
      let text = p, textLength = nameLength + 2;
      if (load<u8>(q) != 34) {
        q = stringEnd(q);
        if (!q) return false;
        const seen = stringFlags();
        nameLength = <u32>(q - body);
        textLength = nameLength + 2;
        if (seen & HIGH) flags |= HIGH_NAMES;
        if (seen & ESCAPED) {
          name = rewriteString(body, q, false);
          if (!name) return false;
          nameLength = <u32>(top() - name);
          if (seen & RESPELLED) {
            text = rewriteString(body, q, true);
            if (!text) return false;
            textLength = <u32>(top() - text);
            flags |= CHANGED;
          }
          setTop((top() + 7) & ~7);
          if (!room(top(), MEMBER_SIZE)) return <bool>fail(NO_MEMORY, p);
        }
      }
      const record = noteMember(name, nameLength, text, textLength, p);
      const member = changetype<Member>(record);
      if (tail) {
        const last = changetype<Member>(tail);
        last.next = record;
        if (!(flags & UNSORTED) && !precedes(last, member, (flags & HIGH_NAMES) != 0)) flags |= UNSORTED | CHANGED;
      } else head = record;
      tail = record;
      if (watch) watchName(p, q + 1, name, nameLength);
      p = q + 1;
      if (load<u8>(p) != 58) {
        flags |= CHANGED;
        p = skipSpace(p);
        if (load<u8>(p) != 58) return <bool>fail(JSON_UNEXPECTED, p);
      }
      p++;
      if (load<u8>(p) <= 32) {
        flags |= CHANGED;
        p = skipSpace(p);
      }
    } else if (watch && depth) watchElement();

    // A value: a slice of `length` bytes from `value`.
    const from = p;
    const c = <u32>load<u8>(p);
    let value: usize = p, length: u32;
    let kind: u32;
    if (c == 34) {
      kind = STRING;
      let q = stringStop(p + 1);
      if (load<u8>(q) != 34) {
        q = stringEnd(q);
        if (!q) return false;
        if (stringFlags() & ESCAPED) kind = STRING | ESCAPED_TEXT;
      }
      p = q + 1;
      length = <u32>(p - from);
      if (kind != STRING && stringFlags() & RESPELLED) {
        value = rewriteString(from + 1, q, true);
        if (!value) return false;
        length = <u32>(top() - value);
        setTop((top() + 7) & ~7);
        flags |= CHANGED;
      }
    } else if (c == 123 || c == 91) {
      if (depth == deepest) return <bool>fail(JSON_DEPTH, p);
      let opened = c == 123 ? IN_OBJECT : 0;
      if (watch) watchOpen(p, c);
      p++;
      if (load<u8>(p) <= 32) {
        p = skipRun(p);
        opened |= CHANGED;
      }
      if (<u32>load<u8>(p) != c + 2) {
        wait(changetype<Frame>(frame), head, tail, start, flags);
        frame += FRAME_SIZE;
        depth++;
        head = 0;
        tail = 0;
        start = from;
        flags = opened;
        wantName = c == 123;
        continue;
      }
      p++; // an empty container
      length = 2;
      if (opened & CHANGED) {
        value = c == 123 ? EMPTY_OBJECT : EMPTY_ARRAY;
        flags |= CHANGED;
      }
      kind = CONTAINER;
      if (watch && watchClose(from, p)) length = REMOVED;
    } else if (c - 48 < 10 || c == 45) {
      kind = NUMBER;
      p = readNumber(p);
      if (!p) return false;
      value = numberText();
      length = numberLength();
      if (value != from) {
        flags |= CHANGED;
        setTop((top() + 7) & ~7);
      }
    } else {
      const word = load<u32>(p);
      // One branch for both: a second one would often be mispredicted.
      if (i32(word == 0x65757274) | i32(word == 0x6c6c756e)) kind = select(TRUE, NULL, word == 0x65757274);
      else if (word == 0x736c6166 && load<u8>(p, 4) == 101) kind = FALSE;
      else return <bool>failLiteral(p);
      length = kind == FALSE ? 5 : 4;
      p += length;
    }
    if (watch && kind != CONTAINER && watchScalar(from, p, kind)) length = REMOVED;

    // The value is complete: attach it, then close all containers that end here.
    for (;;) {
      if (!depth) {
        p = skipSpace(p);
        if (p != end) return <bool>fail(p > end ? JSON_UNEXPECTED : JSON_TRAILING, p);
        rootValue = value;
        rootLength = length;
        return true;
      }
      if (flags & IN_OBJECT) {
        const member = changetype<Member>(tail);
        member.value = value;
        member.length = length;
      } else if (length != REMOVED) {
        const run = changetype<Element>(tail);
        const last = tail ? run.length : NOT_SLICE;
        if (last < NOT_SLICE && length < NOT_SLICE && run.value + last + 1 == value) {
          run.length = last + 1 + length; // adjacent in the source: one run
        } else {
          const record = top();
          if (!room(record, ELEMENT_SIZE)) return <bool>fail(NO_MEMORY, p);
          setTop(record + ELEMENT_SIZE);
          const element = changetype<Element>(record);
          element.value = value;
          element.length = length;
          element.next = 0;
          if (tail) run.next = record;
          else head = record;
          tail = record;
        }
      }
      if (length >= NOT_SLICE) flags |= CHANGED;
      let d = <u32>load<u8>(p);
      if (d <= 32) {
        p = skipRun(p);
        d = load<u8>(p);
        flags |= CHANGED;
      }
      if (d == 44) {
        p++;
        if (load<u8>(p) <= 32) {
          p = skipRun(p);
          flags |= CHANGED;
        }
        wantName = (flags & IN_OBJECT) != 0;
        break;
      }
      if (d != <u32>(flags & IN_OBJECT ? 125 : 93)) return <bool>fail(JSON_UNEXPECTED, p);
      p++;
      const opening = start;
      if (flags & CHANGED) {
        if (flags & UNSORTED) {
          head = orderMembers(head, (flags & HIGH_NAMES) != 0);
          if (!head) return false;
        }
        value = head;
        length = flags & IN_OBJECT ? OBJECT : ARRAY;
      } else {
        value = start;
        length = <u32>(p - start);
        setTop(head);
      }
      frame -= FRAME_SIZE;
      depth--;
      const waiting = changetype<Frame>(frame);
      head = waiting.head;
      tail = waiting.tail;
      start = waiting.start;
      flags = waiting.flags;
      if (watch && watchClose(opening, p)) length = REMOVED;
    }
  }
  return false;
}
