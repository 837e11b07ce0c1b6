// Agents of AgentLang as definitions, client configurations, cards and A2A cards.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { decide } from '../../bindings/adl/policy.ts'
import type { ConvertOptions, LossReport } from '../../bindings/convert/formats.ts'
import { type ConvertFormat, convert } from '../../bindings/convert/index.ts'
import { validate } from '../../bindings/verbs.ts'
import { filesIn, filesOf, RESEARCH_ASSISTANT } from '../agentlang/files.ts'
import { places, uncovered } from './samples.ts'

const OPTIONS: ConvertOptions = {
  classification: { sensitivity: 'internal' },
  version: '1.0.0',
  description: 'An agent.',
  id: 'agent://x',
  url: 'https://agents.example.com/x',
  serverName: 'com.example/x',
  command: 'serve',
}

/** Examples of the specification that stand alone. */
const EXAMPLES: Readonly<Record<string, Record<string, string>>> = {
  'a folder': Object.fromEntries(
    [...filesIn(RESEARCH_ASSISTANT)].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]),
  ),
  'agent.yaml alone': { 'agent.yaml': new TextDecoder().decode(filesIn(RESEARCH_ASSISTANT).get('agent.yaml')) },
  'autonomous operations': {
    'agent.yaml': `name: watch
version: 1.0.0
permissions:
  required: [camera, background, notifications]
  camera: { mode: scheduled, reason: Periodic security snapshots, schedule: "0 * * * *" }
  background: { mode: scheduled, wake_triggers: [{ schedule: "0 * * * *" }], max_runtime: 60 }
  notifications: { mode: on_demand, channels: [push, email] }
`,
  },
  'a static crew': {
    'agent.yaml': `name: crew
version: 1.0.0
delegate:
  mode: static
  process: sequential
  agents:
    - { path: ./researcher.yaml, task: Research the topic thoroughly }
    - { path: ./writer.yaml, task: Write a report based on research, depends_on: [researcher] }
`,
    'researcher.yaml': 'name: researcher\n',
    'writer.yaml': 'name: writer\n',
  },
  'a tool with schemas': {
    'agent.yaml': `name: search
version: 1.0.0
tools:
  - name: web_search
    version: ^1.2.0
    input_schema:
      type: object
      properties:
        query: { type: string, description: Search query }
        max_results: { type: integer, default: 10 }
      required: [query]
    output_schema:
      type: object
      properties:
        results: { type: array, items: { type: object, properties: { title: { type: string } } } }
        total_count: { type: integer }
`,
  },
  'a sub-agent': {
    'agent.yaml':
      'name: academic-researcher\ndescription: |\n  Specialist in research papers.\ntools:\n  - name: web_search\n',
  },
}

const agentOf = (files: Readonly<Record<string, string>>) => parse(files['agent.yaml']!)
const go = (files: Readonly<Record<string, string>>, to: ConvertFormat, options: ConvertOptions = {}) =>
  convert(filesOf(files), { to, ...OPTIONS, ...options })
const fateOf = (loss: LossReport, at: string) => loss.find(({ pointer, file }) => (file ?? pointer) === at)

describe.each(Object.entries(EXAMPLES))('%s', (_, files) => {
  test.each(['adl', 'card', 'a2a-1.0', 'a2a-0.3', 'mcp-2025-11-25', 'mcp-server'] as const)(
    'becomes a valid %s, with every member and file in the account [agentlang/around-1]',
    (to) => {
      for (const carry of ['public', 'all', 'nothing'] as const) {
        const { document, loss, diagnostics } = go(files, to, { carry })
        expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
        expect(uncovered(agentOf(files), loss)).toEqual([])
        const others = Object.keys(files).filter((path) => path !== 'agent.yaml')
        expect(loss.flatMap(({ file }) => file ?? []).sort()).toEqual(others.sort())
        const there = new Set(['', ...places(document!.value)])
        expect(loss.filter(({ target }) => target !== undefined && !there.has(target))).toEqual([])
        if (to === 'mcp-server' || to.startsWith('mcp')) continue
        const as = to.startsWith('a2a') ? 'a2a' : (to as 'adl' | 'card')
        const { valid, diagnostics: found } = validate(document!.bytes, { as })
        expect([valid, found.filter(({ severity }) => severity === 'error')]).toEqual([true, []])
      }
    },
  )
})

const RESEARCH = EXAMPLES['a folder']!

