import { describe, expect, test } from 'vitest'
import { redact } from '../../bindings/adl/redact.ts'
import { DocumentError } from '../../bindings/document/error.ts'
import { parse } from '../../bindings/document/parse.ts'

const source = JSON.stringify({
  name: 'A',
  provider: { name: 'Acme', contact: 'ada@acme.example' },
  system_prompt: 'Secret',
  prompts: [{ name: 'p', template: 'T' }, { name: 'q' }, 7],
  metadata: { authors: [{ name: 'Ada', email: 'ada@acme.example' }], license: 'MIT' },
  x_note: 1,
})

describe('redact', () => {
  test('[adl/18.9-2] takes contacts, authors and prompts out, and says what', () => {
    const { value, removed } = redact(source)
    expect(value).toEqual({
      name: 'A',
      provider: { name: 'Acme', contact: '[redacted]' },
      system_prompt: '[redacted]',
      prompts: [{ name: 'p', template: '[redacted]' }, { name: 'q' }, 7],
      metadata: { authors: '[redacted]', license: 'MIT' },
      x_note: 1,
    })
    expect(removed).toEqual(['/provider/contact', '/metadata/authors', '/system_prompt', '/prompts/0/template'])
  })

  test('each can be kept', () => {
    expect(redact(source, { contacts: false, authors: false, prompts: false })).toEqual({
      value: JSON.parse(source),
      removed: [],
    })
    expect(redact(source, { contacts: false, prompts: false }).removed).toEqual(['/metadata/authors'])
  })

  test('leaves the document as it was', () => {
    const { document } = parse(source)
    redact(document!)
    expect(document!.value).toEqual(JSON.parse(source))
  })

  test('what is ill-typed is taken out whole', () => {
    expect(redact('{"prompts": "Secret", "system_prompt": 7}').value).toEqual({
      prompts: '[redacted]',
      system_prompt: '[redacted]',
    })
    expect(redact('{"provider": 1, "metadata": []}').removed).toEqual([])
    expect(() => redact('[]')).toThrow(DocumentError)
  })
})
