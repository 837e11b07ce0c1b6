import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderPrompt } from '../../bindings/adl/prompt.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import { casesOf } from '../support/cases.ts'
import { processorTime } from '../support/effort.ts'

const base = { adl_spec: '0.1.0', name: 'A', description: 'B', version: '1.2.3' }
const agent = (more: object) => JSON.stringify({ ...base, data_classification: { sensitivity: 'public' }, ...more })

function refused({ text, diagnostics }: renderPrompt.Result): readonly Diagnostic[] {
  expect(text).toBeUndefined()
  return diagnostics
}

// The example of ADL 7.2.
const SYSTEM = agent({
  system_prompt: {
    template: 'You are a helpful assistant for {{company_name}}. Today is {{current_date}}.',
    variables: { company_name: 'Acme Corp', current_date: '2026-02-18' },
  },
})

// The example of ADL 8.3.
const SUMMARIZE = {
  name: 'summarize_invoice',
  description: 'Summarizes an invoice for a reviewer.',
  template:
    'Summarize the following invoice for {{reviewer_role}}:\n\n{{invoice_text}}\n\nHighlight amounts over {{threshold}}.',
  arguments: {
    type: 'object',
    properties: {
      reviewer_role: { type: 'string' },
      invoice_text: { type: 'string' },
      threshold: { type: 'number' },
    },
    required: ['reviewer_role', 'invoice_text'],
  },
}
const PROMPTS = agent({ prompts: [SUMMARIZE] })

describe('the system prompt', () => {
  test('[adl/7.2-1] [adl/7.2-2] is a string, or an object with its own variables', () => {
    expect(renderPrompt(agent({ system_prompt: 'Be thorough.' })).text).toBe('Be thorough.')
    expect(renderPrompt(SYSTEM).text).toBe('You are a helpful assistant for Acme Corp. Today is 2026-02-18.')
  })

  test('[adl/7.2-2] the variables of the caller take precedence over its own', () => {
    const { text } = renderPrompt(SYSTEM, { variables: { current_date: '2030-01-01' } })
    expect(text).toBe('You are a helpful assistant for Acme Corp. Today is 2030-01-01.')
  })

  test('[adl/7.2-5] [adl/7.2-6] supports the escape', () => {
    expect(renderPrompt(agent({ system_prompt: 'Write \\{{name}}' })).text).toBe('Write {{name}}')
  })

  test('[adl/7.2-7] [adl/7.2-8] an undefined variable is ADL-1006, and the finding names it', () => {
    const source = agent({ system_prompt: { template: 'a {{b}} {{c}}', variables: { c: 1 } } })
    const [found, ...others] = refused(renderPrompt(source, { file: 'x.json' }))
    expect(others).toEqual([])
    expect(found).toMatchObject({ code: 'ADL-1006', severity: 'error', spec: 'ADL 7.2' })
    expect(found!.detail).toContain('the variable b has no value')
    expect(found!.source).toMatchObject({ file: 'x.json', pointer: '/system_prompt/template' })
    expect(source.slice(found!.source.offset, found!.source.endOffset)).toBe('"a {{b}} {{c}}"')
  })

  test('[adl/7.2-7] inherited members are not values', () => {
    const source = agent({ system_prompt: '{{constructor}}{{toString}}' })
    expect(refused(renderPrompt(source)).map(({ code }) => code)).toEqual(['ADL-1006', 'ADL-1006'])
    expect(renderPrompt(source, { variables: { constructor: 1, toString: 2 } }).text).toBe('12')
  })
})

