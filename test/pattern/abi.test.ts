// The exports as an embedder calls them: inconsistent arguments, and the result words of a refusal.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Instance, ownInstance } from '../../bindings/wasm/instance.ts'
import { BUILDS } from '../support/builds.ts'

const BAD_INPUT = -2
const [HOST, PATH, ENV] = [0, 1, 2]
const SEPARATOR = 0xff

/** Text with one character per byte. */
const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

describe.each(BUILDS)('patterns as exports, $name', (build) => {
  let core: Instance
  beforeAll(build.use)
  beforeEach(() => {
    core = ownInstance()
  })

  const compile = (input: string, count: number, kind = HOST, flags = 0, separator = SEPARATOR) =>
    core.exports.patternCompile(core.write(bytes(input)), kind, flags, separator, count)

  /** Compiles and keeps a set. */
  function keep(input: string, count: number, kind = HOST) {
    const length = compile(input, count, kind)
    return { at: core.exports.keep(core.word(0), length), length }
  }

  test('arguments out of range are bad input', () => {
    expect(core.exports.patternCheck(core.write(bytes('a')), 5)).toBe(BAD_INPUT)
    expect(compile('a', 1, 5)).toBe(BAD_INPUT)
    expect(compile('a', 1, HOST, 2)).toBe(BAD_INPUT)
    expect(compile('a', 1, HOST, 0, 0x100)).toBe(BAD_INPUT)
    expect(compile('a', 1)).toBeGreaterThan(0)
  })

  test('a wrong number of patterns is bad input', () => {
    for (const count of [0, 1, 3, 0xffffffff]) expect(compile('a\xffb', count)).toBe(BAD_INPUT)
    expect(compile('', 2)).toBe(BAD_INPUT)
    expect(compile('', 0)).toBeGreaterThan(0)
    expect(compile('', 1)).toBe(-30)
  })

  test('a wrong number of subjects has a fault of its own', () => {
    const { at, length } = keep('*', 1)
    const { patternMatchFirst, patternMatchAll } = core.exports
    for (const match of [patternMatchFirst, patternMatchAll]) {
      const counted = (input: string, count: number, separator = SEPARATOR) =>
        match(core.write(bytes(input)), at, length, separator, count)
      for (const count of [0, 1, 3, 0xffffffff]) expect(counted('a\xffb', count)).toBe(-44)
      expect(counted('a\xffb', 2, 0x1ff)).toBe(-44)
      expect(counted('', 2)).toBe(-44)
      expect([counted('', 0), counted('', 1), counted('a\xffb', 2)]).toEqual([0, 1, 2])
    }
  })

  test('a refusal has the index of the pattern and the place in it', () => {
    expect(compile('a.b\xffc\xffd..e', 3)).toBe(-39)
    expect([core.word(1), core.word(2), core.word(3)]).toEqual([2, 1, 2])
    expect(compile('a\xff\xff', 3)).toBe(-30)
    expect([core.word(1), core.word(2), core.word(3)]).toEqual([0, 0, 1])
  })

  test('refuses invalid UTF-8 at its first byte', () => {
    for (const [pattern, at] of [
      ['\x80', 0],
      ['a\xc3', 1],
      ['/\xc3\xa9/\xed\xa0\x80', 4],
      ['\xf0\x9f\x98', 0],
      ['ab\xf5\x80\x80\x80', 2],
    ] as const) {
      expect(compile(pattern, 1, PATH)).toBe(-32)
      expect([pattern, core.word(1)]).toEqual([pattern, at])
    }
  })

  test('a blob of another length or format is refused', () => {
    const { at, length } = keep('a\xffb', 2)
    const { patternTest, patternMatchFirst } = core.exports
    expect(patternTest(core.write(bytes('a')), at, length - 1)).toBe(-43)
    expect(patternTest(core.write(bytes('a')), at, 8)).toBe(-43)
    expect(patternMatchFirst(core.write(bytes('a')), at + 16, length, SEPARATOR, 1)).toBe(-43)
    expect(patternTest(core.write(bytes('a')), at, length)).toBe(1)
  })

  test('subjects that begin with a byte outside UTF-8 match nothing', () => {
    const { at, length } = keep('*', 1, ENV)
    for (const [subject, matched] of [
      ['\xfe', 0],
      ['\xff', 0],
      ['\xf4', 1],
      ['', 1],
    ] as const) {
      expect(core.exports.patternTest(core.write(bytes(subject)), at, length)).toBe(matched)
    }
  })
})
