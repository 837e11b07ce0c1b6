import { describe, expect, it } from 'vitest'
import { checkMediaType, formatMediaType, parseMediaType } from '../../bindings/adl/index.ts'
import { parse } from '../../bindings/document/parse.ts'
import { processorTime } from '../support/effort.ts'

const GOVERNANCE = 'urn:adl:profile:governance:1.0'
const FINANCIAL = 'urn:adl:profile:financial:1.0'

describe('the media type of definitions', () => {
  it.each([
    ['application/adl+json', [], []],
    ['Application/ADL+JSON ; charset=utf-8', [], [['charset', 'utf-8']]],
    [`application/adl+json; profile="${GOVERNANCE}"`, [GOVERNANCE], []],
    [`application/adl+json;Profile="${GOVERNANCE}, ${FINANCIAL}" ;q="a;b"`, [GOVERNANCE, FINANCIAL], [['q', 'a;b']]],
    ['application/adl+json; profile="https://example.com/\\p"', ['https://example.com/p'], []],
    ['application/adl+json; profile=" , "', [], []],
    ['application/adl+json;;; ;', [], []],
  ])('[adl/17.1-10] [adl/17.1-13] reads %s', (text, profiles, parameters) => {
    expect(parseMediaType(text)).toEqual({ type: 'application/adl+json', profiles, parameters })
  })

  it.each([
    '',
    'application',
    'application/',
    'a/b c',
    'a/b; c',
    'a/b; c=',
    'a/b; c="x',
    'a/b; c="x" y',
    'a/b; c="\\"',
    'a/b; c=1; C=2',
    'a/b;c=d\r\nSet-Cookie: x',
    'é/b',
    'a'.repeat(20_000),
  ])('refuses %j', (text) => {
    expect(parseMediaType(text)).toBeUndefined()
  })

  it('takes time in proportion to the length', () => {
    for (const text of ['a/b;', 'a/b; c="', `a/b; c="${'\\'}`, 'a/b;c=', 'a/b; ']) {
      const hostile = text + (text.endsWith('"') ? '\\"' : text.at(-1)!).repeat(8_000)
      const start = processorTime()
      parseMediaType(hostile)
      expect(processorTime() - start).toBeLessThan(500)
    }
  })

  it('[adl/17.1-10] [adl/17.1-11] is written with the URIs of the profiles', () => {
    expect(formatMediaType([])).toBe('application/adl+json')
    expect(formatMediaType(['governance', GOVERNANCE, 'ADL Financial Profile'])).toBe(
      `application/adl+json; profile="${GOVERNANCE}, ${FINANCIAL}"`,
    )
    expect(formatMediaType(['our own', '"\r\nX: 1', 'https://example.com/a,b'])).toBe(
      'application/adl+json; profile="https://example.com/a%2Cb"',
    )
  })

  it('[adl/17.1-12] keeps profiles that it does not know', () => {
    const unknown = ['urn:example:one', 'https://example.com/two']
    expect(parseMediaType(formatMediaType(unknown))!.profiles).toEqual(unknown)
  })

  it('[adl/17.1-14] is compared with the profiles that the document declares', () => {
    const document = parse('{"name": "a",\n "profiles": ["governance", "https://example.com/a,b"]}').document!
    const same = formatMediaType(['https://example.com/a,b', GOVERNANCE])
    expect(checkMediaType(document, same)).toEqual([])
    for (const says of ['application/adl+json', 'application/json; profile="urn:example:a"', 'nonsense']) {
      expect(checkMediaType(document, says)).toEqual([])
    }
    const [found, ...more] = checkMediaType(document, `application/adl+json; profile="${FINANCIAL}, ${GOVERNANCE}"`)
    expect(more).toEqual([])
    expect(found).toMatchObject({ code: 'BADL-153', severity: 'warning', source: { pointer: '/profiles', line: 2 } })
    expect(found!.detail).toBe(
      "the media type alone names 'urn:adl:profile:financial:1.0'; the document alone declares 'https://example.com/a%2Cb'",
    )
    expect(checkMediaType(parse('[]').document!, same)).toHaveLength(1)
  })
})