describe('prompts', () => {
  test('[adl/8.3-1] are rendered by name', () => {
    const variables = { reviewer_role: 'an auditor', invoice_text: 'INV-1', threshold: 1000 }
    expect(renderPrompt(PROMPTS, { prompt: 'summarize_invoice', variables }).text).toBe(
      'Summarize the following invoice for an auditor:\n\nINV-1\n\nHighlight amounts over 1000.',
    )
  })

  test('[adl/8.3-1] a reference without an argument fails', () => {
    const variables = { reviewer_role: 'x', invoice_text: 'y' }
    const [found] = refused(renderPrompt(PROMPTS, { prompt: 'summarize_invoice', variables }))
    expect(found).toMatchObject({ code: 'ADL-1006', source: { pointer: '/prompts/0/template' } })
  })

  test('[adl/8.3-1] a reference to an unknown argument fails, whatever values are passed', () => {
    const told = (schema?: object) => {
      const source = agent({ prompts: [{ name: 'p', template: '{{a}} {{b}}', ...(schema && { arguments: schema }) }] })
      return refused(renderPrompt(source, { prompt: 'p', variables: { a: 1, b: 2 } }))
    }
    const found = { code: 'ADL-1006', source: { pointer: '/prompts/0/template' } }
    expect(told({ properties: { a: {} } })).toMatchObject([
      { ...found, detail: expect.stringContaining("refers to 'b'") },
    ])
    expect(told()).toMatchObject([{ ...found, detail: expect.stringContaining("refers to 'a', 'b'") }])
    const composed = agent({ prompts: [{ name: 'p', template: '{{a}}', arguments: { allOf: [true] } }] })
    expect(renderPrompt(composed, { prompt: 'p', variables: { a: 1 } }).text).toBe('1')
  })

  test('integers in the definition keep their digits', () => {
    const template = '{{a}} {{b}} {{c}} {{d}} {{e}}'
    const numbers = '{"a": 9007199254740993, "b": -12345678901234567890, "c": 9007199254740991, "d": 1e21, "e": 1.50}'
    const source = `{"system_prompt": {"template": "${template}", "variables": ${numbers}}}`
    expect(renderPrompt(source).text).toBe('9007199254740993 -12345678901234567890 9007199254740991 1e+21 1.5')
    expect(renderPrompt(source, { variables: { a: 'x' } }).text).toMatch(/^x -12345678901234567890 /)
    const yaml = 'system_prompt:\n  template: "{{a}}"\n  variables:\n    a: 9007199254740993\n'
    expect(renderPrompt(yaml).text).toBe('9007199254740993')
  })

  test('[adl/7.2-3] numbers and booleans are written as JSON writes them', () => {
    const properties = { a: {}, b: {}, c: {}, d: {} }
    const source = agent({ prompts: [{ name: 'p', template: '{{a}} {{b}} {{c}} {{d}}', arguments: { properties } }] })
    const variables = { a: 1.0, b: true, c: 1e21, d: -0 }
    expect(renderPrompt(source, { prompt: 'p', variables }).text).toBe('1 true 1e+21 0')
  })

  test.each([
    [{ reviewer_role: 7, invoice_text: 'y', threshold: 1 }, 'reviewer_role: expected string, found number'],
    [{ reviewer_role: 'x', invoice_text: 'y', threshold: '1' }, 'threshold: expected number, found string'],
  ])('[adl/8.3-2] arguments %j are checked against their schema', (variables, detail) => {
    const [found] = refused(renderPrompt(PROMPTS, { prompt: 'summarize_invoice', variables }))
    expect(found).toMatchObject({ code: 'BADL-173', detail, source: { pointer: '/prompts/0/arguments' } })
  })

  test('[adl/8.3-2] a missing required argument is reported even if the template does not use it', () => {
    const source = agent({ prompts: [{ name: 'p', template: 'x', arguments: { required: ['a'] } }] })
    expect(refused(renderPrompt(source, { prompt: 'p' }))[0]!.code).toBe('BADL-173')
    expect(renderPrompt(source, { prompt: 'p', variables: { a: 1 } }).text).toBe('x')
  })

  test('[adl/8.3-2] an invalid schema accepts nothing', () => {
    const source = agent({ prompts: [{ name: 'p', template: 'x', arguments: { type: 'text' } }] })
    expect(refused(renderPrompt(source, { prompt: 'p' }))[0]!.detail).toContain(
      'the schema of the arguments is invalid',
    )
  })

  test.each([
    ['nobody', 'there are summarize_invoice'],
    ['__proto__', 'there are summarize_invoice'],
  ])('%s is not a prompt', (prompt, words) => {
    const [found] = refused(renderPrompt(PROMPTS, { prompt }))
    expect(found!.code).toBe('BADL-170')
    expect(found!.detail).toContain(words)
  })

  test.each([
    [agent({}), undefined, ''],
    [agent({ system_prompt: { variables: {} } }), undefined, '/system_prompt'],
    [agent({ prompts: [{ name: 'p' }] }), 'p', '/prompts/0'],
    [
      agent({
        prompts: [
          { name: 'p', template: 'a' },
          { name: 'p', template: 'b' },
        ],
      }),
      'p',
      '/prompts/1/name',
    ],
    ['[]', undefined, ''],
  ])('%s has nothing to render', (source, prompt, pointer) => {
    const [found] = refused(renderPrompt(source, prompt === undefined ? {} : { prompt }))
    expect(found!.source.pointer).toBe(pointer)
  })
})

