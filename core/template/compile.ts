import { RESULT, room, seal, setTop, take, top, sameBytes, sortAddresses } from "../arena";
import {
  NO_MEMORY, TEMPLATE_CHARACTER, TEMPLATE_EMPTY, TEMPLATE_LARGE, TEMPLATE_START, TEMPLATE_UNCLOSED, TEMPLATE_UTF8,
} from "../faults";
import { sequenceLength } from "../json/string";
import {
  HEADER, NAME, NAME_BYTES, NAME_USES, NAMES, REFERENCE, REFERENCE_NAME, REFERENCE_OFFSET, REFERENCES, TEXT,
} from "./render";

/**
 * The size limit of a template. Compiling takes less than ten times its size (the worst case is a template of only
 * `{{a}}`), which must fit 32-bit addresses.
 */
const LARGEST: u32 = 1 << 26;

const BACKSLASH: u32 = 0x5c;
const OPEN: u32 = 0x7b;
const CLOSE: u32 = 0x7d;
const OPEN_TWICE: u32 = 0x7b7b;

/**
 * Compiles the template of `length` bytes. Returns the length of the blob (layout in render.ts), with its address in
 * result word 0; or a fault, with the offset of its `{{` in word 1 and of the invalid byte in word 2.
 */
export function templateCompile(length: u32): i32 {
  const source = seal(length);
  if (length > LARGEST) return TEMPLATE_LARGE;
  const end = source + length;
  const text = take(length);
  if (!text) return NO_MEMORY;

  const references = (top() + 3) & ~3;
  let reference = references;
  let written = text;
  let literal = text; // the start of the text before the next reference
  let pending = source; // the start of the source not yet copied to the text
  for (let p = nextSpecial(source, end); p < end; p = nextSpecial(p, end)) {
    const byte = <u32>load<u8>(p);
    if (byte >= 0x80) {
      const size = sequenceLength(p, byte);
      if (size == 0) return fault(TEMPLATE_UTF8, p - source, p - source);
      p += size;
    } else if (byte == BACKSLASH) {
      if (load<u16>(p, 1) == OPEN_TWICE) {
        written = append(written, pending, p);
        pending = p + 1;
        p += 3;
      } else p++;
    } else if (load<u8>(p, 1) != OPEN) {
      p++;
    } else {
      const close = nameEnd(p + 2);
      const wrong = check(p + 2, close, end);
      if (wrong < 0) return fault(wrong, p - source, close - source);
      written = append(written, pending, p);
      if (!room(reference, REFERENCE)) return NO_MEMORY;
      store<u32>(reference, <u32>(written - literal));
      store<u32>(reference, <u32>(close - p - 2), REFERENCE_NAME); // its length, until the names are numbered
      store<u32>(reference, <u32>p, REFERENCE_OFFSET); // its address, until then
      reference += REFERENCE;
      literal = written;
      p = close + 2;
      pending = p;
    }
  }
  written = append(written, pending, end);
  setTop(reference);
  return assemble(source, references, reference, text, written);
}

function fault(code: i32, offset: usize, byte: usize): i32 {
  store<u32>(RESULT, <u32>offset, 4);
  store<u32>(RESULT, <u32>byte, 8);
  return code;
}

/** The first byte from `p` on that is `{`, a backslash or not ASCII. Does not stop at the zeros after the input. */
function nextSpecial(p: usize, end: usize): usize {
  if (ASC_FEATURE_SIMD) {
    for (; p < end; p += 16) {
      const bytes = v128.load(p);
      const special = v128.or(i8x16.eq(bytes, i8x16.splat(<i8>OPEN)), i8x16.eq(bytes, i8x16.splat(<i8>BACKSLASH)));
      const mask = i8x16.bitmask(v128.or(special, bytes)); // bitmask reads top bits, also of non-ASCII bytes
      if (mask) return p + ctz(mask);
    }
  } else {
    for (; p < end; p++) {
      const byte = <u32>load<u8>(p);
      if (byte == OPEN || byte == BACKSLASH || byte >= 0x80) return p;
    }
  }
  return p;
}

/** The first byte from `p` on that cannot be part of a name: `ALPHA *(ALPHA / DIGIT / "_")`, ADL appendix D. */
function nameEnd(p: usize): usize {
  let byte = <u32>load<u8>(p);
  if ((byte | 0x20) - 0x61 >= 26) return p;
  do byte = load<u8>(++p); while ((byte | 0x20) - 0x61 < 26 || byte - 0x30 < 10 || byte == 0x5f);
  return p;
}

