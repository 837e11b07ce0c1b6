// dist/ contains a smaller yaml package than the sources use (scripts/bundler.mjs): both must read the same.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { parse } from '../../../bindings/index.ts'
import { documents } from '../../support/documents.ts'
import { random } from '../../support/random.ts'

const built = (await import(/* @vite-ignore */ new URL('../../../dist/index.js', import.meta.url).href)) as {
  readonly parse: typeof parse
}

function read(by: typeof parse, source: string) {
  const { document, diagnostics } = by(source, { format: 'yaml' })
  return { json: document && new TextDecoder().decode(document.bytes), diagnostics }
}

const FILES = readdirSync('fixtures', { recursive: true, encoding: 'utf8' }).filter((file) => /\.ya?ml$/.test(file))

const ODD = [
  '%YAML 1.1\n---\na: yes\n',
  '%YAML 1.2\n%TAG ! tag:x,2000:\n---\n!a b\n',
  'a: !!binary aGk=\n',
  'a: !!timestamp 2001-12-14\n',
  '!!set {a, b}\n',
  '!!omap [a: 1]\n',
  '!!pairs [a: 1]\n',
  'a: &x {b: 1}\nc: {<<: *x}\n',
  'a: !!merge x\n',
  '? [a, b]\n: 1\n',
  '? {a: b}\n: 1\n',
  '? &a [x]\n: *a\n',
  'a: 1\na: 2\n',
  'a: *b\n',
  '&a a: *a\n',
  '- 190:20:30\n- 0b11\n- 1_000\n- 0o17\n- .nan\n- -.inf\n- 12345678901234567890\n',
  '--- >-\n a\n\n b\n...\n--- c\n',
  '# only a comment\n',
  'a: "\\q"\n',
  'a: [1, 2\nb: 3\n',
]

describe('dist/ reads YAML like the sources', () => {
  test.each(FILES)('fixtures/%s', (file) => {
    const source = readFileSync(`fixtures/${file}`, 'utf8')
    expect(read(built.parse, source)).toEqual(read(parse, source))
  })

  test.each(ODD)('%j', (source) => {
    expect(read(built.parse, source)).toEqual(read(parse, source))
  })

  test('random documents, whole and with a character changed', () => {
    const next = random(7)
    const below = (n: number) => Math.floor(next() * n)
    const { value } = documents(7)
    for (let i = 0; i < 300; i++) {
      const source = stringify(value(4), { version: i % 2 === 0 ? '1.2' : '1.1' })
      const at = below(source.length)
      const changed = source.slice(0, at) + '[]{}:-?*&!|>%@#,"\'\n\t~<'[below(23)] + source.slice(at + 1)
      for (const text of [source, changed]) expect(read(built.parse, text)).toEqual(read(parse, text))
    }
  })
})
