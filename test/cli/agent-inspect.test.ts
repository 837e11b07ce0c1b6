// Agents at a glance: what the terminal shows of them before they run.
import { describe, expect, test } from 'vitest'
import { sealContainer } from '../../bindings/agentlang/container/seal.ts'
import { exportKey, generateKey } from '../../bindings/keys/index.ts'
import { filesIn, RESEARCH_ASSISTANT } from '../agentlang/files.ts'
import { blazon } from './terminal.ts'

const sources = filesIn(RESEARCH_ASSISTANT)
const folder = Object.fromEntries([...sources].map(([path, bytes]) => [`scout/${path}`, bytes]))
const [key, other] = [await generateKey('Ed25519'), await generateKey('Ed25519')]
const sealed = await sealContainer({
  name: 'research-assistant',
  version: '1.0.0',
  developer: 'acme',
  files: sources,
  key,
  secret: new Uint8Array(32),
})
const changed = sealed.map((byte, i) => (i === Math.floor(sealed.length / 2) ? byte ^ 1 : byte))
const files = {
  ...folder,
  'x.agent': sealed,
  'key.pem': await exportKey(key, 'pem'),
  'other.pem': await exportKey(other, 'pem'),
}
const run = (line: string, more: Record<string, string | Uint8Array> = {}) =>
  blazon(line.split(' '), { files: { ...files, ...more } })

/** An agent that tries to command the terminal, and to push what matters off the screen. */
function hostileAgent(): string {
  const long = `\u001b[2J\u202e\u009b31m\n${'한'.repeat(10_000)}`
  const server = (i: number) => ({ command: 'npx', args: ['-y', i === 299 ? 'evil' : `safe@1.0.${i}`] })
  return JSON.stringify({
    name: long,
    version: long,
    developer: long,
    models: { [long]: { provider: long } },
    tools: Array.from({ length: 50 }, (_, i) => ({ name: `${i}${long}`.slice(0, 300), version: long.slice(0, 99) })),
    permissions: { required: ['network', long, 'wallet'], wallet: { reason: long, schedule: long, mode: 'scheduled' } },
    mcp_servers: Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`\u001b]0;${i}`, server(i)])),
    http_tools: { [long]: { endpoint: long, [`${long}_token`]: true } },
    delegate: { mode: 'static', agents: [{ path: long }] },
  })
}

/** The columns of a line: a syllable of Hangul takes two. */
const columnsOf = (line: string) => [...line].reduce((sum, one) => sum + (/[가-힣]/.test(one) ? 2 : 1), 0)

describe('blazon agent inspect', () => {
  test.each([
    ['scout', 'no: not a container'],
    ['x.agent', 'not known, for acme: research-assistant@1.0.0'],
    ['x.agent --key key.pem', 'by a key that you trust, for acme: research-assistant@1.0.0'],
  ])('%s: the second line says who signed it', async (line, signed) => {
    const { code, stdout, stderr } = await run(`agent inspect ${line}`)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.split('\n')[1]).toContain(signed)
    for (const text of ['critical oauth', 'pinned    Stripe', 'STRIPE_SECRET_KEY, twitter_token', 'at most $2.40'])
      expect(stdout).toContain(text)
    expect(stdout.includes('prompt.yaml.enc')).toBe(line !== 'scout')
  })

  test('a host that lacks what is required refuses it, and nothing else changes the exit code', async () => {
    const { code, stdout } = await run('agent inspect scout --host claude-desktop')
    expect(code).toBe(0)
    expect(stdout).toContain("refuses: claude-desktop does not grant 'shell'")
  })

  test('a container that was changed, or that another key signed, is not shown', async () => {
    for (const [line, more] of [
      ['agent inspect y.agent', { 'y.agent': changed }],
      ['agent inspect x.agent --key other.pem', {}],
    ] as const) {
      const { code, stdout } = await run(line, more)
      expect(code).not.toBe(0)
      expect(stdout).toBe('')
    }
    expect((await run('agent inspect x.agent --key other.pem')).code).toBe(4)
  })

  test('hostile texts neither command the terminal nor leave the screen nor hide an unpinned server', async () => {
    const { stdout } = await run('agent inspect evil', { 'evil/agent.yaml': hostileAgent() })
    const lines = stdout.split('\n').slice(0, -1)
    expect(lines.length).toBeLessThanOrEqual(40)
    expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(80)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    expect(stdout).toContain('UNPINNED')
    expect(stdout).toContain('critical wallet')
  })

  test('reads one agent, and a host by its name or file', async () => {
    expect((await run('agent inspect scout x.agent')).code).toBe(2)
    expect((await run('agent inspect scout --host nowhere')).code).toBe(3)
    expect((await run('agent inspect scout --host h.json', { 'h.json': '{"name":"h"}' })).code).toBe(2)
    const host = '{"name":"mine","capabilities":{"network":["on_demand"]}}'
    expect((await run('agent inspect scout --host h.json', { 'h.json': host })).stdout).toContain('mine refuses')
  })
})
