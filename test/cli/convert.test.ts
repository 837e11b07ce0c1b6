import { describe, expect, test } from 'vitest'
import { blazon } from './terminal.ts'

const AGENT = `adl_spec: "0.1.0"
name: Scout
description: Finds papers.
version: "1.0.0"
data_classification:
  sensitivity: internal
system_prompt: Be thorough.
tools:
  - name: search
    description: Searches.
    read_only: true
`
const files = { 'scout.adl.yaml': AGENT }
const URL = 'https://agents.example.com/a2a'

describe('blazon convert', () => {
  test('writes the document to stdout and the outcome of each member to stderr', async () => {
    const { code, stdout, stderr } = await blazon(['convert', 'scout.adl.yaml', '--to', 'a2a-1.0', '--url', URL], {
      files,
    })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'Scout',
      supportedInterfaces: [{ url: URL }],
      skills: [{ id: 'search' }],
    })
    expect(stderr).toContain('dropped  /system_prompt: may be private')
    expect(stderr).toMatch(/\d+ kept, \d+ renamed, 0 changed, 1 dropped, \d+ added\n$/)
  })

  test('--strict fails only on loss', async () => {
    const argv = ['convert', 'scout.adl.yaml', '--to', 'mcp-2025-11-25', '--strict', '-q']
    expect((await blazon(argv, { files })).code).toBe(1)
    expect((await blazon([...argv, '--carry', 'all'], { files })).code).toBe(0)
  })

  test('--format json contains document and report', async () => {
    const argv = [
      'convert',
      'scout.adl.yaml',
      '--to',
      'mcp-client',
      '--command',
      'npx',
      '--arg',
      'scout',
      '--format',
      'json',
    ]
    const { results } = JSON.parse((await blazon(argv, { files })).stdout)
    expect(results[0]).toMatchObject({
      file: 'scout.adl.yaml',
      kind: 'mcp-client',
      valid: true,
      document: { mcpServers: { scout: { command: 'npx', args: ['scout'] } } },
    })
    expect(results[0].loss).toContainEqual({
      pointer: '/name',
      target: '/mcpServers/scout',
      outcome: 'changed',
      detail: 'as one word',
    })
  })

  test('converts there and back through stdin; --out writes a file', async () => {
    const there = await blazon(['convert', 'scout.adl.yaml', '--to', 'a2a-0.3', '--url', URL, '--carry', 'all'], {
      files,
    })
    const argv = ['convert', '-', '--to', 'adl', '--out', 'back.adl.json']
    const back = await blazon(argv, { stdin: there.stdout })
    expect([back.code, back.stdout]).toEqual([0, ''])
    expect(JSON.parse(new TextDecoder().decode(back.saved.get('back.adl.json')))).toMatchObject({
      name: 'Scout',
      system_prompt: 'Be thorough.',
    })
  })

  test('a card needs the classification from an option', async () => {
    const card = '{"name":"A","description":"B","version":"1.0.0","supportedInterfaces":[],"skills":[]}'
    expect((await blazon(['convert', '-', '--to', 'adl'], { stdin: card })).stderr).toContain('BADL-190')
    const { stdout } = await blazon(['convert', '-', '--to', 'adl', '--classification', 'public'], { stdin: card })
    expect(JSON.parse(stdout)).toMatchObject({ data_classification: { sensitivity: 'public' } })
  })

  test('makes an Agent Card with the id from an option, and an OASF record from it', async () => {
    const argv = ['convert', 'scout.adl.yaml', '--to', 'card', '--id', 'agent://scout', '-q']
    const { code, stdout } = await blazon(argv, { files })
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { id: 'agent://scout', name: 'Scout', tools: [{ name: 'search' }] },
    ])
    const card = JSON.stringify({ ...JSON.parse(stdout), skills: ['retrieval/web-search'] })
    const record = await blazon(['convert', '-', '--to', 'oasf-record'], { stdin: card })
    expect(JSON.parse(record.stdout)).toMatchObject({ schema_version: '1.1.1', skills: [{ id: 1302 }] })
    expect(record.stderr).toContain('BADL-194')
    expect((await blazon(['convert', 'scout.adl.yaml', '--to', 'card', '--id', 'scout'], { files })).code).toBe(2)
  })

  test('--openapi gives parameters to tools that refer to it', async () => {
    const tool = "\n    annotations: { openapi_ref: 'https://a.example/o.json', operation_id: find }\n"
    const api = {
      openapi: '3.1.0',
      paths: {
        '/x': { get: { operationId: 'find', parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }] } },
      },
    }
    const some = { 'a.adl.yaml': AGENT.trimEnd() + tool, 'o.json': JSON.stringify(api) }
    const argv = ['convert', 'a.adl.yaml', '--to', 'mcp-2025-11-25', '--openapi', 'https://a.example/o.json=o.json']
    const { stdout, stderr } = await blazon(argv, { files: some })
    expect(JSON.parse(stdout)['tools/list'].tools[0].inputSchema.properties).toEqual({ q: { type: 'string' } })
    expect(stderr).toContain('/tools/0: find of https://a.example/o.json: GET /x, which gives parameters\n')
    expect((await blazon([...argv.slice(0, -1), 'o.json'], { files: some })).code).toBe(2)
    expect((await blazon([...argv.slice(0, -1), 'x=none.json'], { files: some })).code).toBe(2)
  })

  test.each([
    [['convert', 'scout.adl.yaml'], 'needs --to'],
    [['convert', 'scout.adl.yaml', '--to', 'a2a-2'], 'no value'],
    [['convert', 'a', 'b', '--to', 'adl'], 'unexpected argument'],
    [['convert', 'scout.adl.yaml', '--to', 'a2a-1.0', '--api-key', 'X'], '--api-key: expected header:NAME'],
  ])('%j is a wrong command line', async (argv, message) => {
    const { code, stderr } = await blazon(argv, { files })
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  test('messages name missing options by their flags', async () => {
    const refused = async (to: string) => (await blazon(['convert', 'scout.adl.yaml', '--to', to], { files })).stderr
    expect(await refused('mcp-server')).toContain('expected --server-name, such as com.example/weather')
    expect(await refused('mcp-client')).toContain('expected --url or --command:')
    const wrong = await blazon(['convert', 'scout.adl.yaml', '--to', 'card', '--id', 'scout'], { files })
    expect(wrong.stderr).toContain('--id: expected an agent:// URI')
  })

  test('reports unreadable and unsupported documents', async () => {
    expect((await blazon(['convert', 'none.json', '--to', 'adl'])).code).toBe(3)
    expect((await blazon(['convert', 'scout.adl.yaml', '--to', 'a2a-1.0'], { files })).code).toBe(1)
  })
})

