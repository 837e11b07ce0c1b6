// Findings of a confidential definition hide its content, but not Blazon's own words.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from '../../bindings/document/parse.ts'
import { show } from '../../bindings/schema/shapes.ts'
import { quoted, shown } from '../../bindings/text/words.ts'
import { mask } from '../../cli/mask.ts'
import { casesOf } from '../support/cases.ts'

function words(contact: unknown, detail: string, description = ''): string {
  const text = JSON.stringify({
    description,
    provider: { contact },
    data_classification: { sensitivity: 'confidential' },
  })
  const { document } = parse(text)
  const source = { ...document!.source('/provider/contact') }
  const finding = { code: 'X', rule: 'x', severity: 'error', title: 'x', detail, spec: 'x', source } as const
  return mask(new TextEncoder().encode(text), document!, [finding])!.diagnostics[0]!.detail
}

test.each([
  [
    '1000',
    "expected at most 10000 tools, found 1000: '1000'",
    "expected at most 10000 tools, found 1000: '[redacted]'",
  ],
  ['1000', 'expected at most 1000 findings', 'expected at most 1000 findings'],
  [
    '1000',
    "'min_days' is 1000, more than 'max_days', which is 300",
    "'min_days' is 1000, more than 'max_days', which is 300",
  ],
  ['1000', "'a' and `b` (\"c\") are 1000, and '1000' too", "'a' and `b` (\"c\") are 1000, and '[redacted]' too"],
  ['2026', 'the time is after 2026-01-01', 'the time is after 2026-01-01'],
  ['Ada L.', 'found Ada L. at last', 'found [redacted] at last'],
])('[adl/18.9-2] hides the contact %j where it is content: %s', (contact, detail, expected) => {
  expect(words(contact, detail)).toBe(expected)
})

test.each([
  "it's 1000, or 'so'",
  "Press 'a' for 1000, or 'b'",
  "'a' for 1000, 'b' for 2",
  "the users' line is 1000, the admins' is 2",
  "users' line 1000 'til 5",
  "users' line 1000, 'til 5",
  "users' \n1000 'til 5",
  "users' \\ 1000 'til 5",
  '"a" is 1000, `b`',
])('[adl/18.9-2] hides a contact of digits in a quotation with quotation marks: %j', (description) => {
  for (const found of [quoted(description), show(description)]) {
    expect(words('1000', `Found ${found}, and 'x' in 'y'`, description)).not.toContain('1000')
  }
})

const PIECES = [
  "'",
  '"',
  '`',
  ' ',
  ',',
  '1000',
  'a',
  'is',
  '\\',
  '\n',
  '(',
  '.',
  'é',
  '\u202e',
  "' ",
  " '",
  "' 1000 '",
  '" 1000 "',
]
const FRAMES = [
  "'x' is A, found F in 'y'",
  'expected "x", found F',
  'F',
  "F is over 'x', which is B",
  'it is (F)',
  'F: F',
]

test('[adl/18.9-2] hides it in any other quotation', () => {
  const contents = fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(contents, fc.constantFrom(quoted, show), fc.constantFrom(...FRAMES), (content, say, frame) => {
      const detail = frame.replaceAll('F', () => say(content))
      expect(words('1000', detail, content)).not.toContain('1000')
    }),
    { numRuns: casesOf(5_000), seed: 189 },
  )
})

test.each([
  [`${'a'.repeat(50)}@${'b'.repeat(50)}.example.com`],
  ['ada\u202e@example.com'],
  [5_551_234],
  [['x', 5_551_234]],
])('[adl/18.9-2] hides a contact in the form that messages show: %j', (contact) => {
  const value = Array.isArray(contact) ? contact[1] : contact
  expect(words(contact, `expected an email, found ${shown(value)}`)).toMatch(
    /^expected an email, found [^\dab]*\[redacted\]'?$/,
  )
})

test('[adl/18.9-2] hides a definition that is JSON in a string completely', () => {
  const kept = { data_classification: { sensitivity: 'restricted' }, provider: { contact: 'ada@example.com' } }
  const text = JSON.stringify({ name: 'A', annotations: { kept: JSON.stringify(kept), other: '{"a":1}' } })
  const { document } = parse(text)
  const { lines } = mask(new TextEncoder().encode(text), document!, [])!
  expect(new TextDecoder().decode(lines.bytes)).toMatch(
    /^\{"name":"A","annotations":\{"kept":\*+,"other":"\{\\"a\\":1\}"\}\}$/,
  )
})

test('hides nothing for the classification of a tool, or a public one', () => {
  for (const text of [
    '{"tools": [{"name": "a", "data_classification": {"sensitivity": "restricted"}}], "system_prompt": "x"}',
    '{"params": {"data_classification": {"sensitivity": "internal"}, "system_prompt": "x"}}',
    '{"properties": {"data_classification": {"enum": ["restricted"]}}}',
  ]) {
    expect(mask(new TextEncoder().encode(text), parse(text).document!, [])).toBeUndefined()
  }
})
