// Values of grants in every form in which programs pass them on. The forms come from Node and from the shell.
import { describe, expect, test } from 'vitest'
import { Redactor } from '../../../bindings/agentlang/run/redactor.ts'
import { memorySink } from '../../../bindings/runs/index.ts'
import { createRecorder } from '../../../bindings/runs/record/recorder.ts'
import { processorTime } from '../../support/effort.ts'
import { ran, toolOf } from './agents.ts'

const SECRETS = [
  'hunter2-hunter2',
  'p"a\\ss/w%rd ü👍 +=&',
  '48151623',
  'abcde',
  'line one\nline two\nline three',
  'xy%41z%zz',
  'K'.repeat(64),
]
const wrapped = (text: string, width: number, by: string) => text.replace(new RegExp(`.{${width}}`, 'g'), `$&${by}`)
const escaped = (text: string) =>
  Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')
const percent = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
const json = (text: string) => JSON.stringify(text).slice(1, -1)

/** The forms, each with what stays visible of it. */
function formsOf(value: string): readonly (readonly [form: string, text: string])[] {
  const bytes = Buffer.from(value)
  const based = ['', 'a', 'bc', 'def'].flatMap((before) =>
    (['base64', 'base64url'] as const).map((form) => Buffer.from(`${before}${value} and more`).toString(form)),
  )
  return [
    ['itself', value],
    ['a part', `the value is ${value}, so`],
    ['URL-encoded', encodeURIComponent(value)],
    ['a form', new URLSearchParams({ value }).toString()],
    ['twice URL-encoded', encodeURIComponent(encodeURIComponent(value))],
    ['each byte URL-encoded', percent(value)],
    ['each byte URL-encoded in capitals', percent(value).toUpperCase().replaceAll('%U', '%u')],
    ['JSON', json(value)],
    ['JSON in JSON', json(json(value))],
    ['JSON in a URL', encodeURIComponent(json(value))],
    ['JSON with escaped slashes', json(value).replaceAll('/', '\\/')],
    ['escapes of JSON', escaped(value)],
    ['hex', bytes.toString('hex')],
    ['hex in capitals', bytes.toString('hex').toUpperCase()],
    ['hex with colons', wrapped(bytes.toString('hex'), 2, ':')],
    ['hex in lines', wrapped(bytes.toString('hex'), 32, '\n')],
    ...based.map((text) => ['base64', text] as const),
    ...based.map((text) => ['base64 in lines', wrapped(text, 76, '\n')] as const),
    ...based.map((text) => ['base64 in short lines, as JSON', json(wrapped(text, 8, '\r\n'))] as const),
    ...based.map((text) => ['base64 in a URL', encodeURIComponent(text)] as const),
    ['base64 of JSON', Buffer.from(JSON.stringify({ value })).toString('base64')],
    ['hex of JSON', Buffer.from(JSON.stringify({ value })).toString('hex')],
  ]
}

/** The digits of base64 that only the value decides; computed from bits, not from an encoder. */
function isReadable(text: string, value: string): boolean {
  const plain = text.replace(/[\s:]|\\[rn]|%0[AD]/gi, '')
  const isIn = (one: string) => one.includes(value) || one.toLowerCase().includes(Buffer.from(value).toString('hex'))
  if (isIn(text) || isIn(plain)) return true
  return [0, 1, 2, 3].some((skip) =>
    (plain.match(/[\w+/-]{6,}/g) ?? []).some((run) => Buffer.from(run.slice(skip), 'base64').includes(value)),
  )
}

