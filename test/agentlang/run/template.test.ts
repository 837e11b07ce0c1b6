import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileTemplate, renderAll, Template, type TemplateFault } from '../../../bindings/agentlang/run/template.ts'
import { renderSlowly } from '../../oracle/agentlang-template.ts'
import { processorTime } from '../../support/effort.ts'

type Data = Readonly<Record<string, unknown>>

function compiled(text: string): Template {
  const template = compileTemplate(text)
  if (template instanceof Template) return template
  throw new Error(`${template.message} at ${template.offset}`)
}

const faultOf = (text: string): TemplateFault => compileTemplate(text) as TemplateFault
const json = (text: string, data: Data) => compiled(text).render('json', data)
const text = (template: string, data: Data) => compiled(template).render('text', data)

/** The body of the specification's twitter_post_tweet, folded as YAML folds single-quoted text. */
const TWEET = '{ "text": "{{text}}" {{if reply_to}}, "reply_to": "{{reply_to}}"{{end}} }'

/** Any UTF-16 units, many of those that matter to JSON, and lone surrogates. */
const anyText = fc
  .array(
    fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(0x22, 0x5c, 0x7b, 0x7d, 0, 0xd800, 0xdfff, 0x2028)),
  )
  .map((units) => String.fromCharCode(...units))
const anyValue = fc.oneof(anyText, fc.jsonValue({ depthSize: 'small' }))

describe('request bodies', () => {
  test('[agentlang/functions-1] the body of the example has a member only if its parameter is given', () => {
    const both = json(TWEET, { text: 'Hi', reply_to: '7' }) as { value: string }
    expect(JSON.parse(both.value)).toEqual({ text: 'Hi', reply_to: '7' })
    const one = json(TWEET, { text: 'Hi' }) as { value: string }
    expect(JSON.parse(one.value)).toEqual({ text: 'Hi' })
  })

  test('[agentlang/functions-2] every text between quotes comes back as it was', () => {
    fc.assert(
      fc.property(anyText, anyText, (first, second) => {
        const { value } = json(TWEET, { text: first, reply_to: second }) as { value: string }
        expect(JSON.parse(value)).toEqual(second === '' ? { text: first } : { text: first, reply_to: second })
      }),
    )
  })

  test('[agentlang/functions-2] every value outside of quotes keeps its type, also in lists and names', () => {
    fc.assert(
      fc.property(anyValue, anyValue, anyText, (first, second, name) => {
        const body = '{"a":{{first}},"b":[{{second}},{{ first }}],{{name}}: "x\\\\{{name}}\\u0041{{second}}"}'
        if (name === 'a' || name === 'b') return
        const { value } = json(body, { first, second, name }) as { value: string }
        const shown = typeof second === 'string' ? second : JSON.stringify(second)
        const expected = JSON.stringify({ a: first, b: [second, first], [name]: `x\\${name}A${shown}` })
        expect(JSON.parse(value)).toEqual(JSON.parse(expected))
      }),
    )
  })

  test.each([
    ['a value that continues a number', '{"a": 1{{n}}}', { n: 2 }],
    ['two values without a comma', '[{{n}}{{n}}]', { n: 2 }],
    ['a value that continues a word', '[{{n}}ue]', { n: 2 }],
    ['a value after a backslash', '"\\{{t}}"', { t: 'n' }],
    ['a value among hexadecimal digits', '"\\u00{{t}}"', { t: '41' }],
    ['a name that is repeated', '{"a": 1, "{{t}}": 2}', { t: 'a' }],
    ['a comma at the end', '[1{{if n}},{{end}}]', { n: true }],
    ['a string that does not end', '["{{t}}]', { t: '"' }],
  ])('refuses %s', (_, body, data) => {
    expect(json(body, data)).toHaveProperty('fault')
  })

  test('shows the rendered text and the offset where it stops to be JSON', () => {
    expect(json('{"ö": "{{t}}" 1}', { t: 'ü' })).toMatchObject({ fault: { text: '{"ö": "ü" 1}', offset: 10 } })
  })
})

