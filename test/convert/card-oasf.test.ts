// OASF: the descriptor of appendix A.3, which no version of OASF defines, and the record of OASF 1.1.1.
import { describe, expect, test } from 'vitest'
import { skillOf, tagOf } from '../../bindings/convert/card-oasf/card-oasf.ts'
import type { ConvertOptions } from '../../bindings/convert/formats.ts'
import { type ConvertFormat, convert } from '../../bindings/convert/index.ts'
import { EXAMPLE, MINIMAL, RICH } from './cards.ts'
import { at, faults, hasData, type Json, oasfSkills, uncovered } from './samples.ts'

const NOW = new Date('2026-03-01T00:00:00Z')

function make(source: Json, to: ConvertFormat, options: ConvertOptions = {}) {
  const { document, loss, diagnostics } = convert(JSON.stringify(source), { to, now: NOW, ...options })
  if (document === undefined) throw new Error(JSON.stringify(diagnostics))
  return {
    value: document.value as Json,
    loss,
    diagnostics: diagnostics.map(({ code, detail }) => `${code} ${detail}`),
  }
}

describe('the descriptor', () => {
  test('[card/A.3-1] of the specification’s example', () => {
    const { value, loss } = make(EXAMPLE, 'oasf-descriptor', { carry: 'nothing' })
    expect(value).toEqual({
      apiVersion: 'oasf/v1',
      kind: 'AgentDescriptor',
      metadata: {
        name: 'translator-zh-en',
        labels: { skills: 'nlp/translation,nlp/text-analysis,python', version: '1.2.0' },
      },
      spec: {
        description: 'Chinese-English bidirectional translation',
        capabilities: [{ name: 'translate', inputSchema: at(EXAMPLE, '/tools/0/input_schema') }],
        endpoints: [{ url: 'agent://translator-zh-en' }, { url: 'https://api.example.com/translate/v1' }],
      },
    })
    expect(uncovered(EXAMPLE, loss)).toEqual([])
  })

  test('[card/A.3-2] of another program becomes a card, detected by its kind', () => {
    const descriptor = {
      apiVersion: 'v9',
      kind: 'AgentDescriptor',
      metadata: { name: 'scout', labels: { skills: 'a, b', version: '1', team: 'x' } },
      spec: {
        description: 'Finds.',
        capabilities: [{ name: 'find', inputSchema: { type: 'object' }, cost: 3 }],
        endpoints: [{ url: 'grpc://a.example:1' }, { url: 'loft:7' }],
      },
    }
    const { value, loss } = make(descriptor, 'card', { id: 'agent://scout' })
    expect(value).toEqual({
      id: 'agent://scout',
      name: 'scout',
      description: 'Finds.',
      version: '1',
      skills: ['a', 'b'],
      tools: [{ name: 'find', input_schema: { type: 'object' } }],
      endpoints: [{ protocol: 'grpc', uri: 'grpc://a.example:1' }],
      extensions: {
        'blazon.oasf': {
          apiVersion: 'v9',
          metadata: { labels: { team: 'x' } },
          spec: { endpoints: [{ url: 'loft:7' }] },
          tools: { find: { cost: 3 } },
        },
      },
    })
    expect(uncovered(descriptor, loss)).toEqual([])
  })
})