describe('values', () => {
  const source = agent({ system_prompt: '<{{a}}{{b}}>' })
  const render = (a: unknown, more: object = {}, b: unknown = '') =>
    renderPrompt(source, { variables: { a, b }, ...more })
  const textOf = (a: unknown, more: object = {}, b: unknown = '') => render(a, more, b).text
  const code = (a: unknown, more: object = {}, b: unknown = '') => refused(render(a, more, b))[0]!.code

  test('[adl/18.3-2] with delimiters are refused, or escaped so that a second rendering gives them back', () => {
    expect(code('{{x}}')).toBe('DOC-157')
    expect(code('x}}')).toBe('DOC-157')
    const once = textOf('{{{x}} \\{{', { delimiters: 'escape' })
    expect(once).toBe('<\\{{{x}} \\\\{{>')
    expect(renderPrompt(agent({ system_prompt: once })).text).toBe('<{{{x}} \\{{>')
  })

  test('[adl/18.3-2] with halves of delimiters that would join are refused', () => {
    expect(code('{', {}, '{x')).toBe('BADL-172')
    expect(code('{', { delimiters: 'escape' }, '{x')).toBe('BADL-172')
    expect(textOf('{"a": 1}', {}, ' ')).toBe('<{"a": 1} >')
  })

  test('[adl/18.3-1] are never treated as templates', () => {
    const text = textOf('{{b}}', { delimiters: 'escape' }, 'secret')
    expect(text).toBe('<\\{{b}}secret>')
  })

  test('[adl/18.3-3] are limited in length, and so is the text', () => {
    expect(code('x'.repeat(131_073))).toBe('DOC-158')
    expect(code('xxx', { limits: { value: 2 } })).toBe('DOC-158')
    expect(code('xxx', { limits: { text: 4 } })).toBe('DOC-159')
    expect(textOf('xxx', { limits: { value: 3, text: 5 } })).toBe('<xxx>')
  })

  test.each(['\0', '\x1b[2J', '\x7f', '\x9b', '\u202e', '\u2066', '\u{e0041}'])(
    '[adl/18.3-1] with %j are refused',
    (hidden) => {
      expect(code(`a${hidden}b`)).toBe('BADL-171')
      expect(textOf(`a${hidden}b`, { hidden: 'remove' })).toBe(
        `<a${hidden.slice(hidden.codePointAt(0)! > 0xffff ? 2 : 1)}b>`,
      )
    },
  )

  test('may have tabs and line ends', () => {
    expect(textOf('a\t\r\n')).toBe('<a\t\r\n>')
  })

  test.each([null, {}, [], Number.NaN, Symbol('x'), '\ud800'])('%s cannot be written as text', (value) => {
    expect(code(value)).toBe('DOC-156')
  })

  test('of the document get findings that point at them', () => {
    const own = agent({ system_prompt: { template: '{{a}}', variables: { a: ['x'] } } })
    expect(refused(renderPrompt(own))[0]!.source.pointer).toBe('/system_prompt/variables/a')
  })

  test('[adl/18.3-2] never create a delimiter, at any position', () => {
    const piece = fc.string({ unit: fc.constantFrom('{', '}', '\\', 'a', '{{', '}}') })
    const property = fc.property(piece, piece, fc.constantFrom('refuse', 'escape'), (a, b, delimiters) => {
      const { text } = render(a, { delimiters }, b)
      if (text === undefined) return
      if (delimiters === 'refuse') expect(text).not.toMatch(/\{\{|\}\}/)
      else expect(renderPrompt(agent({ system_prompt: text })).text).toBe(`<${a}${b}>`)
    })
    fc.assert(property, { numRuns: casesOf(2000) })
  })

  test('that the template does not use are listed', () => {
    expect(renderPrompt(SYSTEM, { variables: { nmae: 1 } }).unused).toEqual(['nmae'])
  })

  test('wrong arguments are the caller’s fault', () => {
    expect(() => renderPrompt(SYSTEM, { variables: null as never })).toThrow(TypeError)
    expect(() => renderPrompt(SYSTEM, { limits: { text: -1 } })).toThrow(RangeError)
    expect(() => renderPrompt(7 as never)).toThrow(TypeError)
  })
})

