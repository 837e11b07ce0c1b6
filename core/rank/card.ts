// The bytes of an Agent Card: https://www.ietf.org/archive/id/draft-song-anp-adp-00.html#section-3.1
// Only the members that the index uses are looked at; whether the card is valid otherwise is not asked here.

import { room, setTop, top } from "../arena";
import { NO_MEMORY, RANK_TAGS, RANK_TYPE } from "../faults";
import { fault } from "../json/fault";
import { WITH_TAPE, readDocument } from "../json/reader";
import { rewriteString } from "../json/string";
import { CONTAINER, ESCAPED_TEXT, STRING, entryAt } from "../json/tape";
import { beginAdding, inputAt } from "./add";
import { checkId, checkTag, failAt } from "./record";
import { MOST_TAGS, commit, stageTag, stageText } from "./stage";
import { DESCRIPTION_TEXT, NAME_TEXT, SKILLS_TEXT, TOOLS_TEXT, textMembers } from "./state";

const ARRAY: u32 = CONTAINER;
const OBJECT: u32 = CONTAINER + 1;
const DEEPEST: u32 = 1024;

// Names of at most seven bytes, the first one lowest, and their length on top.
const ID: u64 = 0x0200000000006469;
const NAME: u64 = 0x04000000656d616e;
const TOOLS: u64 = 0x050000736c6f6f74;
const SKILLS: u64 = 0x0600736c6c696b73;
// "description": bytes 0 to 7, and 3 to 10.
const DESCRIPT: u64 = 0x7470697263736564;
const CRIPTION: u64 = 0x6e6f697470697263;

/** No entry: 0 is the whole document. */
const ABSENT: u32 = 0;

let document: usize = 0;
let text: usize = 0;
let length: u32 = 0;

// The value entries of an object's members, ABSENT where there is none.
let id: u32 = 0;
let name: u32 = 0;
let skills: u32 = 0;
let tools: u32 = 0;
let description: u32 = 0;

// @ts-ignore: decorator
@inline function startOf(entry: u32): u32 { return load<u32>(entryAt(entry)); }
// @ts-ignore: decorator
@inline function behind(entry: u32): u32 { return load<u32>(entryAt(entry), 12); }

/** Reads the characters of a string or name into `text` and `length`; they stay until the next one is read. */
function readText(entry: u32): void {
  const at = entryAt(entry);
  text = document + load<u32>(at) + 1;
  const end = document + load<u32>(at, 4) - 1;
  length = <u32>(end - text);
  if (!(load<u32>(at, 8) & ESCAPED_TEXT)) return;
  const free = top();
  text = rewriteString(text, end, false);
  length = <u32>(top() - text);
  setTop(free);
}

/** Finds the members of an object that matter. */
function findMembers(object: u32): void {
  id = name = skills = tools = description = ABSENT;
  for (let i = object + 1; i < behind(object); i = behind(i)) {
    readText(i);
    const start = load<u64>(text);
    if (length == 11) {
      if (start == DESCRIPT && load<u64>(text, 3) == CRIPTION) description = i + 1;
    } else if (length < 8) {
      const key = (start & ~(<u64>-1 << (length << 3))) | (<u64>length << 56);
      if (key == ID) id = i + 1;
      else if (key == NAME) name = i + 1;
      else if (key == SKILLS) skills = i + 1;
      else if (key == TOOLS) tools = i + 1;
    }
  }
}

/** RANK_TYPE when the value is there and of another kind. */
function expect(value: u32, kind: u32): i32 {
  const wrong = value != ABSENT && (load<u32>(entryAt(value), 8) & ~ESCAPED_TEXT) != kind;
  return wrong ? failAt(RANK_TYPE, startOf(value)) : 0;
}

/**
 * `indexAddRecord` with the bytes of an Agent Card: `id` is needed; `skills` are its tags; what its text is made of `indexOpen` says.
 * The faults of reading JSON come as they are.
 */
export function indexAddCard(bytes: u32, reputation: f64, availability: f64, rating: f64, excluded: i32): i32 {
  let wrong = beginAdding(bytes, reputation, availability, rating, excluded);
  if (wrong) return wrong;
  document = inputAt();
  if (!readDocument(document, document + bytes, DEEPEST, WITH_TAPE)) return fault();
  // Room for any one string without its escapes: `readText` cannot fail.
  if (!room(top(), bytes + 64)) return failAt(NO_MEMORY, 0);
  if (load<u32>(entryAt(0), 8) != OBJECT) return failAt(RANK_TYPE, startOf(0));
  findMembers(0);
  const idEntry = id;
  if (idEntry == ABSENT) return failAt(RANK_TYPE, startOf(0));
  wrong = expect(idEntry, STRING);
  if (wrong) return wrong;
  readText(idEntry);
  wrong = checkId(length, startOf(idEntry));
  // All is checked before anything is staged: nobody would ever free what was interned for a card that is refused in the end.
  if (!wrong) wrong = walk(false);
  if (wrong) return wrong;
  findMembers(0);
  walk(true);
  readText(idEntry);
  return commit(text, length, reputation, availability, rating, excluded);
}

/** Checks, or stages, the members that were found. */
function walk(staging: bool): i32 {
  const members = textMembers();
  const list = tools;
  let wrong = expect(skills, ARRAY);
  if (!wrong && skills != ABSENT) {
    wrong = walkTags(staging);
    if (staging && members & SKILLS_TEXT) for (let i = skills + 1; i < behind(skills); i = behind(i)) walkText(i, true);
  }
  if (!wrong && members & NAME_TEXT) wrong = walkText(name, staging);
  if (!wrong && members & DESCRIPTION_TEXT) wrong = walkText(description, staging);
  if (wrong || !(members & TOOLS_TEXT) || list == ABSENT) return wrong;
  wrong = expect(list, ARRAY);
  for (let i = list + 1; i < behind(list) && !wrong; i = behind(i)) {
    wrong = expect(i, OBJECT);
    if (wrong) break;
    findMembers(i);
    wrong = walkText(name, staging);
    if (!wrong) wrong = walkText(description, staging);
  }
  return wrong;
}

function walkTags(staging: bool): i32 {
  let count: u32 = 0;
  for (let i = skills + 1; i < behind(skills); i = behind(i)) {
    let wrong = expect(i, STRING);
    if (wrong) return wrong;
    readText(i);
    if (staging) stageTag(text, length);
    else {
      wrong = ++count > MOST_TAGS ? failAt(RANK_TAGS, startOf(i)) : checkTag(text, length, startOf(i));
      if (wrong) return wrong;
    }
  }
  return 0;
}

function walkText(value: u32, staging: bool): i32 {
  const wrong = expect(value, STRING);
  if (staging && value != ABSENT) {
    readText(value);
    stageText(text, length);
  }
  return wrong;
}
