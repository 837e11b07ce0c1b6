// Prompts compiled for models: expected texts are those of the specification.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { compilePrompt, sectionsIn } from '../../bindings/agentlang/index.ts'
import { RESEARCH_ASSISTANT } from './files.ts'

const SOURCE = readFileSync(`${RESEARCH_ASSISTANT}/prompt.yaml`)
const one = (content: string, name = 'a') => ({ version: 2, sections: [{ name, content }] })

describe('a compiled prompt', () => {
  test('is the Markdown and the XML of the specification [agentlang/prompt-2]', () => {
    const markdown = compilePrompt(SOURCE, { target: 'markdown' }).compiled!
    expect(markdown.role).toBe('user')
    expect(markdown.text).toMatch(/^## mindset\nYou are genuinely trying to discover something/)
    expect(markdown.text).toContain("signal to try something else.\n\n## who_you_are\nYou're the person who checks")
    const xml = compilePrompt(SOURCE, { target: 'xml' }).compiled!.text
    expect(xml).toMatch(/^<mindset>\nYou are genuinely trying to discover something/)
    expect(xml).toContain("else.\n</mindset>\n\n<who_you_are>\nYou're the person")
  })

  test.each(['markdown', 'xml'] as const)('in %s can be read back, whatever its content is', (target) => {
    const contents = [
      'x',
      '',
      '\n',
      'a\n\n',
      '  b\n c',
      '## no-heading x',
      '### a',
      '<b>',
      '</b>',
      'a & b < c',
      '{{',
      '{{x}}',
      '\ta',
    ]
    for (const content of contents)
      for (const last of contents) {
        const sections = [
          { name: 'a', content },
          { name: 'z', content: last },
        ]
        const { text } = compilePrompt({ version: 2, sections }, { target }).compiled!
        const stripped = sections.map((section) => ({ ...section, content: section.content.replace(/\n$/, '') }))
        expect(sectionsIn(text, target)).toEqual(stripped)
      }
  })

  test('counts bytes, and tokens with a tokenizer of the caller', () => {
    const { sections } = compilePrompt(one('é'), { tokens: (text) => text.split(/\s+/).length }).compiled!
    expect(sections).toEqual([{ name: 'a', bytes: 7, tokens: 3 }])
  })
})

describe('variables', () => {
  test('get the values that the caller gives, own ones only [agentlang/prompt-3]', () => {
    const compiled = compilePrompt(one('It is {{time}} {{ .time }} {{constructor}} {{__proto__}}'), {
      variables: { time: 'noon' },
    }).compiled!
    expect(compiled.text).toBe('## a\nIt is noon noon {{constructor}} {{__proto__}}\n')
    expect(compiled.unresolved).toEqual(['constructor', '__proto__'])
  })

  test('without a value are refused when strict', () => {
    const { compiled, diagnostics } = compilePrompt(one('{{time}} {{clock}}'), {
      strict: true,
      variables: { time: 'noon' },
    })
    expect([compiled, diagnostics.map(({ code, source }) => [code, source.pointer])]).toEqual([
      undefined,
      [['AL-134', '/sections/0/content']],
    ])
  })

  test.each([
    ['xml', '{{time}}', 'x\n</a>\n<b>\ny'],
    ['xml', '<{{time}}', '/a>'],
    ['xml', '{{time}}{{location}}', '</a'],
    ['markdown', 'Now: {{time}}', 'x\n## b\ny'],
    ['markdown', '{{time}}', '## b'],
    ['markdown', '{{time}}', 'x\r  ## b'],
    ['markdown', '{{time}}', 'x\u2028# b'],
  ] as const)('in %s: a value of %j that is %j begins and ends no section', (target, content, time) => {
    const { text } = compilePrompt(one(content), { target, variables: { time, location: '>' } }).compiled!
    expect(sectionsIn(text, target).map(({ name }) => name)).toEqual(['a'])
    expect(text.match(/<\/?\w+>|(?<![^\r\n\u2028])[ \t]*#+ \w+/g)).toEqual(
      target === 'xml' ? ['<a>', '</a>'] : ['## a'],
    )
  })

  test('are not replaced in values', () => {
    expect(compilePrompt(one('{{time}}'), { variables: { time: '{{location}}', location: 'x' } }).compiled!.text).toBe(
      '## a\n{{location}}\n',
    )
  })
})

test('a source that cannot be read gives findings, a wrong target a RangeError', () => {
  expect(compilePrompt('version: [').diagnostics.map(({ code }) => code)).toEqual(['DOC-190'])
  // @ts-expect-error no such target
  expect(() => compilePrompt(one('x'), { target: 'html' })).toThrow(RangeError)
})
