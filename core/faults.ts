// Every number below zero that an export can return. docs/ABI.md lists them for embedders,
// bindings/document/faults.ts gives each its words.

/** The host refused to give more memory. */
export const NO_MEMORY: i32 = -1;
/** The input is not laid out as the export wants it. */
export const BAD_INPUT: i32 = -2;

// JSON: result word 1 is the offset of the byte that is wrong.
export const JSON_UNEXPECTED: i32 = -10; // a byte that cannot stand here
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
