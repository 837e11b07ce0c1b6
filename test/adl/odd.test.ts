// Any value at any place in a document gives a report within its limits, and no exception.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { validate } from '../../bindings/adl/index.ts'
import { casesOf } from '../support/cases.ts'
import { flaw, mutations, withOddValues } from './sound.ts'
import { CLEAN } from './support.ts'

const read = (file: string) => parse(readFileSync(file, 'utf8'))
const FOLDER = 'fixtures/adl/rules'
const catalogue = readdirSync(FOLDER).map((file) => ({ file, document: read(`${FOLDER}/${file}`).good as object }))
const EXAMPLE = resolve(process.env['BLAZON_DATA'] ?? '../shared/data', 'adl/examples/production.yaml')
const examples = existsSync(EXAMPLE) ? [{ file: 'production', document: read(EXAMPLE) as object }] : []

/** Replaced in one document only, instead of in every document that has them. */
const COMMON = new Set(Object.keys(CLEAN))

describe('odd values', () => {
  test.each([{ file: 'clean', document: CLEAN as object }, ...examples])(
    'give sound reports at every place of $file',
    ({ document }) => {
      for (const source of withOddValues(document, new Set())) {
        const found = flaw(source)
        if (found !== undefined) expect([source, found]).toEqual([source, undefined])
      }
    },
  )

  test('give sound reports at every place of the catalogue', () => {
    for (const { document } of catalogue) {
      for (const source of withOddValues(document, COMMON)) {
        const found = flaw(source)
        if (found !== undefined) expect([source, found]).toEqual([source, undefined])
      }
    }
  })

  test('give sound reports in random places, one after the other (100,000 in npm run soak)', () => {
    const next = mutations(
      [...catalogue, ...examples].map(({ document }) => document),
      7,
    )
    for (let i = 0; i < casesOf(3000); i++) {
      const bytes = next()
      const found = flaw(bytes)
      if (found !== undefined) expect([new TextDecoder().decode(bytes), found]).toEqual(['', undefined])
    }
  })
})

describe('documents made to be slow', () => {
  const size = 400_000
  const sources: readonly (readonly [string, string])[] = [
    ['very many members that nobody defines', `{${Array.from({ length: 60_000 }, (_, i) => `"m${i}":1`).join()}}`],
    ['very many members of a tool', `{"tools":[{${Array.from({ length: 60_000 }, (_, i) => `"m${i}":1`).join()}}]}`],
    ['very long names', `{"${'a'.repeat(size)}":1,"${'b'.repeat(size)}":{}}`],
    ['a very long value of an enum', `{"lifecycle":{"status":"${'active'.repeat(size / 6)}"}}`],
    ['a very long URN', `{"id":"urn:adl:${'a-'.repeat(size / 2)}!"}`],
    ['a very long license', `{"metadata":{"license":"${'(MIT AND '.repeat(size / 9)}"}}`],
    ['very many references', `{"system_prompt":{"template":"${'{{a}}'.repeat(size / 5)}","variables":{}}}`],
    [
      'very many distinct references',
      `{"system_prompt":{"template":"${Array.from({ length: 30_000 }, (_, i) => `{{v${i}}}`).join('')}","variables":{}}}`,
    ],
    ['a string of token characters', `{"x_a":"${'Ab1'.repeat(size / 3)}"}`],
    ['very many at signs', `{"x_a":"${'://a:b@'.repeat(size / 7)}"}`],
    ['very many tags', `{"metadata":{"tags":[${Array(60_000).fill('"A b"').join()}]}}`],
    ['very many profiles', `{"profiles":[${Array.from({ length: 60_000 }, (_, i) => `"p${i}"`).join()}]}`],
    [
      'very many references of a schema',
      `{"tools":[{"name":"a","description":"b","parameters":{"allOf":[${Array(20_000).fill('{"$ref":"#/x"}').join()}]}}]}`,
    ],
    ['a long pattern', `{"permissions":{"network":{"allowed_hosts":["${'*.'.repeat(30_000)}com"]}}}`],
    [
      'a long host',
      `{"permissions":{"network":{"allowed_hosts":["${'a.'.repeat(30_000)}"]}},"provider":{"name":"a","url":"https://${'a.'.repeat(100_000)}"}}`,
    ],
  ]

  test.each(sources)('%s', (_, source) => {
    expect(source.length).toBeLessThan(1_048_576)
    expect(flaw(source)).toBeUndefined()
  })

  test('examples that are slow to check against their schema', () => {
    const any = (depth: number): object =>
      depth === 0 ? { type: 'string' } : { anyOf: [any(depth - 1), any(depth - 1)] }
    const examples = Array.from({ length: 4000 }, () => ({ input: { a: 1 } }))
    const parameters = { properties: { a: any(9) } }
    const source = JSON.stringify({ ...CLEAN, tools: [{ name: 'a', description: 'Does it.', parameters, examples }] })
    expect(flaw(source)).toBeUndefined()
    expect(validate(source, { maxDiagnostics: 5 }).diagnostics.length).toBe(6)
  })
})
