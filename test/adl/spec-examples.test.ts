// Every JSON example of the specification does what the text around it says. The examples are read in place, never
// copied.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  decide,
  formatErrors,
  renderPrompt,
  runtimePolicy,
  validate as validateAgent,
} from '../../bindings/adl/index.ts'
import { readDiscovery } from '../../bindings/discover/index.ts'
import { validate } from '../../bindings/index.ts'
import { SUITES } from '../support/suites.ts'
import { CLEAN, findings, NOW, told } from './support.ts'

const SPEC = resolve(SUITES, '../specs/1-adl-0.1.txt')
const EXAMPLES = resolve(process.env['BLAZON_DATA'] ?? '../shared/data', 'adl')
const hasSpec = existsSync(SPEC)
const hasExamples = existsSync(EXAMPLES)
if (!hasSpec) console.warn('NOT RUN: the examples in the text of ADL: absent from ../shared/specs')
if (!hasExamples) console.warn('NOT RUN: the example documents of ADL: absent from ../shared/data')

/** The sections with examples, in the order of the text, which has lost its headings. Those of 16.3 are errors. */
const SECTIONS = [
  '4.3',
  '5.6',
  '6.3',
  '6.4',
  '7.2',
  '8.1',
  '8.2',
  '8.3',
  '9.6',
  '10.3',
  '10.4',
  '11.4',
  '12.5',
  '13',
  '16.1',
]

/** An example begins after a line `json` and ends before a lone pilcrow. Those of 16.3 have a comment. */
function examples(): Record<string, unknown>[] {
  const blocks = readFileSync(SPEC, 'utf8')
    .split(/^json$/m)
    .slice(1)
  return blocks.map((block) => JSON.parse(block.split(/^¶$/m)[0]!.replace(/^\/\/.*$/m, '')))
}

const at = (date: string) => ({ now: new Date(date) })
const CONFIDENTIAL = { data_classification: { sensitivity: 'confidential' } }

