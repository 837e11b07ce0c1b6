import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { read } from '../../bindings/document/read.ts'
import { ARRAY, OBJECT } from '../../bindings/document/tape.ts'
import { type Cursor, cursorAt, type Notation } from '../../bindings/frame/assist/cursor.ts'
import { formatPointer } from '../../bindings/text/members.ts'

const DEFINITION = readFileSync('fixtures/adl/invoice-processor.json', 'utf8')

/** The cursor where a text has a `|`. */
function at(text: string, notation: Notation = 'yaml'): Cursor | undefined {
  const offset = text.indexOf('|')
  return cursorAt(text.slice(0, offset) + text.slice(offset + 1), offset, notation)
}

test.each([
  ['json', DEFINITION],
  ['json', JSON.stringify(JSON.parse(DEFINITION), null, 2)],
  ['yaml', stringify(JSON.parse(DEFINITION))],
  ['yaml', readFileSync('fixtures/agentlang/research-assistant/agent.yaml', 'utf8')],
] as const)('at each value of a document in %s, the path is the pointer that the reader gives', (notation, text) => {
  const document = read(text, { format: notation }).document!
  const { tape } = document
  const decoded = Buffer.from(text)
  let compared = 0
  for (let entry = 1, end = tape.next(0); entry < end; entry++) {
    const start = tape.placeStart(entry)
    const pointer = tape.pointerOf(entry)
    const line = decoded.subarray(0, start).toString().split('\n').at(-1)!
    const value = decoded.subarray(start, tape.placeEnd(entry)).toString()
    const isContainer = tape.kind(entry) === OBJECT || tape.kind(entry) === ARRAY
    // In YAML only what is at the beginning of its line, and the value of a key there.
    // After a value of one character, it is complete in JSON.
    if (isContainer || value.length === 1 || (notation === 'yaml' && (/[{[|>&]/.test(line) || /^[|>]|\n/.test(value))))
      continue
    const cursor = cursorAt(text, decoded.subarray(0, start + 1).toString().length, notation)!
    const isName = cursor.expects === 'name'
    const path = isName ? [...cursor.path, text.slice(cursor.start, cursor.end).replaceAll('"', '')] : cursor.path
    expect(formatPointer(path), `${line}…${value}`).toBe(pointer)
    if (!isName) expect(text.slice(cursor.start, cursor.end)).toBe(value)
    compared++
  }
  expect(compared).toBeGreaterThan(50)
})

test('knows what is written in a text that is not complete', () => {
  const shown = (text: string, notation: Notation) => {
    const { path, expects, word, hasColon } = at(text, notation)!
    return [formatPointer(path), expects, word, hasColon]
  }
  expect(shown('{"a": {"b|', 'json')).toEqual(['/a', 'name', 'b', false])
  expect(shown('{"a": {"b|c": 1}}', 'json')).toEqual(['/a', 'name', 'b', true])
  expect(shown('{"a": [1, |', 'json')).toEqual(['/a/1', 'value', '', false])
  expect(shown('{"a": [1, tr|]}', 'json')).toEqual(['/a/1', 'value', 'tr', false])
  expect(shown('{"a": "x|\n, "b": 2}', 'json')).toEqual(['/a', 'value', 'x', false])
  expect(shown('{"a": 1, |}', 'json')).toEqual(['', 'name', '', false])
  expect(shown('a:\n  - b: 1\n    c|', 'yaml')).toEqual(['/a/0', 'any', 'c', false])
  expect(shown('a:\n- 1\n# no\n\n- |', 'yaml')).toEqual(['/a/1', 'any', '', false])
  expect(shown('a:\n- 1\nb|', 'yaml')).toEqual(['', 'any', 'b', false])
  expect(shown('a:\n  b:|', 'yaml')).toEqual(['/a', 'name', 'b:', true])
  expect(shown('a:\n  b: |', 'yaml')).toEqual(['/a/b', 'value', '', false])
  expect(shown('a: [x, y|z, w]', 'yaml')).toEqual(['/a/0', 'value', 'y', false])
  expect(shown('a:\n  |\n', 'yaml')).toEqual(['/a', 'any', '', false])
  expect(shown('- - a\n  - b: |', 'yaml')).toEqual(['/0/1/b', 'value', '', false])
  expect(shown('---\nna|\n---\nbody', 'text')).toEqual(['', 'any', 'na', false])
})

test('completes nothing in comments, in blocks of text, and in the body of Markdown', () => {
  for (const text of ['a: 1 # x|', '# x|', 'a: >\n  x: y\n  z|', 'a: {b: |}', 'a: &x |'])
    expect(at(text), text).toBeUndefined()
  expect(at('---\na: 1\n---\nb|', 'text')).toBeUndefined()
  expect(at('b|', 'text')).toBeUndefined()
})

test('never fails, whatever the text', () => {
  const pieces = ['a', ': ', '- ', '\n', '  ', '"', "'", '{', '}', '[', ',', '#', '|', '\r', '😀', '\\', '---\n']
  let state = 3
  const next = (most: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
  for (let round = 0; round < 1000; round++) {
    const text = Array.from({ length: next(20) }, () => pieces[next(pieces.length)]).join('')
    const offset = next(text.length + 1)
    for (const notation of ['json', 'yaml', 'text'] as const) {
      const cursor = cursorAt(text, offset, notation)
      if (cursor !== undefined)
        expect(
          cursor.start <= offset && offset <= cursor.end && cursor.end <= text.length,
          JSON.stringify([text, offset, notation, cursor]),
        ).toBe(true)
    }
  }
})
