import { describe, expect, test } from 'vitest'
import {
  compareVersions,
  highest,
  parseRange,
  parseVersion,
  satisfies,
  type VersionRange,
} from '../../bindings/agentlang/lock/range.ts'
import { processorTime } from '../support/effort.ts'
import { hasSuite, suiteFile } from '../support/suites.ts'
import { disagreements } from './versions-peer.ts'

type Row = readonly [string, string, unknown?]

/** The rows of the npm suite for the only mode that Blazon has: strict, without all pre-releases. */
const suite = (name: string): readonly Row[] => {
  const tables = JSON.parse(new TextDecoder().decode(suiteFile('semver', 'fixtures.json'))) as Record<string, Row[]>
  return tables[name]!.filter((row) => row.slice(2).every(isStrict))
}

const isStrict = (options: unknown) =>
  typeof options === 'object' && options !== null
    ? !('loose' in options && options.loose) && !('includePrerelease' in options && options.includePrerelease)
    : typeof options !== 'boolean' && options !== '/asdf/'

const range = (text: string) => parseRange(text)!
const version = (text: string) => parseVersion(text)!
const isIn = (versionText: string, rangeText: string) => satisfies(range(rangeText), version(versionText))

/** As npm writes a range: without repetitions, and only `<0.0.0-0` of comparators that no version meets. */
function written(alternatives: VersionRange): string {
  const texts = alternatives.map((comparators) => {
    const terms = comparators.map(({ operator, version: { numbers, prerelease } }) => {
      return `${operator === '=' ? '' : operator}${numbers.join('.')}${prerelease.length > 0 ? '-' : ''}${prerelease.join('.')}`
    })
    if (terms.includes('<0.0.0-0')) return '<0.0.0-0'
    return [...new Set(terms.filter((term) => term !== '>=0.0.0' || terms.length === 1))].join(' ')
  })
  const possible = texts.filter((text) => text !== '<0.0.0-0')
  return (possible.length > 0 ? possible : texts.slice(0, 1)).join('||') || '*'
}

describe.runIf(hasSuite('semver'))("npm's suite", () => {
  test('every valid version has its numbers and its pre-release [agentlang/tools-1]', () => {
    for (const [text, ...parts] of suite('valid-versions') as unknown as [string, ...unknown[]][]) {
      const { numbers, prerelease } = version(text)
      expect([...numbers, prerelease], text).toEqual([...parts.slice(0, 3), (parts[3] as unknown[]).map(String)])
    }
  })

  test('no invalid version is read', () => {
    for (const [text] of suite('invalid-versions')) expect(parseVersion(text)).toBe(undefined)
  })

  test('the first version of each pair is the higher one', () => {
    for (const [a, b] of suite('comparisons')) {
      expect(compareVersions(version(a), version(b)), `${a} ${b}`).toBeGreaterThan(0)
      expect(compareVersions(version(b), version(a)), `${b} ${a}`).toBeLessThan(0)
    }
  })

  test('builds of one version are equal', () => {
    for (const [a, b] of suite('equality')) expect(compareVersions(version(a), version(b)), `${a} ${b}`).toBe(0)
  })

  test('a range has every version that it should have [agentlang/tools-1]', () => {
    for (const [text, one] of suite('range-include')) expect(isIn(one, text), `${one} in ${text}`).toBe(true)
  })

  test('a range has no other version', () => {
    const outside = ['range-exclude', 'version-gt-range', 'version-lt-range'].flatMap(suite)
    for (const [text, one] of outside) {
      const read = parseVersion(one)
      expect(read !== undefined && satisfies(range(text), read), `${one} in ${text}`).toBe(false)
    }
  })

  test('a range means the same comparators, or is invalid', () => {
    for (const [text, meaning] of suite('range-parse')) {
      const read = parseRange(text)
      // The suite has ranges with more characters than Blazon reads.
      expect(read === undefined ? null : written(read), text).toBe(text.length > 256 ? null : meaning)
    }
  })
})

