// What an agent asks for, pulls in and may cost.
import { describe, expect, test } from 'vitest'
import { HOSTS } from '../../bindings/agentlang/ask/host.ts'
import { openContainer, sealContainer } from '../../bindings/agentlang/container/seal.ts'
import { inspectAgent } from '../../bindings/agentlang/inspect.ts'
import { load } from '../../bindings/agentlang/verbs.ts'
import { generateKey } from '../../bindings/keys/index.ts'
import { filesIn, filesOf, RESEARCH_ASSISTANT } from './files.ts'

const HEAD = 'name: scout\nversion: 1.0.0\n'
const inspect = (texts: Record<string, string>) => inspectAgent(load(filesOf(texts)).agent!)
const inspectYaml = (yaml: string) => inspect({ 'agent.yaml': HEAD + yaml })
const assistant = load(filesIn(RESEARCH_ASSISTANT)).agent!

describe('capabilities', () => {
  test("stand in the order of the specification's risks, the highest first [agentlang/inspect-1]", () => {
    const { capabilities } = inspectAgent(assistant)
    expect(capabilities.map(({ risk, capability }) => `${risk} ${capability}`)).toEqual([
      'critical oauth',
      'high shell',
      'high microphone',
      'high camera',
      'high background',
      'high notifications',
      'high location',
      'medium storage',
      'low network',
    ])
  })
  test('that no file declares are implied, and one that nobody knows comes first', () => {
    const { capabilities } = inspectYaml(
      'bash_tools: {a: {command: ls}}\npermissions: {optional: [network, teleport]}\n',
    )
    expect(capabilities.map(({ capability, risk, isImplied }) => [capability, risk, isImplied])).toEqual([
      ['teleport', 'unknown', false],
      ['shell', 'high', true],
      ['network', 'low', false],
    ])
  })
  test('of sub-agents count for the whole, with their file', () => {
    const { capabilities } = inspect({
      'agent.yaml': `${HEAD}delegate: {mode: static, agents: [{path: ./b.yaml}]}\n`,
      'b.yaml': 'name: b\npermissions: {required: [wallet]}\n',
    })
    expect(capabilities[0]).toMatchObject({ capability: 'wallet', isRequired: true, sources: [{ path: 'b.yaml' }] })
  })
})

describe('what an agent pulls in', () => {
  test('a server has its command line, its tools and what it fetches', () => {
    const server = inspectAgent(assistant).parts.find(({ kind }) => kind === 'server')
    expect(server).toMatchObject({
      name: 'Stripe',
      detail: 'npx -y @stripe/mcp@0.2.0 --tools=all with STRIPE_SECRET_KEY={{.env.STRIPE_SECRET_KEY}}',
      packages: [{ launcher: 'npx', name: '@stripe/mcp@0.2.0', isPinned: true }],
      tools: ['list_subscriptions', 'list_customers', 'list_invoices'],
    })
  })
  test('a model is shown by its provider alone', () => {
    const { parts } = inspectYaml('models: {m: {provider: acme, url: https://x.example, args: [y]}}\n')
    expect(parts.map(({ kind, detail }) => [kind, detail])).toEqual([['model', 'acme']])
  })
  test('a package without an exact version is not pinned', () => {
    const { parts } = inspectYaml('mcp_servers: {a: {command: npx, args: [-y, left-pad]}}\n')
    expect(parts[0]!.packages).toEqual([{ launcher: 'npx', name: 'left-pad', isPinned: false }])
  })
  test('two arguments are not shown as one', () => {
    const detail = (args: string) => inspectYaml(`mcp_servers: {a: {command: x, args: ${args}}}\n`).parts[0]!.detail
    expect(detail('["a b"]')).not.toBe(detail('[a, b]'))
    expect(detail('["a", 1]')).toBe('x a 1')
  })
  test('a literal secret is never in the data', () => {
    const secret = `sk_live_${'4eC39HqLyjWDarjtT1zdp7dc'}`
    const inspection = inspectYaml(`mcp_servers: {a: {command: x, args: [--key, ${secret}], env: {K: ${secret}}}}\n`)
    expect(JSON.stringify(inspection)).not.toContain(secret)
  })
  test('secrets are named, wherever a template stands [agentlang/inspect-2]', () => {
    expect(inspectAgent(assistant).secrets).toEqual(['STRIPE_SECRET_KEY', 'twitter_token'])
    const yaml = `http_tools: {a: {endpoint: /x, auth: bearer, body_template: '{{if .env.A}}{{- env.B -}}{{end}}'}}\n`
    expect(inspectYaml(yaml).secrets).toEqual(['A', 'B', 'bearer'])
  })
})

