import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { explained } from '../../bindings/agentlang/lock/findings.ts'
import { compareLocks, makeLock, resolveTools } from '../../bindings/agentlang/lock/lock.ts'
import { LOCK } from '../../bindings/agentlang/lock/specification.ts'
import { writeLock } from '../../bindings/agentlang/lock/write.ts'
import { BUILT_IN_TOOLS } from '../../bindings/agentlang/tool-names.ts'
import { parseAs } from '../../bindings/frame/as.ts'
import { check } from '../../bindings/frame/check.ts'
import { valueAt } from '../../bindings/text/members.ts'
import { nonEmpty } from '../support/non-empty.ts'

const sha256 = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`
const bytes = (text: string) => new TextEncoder().encode(text)

const WEB_SEARCH = { description: 'Searches', input_schema: { type: 'object' } }
const JCS = '{"description":"Searches","input_schema":{"type":"object"}}'
const INDEX = {
  tools: {
    web_search: {
      '1.1.0': {},
      '1.2.0': WEB_SEARCH,
      '1.3.0-rc.1': {},
      '2.0.0': {},
      '0.1.0': {},
      '0.2.0': {},
      '0.3.0': {},
      latest: {},
    },
    web_fetch: { '1.0.0': {} },
  },
  models: { 'claude-sonnet-4': { context_window: 200_000, supports_tools: true, price: 3 } },
}
const AGENT = {
  name: 'research-assistant',
  models: { 'claude-sonnet-4': {} },
  tools: [{ name: 'web_search', version: '^1.2.0' }, { name: 'web_fetch' }, { name: 'artifacts' }, { name: 'sqlite' }],
}
const NOW = new Date('2025-01-29T10:30:00Z')
const PARTS: makeLock.Parts = {
  agent: AGENT,
  files: new Map([
    ['prompt.yaml', bytes('b')],
    ['agent.yaml', bytes('a')],
    ['agent.lock', bytes('old')],
  ]),
  agents: { 'academic-researcher': { version: '1.0.0', files: new Map([['academic-researcher.yaml', bytes('c')]]) } },
  index: INDEX,
  now: NOW,
}

/** Written by hand in the shape of the specification's agent.lock. */
const TEXT = `version: "1"
resolved_at: 2025-01-29T10:30:00Z
tools:
  web_fetch:
    version: 1.0.0
    hash: ${sha256('{}')}
  web_search:
    version: 1.2.0
    hash: ${sha256(JCS)}
agents:
  academic-researcher:
    version: 1.0.0
    hash: ${sha256(`{"academic-researcher.yaml":"${sha256('c')}"}`)}
models:
  claude-sonnet-4:
    context_window: 200000
    supports_tools: true
files:
  agent.yaml: ${sha256('a')}
  prompt.yaml: ${sha256('b')}
