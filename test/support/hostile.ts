// Text that strangers may write, and what no page may have of it.

/** Markup, what clears a screen, hides what follows and turns the direction of writing, C1 for CSI, what cannot be seen, and noncharacters. */
export const HOSTILE = '<b>\x1b[2J\x1b[8m\u202e\u009b31m\u200b\x07\u2066\u00ad\ufdd0\ufffe\u{1ffff}'

// By the platform's tables, which are not those of hidden.ts. HTML allows line ends and tabs.
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu

/** The characters of a page that nobody sees, or that HTML forbids, as their code points. */
export const invisibleIn = (html: string) =>
  [...html.matchAll(INVISIBLE)].map(([character]) => character.codePointAt(0)!.toString(16))