describe('costs and sub-agents', () => {
  test("the most is the example's cap of 2.00 with its 20% [agentlang/inspect-3]", () => {
    expect(inspectAgent(assistant).agents[0]).toMatchObject({
      cost: { cap: '2.00', most: '2.40' },
      limits: { max_turns: 50, max_delegation_depth: 3, timeout: 300 },
      urls: ['https://api.example.com', 'https://*.googleapis.com'],
    })
  })
  test('a cap without prices cannot be kept, and 0 means unlimited', () => {
    const costOf = (budget: string) => inspectYaml(`constraints: {budget: ${budget}}\n`).agents[0]!.cost
    expect(costOf('{max_cost_usd: 2}').fault).toContain('input_1m_price')
    expect(costOf('{max_cost_usd: 0}')).toEqual({})
  })
  test('sub-agents stand in the order in which they work', () => {
    const rows = '[{path: ./write.yaml, depends_on: [find]}, {path: ./find.yaml}]'
    const { agents, delegation } = inspect({
      'agent.yaml': `${HEAD}delegate: {mode: static, process: parallel, agents: ${rows}}\n`,
      'write.yaml': 'name: write\n',
      'find.yaml': 'name: find\n',
    })
    expect([delegation, agents.map(({ name, wave }) => [name, wave])]).toEqual([
      'static',
      [
        ['scout', undefined],
        ['find', 1],
        ['write', 2],
      ],
    ])
  })
  test('a sub-agent that is missing or cannot be read is named', () => {
    const yaml = `${HEAD}delegate: {mode: static, agents: [{path: ./gone.yaml}, {path: ./bad.yaml}]}\n`
    expect(inspect({ 'agent.yaml': yaml, 'bad.yaml': '[1' }).unread).toEqual(['bad.yaml', './gone.yaml'])
  })
})

describe('containers and hosts', async () => {
  const key = await generateKey('Ed25519')
  const seal = {
    name: 'research-assistant',
    version: '1.0.0',
    developer: 'acme',
    files: filesIn(RESEARCH_ASSISTANT),
    key,
  }
  const bytes = await sealContainer({ ...seal, secret: new Uint8Array(32) })

  test('nothing is decrypted, and the signer is known by a key only [agentlang/inspect-4]', async () => {
    for (const keys of [undefined, [key.publicKey]]) {
      const container = await openContainer(bytes, keys && { keys })
      const { agent } = load(container.files!)
      const inspection = inspectAgent(agent!, { container })
      expect(inspection.encrypted).toEqual(['prompt.yaml.enc'])
      expect(inspection.signer).toMatchObject({
        agent: 'research-assistant@1.0.0',
        developer: 'acme',
        isKnown: keys !== undefined,
      })
      expect(inspection.proof!.doesNotShow!.some((text) => text.startsWith('who signed it'))).toBe(keys === undefined)
    }
  })
  test('a host without shell refuses the assistant, which requires it', () => {
    const host = HOSTS.find(({ name }) => name === 'claude-desktop')!
    expect(inspectAgent(assistant, { host }).host).toMatchObject({ starts: false, missingRequired: ['shell'] })
  })
  test('the data survive JSON', () => {
    const inspection = inspectAgent(assistant, { host: HOSTS[0]! })
    expect(JSON.parse(JSON.stringify(inspection))).toEqual(inspection)
  })
})
