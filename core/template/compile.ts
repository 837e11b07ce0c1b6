import { RESULT, room, seal, setTop, take, top } from "../arena";
import {
  NO_MEMORY, TEMPLATE_CHARACTER, TEMPLATE_EMPTY, TEMPLATE_LARGE, TEMPLATE_START, TEMPLATE_UNCLOSED, TEMPLATE_UTF8,
} from "../faults";
import { sequenceLength } from "../json/string";
import {
  HEADER, NAME, NAME_BYTES, NAME_USES, NAMES, REFERENCE, REFERENCE_NAME, REFERENCE_OFFSET, REFERENCES, TEXT,
} from "./blob";
import { clearNames, ENTRY_LENGTH, ENTRY_USES, nameCount, nameEntry, useName } from "./names";

/** Compiling takes at most fourteen times as much as the template (one of nothing but `{{a}}`), which must stay addressable. */
const LARGEST: u32 = 1 << 26;

const BACKSLASH: u32 = 0x5c;
const OPEN: u32 = 0x7b;
const CLOSE: u32 = 0x7d;
const OPEN_TWICE: u32 = 0x7b7b;

/**
 * Compiles the template of `length` bytes. Returns the length of the blob (layout in blob.ts), result word 0 its
 * address; or a fault, result word 1 the offset of the `{{` that begins it, word 2 of the byte that cannot stand there.
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
  let literal = text; // where the text before the next reference begins
  let pending = source; // what of the source is not yet in the text
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
      store<u32>(reference, <u32>(p - source), REFERENCE_OFFSET);
      reference += REFERENCE;
      literal = written;
      p = close + 2;
      pending = p;
    }
  }
  written = append(written, pending, end);
  setTop(reference);

  if (!clearNames(<u32>((reference - references) / REFERENCE))) return NO_MEMORY;
  for (let r = references; r < reference; r += REFERENCE) {
    const name = source + load<u32>(r, REFERENCE_OFFSET) + 2;
    store<u32>(r, useName(name, load<u32>(r, REFERENCE_NAME)), REFERENCE_NAME);
  }
  return assemble(references, reference, text, written);
}

function fault(code: i32, offset: usize, byte: usize): i32 {
  store<u32>(RESULT, <u32>offset, 4);
  store<u32>(RESULT, <u32>byte, 8);
  return code;
}

/** The first byte from `p` on that is `{`, a backslash or not ASCII. Sees zeroes behind the input and passes them. */
function nextSpecial(p: usize, end: usize): usize {
  if (ASC_FEATURE_SIMD) {
    for (; p < end; p += 16) {
      const bytes = v128.load(p);
      const special = v128.or(i8x16.eq(bytes, i8x16.splat(<i8>OPEN)), i8x16.eq(bytes, i8x16.splat(<i8>BACKSLASH)));
      const mask = i8x16.bitmask(v128.or(special, bytes)); // bitmask reads the top bits: those of non-ASCII bytes too
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

/** The first byte from `p` on that no name holds: `ALPHA *(ALPHA / DIGIT / "_")`, ADL appendix D. */
function nameEnd(p: usize): usize {
  let byte = <u32>load<u8>(p);
  if ((byte | 0x20) - 0x61 >= 26) return p;
  do byte = load<u8>(++p); while ((byte | 0x20) - 0x61 < 26 || byte - 0x30 < 10 || byte == 0x5f);
  return p;
}

/** 0 when the name that begins at `name` ends well at `close`, else what is wrong there. */
function check(name: usize, close: usize, end: usize): i32 {
  if (close >= end) return TEMPLATE_UNCLOSED;
  const byte = <u32>load<u8>(close);
  if (byte == CLOSE) {
    if (close == name) return TEMPLATE_EMPTY;
    return load<u8>(close, 1) == CLOSE ? 0 : TEMPLATE_UNCLOSED;
  }
  return close == name ? TEMPLATE_START : TEMPLATE_CHARACTER;
}

/** Copies the source from `from` to `to` behind the text; returns the text's new end. */
function append(text: usize, from: usize, to: usize): usize {
  memory.copy(text, from, to - from);
  return text + (to - from);
}

function assemble(references: usize, referencesEnd: usize, text: usize, textEnd: usize): i32 {
  const names = nameCount();
  let nameBytes: usize = 0;
  for (let i: u32 = 0; i < names; i++) nameBytes += load<u32>(nameEntry(i), ENTRY_LENGTH);

  const nameTable = HEADER + (referencesEnd - references);
  const bytesAt = nameTable + names * NAME;
  const textAt = bytesAt + nameBytes;
  const length = textAt + (textEnd - text);
  const blob = take(length);
  if (!blob) return NO_MEMORY;

  store<u32>(blob, <u32>length);
  store<u32>(blob, <u32>((referencesEnd - references) / REFERENCE), REFERENCES);
  store<u32>(blob, names, NAMES);
  store<u32>(blob, <u32>bytesAt, NAME_BYTES);
  store<u32>(blob, <u32>textAt, TEXT);
  memory.copy(blob + HEADER, references, referencesEnd - references);
  let entry = blob + nameTable;
  let bytes = blob + bytesAt;
  for (let i: u32 = 0; i < names; i++) {
    const name = nameEntry(i);
    const size = load<u32>(name, ENTRY_LENGTH);
    store<u32>(entry, size);
    store<u32>(entry, load<u32>(name, ENTRY_USES), NAME_USES);
    memory.copy(bytes, load<u32>(name), size);
    entry += NAME;
    bytes += size;
  }
  memory.copy(blob + textAt, text, textEnd - text);
  store<u32>(RESULT, <u32>blob);
  return <i32>length;
}
