import { describe, expect, test } from 'vitest'
import { redact } from '../../bindings/adl/publication.ts'
import { type Document, parse } from '../../bindings/document/parse.ts'
import { processorTime } from '../support/effort.ts'

const source = JSON.stringify({
  name: 'A',
  provider: { name: 'Acme', contact: 'ada@acme.example' },
  system_prompt: 'Secret',
  prompts: [{ name: 'p', template: 'T' }, { name: 'q' }, 7],
  metadata: { authors: [{ name: 'Ada', email: 'ada@acme.example' }], license: 'MIT' },
  x_note: 1,
})

const text = (document: Document | undefined) => new TextDecoder().decode(document?.bytes)

describe('redact', () => {
  test('keeps the rest byte for byte: digits, escapes, order', () => {
    const written = '{ "x_serial" : 9007199254740993,\n "system_prompt":"Secret" , "x_rate": 1.50e3, "name":"\\u0041" }'
    expect(text(redact(written).document)).toBe(written.replace('"Secret"', '"[redacted]"'))
    expect(text(redact('x_serial: 9007199254740993\nsystem_prompt: Secret\n').document)).toContain('9007199254740993')
  })

  test.each(['[]', '7', '{', '{"a":1,"a":2}'])('gives diagnostics for %s, which is not a definition', (source) => {
    const { document, removed, diagnostics } = redact(source)
    expect([document, removed, diagnostics[0]?.severity]).toEqual([undefined, [], 'error'])
  })

  test('[adl/18.9-2] removes contacts, authors and prompts, and reports their places', () => {
    const { document, removed } = redact(source)
    expect(document?.value).toEqual({
      name: 'A',
      provider: { name: 'Acme', contact: '[redacted]' },
      system_prompt: '[redacted]',
      prompts: [{ name: 'p', template: '[redacted]' }, { name: 'q' }, 7],
      metadata: { authors: '[redacted]', license: 'MIT' },
      x_note: 1,
    })
    expect(removed).toEqual(['/provider/contact', '/metadata/authors', '/system_prompt', '/prompts/0/template'])
  })

  test('can keep each of them', () => {
    const { document, removed } = redact(source, { contacts: false, authors: false, prompts: false })
    expect([text(document), removed]).toEqual([source, []])
    expect(redact(source, { contacts: false, prompts: false }).removed).toEqual(['/metadata/authors'])
  })

  test('is fast with very many prompts', () => {
    const many = `{"prompts":[${Array.from({ length: 60_000 }, () => '{"template":"S"}').join()}]}`
    const before = processorTime()
    const { document, removed } = redact(many)
    expect([removed.length, text(document)]).toEqual([60_000, many.replaceAll('"S"', '"[redacted]"')])
    expect(processorTime() - before).toBeLessThan(5000)
  })

  test('leaves the original document unchanged', () => {
    const { document } = parse(source)
    redact(document!)
    expect(document!.value).toEqual(JSON.parse(source))
  })

  test('removes misspelt members and members in lists as well, but no extensions', () => {
    const { document, removed } = redact(
      JSON.stringify({
        provider: [{ Contact: 'S', x_contact: 'a' }],
        prompt: [{ templat: 'S' }, 'S'],
        systemPrompt: 'S',
        metadata: { author: 'S', 'au/thors': 'S' },
      }),
    )
    expect(text(document)).not.toContain('"S"')
    expect(removed).toEqual([
      '/provider/0/Contact',
      '/metadata/author',
      '/metadata/au~1thors',
      '/systemPrompt',
      '/prompt/1',
      '/prompt/0/templat',
    ])
  })

  test('removes values of the wrong type completely', () => {
    expect(text(redact('{"prompts": "Secret", "system_prompt": 7}').document)).toBe(
      '{"prompts": "[redacted]", "system_prompt": "[redacted]"}',
    )
    expect(redact('{"provider": 1, "metadata": []}').removed).toEqual([])
  })
})