/** 0 when the name in [name, close) is followed by a valid end, otherwise its fault. */
function check(name: usize, close: usize, end: usize): i32 {
  if (close >= end) return TEMPLATE_UNCLOSED;
  const byte = <u32>load<u8>(close);
  if (byte == CLOSE) {
    if (close == name) return TEMPLATE_EMPTY;
    return load<u8>(close, 1) == CLOSE ? 0 : TEMPLATE_UNCLOSED;
  }
  return close == name ? TEMPLATE_START : TEMPLATE_CHARACTER;
}

/** Appends the source in [from, to) to the text; returns the text's new end. */
function append(text: usize, from: usize, to: usize): usize {
  memory.copy(text, from, to - from);
  return text + (to - from);
}

function assemble(source: usize, references: usize, referencesEnd: usize, text: usize, textEnd: usize): i32 {
  const size = referencesEnd - references;
  const count = <u32>(size / REFERENCE);
  const list = take(<usize>count << 2);
  if (!list) return NO_MEMORY;
  for (let i: u32 = 0; i < count; i++) store<u32>(list + (i << 2), <u32>(references + i * REFERENCE));
  sortAddresses(list, count, precedes);

  // Equal names are now adjacent, in template order. The first one represents all of them.
  let names: u32 = 0;
  let nameBytes: usize = 0;
  let first: usize = 0;
  let length: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const reference = load<u32>(list + (i << 2));
    const n = load<u32>(reference, REFERENCE_NAME);
    if (n != length || !sameBytes(nameOf(first), nameOf(reference), n)) {
      first = reference;
      length = n;
      names++;
      nameBytes += n;
    }
    store<u32>(reference, <u32>first, REFERENCE_NAME);
  }

  const nameTable = HEADER + size;
  const bytesAt = nameTable + names * NAME;
  const textAt = bytesAt + nameBytes;
  const total = textAt + (textEnd - text);
  const blob = take(total);
  if (!blob) return NO_MEMORY;
  store<u32>(blob, <u32>total);
  store<u32>(blob, count, REFERENCES);
  store<u32>(blob, names, NAMES);
  store<u32>(blob, <u32>bytesAt, NAME_BYTES);
  store<u32>(blob, <u32>textAt, TEXT);
  memory.copy(blob + HEADER, references, size);
  memory.copy(blob + textAt, text, textEnd - text);

  // Numbered in order of first use. A name that already has a number is stored with it in the blob.
  const moved = blob + HEADER - references;
  let bytes = blob + bytesAt;
  names = 0;
  for (let reference = references; reference < referencesEnd; reference += REFERENCE) {
    first = load<u32>(reference, REFERENCE_NAME);
    if (first == reference) {
      const name = nameOf(reference);
      const n = nameEnd(name) - name;
      store<u32>(blob + nameTable + names * NAME, <u32>n);
      store<u32>(blob + nameTable + names * NAME, 0, NAME_USES);
      memory.copy(bytes, name, n);
      bytes += n;
      store<u32>(reference + moved, names++, REFERENCE_NAME);
    }
    const number = load<u32>(first + moved, REFERENCE_NAME);
    const entry = blob + nameTable + number * NAME;
    store<u32>(entry, load<u32>(entry, NAME_USES) + 1, NAME_USES);
    store<u32>(reference + moved, number, REFERENCE_NAME);
    store<u32>(reference + moved, <u32>(load<u32>(reference, REFERENCE_OFFSET) - source), REFERENCE_OFFSET);
  }
  store<u32>(RESULT, <u32>blob);
  return <i32>total;
}

/** The address of a reference's name in the template. */
// @ts-ignore: decorator
@inline function nameOf(reference: usize): usize { return <usize>load<u32>(reference, REFERENCE_OFFSET) + 2; }

/** Any order of names works, as long as equal names are adjacent and in template order. */
function precedes(a: usize, b: usize): bool {
  const n = load<u32>(a, REFERENCE_NAME), m = load<u32>(b, REFERENCE_NAME);
  if (n != m) return n < m;
  const p = nameOf(a), q = nameOf(b);
  for (let i: u32 = 0; i < n; i++) {
    const x = load<u8>(p + i), y = load<u8>(q + i);
    if (x != y) return x < y;
  }
  return a < b;
}
