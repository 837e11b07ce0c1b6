// Reference tokens of a JSON Pointer (RFC 6901 sections 3 and 4).

const NO_INDEX: u32 = 0xffffffff;

let text: usize = 0;
let length: u32 = 0;
let index: u32 = 0;

/** The last decoded token: its text, and its value as an array index (all ones when it is not one). */
// @ts-ignore: decorator
@inline export function tokenText(): usize { return text; }
// @ts-ignore: decorator
@inline export function tokenLength(): u32 { return length; }
// @ts-ignore: decorator
@inline export function indexOfToken(): u32 { return index; }

/**
 * Decodes `~0` and `~1` in the token at `p` in place; it can only get shorter. Returns its end, or 0 for an invalid
 * escape.
 */
export function decodeToken(p: usize, end: usize): usize {
  text = p;
  let o = p;
  let value: u64 = 0;
  let digits = true;
  while (p < end && load<u8>(p) != 47) {
    let c = <u32>load<u8>(p++);
    if (c == 126) {
      if (p == end || <u32>load<u8>(p) - 48 > 1) return 0;
      c = load<u8>(p++) == 48 ? 126 : 47;
    }
    if (c - 48 < 10 && value < NO_INDEX) value = value * 10 + (c - 48);
    else digits = false;
    store<u8>(o++, c);
  }
  length = <u32>(o - text);
  index = digits && length && value < NO_INDEX && (length == 1 || load<u8>(text) != 48) ? <u32>value : NO_INDEX;
  return p;
}