describe('blazon review', () => {
  test('lists what publishing would reveal', async () => {
    const { code, stderr } = await blazon(['review', 'scout.adl.yaml'], { files })
    expect(code).toBe(0)
    expect(stderr).toContain('scout.adl.yaml:7:16 warning BADL-181')
    const secret = { 's.adl.yaml': AGENT.replace('internal', 'restricted') }
    expect((await blazon(['review', 's.adl.yaml'], { files: secret })).code).toBe(1)
  })

  test('writes a public copy', async () => {
    const { code, stdout, stderr } = await blazon(['review', 'scout.adl.yaml', '--public', '-'], { files })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).not.toHaveProperty('system_prompt')
    expect(JSON.parse(stdout)).toHaveProperty('x_blazon_public_copy.removed_members', 1)
    expect(stderr).toContain('left out /system_prompt: a prompt\nthe copy is not signed')
    const { saved } = await blazon(['review', 'scout.adl.yaml', '--public', 'out.json'], { files })
    expect(JSON.parse(new TextDecoder().decode(saved.get('out.json')))).toMatchObject({ name: 'Scout' })
    const both = await blazon(['review', 'scout.adl.yaml', '-', '--public', 'x'], { files, stdin: AGENT })
    expect(both.code).toBe(2)
  })
})

describe('blazon render of a definition', () => {
  const definition = {
    adl_spec: '0.1.0',
    name: 'A',
    version: '1.0.0',
    data_classification: { sensitivity: 'restricted' },
    system_prompt: { template: 'You work for {{company}}.', variables: { company: 'Acme' } },
    prompts: [{ name: 'count', template: 'Count to {{n}}', arguments: { properties: { n: { type: 'number' } } } }],
  }
  const text = JSON.stringify(definition)
  const some = { 'a.json': text, 'a.adl': text, 'n.json': '{"n": 3}', 'bad.adl.json': '{', 't.json': '{"a": "{{b}}"}' }

  test('renders the system prompt or a named prompt', async () => {
    expect((await blazon(['render', 'a.json'], { files: some })).stdout).toBe('You work for Acme.')
    expect((await blazon(['render', '-', '--var', 'company=X'], { stdin: text })).stdout).toBe('You work for X.')
    const argv = ['render', 'a.adl', '--prompt', 'count', '--vars', 'n.json']
    expect((await blazon(argv, { files: some })).stdout).toBe('Count to 3')
  })

  test('treats other documents as templates', async () => {
    expect((await blazon(['render', 't.json', '--var', 'b=c'], { files: some })).stdout).toBe('{"a": "c"}')
    expect((await blazon(['render', '-', '--var', 'b=c'], { stdin: '{{b}}: {' })).stdout).toBe('c: {')
  })

  test('sanitizes values, checks arguments by type, and reports a missing one as ADL-1006', async () => {
    const argv = ['render', 'a.json', '--var', 'company={{x}}']
    expect((await blazon(argv, { files: some })).stderr).toContain('DOC-157')
    expect((await blazon([...argv, '--escape'], { files: some })).stdout).toBe('You work for \\{{x}}.')
    expect((await blazon(['render', 'a.json', '--prompt', 'count', '--var', 'n=3'], { files: some })).stderr).toContain(
      'BADL-173',
    )
    const missing = await blazon(['render', 'a.json', '--prompt', 'count'], { files: some })
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('ADL-1006')])
    expect((await blazon(['render', 'bad.adl.json'], { files: some })).code).toBe(1)
  })

  test('--format json contains the audit record of a restricted agent', async () => {
    const { results } = JSON.parse((await blazon(['render', 'a.json', '--format', 'json'], { files: some })).stdout)
    expect(results[0]).toMatchObject({ kind: 'adl', text: 'You work for Acme.', audit: { sensitivity: 'restricted' } })
  })

  test('notes a variable that the prompt does not use', async () => {
    const { stderr } = await blazon(['render', 'a.json', '--var', 'nmae=x'], { files: some })
    expect(stderr).toBe('nmae: the prompt has no {{nmae}}\n')
  })
})
