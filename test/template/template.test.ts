import { beforeAll, describe, expect, test } from 'vitest'
import { compileTemplate, render, type Variables } from '../../bindings/core/template.ts'
import { BUILDS } from '../support/builds.ts'
import { refusal, refusalEveryWay, renderEveryWay } from './paths.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe.each(BUILDS)('templates, $name', ({ use }) => {
  beforeAll(use)

  /** Expected values computed by hand from ADL section 7.2. */
  const rendered: [title: string, template: string, variables: Variables, output: string][] = [
    [
      'the example of the specification [adl/7.2-3]',
      'You are a helpful assistant for {{company_name}}. Today is {{current_date}}.',
      { company_name: 'Acme Corp', current_date: '2026-02-18' },
      'You are a helpful assistant for Acme Corp. Today is 2026-02-18.',
    ],
    [
      'the example of prompts [adl/8.3-3]',
      'for {{reviewer_role}}:\n\n{{invoice_text}}\n\n',
      { reviewer_role: 'a', invoice_text: 'b' },
      'for a:\n\nb\n\n',
    ],
    ['an empty template', '', {}, ''],
    ['text only', 'no { reference } here }}', {}, 'no { reference } here }}'],
    ['a reference only', '{{a}}', { a: 'x' }, 'x'],
    ['references side by side', '{{a}}{{b}}{{a}}', { a: '1', b: '2' }, '121'],
    ['one-letter and long names [adl/7.2-4]', '{{Z}}{{a_1_B}}', { Z: '1', a_1_B: '2' }, '12'],
    ['names that begin alike', '{{a}}{{ab}}{{a_}}{{A}}{{a1}}', { a: '1', ab: '2', a_: '3', A: '4', a1: '5' }, '12345'],
    ['an escape [adl/7.2-5]', '\\{{', {}, '{{'],
    ['an escaped reference [adl/7.2-6]', '\\{{a}}', { a: 'x' }, '{{a}}'],
    ['an escape before a reference', '\\{{{{a}}', { a: 'x' }, '{{x'],
    ['a backslash before an escape', '\\\\{{a}}', { a: 'x' }, '\\{{a}}'],
    ['three braces behind a backslash', '\\{{{a}}', { a: 'x' }, '{{{a}}'],
    ['a backslash before one brace', '\\{a}', {}, '\\{a}'],
    ['a backslash at the end', 'a\\', {}, 'a\\'],
    ['a brace at the end', 'a{', {}, 'a{'],
    ['closing braces are text', '}}{{a}}}}', { a: 'x' }, '}}x}}'],
    ['an empty value', '[{{a}}]', { a: '' }, '[]'],
    ['a value that reads like a template [adl/18-1]', '{{a}}', { a: '{{a}}{{b}}\\{{' }, '{{a}}{{b}}\\{{'],
    ['zero bytes in text and values', '\0{{a}}\0{{b}}', { a: '\0', b: 'x\0y\0' }, '\0\0\0x\0y\0'],
    ['a byte order mark', '\ufeff{{a}}\ufeff', { a: '\ufeff' }, '\ufeff\ufeff\ufeff'],
    ['text beyond ASCII', 'Ünï→{{a}}日本😀{{b}}', { a: 'é', b: '🚀x' }, 'Ünï→é日本😀🚀x'],
    ['values beyond ASCII', '{{a}}{{b}}{{c}}', { a: 'é', b: '日', c: '😀' }, 'é日😀'],
    [
      'numbers as ECMAScript writes them',
      '{{a}} {{b}} {{c}} {{d}}',
      { a: 1, b: -0, c: 1e21, d: 0.000001 },
      '1 0 1e+21 0.000001',
    ],
    [
      'booleans and big integers',
      '{{a}} {{b}} {{c}}',
      { a: true, b: false, c: 12345678901234567890n },
      'true false 12345678901234567890',
    ],
    ['variables that are not used', '{{a}}', { a: 'x', b: { not: 'read' } as never }, 'x'],
    ['a member called __proto__ does no harm', '{{a}}', JSON.parse('{"a":"x","__proto__":{"b":1}}'), 'x'],
  ]
  test.each(rendered)('%s', (_, template, variables, output) => {
    expect(renderEveryWay(compileTemplate(template), variables)).toBe(output)
    expect(renderEveryWay(compileTemplate(bytes(template)), variables)).toBe(output)
    expect(render(template, variables)).toBe(output)
  })

  /** UTF-8 offsets: the start of the braces, and the end of the invalid character. */
  const malformed: [title: string, template: string, rule: string, from: number, to: number][] = [
    ['nothing behind the braces', 'ab{{', 'template/unclosed', 2, 4],
    ['the end within a name', 'ab{{name', 'template/unclosed', 2, 8],
    ['one closing brace at the end', '{{a}', 'template/unclosed', 0, 4],
    ['one closing brace', '{{a} }', 'template/unclosed', 0, 4],
    ['no name', 'é{{}}', 'template/empty-name', 2, 5],
    ['a space for a name [adl/D-5]', '{{ }}', 'template/name-start', 0, 3],
    ['a space before the name [adl/D-5]', '{{ a}}', 'template/name-start', 0, 3],
    ['a space behind the name [adl/D-5]', '{{a }}', 'template/name-character', 0, 4],
    ['a digit first [adl/7.2-4]', '{{1a}}', 'template/name-start', 0, 3],
    ['an underscore first [adl/7.2-4]', '{{_a}}', 'template/name-start', 0, 3],
    ['a third brace', '{{{a}}}', 'template/name-start', 0, 3],
    ['a letter beyond ASCII first', '{{é}}', 'template/name-start', 0, 4],
    ['a letter beyond ASCII', '{{a😀}}', 'template/name-character', 0, 7],
    ['a hyphen', '😀{{a-b}}', 'template/name-character', 4, 8],
    ['a dot', '{{a.b}}', 'template/name-character', 0, 4],
    ['a zero byte', '{{a\0}}', 'template/name-character', 0, 4],
    ['a reference within a reference', '{{a{{b}}}}', 'template/name-character', 0, 4],
    ['a backslash within', '{{a\\}}', 'template/name-character', 0, 4],
    ['the neighbours of letters and digits', '{{a@}}', 'template/name-character', 0, 4],
    ['the second of two', '{{a}} {{b', 'template/unclosed', 6, 9],
  ]
  test.each(malformed)('refused: %s', (_, template, rule, offset, endOffset) => {
    for (const source of [template, bytes(template)]) {
      const diagnostics = refusal(() => compileTemplate(source))
      expect(diagnostics).toMatchObject([{ rule, severity: 'error', source: { offset, endOffset, pointer: '' } }])
    }
  })

  test('refuses every byte that names must not contain [adl/D-5]', () => {
    for (let byte = 0; byte < 256; byte++) {
      const template = Uint8Array.of(0x7b, 0x7b, 0x61, byte, 0x7d, 0x7d)
      if (/[A-Za-z0-9_]/.test(String.fromCharCode(byte))) {
        expect(compileTemplate(template).names).toEqual([`a${String.fromCharCode(byte)}`])
      } else if (byte !== 0x7d) {
        expect(() => compileTemplate(template)).toThrow(/DOC-153/)
      }
    }
  })

  const broken: [title: string, hex: string, offset: number][] = [
    ['a continuation byte', '6180', 1],
    ['a cut sequence at the end', '61c3', 1],
    ['an overlong slash', 'c0af', 0],
    ['an overlong sequence of three', 'e08080', 0],
    ['a surrogate', '7b61eda080', 2],
    ['beyond U+10FFFF', 'f4908080', 0],
    ['in the second reference’s text', '7b7b617d7dff', 5],
  ]
  test.each(broken)('not UTF-8: %s', (_, hex, offset) => {
    const template = new Uint8Array(Buffer.from(hex, 'hex'))
    expect(refusal(() => compileTemplate(template))).toMatchObject([{ rule: 'template/utf-8', source: { offset } }])
  })

  test('refuses a lone surrogate in a string template', () => {
    const diagnostics = refusal(() => compileTemplate('é\ud800{{a}}'))
    expect(diagnostics).toMatchObject([{ rule: 'template/utf-8', source: { offset: 2 } }])
  })

  test('lists each name once, in order of first use', () => {
    const template = compileTemplate('{{b}}{{a}}{{b}}{{B}}')
    expect(template.names).toEqual(['b', 'a', 'B'])
    expect(template.uses('b')).toEqual([0, 10])
    expect(template.uses('c')).toEqual([])
  })

  test('reports an undefined variable with all its places, and renders nothing [adl/7.2-7] [adl/7.2-8]', () => {
    const template = compileTemplate('é{{x}}\n{{y}} {{x}}', { file: 'greeting.txt' })
    const diagnostics = refusalEveryWay(template, { y: '' })
    expect(diagnostics).toMatchObject([
      {
        code: 'DOC-155',
        rule: 'template/undefined',
        detail: 'the variable x has no value',
        source: { file: 'greeting.txt', pointer: '/x', offset: 2, endOffset: 7, line: 1, column: 2 },
        related: [{ message: 'also used at line 2, column 7 (offset 14)' }],
      },
    ])
    expect(refusalEveryWay(template, {}).map(({ detail }) => detail)).toEqual([
      'the variable x has no value',
      'the variable y has no value',
    ])
    expect(refusalEveryWay(template, { x: '1', y: undefined as never })).toHaveLength(1)
  })

  test('inherited properties are not variables [adl/7.2-7]', () => {
    for (const name of ['constructor', 'toString', 'valueOf', 'hasOwnProperty']) {
      expect(refusalEveryWay(compileTemplate(`{{${name}}}`), {})).toMatchObject([{ rule: 'template/undefined' }])
      expect(renderEveryWay(compileTemplate(`{{${name}}}`), { [name]: 'own' })).toBe('own')
    }
    expect(refusalEveryWay(compileTemplate('{{a}}'), Object.create({ a: 'x' }))).toHaveLength(1)
    expect(renderEveryWay(compileTemplate('{{a}}'), Object.assign(Object.create(null), { a: 'x' }))).toBe('x')
  })

  const refused: [title: string, value: unknown, detail: string][] = [
    ['null', null, 'v must be a string, number or boolean, got null'],
    ['an object', {}, 'v must be a string, number or boolean, got a value of type object'],
    ['an array', ['x'], 'v must be a string, number or boolean, got an array'],
    ['a function', () => 'x', 'v must be a string, number or boolean, got a value of type function'],
    ['a symbol', Symbol('x'), 'v must be a string, number or boolean, got a value of type symbol'],
    ['a boxed string', new String('x'), 'v must be a string, number or boolean, got a value of type object'],
    ['NaN', Number.NaN, 'v must be a string, number or boolean, got NaN'],
    ['infinity', Number.NEGATIVE_INFINITY, 'v must be a string, number or boolean, got -Infinity'],
    ['a lone high surrogate', 'a\ud83d', 'v holds half of a surrogate pair'],
    ['a lone low surrogate', '\ude00a', 'v holds half of a surrogate pair'],
  ]
  test.each(refused)('refuses a value: %s', (_, value, detail) => {
    const diagnostics = refusalEveryWay(compileTemplate('ab {{v}}'), { v: value } as Variables)
    expect(diagnostics).toMatchObject([{ rule: 'template/value', detail, source: { pointer: '/v', offset: 3 } }])
  })

  test('two adjacent lone surrogates do not become a pair', () => {
    const template = compileTemplate('{{a}}{{b}}')
    expect(refusalEveryWay(template, { a: '\ud83d', b: '\ude00' })).toHaveLength(2)
  })

  test('refuses an output above the limit before building it, and accepts one at the limit', () => {
    const template = compileTemplate('ab{{x}}c{{x}}')
    expect(renderEveryWay(template, { x: 'é' }, { maxBytes: 7 })).toBe('abécé')
    expect(refusalEveryWay(template, { x: 'é' }, { maxBytes: 6 })).toMatchObject([{ rule: 'limit/output' }])
    expect(refusalEveryWay(template, { x: '😀' }, { maxBytes: 10 })).toHaveLength(1)
    expect(renderEveryWay(template, { x: '😀' }, { maxBytes: 11 })).toBe('ab😀c😀')
    expect(refusalEveryWay(template, { x: '' }, { maxBytes: 2 })).toHaveLength(1)
    expect(renderEveryWay(compileTemplate(''), {}, { maxBytes: 0 })).toBe('')
  })

  test('the default limit is 16 MiB', () => {
    const template = compileTemplate('{{x}}'.repeat(1 << 10))
    expect(template.renderView({ x: 'x'.repeat(1 << 14) })).toHaveLength(1 << 24)
    expect(refusalEveryWay(template, { x: 'x'.repeat((1 << 14) + 1) })).toHaveLength(1)
    // 2^26 times 2^14 bytes do not fit 32 bits.
    expect(refusalEveryWay(compileTemplate('{{x}}'.repeat(1 << 18)), { x: 'x'.repeat(1 << 16) })).toHaveLength(1)
  })

  test('options limit the length of values and refuse delimiters in them [adl/18-1] [adl/18-2]', () => {
    const template = compileTemplate('{{x}}')
    expect(renderEveryWay(template, { x: '1234' }, { maxValueLength: 4 })).toBe('1234')
    expect(refusalEveryWay(template, { x: 12345 }, { maxValueLength: 4 })).toMatchObject([{ rule: 'limit/value' }])
    for (const x of ['{{', 'a}}', 'a{{b}}']) {
      expect(refusalEveryWay(template, { x }, { delimiters: 'refuse' })).toMatchObject([{ rule: 'template/delimiter' }])
      expect(renderEveryWay(template, { x }, { delimiters: 'keep' })).toBe(x)
    }
    expect(renderEveryWay(template, { x: '{ } {' }, { delimiters: 'refuse' })).toBe('{ } {')
  })

  test('reads each variable once, in the order of the names, however often it is used', () => {
    const read: string[] = []
    const variables = new Proxy({ a: '1', b: '2' } as Record<string, string>, {
      get: (target, name: string) => {
        read.push(name)
        return target[name]
      },
    })
    expect(compileTemplate('{{b}}{{a}}{{b}}').render(variables)).toBe('212')
    expect(read).toEqual(['b', 'a'])
  })

  test('reads variables of every shape that way, and no other property', () => {
    const read: string[] = []
    const getters = (names: string[]) =>
      Object.defineProperties(
        {},
        Object.fromEntries(
          names.map((name) => [name, { enumerable: true, get: () => String(read.push(name) && name.toUpperCase()) }]),
        ),
      ) as Variables
    const template = compileTemplate('{{b}}{{a}}{{b}}')
    for (const names of [
      ['a', 'b'],
      ['a', 'b'],
      ['b', 'a'],
      ['b', 'a'],
      ['a', 'c', 'b'],
      ['a', 'c', 'b'],
    ]) {
      expect(template.render(getters(names))).toBe('BAB')
      expect(read.splice(0)).toEqual(['b', 'a'])
    }
  })

  test('a getter that renders the same template does not disturb it', () => {
    const template = compileTemplate('{{a}}-{{b}}')
    const variables = {
      a: 'outer',
      get b(): string {
        return template.render({ a: 'inner', b: 'x' })
      },
    }
    expect(renderEveryWay(template, variables)).toBe('outer-inner-x')
  })

  test('the caller owns the bytes, and a view is valid until the next call', () => {
    const template = compileTemplate('{{a}}')
    const own = template.renderBytes({ a: 'first' })
    const view = template.renderView({ a: 'second' })
    expect(new TextDecoder().decode(view)).toBe('second')
    template.renderView({ a: 'third!' })
    expect(new TextDecoder().decode(own)).toBe('first')
    expect(new TextDecoder().decode(view)).toBe('third!')
  })

  test('a template outlives the bytes it was compiled from, and other compilations of the core', () => {
    const source = bytes('é{{a}}')
    const template = compileTemplate(source)
    source.fill(0)
    use()
    expect(renderEveryWay(template, { a: 'x' })).toBe('éx')
    expect(refusalEveryWay(template, {})).toMatchObject([{ source: { offset: 2, column: 2 } }])
  })

  test('more templates than fit into memory at once all keep working', () => {
    const text = 'x'.repeat(1 << 20)
    const templates = Array.from({ length: 40 }, (_, i) => compileTemplate(`${text}${i}{{a}}`))
    for (const round of ['1', '2']) {
      templates.forEach((template, i) => {
        expect(new TextDecoder().decode(template.renderView({ a: round }).subarray(text.length))).toBe(`${i}${round}`)
      })
    }
  })

  test('invalid arguments throw a TypeError or RangeError instead of a finding', () => {
    expect(() => compileTemplate(1 as never)).toThrow(TypeError)
    expect(() => compileTemplate(null as never)).toThrow('template: expected a string or Uint8Array, got null')
    const template = compileTemplate('{{a}}')
    expect(() => template.render(null as never)).toThrow(TypeError)
    expect(() => template.render('a' as never)).toThrow('variables: expected an object, got string')
    for (const maxBytes of [-1, 1.5, Number.NaN, 2 ** 26 + 1]) {
      expect(() => template.render({ a: 'x' }, { maxBytes })).toThrow(RangeError)
    }
  })

  test('messages name what was expected, what was found, and the remedy', () => {
    const [spaced] = refusal(() => compileTemplate('Dear {{ name }},'))
    expect(spaced).toMatchObject({
      detail: 'expected a letter behind {{, found a space',
      fix: { edits: [{ offset: 5, endOffset: 15, text: '{{name}}' }] },
    })
    const [hyphen] = refusal(() => compileTemplate('{{user-name}}'))
    expect(hyphen).toMatchObject({
      detail: 'expected letters, digits, _ and then }}, found `-`',
      fix: { hint: 'write \\{{ for two braces that are no reference' },
    })
    expect(() => compileTemplate('{{name', { file: 'a.txt' })).toThrow(
      'a.txt:1:1: error DOC-150: expected }} behind the name, found the end of the template',
    )
    expect(refusal(() => compileTemplate('{{"a"}}'))[0]!.detail).toContain('found `"`')
  })
})
