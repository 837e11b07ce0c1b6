// Characters that screens do not show: control characters, those that change the writing direction, and invisible ones.
// One table for everything that displays, renders or reports untrusted text. A test compares it with Unicode's
// categories Cc, Cf, Zl, Zp and Cs and its property Default_Ignorable_Code_Point, so it is the same on every platform.

const CONTROLS = '\\0-\\x1f\\x7f-\\x9f'
const INVISIBLE =
  '\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e' +
  '\\u2060-\\u206f\\u3164\\ud800-\\udfff\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\u{13430}-\\u{1343f}' +
  '\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}'
/** For use in a character class. Does not include visible format characters, such as Arabic number signs. */
export const HIDDEN = `${CONTROLS}${INVISIBLE}`

/** Scripts in which joiners and non-joiners change the look of a word. */
const JOINING = ['Arab', 'Syrc', 'Nkoo', 'Mong', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym']
  .concat(['Sinh', 'Mymr', 'Khmr', 'Tibt', 'Bali', 'Java'])
  .map((script) => `\\p{scx=${script}}`)
  .join('')
const LETTER = `(?![${HIDDEN}])(?=[\\p{L}\\p{M}])[${JOINING}]`

/**
 * Where hidden characters are legitimate: in emoji, between letters of the scripts above, or as a single variation
 * selector after an ideograph or a Mongolian letter. A second selector in a row is never legitimate, because runs of
 * them can hide sentences.
 */
const IN_PLACE = [
  '[#*0-9]\\ufe0f\\u20e3',
  '\\p{Extended_Pictographic}(?:[\\ufe0e\\ufe0f]|\\p{Emoji_Modifier})?' +
    '(?:\\u200d\\p{Extended_Pictographic}(?:\\ufe0f|\\p{Emoji_Modifier})?)*',
  `${LETTER}[\\u200c\\u200d](?=${LETTER}|[\\s\\p{P}]|$)`,
  '\\p{Ideographic}[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  '[\\u1820-\\u18aa][\\u180b-\\u180f]',
].join('|')

const ANY_CONTROL = new RegExp(`[${CONTROLS}]`, 'g')
const ANY_INVISIBLE = new RegExp(`[${INVISIBLE}]`, 'u')
let inPlaceOrHidden: RegExp | undefined

/** Variation selectors after ideographs: each can hide a letter. Names have only a few. */
const SELECTOR = /[\u{e0100}-\u{e01ef}]/gu
const MOST_SELECTORS = 16

/** Replaces each hidden character that is not legitimate at its place. */
export function replaceHidden(text: string, instead: (character: string) => string): string {
  // Nearly all texts contain no invisible characters except line ends; control characters are never legitimate.
  if (!ANY_INVISIBLE.test(text)) return text.replace(ANY_CONTROL, instead)
  const hasSentence = (text.match(SELECTOR)?.length ?? 0) > MOST_SELECTORS
  // Created on first use: looking up Unicode properties takes four milliseconds.
  inPlaceOrHidden ??= new RegExp(`${IN_PLACE}|([${HIDDEN}])`, 'gu')
  return text.replace(inPlaceOrHidden, (found, hidden: string | undefined) => {
    if (hidden !== undefined) return instead(hidden)
    return hasSentence ? found.replace(SELECTOR, instead) : found
  })
}

/**
 * Makes untrusted text safe to show. Control characters, which could command a terminal, become their control pictures;
 * other invisible characters, and those that change the writing direction, become U+FFFD.
 */
export function visible(text: string): string {
  return replaceHidden(text, (character) => {
    const code = character.charCodeAt(0)
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '\u2421' : '\ufffd'
  })
}

/** Code points that stand for no character; HTML forbids them (section 13.2.3.5). */
const NONCHARACTER = /\p{Noncharacter_Code_Point}/gu

/** `visible` for text of a page: line ends and tabs stay, because they are white space there; noncharacters become U+FFFD. */
export function visibleText(text: string): string {
  return text.replace(/[^\n\r\t]+/g, (line) => visible(line)).replace(NONCHARACTER, '\ufffd')
}

/** Escapes every hidden character in JSON: its value stays the same, and no terminal obeys it. */
export function escapeHidden(json: string): string {
  // Raw white space stands only between tokens; inside strings it is already escaped.
  return replaceHidden(json, (character) => (/[\t\n\r]/.test(character) ? character : escapeUnits(character)))
}

/** Characters as JSON escapes them. */
export function escapeUnits(character: string): string {
  let escaped = ''
  for (let i = 0; i < character.length; i++) escaped += `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`
  return escaped
}