describe('an agent as a definition', () => {
  const { document, loss } = go(RESEARCH, 'adl')
  const made = document!.value as Record<string, unknown>

  test('has the tools with their schemas, the model, the prompt and the developer', () => {
    expect(made).toMatchObject({
      name: 'research-assistant',
      version: '1.0.0',
      provider: { name: 'acme' },
      model: { name: 'claude-sonnet-4', provider: 'anthropic', temperature: 0.7, max_tokens: 8192 },
      system_prompt: expect.stringMatching(/^## mindset\nYou are genuinely trying/),
    })
    const tools = made['tools'] as { name: string; parameters?: unknown }[]
    expect(tools.map(({ name }) => name)).toEqual([
      ...['web_search', 'web_fetch', 'artifacts', 'sqlite', 'gmail_modify_labels', 'delegate'],
      ...['twitter_post_tweet', 'generate_headshot', 'convert_video'],
    ])
    expect(tools[6]!.parameters).toEqual({
      type: 'object',
      properties: { text: { type: 'string', description: 'Tweet text (max 280 chars)' }, reply_to: { type: 'string' } },
      required: ['text'],
      additionalProperties: false,
    })
  })

  test('keeps input_schema and output_schema as parameters and returns', () => {
    const files = EXAMPLES['a tool with schemas']!
    const [tool] = agentOf(files).tools
    expect((go(files, 'adl').document!.value as typeof made)['tools']).toEqual([
      { name: 'web_search', description: 'web_search', parameters: tool.input_schema, returns: tool.output_schema },
    ])
  })

  test('permits the hosts, commands and time that the agent asks for, and nothing else [agentlang/around-2]', () => {
    const may = (request: Parameters<typeof decide>[1]) => decide(document!, request).allowed
    const web = (host: string, port = 443) => may({ domain: 'network', host, port, protocol: 'https' })
    expect([
      web('api.example.com'),
      web('maps.googleapis.com'),
      may({ domain: 'execution', command: 'ffmpeg' }),
    ]).toEqual([true, true, true])
    expect([web('example.com'), web('googleapis.com'), web('api.example.com', 8443)]).toEqual([false, false, false])
    expect([may({ domain: 'execution', command: 'bash' }), may({ domain: 'environment', variable: 'PATH' })]).toEqual([
      false,
      false,
    ])
    expect(may({ domain: 'filesystem', path: '/output/x', access: 'read' })).toBe(false)
    expect([300, 301].map((durationSec) => may({ domain: 'resource', durationSec }))).toEqual([true, false])
  })

  test.each([
    ['https://api.example.com/v1', 'a path'],
    ['http://api.example.com', 'no TLS'],
    ['https://api.example.com:8443', 'another port'],
    ['https://user@api.example.com', 'a user'],
    ['https://*', 'all hosts'],
    ['https://a*.example.com', 'a wildcard in a label'],
  ])('grants nothing for %s', (url) => {
    const agent = `name: a\nversion: 1.0.0\nconstraints: { sandbox: { allowed_urls: ["${url}"] } }\n`
    expect(go({ 'agent.yaml': agent }, 'adl').document!.value).not.toHaveProperty('permissions')
  })

  test.each(['git push', 'bash', 'env sh', 'a;b', ''])('grants nothing for the command %j', (command) => {
    const agent = `name: a\nversion: 1.0.0\nbash_tools: { x: { command: ${JSON.stringify(command)} } }\n`
    expect(go({ 'agent.yaml': agent }, 'adl').document!.value).not.toHaveProperty('permissions')
  })

  test('keeps budget, limits and skills aside, and names files and secrets as lost', () => {
    expect(made['x_agentlang']).toMatchObject({
      constraints: { budget: { max_cost_usd: 2 }, limits: { max_turns: 50 } },
      skills: [{ name: 'test-helper' }],
    })
    expect(fateOf(loss, '/constraints/budget')?.target).toBe('/x_agentlang/constraints/budget')
    expect(fateOf(loss, 'prompt.yaml')).toMatchObject({ target: '/system_prompt', outcome: 'changed' })
    for (const lost of ['/mcp_servers/Stripe/env', 'skills/test-helper/SKILL.md', 'specialists/market-analyst.yaml'])
      expect([lost, fateOf(loss, lost)?.outcome]).toEqual([lost, 'dropped'])
  })

  test('does not publish prompts, permissions and constraints in a card', () => {
    for (const to of ['card', 'a2a-1.0', 'mcp-2025-11-25'] as const) {
      const card = go(RESEARCH, to)
      const text = new TextDecoder().decode(card.document!.bytes)
      expect(text).not.toMatch(/mindset|Voice commands|max_cost_usd|STRIPE_SECRET/)
      for (const lost of ['prompt.yaml', '/permissions', '/constraints/budget'])
        expect([to, lost, fateOf(card.loss, lost)?.outcome]).toEqual([to, lost, 'dropped'])
    }
  })

  test('a template in the prompt stays as it is written', () => {
    const prompt = 'version: 2\nrole: system\nsections:\n  - { name: now, content: "It is {{time}}." }\n'
    const agent = 'name: a\nversion: 1.0.0\n'
    const { document, loss } = go({ 'agent.yaml': agent, 'prompt.yaml': prompt }, 'adl')
    expect(document!.value).toMatchObject({ system_prompt: '## now\nIt is {{time}}.\n' })
    expect(fateOf(loss, 'prompt.yaml')?.outcome).toBe('renamed')
  })

  test('a prompt that cannot be read is lost, and the agent is not', () => {
    const { document, loss } = go({ 'agent.yaml': 'name: a\nversion: 1.0.0\n', 'prompt.yaml': '{' }, 'adl')
    expect(document!.value).not.toHaveProperty('system_prompt')
    expect(fateOf(loss, 'prompt.yaml')?.outcome).toBe('dropped')
  })

  test('two tools of one name get different names', () => {
    const agent =
      'name: a\nversion: 1.0.0\ntools: [{ name: x }]\nhttp_tools: { x: { endpoint: /x } }\nbash_tools: { x: {} }\n'
    const { tools } = go({ 'agent.yaml': agent }, 'adl').document!.value as { tools: { name: string }[] }
    expect(tools.map(({ name }) => name)).toEqual(['x', 'x_2', 'x_3'])
  })
})

describe('the servers of an agent as a client configuration', () => {
  const servers = (yaml: string) => go({ 'agent.yaml': `name: a\nversion: 1.0.0\nmcp_servers:\n${yaml}` }, 'mcp-client')

  test('start as the agent says, with variables that the client fills in [agentlang/around-3]', () => {
    const { document, loss } = go(RESEARCH, 'mcp-client')
    expect(document!.value).toEqual({
      mcpServers: {
        Stripe: {
          command: 'npx',
          args: ['-y', '@stripe/mcp@0.2.0', '--tools=all'],
          env: { STRIPE_SECRET_KEY: `\${STRIPE_SECRET_KEY}` },
        },
      },
    })
    expect(uncovered(agentOf(RESEARCH), loss)).toEqual([])
    for (const lost of ['/mcp_servers/Stripe/tools', '/permissions', 'prompt.yaml'])
      expect([lost, fateOf(loss, lost)?.outcome]).toEqual([lost, 'dropped'])
  })

  test('have the type of their transport, and headers with variables only', () => {
    const { document, loss } = servers(`  mail:
    url: https://mcp.example.com/
    transport: streamable-http
    headers: { Authorization: "Bearer {{.env.TOKEN}}", X-Key: hunter2 }
`)
    const headers = { Authorization: `Bearer \${TOKEN}` }
    expect(document!.value).toEqual({
      mcpServers: { mail: { type: 'http', url: 'https://mcp.example.com/', headers } },
    })
    expect(fateOf(loss, '/mcp_servers/mail/headers/X-Key')?.outcome).toBe('dropped')
  })

  test('do not hand on a secret in an argument', () => {
    const token = ['ghp', '0123456789abcdefghijklmnopqrstuvwxyz'].join('_')
    const { document, loss } = servers(`  git: { command: mcp, args: ["--token=${token}"] }\n`)
    expect(new TextDecoder().decode(document!.bytes)).not.toContain(token)
    expect(fateOf(loss, '/mcp_servers/git/args')?.outcome).toBe('changed')
  })

  test('an agent without servers is refused', () => {
    const { document, diagnostics } = go({ 'agent.yaml': 'name: a\nversion: 1.0.0\n' }, 'mcp-client')
    expect([document, diagnostics.map(({ code }) => code)]).toEqual([undefined, ['BADL-190']])
  })
})

test('nothing converts into an agent', () => {
  expect(() => convert('{}', { to: 'agentlang' as ConvertFormat })).toThrow(RangeError)
})

test('any value in any place is accounted for, and never throws', () => {
  const whole = agentOf(RESEARCH)
  const everywhere = places(whole)
  fc.assert(
    fc.property(
      fc.constantFrom(...everywhere),
      fc.jsonValue(),
      fc.constantFrom('adl', 'mcp-client'),
      (place, odd, to) => {
        const value = structuredClone(whole)
        const tokens = place
          .split('/')
          .slice(1)
          .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
        const last = tokens.pop()!
        tokens.reduce((at, token) => at[token], value)[last] = odd
        const { document, loss } = convert(JSON.stringify(value), {
          to: to as ConvertFormat,
          from: 'agentlang',
          ...OPTIONS,
        })
        if (document !== undefined) expect(uncovered(value, loss)).toEqual([])
      },
    ),
    { numRuns: 150 },
  )
})
