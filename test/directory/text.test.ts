import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { fold, nearWords, stem, wordsOf } from '../../bindings/directory/text/words.ts'
import { MISTYPED, STEMS } from './vocabulary.ts'

// From M. F. Porter, An algorithm for suffix stripping, 1980: the examples of its steps, with the result of all steps.
const PAPER =
  'caresses caress ponies poni ties ti cats cat feed feed agreed agre plastered plaster bled bled motoring motor sing sing ' +
  'conflated conflat troubled troubl sized size hopping hop tanned tan falling fall hissing hiss fizzed fizz failing fail ' +
  'filing file happy happi sky sky relational relat conditional condit rational ration digitizer digit operator oper ' +
  'feudalism feudal decisiveness decis hopefulness hope formality formal sensitivity sensit sensibility sensibl ' +
  'triplicate triplic formative form formalize formal electricity electr electrical electr goodness good revival reviv ' +
  'allowance allow inference infer airliner airlin gyroscopic gyroscop adjustable adjust defensible defens irritant irrit ' +
  'replacement replac adjustment adjust dependent depend adoption adopt communism commun activate activ effective effect ' +
  'bowdlerize bowdler probate probat rate rate cease ceas controlling control rolling roll generalizations gener oscillators oscil'

describe('stems', () => {
  const words = PAPER.split(' ')
  const pairs = words.flatMap((word, i) => (i % 2 === 0 ? [[word, words[i + 1]!] as const] : []))

  test.each(pairs)('%s: %s', (word, expected) => expect(stem(word)).toBe(expected))

  it('are those of the published implementation', () => {
    for (const [word, expected] of Object.entries({ ...STEMS, ...MISTYPED }))
      expect([word, stem(word)]).toEqual([word, expected])
  })

  it('are never longer than the word, and fast for any word', () => {
    fc.assert(fc.property(fc.stringMatching(/^[a-z]{1,64}$/), (word) => stem(word).length <= word.length))
    expect(stem('a'.repeat(60))).toBe('a'.repeat(60))
  })
})

describe('folding', () => {
  test.each([
    ['Éclair', 'eclair'],
    ['İstanbul', 'istanbul'],
    ['STRASSE', 'strasse'],
    ['Straße', 'strasse'],
    ['Łódź', 'lodz'],
    ['Ærøskøbing', 'aeroskobing'],
    ['ΣΊΣΥΦΟΣ', 'σισυφοσ'],
    ['Ёлка', 'елка'],
    ['ｆｕｌｌ ｗｉｄｔｈ', 'full width'],
    ['ｶﾀｶﾅ', 'カタカナ'],
    ['ﬁne', 'fine'],
    ['한국어', '한국어'],
    ['हिन्दी', 'हिन्दी'],
  ])('%s: %s', (text, expected) => expect(fold(text)).toBe(expected))

  it('does not change folded text', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => fold(fold(text)) === fold(text)))
  })
})

describe('wordsOf', () => {
  test.each([
    ['The agent’s 3.2 and the rest', ['agent', '3', '2', 'rest']],
    ['snake_case kebab-case', ['snake', 'case', 'kebab', 'case']],
    ['AI翻訳です', ['ai', '翻訳', '訳で', 'です']],
    ['字', ['字']],
    ['𠮷野家', ['𠮷野', '野家']],
    ['번역을', ['번역', '역을']],
    ['ภาษาไทย', ['ภา', 'าษ', 'ษา', 'าไ', 'ไท', 'ทย']],
    ['C++, C#, F# and .NET', ['cpp', 'csharp', 'fsharp', 'dotnet']],
    ['naïve café', ['naiv', 'cafe']],
    [
      'Rechnung Rechnungen Krankheiten Möglichkeiten Wirtschaften',
      ['rechnung', 'rechnung', 'krankheit', 'moglichkeit', 'wirtschaft'],
    ],
    ['Versionen versión versiones solución soluciones', ['version', 'version', 'version', 'solucion', 'solucion']],
    ['Version versions', ['version', 'version']],
    ['ciudad ciudades', ['ciudad', 'ciudad']],
    ['lounges lounge oxen shoes', ['loung', 'loung', 'oxen', 'shoe']],
    ['‮ ​!? 😀', []],
    ['हिन्दी अनुवाद', ['हिन्दी', 'अनुवाद']],
  ])('%s', (text, expected) => expect(wordsOf(text)).toEqual(expected))

  it('returns whole words of bounded length for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) =>
        wordsOf(text).every((word) => word !== '' && word.length <= 64 && word.isWellFormed()),
      ),
    )
    expect(wordsOf('x'.repeat(10_000))).toEqual(['x'.repeat(64)])
    // Cutting must not split a surrogate pair.
    expect(wordsOf(`x${'𐌰'.repeat(40)}`)).toEqual([`x${'𐌰'.repeat(31)}`])
  })
})

describe('similar words', () => {
  const near = (words: readonly string[], word: string) =>
    nearWords(words.toSorted(), word, (found) => found).map((found) => found.word)

  it('are those of a table of distances, for any words', () => {
    const word = fc.stringMatching(/^[abc]{1,9}$/)
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), word, (list, asked) => {
        const words = [...new Set(list)].filter((other) => other !== asked)
        const completes = words.filter((other) => asked.length >= 3 && other.startsWith(asked))
        const most = asked.length < 4 ? 0 : asked.length < 8 ? 1 : 2
        const misspelt = words.filter((other) => other[0] === asked[0] && distance(asked, other) <= most)
        const begins = words.filter(
          (other) => asked.startsWith(other) && other.length >= 4 && asked.length - other.length <= 5,
        )
        const expected = [completes, misspelt, begins].find((found) => found.length > 0) ?? []
        expect(near(words, asked).toSorted()).toEqual(expected.toSorted())
      }),
      { numRuns: 300 },
    )
  })

  it('are sorted best first', () => {
    expect(near(['contract', 'contact', 'contracts'], 'contrct')).toEqual(['contact', 'contract'])
    expect(near(['summary', 'summarizer', 'summit'], 'summa')).toEqual(['summary', 'summarizer'])
    expect(near(['翻訳', '翻案', '訳文'], '翻')).toEqual(['翻案', '翻訳'])
  })
})

/** Edit distance with wrong, missing, extra and swapped letters. */
function distance(a: string, b: string): number {
  const at = new Map<string, number>()
  const of = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j
    const key = `${i},${j}`
    const known = at.get(key)
    if (known !== undefined) return known
    let least = Math.min(of(i - 1, j) + 1, of(i, j - 1) + 1, of(i - 1, j - 1) + Number(a[i - 1] !== b[j - 1]))
    if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, of(i - 2, j - 2) + 1)
    at.set(key, least)
    return least
  }
  return of(a.length, b.length)
}