describe('the record', () => {
  test('[card/A.3-3] of the specification’s example', () => {
    const { value, loss, diagnostics } = make(EXAMPLE, 'oasf-record', { carry: 'nothing', binding: 'HTTP+JSON' })
    expect(value).toMatchObject({
      name: 'translator-zh-en',
      version: '1.2.0',
      schema_version: '1.1.1',
      description: 'Chinese-English bidirectional translation',
      authors: ['translator-zh-en'],
      created_at: '2026-01-15T00:00:00Z',
      // Ids of the taxonomy 1.1.1; flat languages are software engineering.
      skills: [
        { name: 'language_processing/language_translation/translation', id: 10401 },
        { name: 'language_processing/language_understanding', id: 101 },
        { name: 'software_engineering', id: 6 },
      ],
      locators: [{ type: 'url', urls: ['https://api.example.com/translate/v1'] }],
    })
    expect(diagnostics).toEqual([expect.stringContaining('BADL-194 the record names the agent as its author')])
    const [module] = value['modules'] as [Json]
    expect(module['name']).toBe('integration/a2a')
    if (hasData) expect(faults('a2a-1.0', at(module, '/data/card_data') as Json)).toEqual([])
    expect(uncovered(EXAMPLE, loss)).toEqual([])
  })

  test.runIf(hasData)('[card/A.3-3] has the members that OASF requires, and reports those that were invented', () => {
    for (const source of [EXAMPLE, RICH, { ...MINIMAL, skills: ['coding'] }])
      for (const carry of ['public', 'all', 'nothing'] as const)
        expect(faults('oasf-record', make(source, 'oasf-record', { carry }).value)).toEqual([])
    const { value, diagnostics } = make({ ...MINIMAL, skills: ['coding'] }, 'oasf-record')
    expect(value).toMatchObject({ version: '0.0.0', description: 'Scout', created_at: NOW.toISOString() })
    expect(diagnostics.map((text) => text.slice(0, 24))).toEqual(
      ['BADL-194 the record names', 'BADL-194 the record is d'].map((t) => t.slice(0, 24)),
    )
  })

  test('[card/A.3-4] refuses an agent without a tag of OASF', () => {
    const { document, diagnostics } = convert(JSON.stringify({ ...MINIMAL, skills: ['knitting'] }), {
      to: 'oasf-record',
    })
    expect(document).toBeUndefined()
    const refusal = diagnostics.find(({ code }) => code === 'BADL-190')
    expect([refusal?.source.pointer, refusal?.detail]).toEqual([
      '/skills',
      'expected a tag that OASF has a skill for, such as nlp/translation or testing',
    ])
  })

  test('restores authors and an MCP server of another program', () => {
    const extensions = {
      'blazon.oasf': { authors: ['Ada <ada@example.com>'], domains: [{ name: 'finance', id: 4 }] },
      'blazon.mcp-server': { remotes: [{ type: 'streamable-http', url: 'https://a.example/mcp' }] },
    }
    const tools = [{ name: 'find', input_schema: { type: 'object', properties: {} } }]
    const { value } = make({ ...MINIMAL, skills: ['rag'], tools, extensions }, 'oasf-record', { carry: 'nothing' })
    expect(value).toMatchObject({
      authors: ['Ada <ada@example.com>'],
      domains: [{ name: 'finance', id: 4 }],
      modules: [
        {
          name: 'integration/mcp',
          data: {
            name: 'Scout',
            connections: [{ type: 'streamable-http', url: 'https://a.example/mcp' }],
            tools: [{ name: 'find', inputSchema: { type: 'object', properties: {} } }],
          },
        },
      ],
    })
  })

  test('[card/A.3-5] of a directory becomes a card', () => {
    const record: Json = {
      schema_version: '1.1.0',
      name: 'burger_seller_agent',
      version: 'v1',
      description: 'Helps with creating burger orders',
      authors: ['Example Organization'],
      created_at: '2025-01-01T00:00:00Z',
      skills: [{ id: 10401 }, { name: 'tool_use_automation/browser_automation', id: 1705 }],
      locators: [
        { type: 'container_image', urls: ['https://ghcr.io/agntcy/burger'] },
        { type: 'url', urls: ['https://burger.example'] },
      ],
      modules: [
        {
          name: 'integration/a2a',
          data: {
            card_schema_version: 'v1.0.0',
            card_data: {
              name: 'burger_seller_agent',
              supportedInterfaces: [{ url: 'https://burger.example/a2a', protocolBinding: 'HTTP+JSON' }],
              skills: [{ id: 'order', name: 'Order', description: 'Orders a burger.', tags: ['food'] }],
            },
          },
        },
      ],
    }
    const { value, loss } = make(record, 'card', { id: 'agent://burger' })
    expect(value).toMatchObject({
      id: 'agent://burger',
      name: 'burger_seller_agent',
      version: 'v1',
      skills: ['nlp/translation', 'tool-use-automation/browser-automation'],
      tools: [{ name: 'order', description: 'Orders a burger.' }],
      endpoints: [{ protocol: 'http+json', uri: 'https://burger.example/a2a' }],
      metadata: { created_at: '2025-01-01T00:00:00Z' },
      extensions: { 'blazon.oasf': { authors: ['Example Organization'], schema_version: '1.1.0' } },
    })
    expect(uncovered(record, loss)).toEqual([])
    // In 1.0 the same id means another skill.
    expect(make({ ...record, schema_version: '1.0.0' }, 'card', { id: 'agent://burger' }).value['skills']).toEqual([
      'tool-use-automation/browser-automation',
    ])
    expect(make(value, 'oasf-record', { carry: 'nothing' }).value).toMatchObject({
      authors: record['authors'],
      skills: [
        { name: 'language_processing/language_translation/translation', id: 10401 },
        { name: 'tool_use_automation/browser_automation', id: 1705 },
      ],
      created_at: record['created_at'],
      locators: expect.arrayContaining([(record['locators'] as Json[])[0]]),
    })
  })

  test.each([7, '{', '[]', '{"id": 7}', '['.repeat(100)])('ignores an invalid note: %j', (note) => {
    const record = { name: 'A', schema_version: '1.1.1', skills: [], annotations: { 'blazon.card': note } }
    const { value, loss } = make(record, 'card', { id: 'agent://a' })
    expect(value['name']).toBe('A')
    expect(uncovered(record, loss)).toEqual([])
  })
})

describe('skills', () => {
  test.runIf(hasData)(
    '[card/A.3-4] every skill of the taxonomy is found by its path, and leads back to a tag that means it',
    () => {
      const skills = oasfSkills()
      expect(skills.length).toBe(513)
      for (const { id, name } of skills) {
        expect(skillOf(name.replaceAll('_', '-'))).toEqual({ id, name, exact: true })
        expect(skillOf(tagOf({ name: undefined, id })!)).toEqual({ id, name, exact: true })
      }
    },
  )

  test('[card/A.3-4] maps an unknown tag to the nearest skill above', () => {
    expect(skillOf('nlp/translation/zh-en')).toMatchObject({ id: 10401, exact: false })
    expect(skillOf('vision/sculpture')).toMatchObject({ id: 2, exact: false })
    expect(skillOf('summarization')).toMatchObject({ id: 10302, exact: true })
    for (const tag of ['knitting', '', '/', '__proto__', 'constructor', 'a/'.repeat(100_000)])
      expect(skillOf(tag)).toBeUndefined()
  })
})
