import { describe, expect, it } from 'vitest'
import { runtimePolicy } from '../../bindings/adl/index.ts'
import { stripHtml } from '../../bindings/policy/runtime-policy.ts'
import { processorTime } from '../support/effort.ts'
import { random } from '../support/random.ts'
import { ODD_VALUES, placesOf, replaced } from './profiles/odd-values.ts'

/** The example of ADL 11. */
const EXAMPLE = {
  input_handling: {
    max_input_length: 32768,
    content_types: ['text/plain', 'application/json'],
    sanitization: { enabled: true, strip_html: true },
  },
  output_handling: { format: 'json', max_output_length: 8192, streaming: false },
  tool_invocation: {
    parallel: true,
    max_concurrent: 3,
    timeout_ms: 30000,
    retry_policy: { max_retries: 2, backoff_strategy: 'exponential', initial_delay_ms: 500, max_delay_ms: 5000 },
  },
  error_handling: {
    on_tool_error: 'retry',
    max_retries: 2,
    fallback_behavior: { action: 'return_error', message: 'Invoice processing temporarily unavailable.' },
  },
}
const of = (runtime: unknown, more: object = {}) => runtimePolicy({ runtime, ...more } as never)

it('[adl/11-1] is the example of section 11', () => {
  const { input, output, tools, delays, afterFailure } = of(EXAMPLE)
  expect(input).toEqual({ maxLength: 32768, contentTypes: ['text/plain', 'application/json'], stripHtml: true })
  expect(output).toEqual({ maxLength: 8192, format: 'json', mediaType: 'application/json', streaming: false })
  expect(tools).toEqual({ maxConcurrent: 3, timeoutMs: 30000, maxRetries: 2 })
  expect(delays()).toEqual([500, 1000])
  expect([1, 2, 3].map(afterFailure)).toEqual([
    { action: 'retry', delayMs: 500 },
    { action: 'retry', delayMs: 1000 },
    { action: 'return_error', message: 'Invoice processing temporarily unavailable.' },
  ])
})

describe('input', () => {
  const input = (input_handling: object) => of({ input_handling }).checkInput

  it('[adl/11.1-20] is limited by the lower of the two limits, in characters', () => {
    const both = input({ max_input_length: 5, sanitization: { max_input_length: 3 } })
    expect(both('abc')).toEqual({ accepted: true, text: 'abc' })
    expect(both('😀😀😀')).toMatchObject({ accepted: true })
    expect(both('abcd')).toEqual({
      accepted: false,
      reason: 'longer than 3 characters',
      decidedBy: '/runtime/input_handling/sanitization/max_input_length',
    })
    expect(both('😀😀😀😀').accepted).toBe(false)
    // Disabled sanitization strips nothing, but a declared limit still applies.
    const off = input({ max_input_length: 9, sanitization: { enabled: false, max_input_length: 5, strip_html: true } })
    expect(off('<b>ab')).toEqual({ accepted: true, text: '<b>ab' })
    expect(off('<b>abc')).toMatchObject({ decidedBy: '/runtime/input_handling/sanitization/max_input_length' })
    const own = input({ max_input_length: 5, sanitization: { enabled: false, max_input_length: 9 } })
    expect(own('abcdef')).toMatchObject({ decidedBy: '/runtime/input_handling/max_input_length' })
    expect(input({ sanitization: { max_input_length: 3 } })('abcd').accepted).toBe(false)
  })

  it('[adl/11.1-21] has one of the content types, regardless of case and parameters', () => {
    const json = input({ content_types: ['Application/JSON; charset=utf-8'] })
    expect(json('{}', 'application/json').accepted).toBe(true)
    expect(json('{}', 'APPLICATION/JSON ; v=1').accepted).toBe(true)
    expect(json('{}')).toMatchObject({ accepted: false, decidedBy: '/runtime/input_handling/content_types' })
    expect(input({ content_types: [] })('a').accepted).toBe(false)
    expect(input({ content_types: 'text/plain' })('a').accepted).toBe(false)
    expect(input({})('a', 'anything').accepted).toBe(true)
  })

  it('is refused when a limit is invalid', () => {
    for (const odd of [0, -1, 1.5, '10', null, [], {}]) {
      expect(input({ max_input_length: odd })('a').accepted).toBe(false)
    }
  })
})

