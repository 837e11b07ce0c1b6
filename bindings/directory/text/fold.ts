const ASCII = /^[\0-\x7f]*$/
/**
 * Accents that compatibility decomposition separates from Latin, Greek and Cyrillic letters. Marks of other scripts are
 * part of the spelling.
 */
const ACCENTS = /[\u0300-\u036f]+/g

/** Letters that no decomposition reduces to plain ones. */
const PLAIN: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ħ', 'h'],
  ['ı', 'i'],
  ['ł', 'l'],
  ['þ', 'th'],
  ['ς', 'σ'],
])
const SPECIAL = new RegExp(`[${[...PLAIN.keys()].join('')}]`, 'g')

/** Removes differences between spellings of one word: case, accents, full and half width, ligatures. */
export function fold(text: string): string {
  const small = text.toLowerCase()
  if (ASCII.test(small)) return small
  // Decomposition can produce capital letters: ℝ becomes R.
  const plain = small.normalize('NFKD').replace(ACCENTS, '').toLowerCase()
  return plain.replace(SPECIAL, (letter) => PLAIN.get(letter)!).normalize('NFC')
}
