// The two main formats: definitions as cards, and cards as definitions.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { validate } from '../../bindings/adl/index.ts'
import type { ConvertOptions } from '../../bindings/convert/formats.ts'
import { type ConvertFormat, convert } from '../../bindings/convert/index.ts'
import { canonicalizeValue } from '../../bindings/core/value.ts'
import { arbitraryCard, EXAMPLE, MINIMAL, RICH } from './cards.ts'
import { at, FULL, type Json, published, uncovered } from './samples.ts'

const ID = 'agent://invoices'
const CLASSIFICATION = { sensitivity: 'internal' } as const
const canonical = (value: unknown) => new TextDecoder().decode(canonicalizeValue(value))

function make(source: Json, to: ConvertFormat, options: ConvertOptions = {}) {
  const { document, loss, diagnostics } = convert(JSON.stringify(source), { to, ...options })
  if (document === undefined) throw new Error(JSON.stringify(diagnostics))
  return { document, value: document.value as Json, loss, diagnostics }
}

describe('a definition becomes a card', () => {
  test('[card/1.3-2] with its tools, tags and DID, and the endpoint of the caller', () => {
    const url = 'https://agents.acme.example.com/invoices'
    const { value, loss } = make(FULL, 'card', { id: ID, url, carry: 'nothing' })
    expect(value).toMatchObject({
      id: ID,
      did: 'did:web:acme.example.com:agents:invoice-processor',
      name: 'Invoice Processor',
      description: 'Processes and routes invoices.',
      version: '2.0.0',
      skills: ['finance', 'invoice'],
      endpoints: [{ protocol: 'http+json', uri: url, auth: 'bearer' }],
    })
    expect((value['tools'] as Json[])[0]).toEqual({
      name: 'search_invoices',
      description: 'Searches invoices.',
      input_schema: at(FULL, '/tools/0/parameters'),
      output_schema: at(FULL, '/tools/0/returns'),
      idempotent: true,
    })
    expect(uncovered(FULL, loss)).toEqual([])
  })

  test.each([
    ['grpc://a.example:443', 'grpc'],
    ['wss://a.example/ws', 'ws'],
    ['agent://invoices', 'aitp'],
  ])('%s is reached by %s', (url, protocol) => {
    expect(at(make(FULL, 'card', { id: ID, url }).value, '/endpoints/0')).toEqual({
      protocol,
      uri: url,
      auth: 'bearer',
    })
  })

  test('carries members unknown to a card, but no private ones', () => {
    const { value, loss } = make(FULL, 'card', { id: ID })
    const text = JSON.stringify(value)
    for (const secret of ['You work for', 'ada@acme', 'db.internal', 'ai-platform@', 'store.acme'])
      expect([secret, text.includes(secret)]).toEqual([secret, false])
    expect(at(value, '/extensions/blazon.adl/data_classification')).toEqual(FULL['data_classification'])
    expect(at(value, '/extensions/blazon.adl/tools/search_invoices')).toMatchObject({ read_only: true })
    expect(uncovered(FULL, loss)).toEqual([])
  })

  test.each([...published(), ['full', FULL] as const])('[adl/14.3-3] %s comes back bit for bit', (_, source) => {
    const there = make(source, 'card', { id: ID, carry: 'all' })
    const back = make(there.value, 'adl')
    const { x_card: own, ...definition } = back.value
    expect(own).toEqual({ id: ID })
    expect(canonical(definition)).toBe(canonical(source))
    expect(uncovered(there.value, back.loss)).toEqual([])
    expect(back.loss.filter(({ outcome }) => outcome === 'dropped' || outcome === 'changed')).toEqual([])
  })

  test('needs an id, and reports an unusable URL and an API key', () => {
    const told = (options: ConvertOptions, source = FULL) =>
      convert(JSON.stringify(source), { to: 'card', ...options }).diagnostics.map(
        ({ code, detail }) => `${code} ${detail}`,
      )
    expect(told({})).toEqual(['BADL-190 expected the option id: the agent:// URI of the agent (Agent Card 3.3)'])
    expect(told({ id: ID, url: 'ftp://x' })[0]).toContain('BADL-190 the option url must be a URL')
    const keyed = { ...FULL, security: { authentication: { type: 'api_key' } } }
    expect(told({ id: ID, url: 'https://a.example' }, keyed)[0]).toBe(
      'BADL-191 an Agent Card cannot express an API key',
    )
  })
})