describe('[adl/11.1-22] HTML', () => {
  it.each([
    ['plain', 'plain'],
    ['a <b class="x">bold</b> word', 'a bold word'],
    ['1 < 2 && 3 > 2, x<3', '1 < 2 && 3 > 2, x<3'],
    ['<a title="a > b" href=\'>\'>link</a>', 'link'],
    ['<a title = "a > b">link', 'link'],
    ['<p>say "<i>hi</i>"</p>', 'say "hi"'],
    ['a<!-- <b> -- > -->b', 'ab'],
    ['a<!-->b', 'ab'],
    ['<!DOCTYPE html><?xml version="1.0"?>x', 'x'],
    ['&lt;b&gt; stays', '&lt;b&gt; stays'],
    ['unclosed <a href="x', 'unclosed '],
    ['unclosed <!-- x', 'unclosed '],
    ['</ p>x</>y', 'xy'],
    ['a <', 'a '],
  ])('%j gives %j', (text, expected) => {
    expect(stripHtml(text)).toBe(expected)
  })

  it.each([
    '<scr<b>ipt>alert(1)</scr</b>ipt>',
    '<<b>script>alert(1)<<b>/script>',
    '<<<<b></b>script>',
    '<<!-- -->img src=x onerror=alert(1)>',
    '<<b></b>!-- <<i>!-- x',
    '<<?x>?php',
    '<a"><script>x</script>',
    '<img alt="><script>alert(1)</script>">',
    "<a b='\"'><script>",
    '<<',
    '<b',
    '<',
    '<\n<b>script>',
  ])('%j leaves no tag', (text) => {
    expect(stripHtml(text)).not.toMatch(/<[a-z/!?]/i)
  })

  it('random parts never form a tag, and stripping twice changes nothing', () => {
    const next = random(11)
    const pieces = [
      '<',
      '>',
      '<b>',
      '</b>',
      '<!--',
      '-->',
      '"',
      "'",
      '=',
      'a',
      '/',
      '!',
      '?',
      ' ',
      'script',
      '<a b="',
      '\n',
      '&lt;',
    ]
    const draw = () => Array.from({ length: 12 }, () => pieces[Math.floor(next() * pieces.length)]!).join('')
    for (let i = 0; i < 20_000; i++) {
      const [a, b] = [draw(), draw()]
      const [strippedA, strippedB] = [stripHtml(a), stripHtml(b)]
      expect(stripHtml(strippedA)).toBe(strippedA)
      if (/<[a-z/!?]/i.test(strippedA + strippedB)) throw new Error(`${JSON.stringify(a)} and ${JSON.stringify(b)}`)
    }
  })

  it.each(['<', '<b', '<!--', '<a b="', '<a =', '<<b>', '"<', "='", '<?', '</'])(
    'a megabyte of %j is fast',
    (piece) => {
      const text = piece.repeat(2 ** 20 / piece.length)
      const start = processorTime()
      stripHtml(text)
      expect(processorTime() - start).toBeLessThan(1500)
    },
  )
})

describe('output', () => {
  const output = (output_handling: object) => of({ output_handling })

  it('[adl/11.2-20] is limited in length', () => {
    expect(output({ max_output_length: 3 }).checkOutput('abcd')).toEqual({
      accepted: false,
      reason: 'longer than 3 characters',
      decidedBy: '/runtime/output_handling/max_output_length',
    })
    expect(output({}).checkOutput('a'.repeat(100_000)).accepted).toBe(true)
  })

  it('[adl/11.2-21] must have the declared format', () => {
    expect(output({ format: 'json' }).checkOutput('{"a": 1}').accepted).toBe(true)
    expect(output({ format: 'json' }).checkOutput('{a: 1}')).toMatchObject({ reason: 'the output is not JSON' })
    const types = ['text', 'json', 'markdown', 'html', 'pdf', undefined].map(
      (format) => output({ format, streaming: true }).output.mediaType,
    )
    expect(types).toEqual(['text/plain', 'application/json', 'text/markdown', 'text/html', undefined, undefined])
  })
})