test('5,000 random ranges mean what they mean to npm [agentlang/tools-1]', () => {
  expect(disagreements(5_000, 20_261_128)).toEqual([])
})

describe('versions', () => {
  test('the chain of section 11 of Semantic Versioning is in order', () => {
    const chain = ['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11']
    const versions = [...chain, '1.0.0-rc.1', '1.0.0', '2.0.0', '2.1.0', '2.1.1'].map(version)
    for (const [i, a] of versions.entries())
      for (const [j, b] of versions.entries()) expect(Math.sign(compareVersions(a, b))).toBe(Math.sign(i - j))
  })

  test('identifiers beyond doubles are in order', () => {
    const [low, high] = ['1.0.0-9007199254740992', '1.0.0-9007199254740993'].map(version)
    expect(compareVersions(low!, high!)).toBeLessThan(0)
  })

  test.each([
    undefined,
    null,
    1,
    {},
    [],
    '',
    '1',
    '1.0',
    '01.0.0',
    '1.0.0-',
    '1.0.0-01',
    '1.0.0+',
    '1.0.0 1',
    '１.0.0',
  ])('%j is not a version', (value) => expect(parseVersion(value)).toBe(undefined))
})

describe('ranges', () => {
  // The examples of the specification, Tool Declaration.
  test.each([
    ['^1.2.0', '1.9.0', true],
    ['^1.2.0', '2.0.0', false],
    ['~1.0.0', '1.0.9', true],
    ['~1.0.0', '1.1.0', false],
    ['^2024.11', '2024.11.5', true],
    ['^2024.11', '2025.3.26', false],
  ])('%s has %s: %s [agentlang/tools-1]', (text, one, expected) => expect(isIn(one, text)).toBe(expected))

  test('the dates of MCP are versions [agentlang/permissions-9]', () => {
    expect(isIn('2024-11-05', '^2024.11')).toBe(true)
    expect(isIn('2025-03-26', '^2024.11')).toBe(false)
    expect(isIn('2025-06-18', '>=2024-11-05 <2025-11-25')).toBe(true)
    expect(isIn('2025-06-18', '2024-11-05 - 2025-03-26')).toBe(false)
    // A date in a pre-release stays there.
    expect(version('1.0.0-2024-11-05').prerelease).toEqual(['2024-11-05'])
  })

  test('without a range, the highest release wins over all pre-releases [agentlang/tools-2]', () => {
    expect(highest(range(''), ['1.0.0', '1.10.0', '1.9.0', '2.0.0-rc.1', 'latest'])).toBe('1.10.0')
    expect(highest(range(''), ['2.0.0-rc.1'])).toBe(undefined)
  })

  test.each([
    undefined,
    null,
    1,
    {},
    'latest',
    '>',
    '^',
    '1.2.3.4',
    '1 -2',
    '<<1',
    '9007199254740993',
    '1.2.3*',
    '^1 || x.1',
  ])('%j is not a range', (value) => expect(parseRange(value)).toBe(undefined))

  test('257 characters and 65 alternatives are refused', () => {
    expect(parseRange('1'.padEnd(256))).toBeDefined()
    expect(parseRange('1'.padEnd(257))).toBe(undefined)
    expect(parseRange(Array(64).fill('1').join('||'))).toBeDefined()
    expect(parseRange(Array(65).fill('1').join('||'))).toBe(undefined)
  })

  test('no text of 256 characters takes more than a millisecond on average', () => {
    const shapes = [
      '1',
      '0',
      'a',
      '-',
      '1.',
      '-a',
      '>',
      '> ',
      '= ',
      '~>',
      '^ ',
      '+a',
      'v=',
      'x.',
      '||',
      '1-',
      '1.0.0-1.',
    ]
    const texts = shapes.flatMap((shape) =>
      ['', '1.0.0-', '>', '~ '].map((head) => (head + shape.repeat(256)).slice(0, 256)),
    )
    const start = processorTime()
    for (const text of texts) for (const end of ['', '!']) parseRange(text.slice(0, 255) + end)
    expect(processorTime() - start).toBeLessThan(2 * texts.length)
  })
})
