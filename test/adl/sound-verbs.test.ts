import { describe, expect, test } from 'vitest'
import * as adl from '../../bindings/adl/index.ts'
import { convert } from '../../bindings/convert/index.ts'
import { parse } from '../../bindings/document/parse.ts'
import { validate } from '../../bindings/index.ts'
import { casesOf } from '../support/cases.ts'
import { mutations } from './sound.ts'
import { catalogue, flawOfVerbs, slowCases } from './sound-verbs.ts'

test('[adl/18.12-1] no document makes a verb fail in an undocumented way or take long (10,000 in npm run soak)', async () => {
  const documents = catalogue()
  expect(documents.length).toBeGreaterThan(200)
  const next = mutations(documents, 11)
  let before = next()
  for (let i = 0; i < casesOf(500); i++) {
    const source = next()
    const flaw = await flawOfVerbs({ source, before })
    if (flaw !== undefined) expect([new TextDecoder().decode(source), flaw]).toEqual(['', undefined])
    before = source
  }
})

test('compares a category that cannot become text', () => {
  const of = (categories: readonly unknown[]) => ({ data_classification: { sensitivity: 'public', categories } })
  const { changes } = adl.diff(of(['pii']), of([{ toString: {} }]))
  expect(changes.map(({ kind, pointer }) => [kind, pointer])).toEqual([
    ['widened', '/data_classification/categories'],
    ['narrowed', '/data_classification/categories'],
  ])
})

test('[adl/18.5-1] documents designed to be slow delay no verb (a megabyte each in npm run soak)', async () => {
  for (const [title, given] of slowCases(20_000)) expect([title, await flawOfVerbs(given)]).toEqual([title, undefined])
})

describe('[adl/18.5-1] a document that was parsed with other limits', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}"AKIAIOSFODNN7EXAMPLE"${']'.repeat(levels)}`
  const read = (levels: number) =>
    parse(`{"adl_spec":"0.1.0","x_a":${nested(levels)}}`, { maxDepth: 100_000 }).document!
  const rules = ({ diagnostics }: { diagnostics: readonly { code: string }[] }) => diagnostics.map(({ code }) => code)

  test('is refused if it is deeper than definitions may be', async () => {
    expect(rules(adl.validate(read(31)))).not.toContain('DOC-113')
    for (const levels of [32, 30_000]) {
      const document = read(levels)
      for (const verb of [adl.validate, validate, adl.review, adl.publicCopy] as const) {
        expect(rules(verb(document))).toEqual([expect.stringMatching(/^(ADL-1001|DOC-113)$/)])
      }
      expect((await adl.verify(document)).verdict).not.toBe('verified')
      expect(adl.decide(document, { domain: 'tool', name: 'a' }).allowed).toBe(false)
      expect(adl.compileTools(document).checkInput('a', {}).valid).toBe(false)
    }
  })

  test('is not converted if it is deeper than any format supports', () => {
    expect(rules(convert(read(64), { to: 'mcp-server' }))).toContain('DOC-113')
  })

  test('is refused by validate if it is larger, unless that is allowed', () => {
    const { document } = parse(`{"adl_spec":"0.1.0","x_a":"${'a'.repeat(1 << 20)}"}`)
    expect(rules(adl.validate(document!))).toEqual([expect.stringMatching(/^(ADL-1001|DOC-114)$/)])
    expect(rules(adl.validate(document!, { limits: { documentBytes: 1 << 21 } }))).toContain('ADL-1003')
  })
})
