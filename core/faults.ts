// Every negative number that an export can return. scripts/faults.mjs writes docs/reference/faults.md from this file;
// bindings/document/faults.ts has the words for documents.

// Any export.
export const NO_MEMORY: i32 = -1; // the host refused to give more memory; the index is as it was, after `indexLoad` empty
export const BAD_INPUT: i32 = -2; // the layout of the input is not what the export expects, or the call is not allowed now

// JSON: result word 1 is the offset of the invalid byte.
export const JSON_UNEXPECTED: i32 = -10; // a byte that is not allowed here
export const JSON_END: i32 = -11; // the input ends inside a value, or is empty
export const JSON_TRAILING: i32 = -12; // bytes after the value
export const JSON_UTF8: i32 = -13; // not UTF-8
export const JSON_BOM: i32 = -14; // begins with a byte order mark
export const JSON_UTF16: i32 = -15; // is UTF-16 or UTF-32
export const JSON_DUPLICATE: i32 = -16; // a member name that the object already has; word 2 is the first one's offset
export const JSON_SURROGATE: i32 = -17; // half of a surrogate pair
export const JSON_ESCAPE: i32 = -18; // an escape that JSON does not have
export const JSON_CONTROL: i32 = -19; // a raw control character in a string
export const JSON_NUMBER: i32 = -20; // a number that JSON does not allow
export const JSON_OVERFLOW: i32 = -21; // a number beyond the largest double
export const JSON_DEPTH: i32 = -22; // nested deeper than allowed
export const JSON_POINTER: i32 = -23; // a pointer that RFC 6901 does not allow, or more of them than fit

// Patterns: result word 1 is the offset in the pattern, word 2 the number of bytes from there, word 3 the index of the
// pattern.
export const PATTERN_EMPTY: i32 = -30; // no character at all
export const PATTERN_LONG: i32 = -31; // longer than 65,535 bytes
export const PATTERN_UTF8: i32 = -32; // not UTF-8
export const PATTERN_CONTROL: i32 = -33; // a control character, in any kind but a tag
export const PATTERN_SPACE: i32 = -34; // a space in a host, env or command
export const PATTERN_NON_ASCII: i32 = -35; // a character beyond ASCII in a host, env or command
export const PATTERN_STARS: i32 = -36; // three or more `*` in a row
export const PATTERN_GLOBSTAR_KIND: i32 = -37; // `**` in a pattern that is not a path
export const PATTERN_GLOBSTAR_PLACE: i32 = -38; // `**` that is not a whole segment
export const PATTERN_LABEL: i32 = -39; // an empty label in a host: its dot
export const PATTERN_TAG_STAR: i32 = -40; // `*` in a tag that is not its whole last segment
export const PATTERN_SEGMENTS: i32 = -41; // more than 256 segments after the first `**`
export const PATTERN_SET: i32 = -42; // the patterns of a set are longer than 4 MiB
export const PATTERN_BLOB: i32 = -43; // not a compiled set of this format
export const PATTERN_SUBJECTS: i32 = -44; // the separator does not give `count` subjects, or is not a byte
export const PATTERN_WORK: i32 = -45; // a subject that takes more than 2^28 steps; word 1 is its index

// Templates: result word 1 is the offset of the `{{`, word 2 the offset of the invalid byte.
export const TEMPLATE_UNCLOSED: i32 = -50; // no `}}` after the name
export const TEMPLATE_EMPTY: i32 = -51; // no name between the braces
export const TEMPLATE_START: i32 = -52; // a name that does not begin with a letter
export const TEMPLATE_CHARACTER: i32 = -53; // a character that names cannot contain
export const TEMPLATE_UTF8: i32 = -54; // not UTF-8; both words are the offset of the sequence
export const TEMPLATE_LARGE: i32 = -55; // a template, or an output, beyond the limit

// Ranking: result word 1 is the offset of the fault, in the card, record, query or chunk.
export const RANK_TYPE: i32 = -60; // a member that the index reads has the wrong type, or the card is not an object
export const RANK_ID: i32 = -61; // no id, or one that is empty or above 2,048 bytes
export const RANK_TAG: i32 = -62; // a tag above 255 bytes, or of more than 16 levels
export const RANK_TAGS: i32 = -63; // more than 256 tags
export const RANK_LARGE: i32 = -64; // a card above 65,535 bytes
export const RANK_RECORD: i32 = -65; // the lengths in a record exceed its size
export const RANK_WORD: i32 = -66; // a ready-made word that is empty or above 255 bytes
export const RANK_SIGNAL: i32 = -67; // a signal that is not between 0 and 1
export const RANK_FULL: i32 = -68; // 2^24 cards were added, replaced ones included: save and load, or use another index
export const RANK_QUERY: i32 = -69; // a query, a limit, a least score or a weight beyond the bounds
export const RANK_STATISTICS: i32 = -70; // statistics that do not belong to this query, or contradict each other
export const RANK_CHUNK: i32 = -71; // not a chunk of a saved index, or of another version
export const RANK_ORDER: i32 = -72; // not the next chunk
export const RANK_CHECKSUM: i32 = -73; // a chunk that was changed, or belongs to another save
export const RANK_CONTENT: i32 = -74; // a chunk whose content contradicts itself
