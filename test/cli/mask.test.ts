// The words of findings of a confidential definition: its content is hidden, and what Blazon says of itself is not.
import { expect, test } from 'vitest'
import { parse } from '../../bindings/document/parse.ts'
import { shown } from '../../bindings/text/words.ts'
import { mask } from '../../cli/validate/mask.ts'

function words(contact: unknown, detail: string): string {
  const text = JSON.stringify({ provider: { contact }, data_classification: { sensitivity: 'confidential' } })
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
  ['2026', 'the time is after 2026-01-01', 'the time is after 2026-01-01'],
  ['Ada L.', 'found Ada L. at last', 'found [redacted] at last'],
])('[adl/18.9-2] a contact %j is hidden where it is content: %s', (contact, detail, expected) => {
  expect(words(contact, detail)).toBe(expected)
})

test.each([
  [`${'a'.repeat(50)}@${'b'.repeat(50)}.example.com`],
  ['ada\u202e@example.com'],
  [5_551_234],
  [['x', 5_551_234]],
])('[adl/18.9-2] a contact is hidden as messages show it: %j', (contact) => {
  const value = Array.isArray(contact) ? contact[1] : contact
  expect(words(contact, `expected an email, found ${shown(value)}`)).toMatch(
    /^expected an email, found [^\dab]*\[redacted\]'?$/,
  )
})