describe('a redactor', () => {
  test.each(SECRETS.map((value) => [value] as const))('leaves %j in no form', (value) => {
    const redactor = new Redactor({ KEY: value })
    for (const [form, text] of formsOf(value)) {
      const clean = redactor.clean({ a: [`<${text}>`], [text]: text })
      expect(JSON.stringify(clean), form).toContain('[KEY]')
      expect(isReadable(redactor.clean(text), value), `${form}: ${text}`).toBe(false)
    }
  })

  test('leaves the rest of a text as it was', () => {
    const redactor = new Redactor({ KEY: 'hunter2-hunter2', LONGER: 'my hunter2-hunter2!' })
    const text = 'a%20b \\n 100% c:\\temp "my hunter2-hunter2!" %68unter2-hunter2 end\\'
    expect(redactor.clean(text)).toBe('a%20b \\n 100% c:\\temp "[LONGER]" [KEY] end\\')
    expect(redactor.clean('nothing %41 \\u0041 of it')).toBe('nothing %41 \\u0041 of it')
  })

  test('hides numbers, and no other ones', () => {
    const redactor = new Redactor({ PIN: '48151623', ZEROS: '0012345', LONG: '12345678901234567890' })
    const values = [
      48151623,
      -48151623,
      148151623,
      12345,
      '12345678901234567890',
      Number('12345678901234567890'),
      7,
      true,
    ]
    expect(redactor.clean(values)).toEqual(['[PIN]', '-[PIN]', '1[PIN]', '[ZEROS]', '[LONG]', '[LONG]', 7, true])
  })

  test('hides a value of four characters', () => {
    for (const text of ['abcd', 'xabcdx', '%61bcd', '61626364', Buffer.from('abcd').toString('base64'), 'a\\u0062cd'])
      expect(new Redactor({ KEY: 'abcd' }).clean(text)).toContain('[KEY]')
  })

  test('refuses a value that is too short to be hidden', () => {
    expect(() => new Redactor({ DEBUG: 'yes' })).toThrow(RangeError)
    expect(() => new Redactor({ DEBUG: '  1  ' })).toThrow(/^DEBUG: /)
    expect(new Redactor({ EMPTY: '' }).clean('a')).toBe('a')
  })

  test.each([
    ['of escapes', (n: number) => '%25'.repeat(n)],
    ['of backslashes', (n: number) => '\\'.repeat(n)],
    ['of the start of a value', (n: number) => 'hunter2-'.repeat(n)],
    ['of a value', (n: number) => 'hunter2-hunter2'.repeat(n)],
    ['of spaces', (n: number) => ' :'.repeat(n)],
    ['of escaped bytes', (n: number) => '%f0'.repeat(n)],
  ])('works in linear time on a text %s', (_, text) => {
    const redactor = new Redactor({ KEY: 'hunter2-hunter2', OTHER: 'x'.repeat(3000) })
    const [few, many] = [text(20_000), text(160_000)]
    const costOf = (one: string) => {
      const before = processorTime()
      redactor.clean(one)
      return processorTime() - before
    }
    costOf(few)
    expect(costOf(many)).toBeLessThan(40 * Math.max(costOf(few), 10))
  })
})

describe('a run', () => {
  const KEY = 'hunter2-hunter2'
  const files = {
    'agent.yaml': `name: lead\ntools: [{ name: delegate }, { name: look }, { name: artifacts }]\nagents: [{ path: b.yaml }]\n`,
    'b.yaml': 'name: helper\ndescription: Helps\n',
  }

  test('shows a granted value on no path: prompt, delegate, thought, call, result, artifact, answer', async () => {
    const base64 = Buffer.from(`x${KEY}y`).toString('base64')
    const sink = memorySink()
    const recorder = await createRecorder({ tenant_id: 't', agent: { agent_id: 'lead' } }, { sink })
    const saved: string[] = []
    const artifacts = { save: async (...texts: string[]) => void saved.push(...texts), names: [] as string[] }
    const turns = [
      {
        agent: 'lead',
        thought: `I saw ${KEY}`,
        calls: [
          { tool: 'look', input: { q: KEY, [KEY]: 1 } },
          { tool: `no ${KEY}`, input: {} },
          { tool: 'artifacts', input: { action: 'save', name: `${KEY}.md`, content: base64 } },
        ],
      },
      { agent: 'lead', calls: [{ tool: 'delegate', input: { agent: 'helper', task: `Use ${KEY}` } }] },
      { agent: 'helper', text: `I used ${encodeURIComponent(KEY)} and ${KEY}` },
      { agent: 'lead', text: `It is ${KEY} or ${base64}.` },
    ]
    const seen: unknown[] = []
    const look = toolOf('look', (input) => {
      seen.push(input)
      return { page: base64, code: Buffer.from(KEY).toString('hex') }
    })
    const result = await ran(files, turns, {
      tools: () => [look],
      artifacts: artifacts as never,
      recorder,
      secrets: { KEY },
      prompt: `Take ${KEY}`,
    } as never)
    expect(result.status).toBe('completed')
    // A tool gets what the model wrote.
    expect(seen).toEqual([{ q: KEY, [KEY]: 1 }])
    const record = new TextDecoder().decode(sink.read(recorder.runId).stream)
    for (const text of [JSON.stringify(result), record, saved.join()]) {
      expect(text).toContain('[KEY]')
      expect(isReadable(text, KEY)).toBe(false)
      expect(text).not.toContain(base64.slice(2, -3))
    }
    expect(result.output).toMatch(/^It is \[KEY\] or [\w+/]{1,3}\[KEY\][\w+/=]{1,4}\.$/)
  })

  test('shows it in no error', async () => {
    const model = { turn: () => Promise.reject(new Error(`401 for ${KEY}`)) }
    const { reason } = await ran('name: a\n', [], { model, secrets: { KEY } })
    expect(reason).toBe('the model failed: 401 for [KEY]')
  })
})