test('[adl/10.4-20] reports confidential data by the classification that applies, but not internal data', () => {
  const told = (definition: object) =>
    convert(JSON.stringify(definition), { to: 'mcp-2025-11-25' }).diagnostics.map(
      ({ code, source, detail }) => `${code} ${source.pointer} ${detail}`,
    )
  const of = (names: string) => `data of ${names}: readers of the result cannot see that`
  const tools = [
    { name: 'pay', description: 'Pays.', data_classification: { sensitivity: 'restricted' } },
    { name: 'read', description: 'Reads.' },
    { name: 'ping', description: 'Answers.', data_classification: { sensitivity: 'public' } },
  ]
  const base = { adl_spec: '0.1.0', name: 'Scout', description: 'Finds papers.', version: '1.0.0', tools }
  expect(told({ ...base, data_classification: { sensitivity: 'confidential' } })).toEqual([
    `BADL-195 /data_classification confidential ${of("the agent, tool 'read'")}`,
    `BADL-195 /tools/0/data_classification restricted ${of("tool 'pay'")}`,
  ])
  expect(told({ ...base, data_classification: { sensitivity: 'internal' } })).toEqual([
    `BADL-195 /tools/0/data_classification restricted ${of("tool 'pay'")}`,
  ])
})

describe('a card becomes a definition', () => {
  test('[card/1.3-2] that is valid, with names as ADL requires', () => {
    const { document, value } = make(RICH, 'adl', { classification: CLASSIFICATION })
    expect(validate(document, { ruleset: 'spec', now: new Date('2026-03-01T00:00:00Z') }).valid).toBe(true)
    expect(value).toMatchObject({
      adl_spec: '0.1.0',
      name: 'translator-zh-en',
      version: '1.2.0',
      cryptographic_identity: { did: EXAMPLE['did'] },
      metadata: { tags: EXAMPLE['skills'] },
      runtime: { output_handling: { streaming: true } },
    })
    const tools = value['tools'] as Json[]
    expect(tools.map(({ name, description }) => [name, description])).toEqual([
      ['translate', 'Translate text between languages'],
      ['glossary', 'glossary'],
      ['detect_language', 'Detect Language!'],
    ])
    expect(at(tools[2], '/x_card/name')).toBe('Detect Language!')
  })

  test('[card/A-1] and the same card again, bit for bit', () => {
    const property = fc.property(arbitraryCard, fc.boolean(), (card, all) => {
      const source = { ...card, description: card['description'] || 'D', version: '1.0.0' }
      const there = make(source, 'adl', { carry: all ? 'all' : 'public', classification: CLASSIFICATION })
      expect(uncovered(source, there.loss)).toEqual([])
      expect(
        validate(there.document, { ruleset: 'spec' }).diagnostics.filter(({ severity }) => severity === 'error'),
      ).toEqual([])
      const back = make(there.value, 'card', { carry: 'all' })
      expect(uncovered(there.value, back.loss)).toEqual([])
      const { extensions, ...rest } = back.value as { extensions?: Json }
      const { 'blazon.adl': own, ...others } = extensions ?? {}
      expect(own).toEqual({ data_classification: CLASSIFICATION })
      const { signature: _, ...unsigned } = source as Json
      const expected = all ? source : unsigned
      const kept = Object.keys(others).length > 0 || Object.hasOwn(source, 'extensions')
      expect(canonical({ ...rest, ...(kept && { extensions: others }) })).toBe(canonical(expected))
    })
    fc.assert(property, { numRuns: 120 })
  })

  test('needs a description, a version and a classification', () => {
    const { diagnostics } = convert(JSON.stringify(MINIMAL), { to: 'adl' })
    expect(diagnostics.map(({ detail }) => detail.slice(0, 30))).toEqual([
      'expected a non-empty descripti',
      'expected a version such as 1.0',
      'expected the option classifica',
    ])
    const options = { description: 'x', version: '1.0.0', classification: CLASSIFICATION } as const
    expect(make(MINIMAL, 'adl', options).value['x_card']).toEqual({ id: 'agent://scout' })
  })
})
