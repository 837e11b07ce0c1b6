// The quick reader reads as the yaml package does, or leaves a text to it.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Lexer } from 'yaml'
import type { ParseResult } from '../../../bindings/document/parse.ts'
import { parseByPackage } from '../../../bindings/document/yaml/parse.ts'
import { parseQuickly, textOf, type YamlText } from '../../../bindings/document/yaml/parse-quickly.ts'
import { readQuickly } from '../../../bindings/document/yaml/quick.ts'
import { IS_WHOLE } from '../../support/cases.ts'
import { random } from '../../support/random.ts'
import { yamlTexts } from '../../support/yaml-texts.ts'
import { EXAMPLES } from './specification.ts'

const FILES = readdirSync('fixtures', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.ya?ml$/.test(file))
  .map((file) => readFileSync(`fixtures/${file}`, 'utf8'))
const SHORT = FILES.filter((text) => text.length < 6000)
const CASES = IS_WHOLE ? 200_000 : 4000

/** Everything that a caller can see of a document. */
function contentOf({ document, diagnostics }: ParseResult) {
  if (document === undefined) return { diagnostics }
  const { tape, bytes } = document
  const places = Array.from({ length: tape.next(0) }, (_, i) => [tape.placeStart(i), tape.placeEnd(i)])
  return { json: new TextDecoder().decode(bytes), places, diagnostics }
}

/** Reads with both; returns whether the quick one could. */
function compare(source: string | Uint8Array, maxDepth?: number): boolean {
  const yaml = textOf(source, { file: 'a.yaml', bom: 'warn', ...(maxDepth !== undefined && { maxDepth }) })
  const quick = 'diagnostics' in yaml ? undefined : parseQuickly(yaml)
  if (quick === undefined) return false
  const [own, packages] = [contentOf(quick), contentOf(parseByPackage(yaml as YamlText))]
  // The message has the text, which is what one needs.
  if (JSON.stringify(own) !== JSON.stringify(packages)) expect({ source, ...own }).toEqual({ source, ...packages })
  return true
}

describe('the quick reader of YAML agrees with the yaml package', () => {
  test('on random texts, and on files and texts with edits, within any depth', () => {
    const next = random(45)
    const { text, edited } = yamlTexts(45)
    let quick = 0
    for (let i = 0; i < CASES; i++) {
      const source = i % 2 === 0 ? text() : edited(next() < 0.5 ? text() : SHORT[Math.floor(next() * SHORT.length)]!)
      if (compare(source, next() < 0.1 ? Math.floor(next() * 5) : undefined)) quick++
    }
    expect(quick).toBeGreaterThan(CASES / 5)
  })

  test('on the examples of the specification, and all their beginnings', () => {
    let quick = 0
    for (const example of EXAMPLES) {
      if (compare(example)) quick++
      for (let i = 0; i < example.length; i++) {
        compare(example.slice(0, i))
        compare(`a:\n  ${example.slice(i)}`)
      }
    }
    expect(quick).toBeGreaterThan(EXAMPLES.length / 4)
  })

  test('on texts of few characters, all of them', () => {
    const characters = ['a', ':', ' ', '\n', '-', '#', '"', '[', '{', ',', ']', '}', '|', '1']
    let texts = ['']
    for (let length = 0; length < (IS_WHOLE ? 5 : 3); length++) {
      texts = texts.flatMap((text) => characters.map((character) => text + character))
      for (const text of texts) for (const before of ['', 'a:', '- ']) compare(before + text)
    }
  })

  test('on bytes and byte order marks, and leaves invalid UTF-8 to the decoder', () => {
    const bytes = new TextEncoder().encode('\ufeffé: [日本, 😀]\n"😀": &é\n')
    expect(compare(bytes)).toBe(false)
    expect(compare(bytes.subarray(0, -5))).toBe(true)
    expect(textOf(Uint8Array.of(0x61, 0x3a, 0x20, 0x23, 0xff), {})).toMatchObject({
      diagnostics: [{ code: 'DOC-104' }],
    })
  })
})

describe('the quick reader of YAML', () => {
  test('reads nine of ten valid files of fixtures/ alone', () => {
    const valid = FILES.filter((file) => {
      const yaml = textOf(file, {})
      return !('diagnostics' in yaml) && parseByPackage(yaml).document !== undefined
    })
    expect(valid.filter((file) => compare(file)).length).toBeGreaterThan(0.9 * valid.length)
  })

  test('never counts fewer tokens than the package', () => {
    const { text } = yamlTexts(46)
    for (let i = 0; i < CASES / 6; i++) {
      const source = text()
      expect(readQuickly(source, 256, [...new Lexer().lex(source)].length - 1), source).toBeUndefined()
    }
  })

  test.each([
    ['anchor', 'a: &b 1'],
    ['alias', 'a: 1\nb: *a'],
    ['tag', 'a: !!str 1'],
    ['directive', '%YAML 1.2\n---\na: 1'],
    ['explicit name', '? a\n: 1'],
    ['empty name', ': 1'],
    ['merge key', '<<: {a: 1}'],
    ['name that is a number', '1: a'],
    ['second document', 'a: 1\n---\nb: 1'],
    ['end of a document', 'a: 1\n...\n'],
    ['duplicate name', 'a: 1\nb: 2\na: 3'],
    ['tab', 'a:\n\tb: 1'],
    ['infinity', 'a: .inf'],
    ['number beyond doubles', 'a: 1e999'],
    ['indentation indicator', 'a: |2\n  b'],
    ['control character', 'a: "\u0001"'],
    ['single value', 'a'],
  ])('leaves a text with this to the package: %s', (_, source) => {
    expect(compare(source)).toBe(false)
  })
})