describe('the audit record', () => {
  const of = (sensitivity: unknown) =>
    renderPrompt(agent({ system_prompt: 'Hi {{a}}', data_classification: { sensitivity } }), {
      variables: { a: 'Zoë' },
      now: new Date('2026-03-01T12:00:00Z'),
    }).audit

  test.each(['confidential', 'restricted'])('[adl/18.3-4] is made for %s', (sensitivity) => {
    expect(of(sensitivity)).toEqual({
      event: 'prompt-rendered',
      time: '2026-03-01T12:00:00.000Z',
      agent: { name: 'A', version: '1.2.3' },
      prompt: null,
      sensitivity,
      variables: ['a'],
      bytes: 7,
      sha256: createHash('sha256').update('Hi Zoë').digest('hex'),
    })
  })

  test.each(['public', 'internal', 7, undefined])('[adl/18.3-4] is not made for %s', (sensitivity) => {
    expect(of(sensitivity)).toBeUndefined()
  })
})

test('any JSON value is rendered or refused, without exceptions', () => {
  const property = fc.property(fc.jsonValue(), fc.jsonValue(), (value, prompts) => {
    for (const source of [value, { system_prompt: value, prompts }, { prompts: [{ name: 'p', template: value }] }]) {
      for (const options of [{}, { prompt: 'p' }]) {
        const { text, diagnostics } = renderPrompt(JSON.stringify(source), options)
        expect(text === undefined).toBe(diagnostics.some(({ severity }) => severity === 'error'))
      }
    }
  })
  fc.assert(property, { numRuns: casesOf(500) })
})

test('very many variables are fast', () => {
  const members = Array.from({ length: 60_000 }, (_, i) => `"v${i}": 1.5`).join()
  const before = processorTime()
  const source = `{"system_prompt": {"template": "{{v59999}} {{__proto__x}}", "variables": {${members}, "__proto__": 9007199254740993, "__proto__x": 1}}}`
  expect(refused(renderPrompt(source)).map(({ code }) => code)).toEqual(['DOC-120', 'DOC-152'])
  expect(renderPrompt(source.replace('{{__proto__x}}', '{{v0}}')).text).toBe('1.5 1.5')
  expect(processorTime() - before).toBeLessThan(5000)
})
