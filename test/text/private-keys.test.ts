import { describe, expect, test } from 'vitest'
import { holdsPrivateKey, privateKeySpans } from '../../bindings/text/private-keys.ts'
import { withoutSecrets } from '../../bindings/text/secret-shapes.ts'
import { casesOf } from '../support/cases.ts'
import { processorTime } from '../support/effort.ts'
import { PRIVATE_FORMS, PUBLIC_FORMS } from '../support/private-keys.ts'

describe.each(PRIVATE_FORMS)('%s', (_, text) => {
  test('is found, alone and inside a longer text', () => {
    expect(holdsPrivateKey(text)).toBe(true)
    expect(holdsPrivateKey(`name: Scout\n# ${'words '.repeat(500)}\n${text}\nversion: 1.0.0\n`)).toBe(true)
  })

  test('is hidden in reports', () => {
    const hidden = withoutSecrets(text)
    for (const { start, end } of privateKeySpans(text)) expect(hidden.slice(start, end)).toMatch(/^[*\s]+$/)
    expect(holdsPrivateKey(hidden)).toBe(false)
  })
})

test.each(PUBLIC_FORMS)('%s is not a private key', (_, text) => {
  expect(holdsPrivateKey(text)).toBe(false)
})

test('searches texts of millions of characters', () => {
  for (const begin of ['', '-----BEGIN PRIVATE KEY-----\n', 'eyJ', 'MC4CAQAwBQYDK2VwBCIEI']) {
    for (const unit of ['a', ' ']) holdsPrivateKey(begin + unit.repeat(casesOf(8_000_000)))
  }
})

test('takes time linear in the length of the text', () => {
  for (const unit of [
    ...PRIVATE_FORMS.map(([, text]) => text.slice(0, 300)),
    '-----BEGIN PRIVATE KEY-----\n',
    'BEGIN PRIVATE KEY ',
    'BEGIN A',
    '"d":"',
    'private_key: ',
    'eyJa',
    'eyJhbGciOiJFZERTQSJ9\n',
    'MC4CAQAwBQYDK2VwBCIEIA\n',
    `z${'2'.repeat(60)} `,
    'u1A'.repeat(20),
    '\\\\',
    '\\"\\n',
    ' ',
    'seed ',
  ]) {
    const spent = (length: number) => {
      const text = unit.repeat(Math.ceil(length / unit.length))
      const begin = processorTime()
      holdsPrivateKey(text)
      return processorTime() - begin
    }
    expect(spent(casesOf(500_000)), unit).toBeLessThan(1_500)
  }
})