describe('names', () => {
  test.each([
    ['{{.env.KEY}}', 'k'],
    ['{{env.KEY}}', 'k'],
    ['{{list[1].name}}', 'second'],
    ['{{ count }}', '3'],
    ['{{none}}', 'null'],
    ['{{list[0]}}', '{"name":"first"}'],
    ['a {{- count -}} b', 'a3b'],
    ['{{"{{"}}count}}', '{{count}}'],
    ['{{if missing}}x{{else}}y{{end}}', 'y'],
    ['{{if env}}x{{if none}}y{{end}}{{end}}', 'x'],
  ])('%s becomes %s', (template, expected) => {
    const data = { env: { KEY: 'k' }, list: [{ name: 'first' }, { name: 'second' }], count: 3, none: null }
    expect(text(template, data)).toEqual({ value: expected })
  })

  test.each([
    '{{missing}}',
    '{{toString}}',
    '{{a.constructor}}',
    '{{list.length}}',
    '{{a[0]}}',
    '{{list[9]}}',
    '{{t.length}}',
  ])('has no value for %s', (template) => {
    expect(text(template, { a: {}, list: [1], t: 'abc' })).toMatchObject({ fault: { offset: 0 } })
  })

  test('reads a member __proto__ only if the data have it', () => {
    expect(text('{{__proto__}}', {})).toHaveProperty('fault')
    expect(text('{{__proto__}}', JSON.parse('{"__proto__": 1}'))).toEqual({ value: '1' })
  })

  test('does not render tags inside of values', () => {
    expect(text('{{a}}', { a: '{{b}}', b: 1 })).toEqual({ value: '{{b}}' })
  })

  test('renders as a slow engine does', () => {
    const part = fc.constantFrom('x', '{{a}}', '{{.b.c}}', '{{l[0]}}', ' ')
    const parts = fc.array(part, { maxLength: 4 }).map((list) => list.join(''))
    const choice = fc
      .tuple(fc.constantFrom('a', '.b', 'l', 'z'), parts, parts)
      .map(([test, yes, no]) => `{{if ${test}}}${yes}{{else}}${no}{{end}}`)
    const nested = fc.tuple(parts, choice, choice).map(([a, b, c]) => `${a}{{if a}}${b}{{end}}${c}`)
    const word = fc.constantFrom('', 'w', 'x y')
    fc.assert(
      fc.property(nested, word, word, fc.integer({ min: 0, max: 1 }), (template, a, c, n) => {
        const data = { a, b: { c }, l: [n] }
        expect(text(template, data)).toEqual({ value: renderSlowly(template, data) })
      }),
    )
  })
})

describe('a template that is rendered again', () => {
  test('gives what a new one gives, wherever its texts stand then', () => {
    const texts = [
      '"',
      '\\',
      '\\u',
      '00',
      '4',
      ' ',
      'x"',
      '{{v}}',
      '{{if a}}"{{end}}',
      '{{if b}}\\u00{{else}}"{{end}}',
      '41{{v}}',
    ]
    const part = fc.constantFrom(...texts)
    const bodies = fc.array(part, { maxLength: 8 }).map((parts) => `["${parts.join('')}${parts.join('')}"]`)
    const values = fc.tuple(
      fc.boolean(),
      fc.boolean(),
      fc.constantFrom<unknown>('q"', 1.5, -0, true, null, [1], '\ud800'),
    )
    fc.assert(
      fc.property(bodies, fc.array(values, { minLength: 2, maxLength: 4 }), (body, all) => {
        const again = compiled(body)
        for (const [a, b, v] of all) expect(again.render('json', { a, b, v })).toEqual(json(body, { a, b, v }))
      }),
      { numRuns: 300 },
    )
  })
})