describe.runIf(hasSpec)('the example of section', () => {
  const all = hasSpec ? examples() : []
  const of = Object.fromEntries(SECTIONS.map((section, i) => [section, all[i]!]))
  const within = (section: string) => ({ ...CLEAN, ...CONFIDENTIAL, ...of[section] })
  const source = (section: string) => JSON.stringify(within(section))

  test('are as many as expected', () => expect(all.length).toBe(SECTIONS.length + 7))

  test.each(['4.3', '5.6', '6.3', '7.2', '8.1', '8.2', '8.3', '9.6', '10.3', '10.4', '11.4', '12.5'])(
    '%s is valid and has no findings',
    (section) => expect(told(within(section))).toEqual([]),
  )

  test('[adl/4.3-3] [adl/4.3-4] 4.3 needs no profile for x_ members, at the root and in model', () => {
    const { x_acme_internal_id: _, ...rest } = of['4.3']!
    expect(told({ ...within('4.3'), acme_internal_id: 1 })).toEqual(['undefined-member /acme_internal_id'])
    expect(told({ ...rest, $schema: CLEAN.$schema })).toEqual([])
  })

  test('[adl/5.6-6] [adl/5.6-25] 5.6 gets a warning within 30 days of its sunset, and after it', () => {
    const rules = (date: string) => told(of['5.6']!, at(date))
    expect(rules('2026-07-01T23:59:59Z')).toEqual([])
    expect(rules('2026-07-02T00:00:00Z')).toEqual(['sunset-soon /lifecycle/sunset_date'])
    expect(rules('2026-08-02T00:00:00Z')).toEqual(['sunset-past /lifecycle/sunset_date'])
  })

  test('[adl/6.4-2] 6.4 is a discovery document of two agents', () => {
    const { entries, diagnostics } = readDiscovery(JSON.stringify(of['6.4']))
    expect(diagnostics).toEqual([])
    expect(entries.map(({ name }) => name)).toEqual(['Invoice Processor', 'Research Assistant'])
    expect(validate(JSON.stringify(of['6.4']))).toMatchObject({ valid: true, kind: 'adl-discovery' })
  })

  test('[adl/7.2-3] 7.2 renders with its variables', () => {
    const { text } = renderPrompt(source('7.2'))
    expect(text).toBe('You are a helpful assistant for Acme Corp. Today is 2026-02-18.')
  })

  test('[adl/10.4-6] 8.1 and 8.2 require an agent that is as confidential as they are', () => {
    expect(told(of['8.1']!)).toEqual(['VAL-28 /tools/0/data_classification/sensitivity'])
    expect(told(of['8.2']!)).toEqual(['VAL-28 /resources/0/data_classification/sensitivity'])
  })

  test('[adl/8.3-2] 8.3 renders with its arguments', () => {
    const variables = { reviewer_role: 'an auditor', invoice_text: 'INV-001', threshold: 1000 }
    expect(renderPrompt(source('8.3'), { prompt: 'summarize_invoice', variables }).text).toBe(
      'Summarize the following invoice for an auditor:\n\nINV-001\n\nHighlight amounts over 1000.',
    )
  })

  test.each([
    [{ domain: 'network', host: 'api.acme.example.com', port: 443, protocol: 'https', address: '93.184.216.34' }, true],
    [{ domain: 'network', host: 'a.storage.example.com', port: 80, protocol: 'https' }, false],
    [{ domain: 'network', host: 'a.b.storage.example.com' }, false],
    [{ domain: 'filesystem', path: '/data/invoices/2026/1.pdf', access: 'read' }, true],
    [{ domain: 'filesystem', path: '/data/invoices/2026/1.pdf', access: 'write' }, false],
    [{ domain: 'filesystem', path: '/tmp/processing/a/secrets', access: 'read' }, false],
    [{ domain: 'environment', variable: 'APP_PORT' }, true],
    [{ domain: 'environment', variable: 'APP_SECRET_KEY' }, false],
    [{ domain: 'execution', command: 'jq' }, true],
    [{ domain: 'execution', command: 'curl' }, false],
  ] as const)('[adl/9.1-1] [adl/9.1-8] 9.6 decides %j: %s', (request, allowed) => {
    expect(decide(source('9.6'), request as never, { now: NOW })).toMatchObject({ allowed })
  })

  test('[adl/10.3-2] 10.3 gets a warning within 30 days of its expiry', () => {
    expect(told(of['10.3']!, at('2026-12-02T00:00:00Z'))).toEqual([
      'attestation-expiry /security/attestation/expires_at',
    ])
    expect(told(of['10.3']!, at('2026-12-01T23:59:59Z'))).toEqual([])
  })

  test('[adl/10.4-6] 10.4 satisfies the high-water mark, but not on a lower level', () => {
    const lower = { ...(of['10.4']!['data_classification'] as object), sensitivity: 'internal' }
    expect(told({ ...of['10.4'], data_classification: lower })).toEqual([
      'VAL-28 /tools/0/data_classification/sensitivity',
    ])
  })

  test('[adl/11.3-22] 11.4 retries twice, after half a second and one second, and then returns an error', () => {
    const policy = runtimePolicy(source('11.4'))
    expect(policy.delays()).toEqual([500, 1000])
    expect(policy.afterFailure(3)).toMatchObject({ message: 'Invoice processing temporarily unavailable.' })
  })

  test('[adl/13-2] 13 declares two profiles whose requirements it does not satisfy', () => {
    const errors = findings(of['13']!).filter(({ severity }) => severity === 'error')
    expect(new Set(errors.map(({ code, source }) => `${code} ${source.pointer}`))).toEqual(
      new Set(['ADL-3001 /profiles/0', 'ADL-3001 /profiles/1']),
    )
  })

  test('[adl/16.1-1] 16.1 has the members of our errors', () => {
    const [example] = of['16.1']!['errors'] as [Record<string, unknown>]
    const [error] = formatErrors(validateAgent('{"tools": [')).errors
    expect(Object.keys(error!)).toEqual(Object.keys(example))
    expect(error!.code).toBe(example['code'])
    expect(error!.source).toHaveProperty('pointer')
  })

  test('[adl/16.2-1] 16.3 has one code of each category', () => {
    expect(all.slice(SECTIONS.length).map(({ code }) => code)).toEqual(
      [1003, 2002, 2016, 2023, 3001, 4001, 5002].map((number) => `ADL-${number}`),
    )
  })
})

describe.runIf(hasExamples)('the example documents are valid', () => {
  const files = hasExamples
    ? readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' }).filter((file) =>
        /(?<!schema-[\d.-]+)\.(json|yaml)$/.test(file),
      )
    : []

  test('[adl/14.2-1] are three of the core and four of profiles', () => expect(files.length).toBe(7))

  test.each(files)('[adl/13-2] [adl/14.2-1] %s', (file) => {
    const { valid, kind, diagnostics } = validate(readFileSync(join(EXAMPLES, file)), { file, now: NOW })
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    expect([valid, kind]).toEqual([true, 'adl'])
  })
})
