import { describe, expect, test } from 'vitest'
import { formatNumber } from '../../bindings/core/index.ts'
import { insertValues, type Values } from '../../bindings/document/edit.ts'
import { parse } from '../../bindings/document/index.ts'

const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes)

const ROWS: readonly (readonly [what: string, source: string, values: Values, expected: string | undefined])[] = [
  ['nothing', '{"a":1}', [], '{"a":1}'],
  ['a value that replaces another', '{"a": 1 }', [['/a', [2]]], '{"a": [2] }'],
  [
    'two last members',
    '{"a":1}',
    [
      ['/b', 2],
      ['/c', 3],
    ],
    '{"a":1,"b":2,"c":3}',
  ],
  [
    'two into an empty object',
    '{}',
    [
      ['/b', 2],
      ['/c/d', 3],
    ],
    '{\n  "b": 2,\n  "c": {\n    "d": 3\n  }\n}',
  ],
  [
    'into two objects',
    '{"a":{},"b":{"x":1}}',
    [
      ['/b/y', 2],
      ['/a/y', 2],
    ],
    '{"a":{"y":2},"b":{"x":1,"y":2}}',
  ],
  [
    'members with the existing line ends',
    '{\r\n "a": 1\r\n}',
    [
      ['/a', [3]],
      ['/b/c', 2],
    ],
    '{\r\n "a": [\r\n  3\r\n ],\r\n "b": {\r\n  "c": 2\r\n }\r\n}',
  ],
  ['into an empty object that is followed by a line end', '{}\r\n', [['/b', 2]], '{\r\n  "b": 2\r\n}\r\n'],
  [
    'after a value that is replaced',
    '{\n "a": 1\n}',
    [
      ['/b', 2],
      ['/a', 3],
    ],
    '{\n "a": 3,\n "b": 2\n}',
  ],
  ['a parent that is not an object', '{"a":[]}', [['/a/b', 1]], undefined],
]

test.each(ROWS)('%s', (_, source, values, expected) => {
  expect(text(insertValues(parse(source).document!, values))).toBe(expected)
})

describe('places are right whatever the core has done in the meantime', () => {
  const document = () => parse('{"a": [1, 22]}').document!
  const MEANWHILE: Readonly<Record<string, () => unknown>> = {
    nothing: () => undefined,
    'another document': () => parse('{"bcd": {"e": [true]}, "a": 7}'),
    'a number': () => formatNumber(1.5e300),
    'a document that makes the memory so large that it is dropped': () => parse(`[${'1,'.repeat(3_000_000)}1]`),
  }

  test.each(Object.entries(MEANWHILE))('%s', (_, work) => {
    const before = document()
    work()
    expect(before.range('/a/1')).toEqual({ start: 10, end: 12 })
  })

  test('places in the large document are right as well', () => {
    const large = parse(`[${'1,'.repeat(3_000_000)}22]`).document!
    expect(large.range('/3000000')).toEqual({ start: 6_000_001, end: 6_000_003 })
  })
})