describe('faults', () => {
  test.each([
    ['a{{b', 1, 'not closed'],
    ['{{if a}}x', 0, '{{end}} is missing'],
    ['x{{end}}', 1, 'no if'],
    ['{{else}}', 0, 'no if'],
    ['{{if a}}{{else}}{{else}}{{end}}', 16, 'no if'],
    ['{{a b}}', 0, 'expected a name'],
    ['{{a | html}}', 0, 'expected a name'],
    ['{{reply-to}}', 0, 'expected a name'],
    ['{{}}', 0, 'expected a name'],
    ['{{if}}', 0, 'expected a name'],
    ['{{a[-1]}}', 0, 'expected a name'],
    ['{{a..b}}', 0, 'expected a name'],
  ])('%s has a fault at %i', (template, offset, message) => {
    expect(faultOf(template)).toMatchObject({ offset, message: expect.stringContaining(message) })
  })

  test.each([
    ['more than 16 parts in a name', `{{${'a.'.repeat(17)}a}}`, 0],
    ['a tag of more than 512 characters', `{{${'a'.repeat(600)}}}`, 0],
    ['more than 16 open conditions', `${'{{if a}}'.repeat(17)}${'{{end}}'.repeat(17)}`, 128],
    ['more than 1 MiB', 'x'.repeat(1024 * 1024 + 1), 0],
  ])('refuses %s', (_, template, offset) => {
    expect(faultOf(template).offset).toBe(offset)
  })

  test('stops when the output is longer than 1 MiB', () => {
    const before = processorTime()
    const template = compiled('{{t}}'.repeat(100_000))
    expect(template.render('text', { t: 'x'.repeat(500_000) })).toMatchObject({ fault: { offset: 10 } })
    expect(processorTime() - before).toBeLessThan(2_000)
  })

  test.each(['x', 'é', '€', '😀'])(
    'gives a text as long as the limit in bytes, and refuses a longer one, of %s',
    (letter) => {
      const template = compiled('a{{t}}b{{t}}c')
      const data = { t: letter.repeat(100) }
      const rendered = `a${data.t}b${data.t}c`
      const bytes = new TextEncoder().encode(rendered).length
      expect(template.render('text', data, bytes)).toEqual({ value: rendered })
      expect(template.render('text', data, bytes - 1)).toHaveProperty('fault')
      expect(template.render('text', { t: letter }, bytes)).toHaveProperty('value')
    },
  )

  test('reads a megabyte of tags, and of braces without an end, in linear time', () => {
    const before = processorTime()
    compileTemplate('{{a}}'.repeat(200_000))
    compileTemplate('{{'.repeat(500_000))
    compileTemplate(' '.repeat(1_000_000))
    compileTemplate(`${'{{- a -}} '.repeat(100_000)}`)
    expect(processorTime() - before).toBeLessThan(4_000)
  })

  test('has a fault for a value that JSON cannot express', () => {
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)
    for (const value of [circle, 1n, () => 1, Symbol('s')]) expect(text('{{value}}', { value })).toHaveProperty('fault')
    expect(json('[{{value}}]', { value: deep })).toHaveProperty('fault')
  })
})

describe('values', () => {
  test('[agentlang/functions-3] a text that is one expression keeps the type of its value', () => {
    const json = { messages: [{ images: ['a', 'b'] }], usage: { cost_usd: 0.04 } }
    const props = {
      images: '{{json.messages[0].images}}',
      cost: '{{json.usage.cost_usd}}',
      note: 'USD {{json.usage.cost_usd}}',
    }
    expect(renderAll(props, { json })).toEqual({ value: { images: ['a', 'b'], cost: 0.04, note: 'USD 0.04' } })
  })

  test('the fault of one text has its pointer, and nothing is rendered', () => {
    expect(renderAll({ a: 'x', 'b/c': ['{{a}}', '{{b}}'] }, { a: 1 })).toMatchObject({ fault: { pointer: '/b~1c/1' } })
  })

  test('keeps a member __proto__ as a member', () => {
    const { value } = renderAll(JSON.parse('{"__proto__": "{{a}}"}'), { a: 1 }) as { value: object }
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(JSON.stringify(value)).toBe('{"__proto__":1}')
  })

  test('refuses values of more than 16 levels, and more than 1 MiB in many texts', () => {
    let deep: unknown = '{{a}}'
    for (let i = 0; i < 17; i++) deep = [deep]
    expect(renderAll(deep, { a: 1 })).toHaveProperty('fault')
    const many = Array.from({ length: 100 }, () => '-{{a}}')
    expect(renderAll(many, { a: 'x'.repeat(100_000) })).toMatchObject({ fault: { pointer: '/10' } })
  })
})
