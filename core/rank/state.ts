// The configuration of an index, and whether it is still loading.

export const NAME_TEXT: u32 = 1;
export const DESCRIPTION_TEXT: u32 = 2;
export const SKILLS_TEXT: u32 = 4;
export const TOOLS_TEXT: u32 = 8;

let loading = false;
let texts: u32 = DESCRIPTION_TEXT | SKILLS_TEXT;

/** The members that make up a card's text. */
// @ts-ignore: decorator
@inline export function textMembers(): u32 { return texts; }
export function setTextMembers(members: u32): void { texts = members; }

/** Between its first chunk and its last, an index accepts only chunks. */
// @ts-ignore: decorator
@inline export function isLoading(): bool { return loading; }
export function setLoading(is: bool): void { loading = is; }