describe('tools', () => {
  const retry = (retry_policy: object, error_handling: object = {}) =>
    of({ tool_invocation: { retry_policy }, error_handling })

  it('[adl/11.3-20] run one at a time unless the document allows parallel calls', () => {
    const most = (tool_invocation: object, max_concurrent?: unknown) =>
      of({ tool_invocation }, { permissions: { resource_limits: { max_concurrent } } }).tools.maxConcurrent
    expect(most({})).toBe(1)
    expect(most({ max_concurrent: 5 })).toBe(1)
    expect(most({ parallel: false, max_concurrent: 5 })).toBe(1)
    expect(most({ parallel: true })).toBe(Number.POSITIVE_INFINITY)
    expect(most({ parallel: true, max_concurrent: 5 })).toBe(5)
    expect(most({ parallel: true, max_concurrent: 5 }, 2)).toBe(2)
    expect(most({ parallel: true, max_concurrent: 'many' })).toBe(1)
  })

  it('[adl/11.3-21] have a timeout each', () => {
    const timeouts = [undefined, 0, 1, 30000, 1e300, -5, '5'].map(
      (timeout_ms) => of({ tool_invocation: { timeout_ms } }).tools.timeoutMs,
    )
    expect(timeouts).toEqual([undefined, undefined, 1, 30000, 0x7fffffff, undefined, undefined])
  })

  it.each([
    ['fixed', [100, 100, 100, 100, 100]],
    ['linear', [100, 200, 300, 400, 450]],
    ['exponential', [100, 200, 400, 450, 450]],
    [undefined, [100, 100, 100, 100, 100]],
    ['fibonacci', [100, 100, 100, 100, 100]],
  ])('[adl/11.3-22] wait %s, capped', (backoff_strategy, expected) => {
    const { delays } = retry({ max_retries: 5, backoff_strategy, initial_delay_ms: 100, max_delay_ms: 450 })
    expect(delays()).toEqual(expected)
  })

  it('[adl/11.3-23] are retried as often as the lower of the two counts allows', () => {
    const count = (policy?: unknown, errors?: unknown, on_tool_error?: string) =>
      retry({ max_retries: policy }, { max_retries: errors, on_tool_error }).tools.maxRetries
    expect(count(5, 2)).toBe(2)
    expect(count(1, 2)).toBe(1)
    expect(count(5)).toBe(5)
    expect(count(undefined, 2)).toBe(2)
    expect(count(0, 9)).toBe(0)
    expect(count()).toBe(0)
    expect(count(undefined, undefined, 'retry')).toBe(1)
    expect(count(1e15)).toBe(1000)
    expect(count('3')).toBe(0)
  })

  it('never wait longer than a timer allows', () => {
    const { delays } = retry({ max_retries: 1e9, backoff_strategy: 'exponential', initial_delay_ms: 1e9 })
    expect(delays()).toHaveLength(1000)
    expect(delays().at(-1)).toBe(0x7fffffff)
  })
})

describe('[adl/11.4-20] after the last retry', () => {
  const last = (error_handling: object) => of({ error_handling }).afterFailure(1000)
  const fallback_behavior = { action: 'use_default', default: { a: null }, message: 'Later.' }

  it.each<[object, object]>([
    [{}, { action: 'abort' }],
    [{ on_tool_error: 'abort', fallback_behavior }, { action: 'abort' }],
    [{ on_tool_error: 'continue', fallback_behavior }, { action: 'continue' }],
    [{ on_tool_error: 'retry' }, { action: 'abort' }],
    [
      { on_tool_error: 'retry', fallback_behavior },
      { action: 'use_default', value: { a: null }, message: 'Later.' },
    ],
    [{ fallback_behavior: { action: 'use_default' } }, { action: 'use_default', value: null }],
    [{ fallback_behavior: { action: 'skip', message: 7 } }, { action: 'skip' }],
    [{ fallback_behavior: { action: 'panic' } }, { action: 'abort' }],
  ])('%j ends in %j', (error_handling, expected) => {
    expect(last(error_handling)).toEqual(expected)
  })
})

describe('any document and any argument', () => {
  it('a document that cannot be read accepts nothing', () => {
    const policy = runtimePolicy('[]')
    expect(policy.checkInput('a')).toMatchObject({ accepted: false, decidedBy: '' })
    expect(policy.checkOutput('a').accepted).toBe(false)
    expect([policy.delays(), policy.afterFailure(1)]).toEqual([[], { action: 'abort' }])
  })

  it('odd values at every place give a policy', () => {
    for (const path of placesOf(EXAMPLE)) {
      for (const odd of ODD_VALUES) {
        const policy = runtimePolicy(`{"runtime": ${replaced(EXAMPLE, path, odd)}}`)
        expect(typeof policy.checkInput('<b>a', 'text/plain').accepted).toBe('boolean')
        expect(typeof policy.checkOutput('{}').accepted).toBe('boolean')
        expect(policy.delays().length).toBe(policy.tools.maxRetries)
        expect(policy.delays().every((delay) => delay >= 0 && delay <= 0x7fffffff)).toBe(true)
        expect(policy.tools.maxConcurrent).toBeGreaterThanOrEqual(1)
      }
    }
  })

  it('invalid arguments throw', () => {
    const { checkInput, checkOutput, afterFailure } = of({})
    expect(() => checkInput(1 as never)).toThrow(/^text: /)
    expect(() => checkInput('a', null as never)).toThrow(/^contentType: /)
    expect(() => checkOutput(undefined as never)).toThrow(/^text: /)
    for (const failures of [0, -1, 1.5, '1']) expect(() => afterFailure(failures as never)).toThrow(/^failures: /)
  })
})