`

const lockOf = (parts: Partial<makeLock.Parts> = {}) => makeLock({ ...PARTS, ...parts }).lock!
const faultsOf = (tools: unknown, index: unknown = INDEX) => resolveTools(tools, index).faults

describe('resolving tools', () => {
  test('chooses the highest version in the range, and hashes its definition [agentlang/tools-1] [agentlang/tools-3]', () => {
    const { tools, faults } = resolveTools(AGENT.tools, INDEX)
    expect(faults).toEqual([])
    expect(tools.get('web_search')).toEqual({ version: '1.2.0', hash: sha256(JCS) })
  })

  test('does not look for tools that every runtime has', () => {
    expect([...resolveTools(AGENT.tools, INDEX).tools.keys()]).toEqual(['web_search', 'web_fetch'])
    expect(BUILT_IN_TOOLS).toEqual(['artifacts', 'delegate', 'sqlite', 'storage'])
    expect(
      faultsOf(
        BUILT_IN_TOOLS.map((name) => ({ name })),
        {},
      ),
    ).toEqual([])
  })

  test('a missing version lists the five highest of the index', () => {
    expect(faultsOf([{ name: 'web_search', version: '^9' }])).toMatchObject([
      {
        rule: { code: 'AL-181' },
        pointer: '/tools/0',
        detail: "'web_search': expected a version in '^9', the index has 2.0.0, 1.3.0-rc.1, 1.2.0, 1.1.0, 0.3.0",
      },
    ])
  })

  test.each([
    ['no version', {}],
    ['no version', { newest: {} }],
    ['1.0.0', { '1.0.0': {} }],
  ])('a missing version of an index that has %s says so', (has, web_search) => {
    expect(faultsOf([{ name: 'web_search', version: '^9' }], { tools: { web_search } })).toMatchObject([
      { rule: { code: 'AL-181' }, detail: `'web_search': expected a version in '^9', the index has ${has}` },
    ])
  })

  test('an unknown tool is reported with the name that was meant', () => {
    expect(faultsOf([{ name: 'web_serch' }])).toMatchObject([
      { rule: { code: 'AL-180' }, detail: "The index has no tool 'web_serch'; did you mean 'web_search'?" },
    ])
  })

  test.each(['latest', 1.2, null, 'x'.repeat(300)])('%j is reported as an invalid range', (version) => {
    const faults = faultsOf([{ name: 'web_fetch', version }])
    // YAML reads an empty member as null, which counts as an absent one.
    expect(faults).toMatchObject(version === null ? [] : [{ rule: { code: 'AL-182' } }])
  })

  test('the second entry of a tool is reported', () => {
    const twice = [
      { name: 'web_fetch' },
      { name: 'web_fetch', version: '^1' },
      { name: 'delegate' },
      { name: 'delegate' },
    ]
    expect(faultsOf(twice)).toMatchObject([
      { rule: { code: 'AL-183' }, pointer: '/tools/1' },
      { rule: { code: 'AL-183' }, pointer: '/tools/3' },
    ])
  })

  test.each([undefined, null, 'tools', { a: 1 }, [null, 1, 'web_search', [], {}, { name: 1 }]])(
    'tools of any shape do not throw: %j',
    (tools) => expect(resolveTools(tools, INDEX)).toMatchObject({ faults: [] }),
  )

  test.each([null, [], { tools: [] }, { tools: { web_fetch: [] } }])(
    'an index of any shape does not throw: %j',
    (index) => expect(faultsOf([{ name: 'web_fetch' }], index)).toMatchObject([{ rule: { code: 'AL-180' } }]),
  )

  test('names of Object.prototype are not in the index', () => {
    for (const name of ['__proto__', 'constructor', 'toString'])
      expect(faultsOf([{ name }])).toMatchObject([{ rule: { code: 'AL-180' } }])
  })
})

describe('making a lockfile', () => {
  test('has tools, agents, models and files with their hashes [agentlang/tools-3] [agentlang/tools-4] [agentlang/tools-5]', () => {
    expect(writeLock(lockOf())).toBe(TEXT)
  })

  test('does not depend on the order of its parts [agentlang/tools-6]', () => {
    const { agent, files, index } = PARTS
    const reversed = {
      agent: { ...agent, tools: [...(agent['tools'] as object[])].reverse() },
      files: new Map([...files].reverse()),
      index: { tools: Object.fromEntries(Object.entries(INDEX.tools).reverse()), models: INDEX.models },
    }
    expect(index).toBe(INDEX)
    expect(writeLock(lockOf(reversed))).toBe(TEXT)
  })

  test('keeps its time while nothing else changes [agentlang/tools-6]', () => {
    const later = { previous: lockOf(), now: new Date('2026-01-01T00:00:00Z') }
    expect(writeLock(lockOf(later))).toBe(TEXT)
    expect(lockOf({ ...later, files: new Map() })['resolved_at']).toBe('2026-01-01T00:00:00Z')
  })

  test('has the time of SOURCE_DATE_EPOCH, if there is one', () => {
    // `date -u -d @1700000000`
    expect(lockOf({ epoch: 1_700_000_000, previous: lockOf() })['resolved_at']).toBe('2023-11-14T22:13:20Z')
    for (const epoch of [-1, 1.5, Number.NaN, 1e15]) expect(() => lockOf({ epoch })).toThrow(RangeError)
  })

  test('an agent has another hash when one of its files has another name or content', () => {
    const hashOf = (path: string, text: string) =>
      JSON.stringify(lockOf({ agents: { a: { files: new Map([[path, bytes(text)]]) } } })['agents'])
    expect(new Set([hashOf('a', 'x'), hashOf('a', 'y'), hashOf('b', 'x')]).size).toBe(3)
  })

  test('pins what users and models see of an MCP tool, and the instructions of its server', () => {
    const tool = { name: 'pay', description: 'Pays', inputSchema: {}, title: undefined, icons: ['a.png'] }
    expect(lockOf({ mcp: { Stripe: { instructions: 'Ask first', tools: [tool, null] } } })['mcp']).toEqual({
      Stripe: {
        instructions: sha256('"Ask first"'),
        tools: { pay: sha256('{"description":"Pays","inputSchema":{},"name":"pay"}') },
      },
    })
  })

  test('an unknown model is reported', () => {
    expect(makeLock({ ...PARTS, agent: { models: { 'gpt/9': {} } } })).toMatchObject({
      lock: undefined,
      faults: [{ rule: { code: 'AL-185' }, pointer: '/models/gpt~19' }],
    })
  })

  test('has the tools of sub-agents, in one version each', () => {
    const agents = (version: string) => ({ writer: { files: new Map(), tools: [{ name: 'web_search', version }] } })
    const agent = { tools: [{ name: 'web_fetch' }] }
    expect(Object.keys(lockOf({ agent, agents: agents('^2') })['tools'] as object)).toEqual(['web_fetch', 'web_search'])
    expect(makeLock({ ...PARTS, agents: agents('^2') }).faults).toMatchObject([
      {
        rule: { code: 'AL-184' },
        detail: "Sub-agent 'writer': expected 'web_search' in version 1.2.0, which other agents use, found 2.0.0",
      },
    ])
  })

  test.each([
    [['^1.2.0', undefined], '1.3.0'],
    [[undefined, '^1.2.0'], '1.3.0'],
    [['>=1.0.0', '<2.0.0', '~1.2.0'], '1.2.5'],
    [[undefined, undefined], '2.0.0'],
    [['1.x', '1.3.0'], '1.3.0'],
    [['^1.0.0', '^2.0.0'], undefined],
  ])(
    'the agents of a family with the ranges %j share the latest version that all accept: %s [agentlang/tools-2]',
    (ranges, expected) => {
      const [own, ...others] = ranges.map((version) => ({ tools: [{ name: 'a', ...(version && { version }) }] }))
      const agents = Object.fromEntries(others.map((one, i) => [`s${i}`, { ...one, files: new Map() }]))
      const index = { tools: { a: { '1.2.0': {}, '1.2.5': {}, '1.3.0': {}, '2.0.0': {}, '3.0.0-rc.1': {} } } }
      const { lock, faults } = makeLock({ agent: own!, agents, index, files: new Map() })
      expect(valueAt(lock, '/tools/a/version')).toBe(expected)
      expect(faults.map(({ rule }) => rule.code)).toEqual(expected === undefined ? ['AL-184'] : [])
    },
  )

  test('a range that no version meets is a fault of its agent alone', () => {
    const tools = (version: string) => [{ name: 'web_search', version }]
    const agents = { a: { files: new Map(), tools: tools('*') }, b: { files: new Map(), tools: tools('^9') } }
    const { faults } = makeLock({ ...PARTS, agent: { tools: tools('^1') }, agents })
    expect(faults.map(({ rule }) => rule.code)).toEqual(['AL-181'])
  })

  test('names such as __proto__ are kept', () => {
    const files = new Map(['__proto__', 'constructor'].map((path) => [path, bytes('a')]))
    expect(Object.keys(lockOf({ files })['files'] as object)).toEqual(['__proto__', 'constructor'])
  })
})

describe('comparing lockfiles', () => {
  test('finds what was added, removed and changed [agentlang/tools-7]', () => {
    const files = new Map([
      ['agent.yaml', bytes('changed')],
      ['a/b~c', bytes('')],
    ])
    expect(compareLocks(lockOf(), lockOf({ files, now: new Date(0) }))).toEqual([
      { path: '/files/a~1b~0c', change: 'added' },
      { path: '/files/agent.yaml', change: 'changed' },
      { path: '/files/prompt.yaml', change: 'removed' },
    ])
  })

  test('finds nothing in the text that was written', () => {
    const { document } = parseAs(LOCK, TEXT, { file: 'agent.lock' })
    expect(compareLocks(document!.value, lockOf({ now: new Date(0) }))).toEqual([])
  })

  test.each([undefined, null, [], 'lock', 1])('%j is another lockfile', (value) => {
    expect(compareLocks(value, lockOf())).toEqual([{ path: '', change: 'changed' }])
  })
})

describe('checking a lockfile', () => {
  const codesOf = (text: string) => {
    const parsed = parseAs(LOCK, text, { file: 'agent.lock' })
    return check(LOCK, parsed, LOCK.settings({})).diagnostics.map(({ code, source }) => `${code} ${source.pointer}`)
  }

  test('what was written is valid', () => expect(codesOf(TEXT)).toEqual([]))

  test.each([
    ['version: "1"', 'version: 1', 'AL-172 /version'],
    ['version: "1"', 'version: "2"', 'AL-173 /version'],
    ['version: "1"\n', '', 'AL-171 '],
    ['resolved_at: 2025-01-29T10:30:00Z', 'resolved_at: yesterday', 'AL-174 /resolved_at'],
    ['resolved_at: 2025-01-29T10:30:00Z', 'resolved_at: 2025-02-29T10:30:00Z', 'AL-174 /resolved_at'],
    [sha256('a'), 'sha256:1a2b3c4d...', 'AL-174 /files/agent.yaml'],
    [sha256('{}'), sha256('{}').toUpperCase(), 'AL-174 /tools/web_fetch/hash'],
    ['    version: 1.2.0', '    version: ^1.2.0', 'AL-176 /tools/web_search/version'],
    ['context_window: 200000', 'context_window: -1', 'AL-175 /models/claude-sonnet-4/context_window'],
    ['context_window: 200000', 'context_window: 1.5', 'AL-172 /models/claude-sonnet-4/context_window'],
  ])('%j becomes %j: %s', (from, to, expected) => expect(codesOf(TEXT.replace(from, to))).toEqual([expected]))

  test('a keyed hash is valid for a file only', () => {
    expect(codesOf(TEXT.replace(sha256('b'), `hmac-${sha256('b')}`))).toEqual([])
    expect(codesOf(TEXT.replace(sha256('{}'), `hmac-${sha256('{}')}`))).toEqual(['AL-174 /tools/web_fetch/hash'])
  })

  test('the bad examples of the catalogue have the finding that they explain, the good ones have not', () => {
    const ids = new Set(LOCK.names())
    for (const { id, code, bad, good } of nonEmpty(explained().filter(({ code }) => code < 'AL-180'))) {
      expect(ids.has(id)).toBe(true)
      expect(
        codesOf(bad).some((found) => found.startsWith(code)),
        bad,
      ).toBe(true)
      expect(
        codesOf(good).some((found) => found.startsWith(code)),
        good,
      ).toBe(false)
    }
  })
})
