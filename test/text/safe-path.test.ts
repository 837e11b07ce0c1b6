import { describe, expect, test } from 'vitest'
import { PathSet, pathRisk } from '../../bindings/text/safe-path.ts'

describe('a safe path', () => {
  test.each([
    'agent.yaml',
    'context/templates/report.md',
    'skills/a b/SKILL.md',
    '.hidden',
    'konsole',
    'com10',
    'ä/日本.md',
  ])('is %s', (path) => expect(pathRisk(path)).toBeUndefined())
  // Windows: Naming Files, Paths, and Namespaces.
  test.each([
    ...['', '/', '/a', 'a/', 'a//b', '.', './a', '..', 'a/..', 'a/../b', '\\a', 'a\\b', 'C:/a', 'a:b'],
    ...['a\0', 'a\n', 'a\u007f', 'a\u200b', '\ufeffa', 'a\ud800', 'a<', 'a>', 'a"', 'a|', 'a?', 'a*'],
    ...['con', 'CON.txt', 'x/lpt1', 'COM\u00b9', 'nul .txt', 'aux/x', 'a.', 'a ', 'x /y', 'a\u0308'],
    ...['a'.repeat(256), 'ä'.repeat(128), `${'a/'.repeat(600)}b`, `${'a/'.repeat(32)}b`],
  ])('is not %j', (path) => expect(pathRisk(path)).toBeTypeOf('string'))
  test('has at most 32 names of at most 255 bytes', () => {
    expect(pathRisk(`${'a/'.repeat(31)}b`)).toBeUndefined()
    expect(pathRisk('a'.repeat(255))).toBeUndefined()
  })
})

describe('a set of paths', () => {
  const collide = (...paths: string[]) => {
    const set = new PathSet()
    return paths.map((path) => set.add(path)).find((other) => other !== undefined)
  }
  test.each([
    [['a', 'b/a', 'b/c', 'b/d/a'], undefined],
    [['a', 'a'], 'a'],
    [['A', 'a'], 'A'],
    [['a/b', 'A/c'], 'a/'],
    [['a/b', 'a'], 'a/'],
    [['a', 'a/b'], 'a'],
    [['Σ', 'ς'], 'Σ'],
    [['ﬁ', 'fi'], 'ﬁ'],
    [['ﬆ/x', 'st/y'], 'ﬆ/'],
  ])('%j collide at %s', (paths, expected) => expect(collide(...paths)).toBe(expected))
})
