// Reads the bytes of an Agent Card: https://www.ietf.org/archive/id/draft-song-anp-adp-00.html#section-3.1 Reads only
// the members that the index uses, and makes a record of them; does not validate the rest of the card.

import { room, seal, setTop, top } from "../arena";
import { NO_MEMORY, RANK_TAGS, RANK_TYPE } from "../faults";
import { fault, readDocument } from "../json/reader";
import { rewriteString } from "../json/string";
import { CONTAINER, ESCAPED_TEXT, STRING, entryAt, WITH_TAPE } from "../json/tape";
import { MOST_TAGS, beginAdding, indexRecord, HEADER, Record, checkId, checkTag, failAt, openRecord } from "./cards";
import { DESCRIPTION_TEXT, NAME_TEXT, SKILLS_TEXT, TOOLS_TEXT, textMembers } from "./stage";

const ARRAY: u32 = CONTAINER;
const OBJECT: u32 = CONTAINER + 1;
const DEEPEST: u32 = 1024;

// Names of up to seven bytes, the first byte lowest, with their length in the top byte.
const ID: u64 = 0x0200000000006469;
const NAME: u64 = 0x04000000656d616e;
const TOOLS: u64 = 0x050000736c6f6f74;
const SKILLS: u64 = 0x0600736c6c696b73;
// "description": bytes 0 to 7, and 3 to 10.
const DESCRIPT: u64 = 0x7470697263736564;
const CRIPTION: u64 = 0x6e6f697470697263;

/** No entry: entry 0 is the whole document. */
const ABSENT: u32 = 0;

let document: usize = 0;
/** The address to write the record to. */
let out: usize = 0;

// The value entries of an object's members; ABSENT for missing ones.
let id: u32 = 0;
let name: u32 = 0;
let skills: u32 = 0;
let tools: u32 = 0;
let description: u32 = 0;

// @ts-ignore: decorator
@inline function startOf(entry: u32): u32 { return entryAt(entry).start; }
function behind(entry: u32): u32 { return entryAt(entry).next; }

/** Writes the characters of a string or name. Returns the number of bytes. */
function write(entry: u32): u32 {
  const at = entryAt(entry), begin = out;
  const p = document + at.start + 1, end = document + at.end - 1;
  if (at.kind & ESCAPED_TEXT) {
    setTop(out);
    rewriteString(p, end, false);
    out = top();
  } else {
    memory.copy(out, p, end - p);
    out += end - p;
  }
  return <u32>(out - begin);
}

/** Finds the members of an object that the index uses. */
function findMembers(object: u32): void {
  id = name = skills = tools = description = ABSENT;
  // The value's entry follows the name's entry.
  for (let i = object + 1; i < behind(object); i = behind(i + 1)) {
    const length = write(i);
    out -= length;
    const start = load<u64>(out);
    if (length == 11) {
      if (start == DESCRIPT && load<u64>(out, 3) == CRIPTION) description = i + 1;
    } else if (length < 8) {
      const key = (start & ~(<u64>-1 << (length << 3))) | (<u64>length << 56);
      if (key == ID) id = i + 1;
      else if (key == NAME) name = i + 1;
      else if (key == SKILLS) skills = i + 1;
      else if (key == TOOLS) tools = i + 1;
    }
  }
}

/** RANK_TYPE when the value exists and has another kind. */
function expect(value: u32, kind: u32): i32 {
  const wrong = value != ABSENT && (entryAt(value).kind & ~ESCAPED_TEXT) != kind;
  return wrong ? failAt(RANK_TYPE, startOf(value)) : 0;
}

/**
 * `indexAddRecord` for the bytes of an Agent Card: `id` is required, `skills` become tags, and `indexOpen` selects the
 * members for the text. Faults of reading JSON are returned unchanged.
 */
export function indexAddCard(bytes: u32, reputation: f64, availability: f64, rating: f64, excluded: i32): i32 {
  let wrong = beginAdding(bytes, reputation, availability, rating, excluded);
  if (wrong) return wrong;
  document = seal(bytes);
  if (!readDocument(document, document + bytes, DEEPEST, WITH_TAPE)) return fault();
  const record = top();
  // Each string once, the skills twice, a length per tag, a space per text, and room for the bytes that `rewriteString`
  // and copies may overwrite.
  if (!room(record, 2 * bytes + HEADER + (MOST_TAGS << 2) + 64)) return NO_MEMORY;
  out = record + HEADER;
  id = ABSENT;
  if (entryAt(0).kind == OBJECT) findMembers(0);
  wrong = id == ABSENT ? failAt(RANK_TYPE, startOf(0)) : writeRecord(changetype<Record>(record));
  if (wrong) return wrong;
  setTop(out);
  const n = <u32>(out - record);
  openRecord(record, n);
  return indexRecord(n);
}

/** Writes the record from the members found. Returns 0 or a fault. */
function writeRecord(record: Record): i32 {
  let wrong = expect(id, STRING);
  if (!wrong) wrong = expect(skills, ARRAY);
  if (wrong) return wrong;
  let tags: u32 = 0;
  if (skills != ABSENT) for (let i = skills + 1; i < behind(skills); i = behind(i)) tags++;
  record.tags = tags;
  record.words = 0;
  let lengths = out;
  out += <usize>min(tags, MOST_TAGS) << 2;
  const idLength = write(id);
  record.idLength = idLength;
  wrong = checkId(idLength, startOf(id));
  if (wrong) return wrong;
  tags = 0;
  if (skills != ABSENT) for (let i = skills + 1; i < behind(skills); i = behind(i)) {
    wrong = expect(i, STRING);
    if (!wrong && ++tags > MOST_TAGS) wrong = failAt(RANK_TAGS, startOf(i));
    if (wrong) return wrong;
    const n = write(i);
    wrong = checkTag(out - n, n, startOf(i));
    if (wrong) return wrong;
    store<u32>(lengths, n);
    lengths += 4;
  }
  const text = out;
  wrong = writeTexts();
  record.textLength = <u32>(out - text);
  return wrong;
}

/** Writes the texts that the index is configured for. */
function writeTexts(): i32 {
  const members = textMembers(), list = tools;
  let wrong = 0;
  if (members & SKILLS_TEXT && skills != ABSENT) for (let i = skills + 1; i < behind(skills); i = behind(i)) writeText(i);
  if (members & NAME_TEXT) wrong = writeText(name);
  if (!wrong && members & DESCRIPTION_TEXT) wrong = writeText(description);
  if (wrong || !(members & TOOLS_TEXT) || list == ABSENT) return wrong;
  wrong = expect(list, ARRAY);
  for (let i = list + 1; i < behind(list) && !wrong; i = behind(i)) {
    wrong = expect(i, OBJECT);
    if (wrong) break;
    findMembers(i);
    wrong = writeText(name);
    if (!wrong) wrong = writeText(description);
  }
  return wrong;
}

function writeText(value: u32): i32 {
  const wrong = expect(value, STRING);
  if (!wrong && value != ABSENT) {
    write(value);
    store<u8>(out++, 32);
  }
  return wrong;
}
