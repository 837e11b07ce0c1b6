// Agents at a glance: what the terminal shows of them before they run.
import { describe, expect, test } from 'vitest'
import { HOSTS } from '../../bindings/agentlang/ask/host.ts'
import { sealContainer } from '../../bindings/agentlang/container/seal.ts'
import { exportKey, fingerprint, generateKey } from '../../bindings/keys/index.ts'
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
    ['x.agent', 'by a key that is not known, for acme: research-assistant@1.0.0'],
    ['x.agent --key key.pem', 'by a key that you trust, for acme: research-assistant@1.0.0'],
  ])('%s: the second line says who signed it', async (line, signed) => {
    const { code, stdout, stderr } = await run(`agent inspect ${line}`)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.split('\n')[1]).toContain(signed)
    for (const text of ['critical oauth', 'pinned    Stripe', 'STRIPE_SECRET_KEY, twitter_token', 'at most $2.40'])
      expect(stdout).toContain(text)
    expect(stdout.includes('prompt.yaml.enc')).toBe(line !== 'scout')
    expect(stdout.includes(`\nthumbprint  ${await fingerprint(key)}\n`)).toBe(line !== 'scout')
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

  test('an HTTP tool shows its method: by itself POST with a body, GET without', async () => {
    for (const [tool, method] of [
      [{}, 'GET'],
      [{ body_template: '{}' }, 'POST'],
      [{ body_template: '{}', method: 'PUT' }, 'PUT'],
    ] as const) {
      const http_tools = { one: { endpoint: 'https://a.example/x', ...tool } }
      const agent = JSON.stringify({ name: 'a', version: '1.0.0', developer: 'acme', http_tools })
      const { stdout } = await run('agent inspect a', { 'a/agent.yaml': agent })
      expect(stdout).toContain(`one: ${method} https://a.example/x`)
    }
  })

  test('reads one agent, and a host by its name or file', async () => {
    expect((await run('agent inspect scout x.agent')).code).toBe(2)
    expect((await run('agent inspect scout --host nowhere')).code).toBe(3)
    expect((await run('agent inspect scout --host h.json', { 'h.json': '{"name":"h"}' })).code).toBe(2)
    const host = '{"name":"mine","capabilities":{"network":["on_demand"]}}'
    expect((await run('agent inspect scout --host h.json', { 'h.json': host })).stdout).toContain('mine refuses')
  })
})

describe('blazon grants, of an AgentLang agent', () => {
  test('has a row for each capability, limit, server and tool, with its file', async () => {
    const { code, stdout } = await run('grants scout')
    expect(code).toBe(0)
    const rows = stdout.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))
    for (const row of [
      'identity (critical) | oauth | required, on_demand | agent.yaml',
      'sensors (high) | microphone | optional, on_demand | Voice commands and meeting transcription | agent.yaml',
      'limit | max_turns | 50 | agent.yaml',
      'limit | allowed_paths | ./output ./data | agent.yaml',
      'tool | web_search | ^1.2.0 | agent.yaml',
      'tool | artifacts | specialists/academic-researcher.yaml',
      'secret | STRIPE_SECRET_KEY',
    ])
      expect(rows).toContain(row)
    expect(rows.find((row) => row.startsWith('server | Stripe | pinned'))).toContain('npx -y @stripe/mcp@0.2.0')
    expect(rows.filter((row) => row.startsWith('limit'))).toHaveLength(8)
  })

  test('a sub-agent has a row for the limit in which it differs only', async () => {
    const more = { 'scout/specialists/market-analyst.yaml': 'name: m\nconstraints: {limits: {max_turns: 5}}\n' }
    const rows = (await run('grants scout', more)).stdout
      .split('\n')
      .filter((line) => /^limit.*market-analyst/.test(line))
    expect(rows).toEqual([expect.stringMatching(/max_turns +5 /)])
  })

  test('a container is read as its folder, unless it was changed', async () => {
    expect((await run('grants x.agent')).stdout).toBe((await run('grants scout')).stdout)
    expect(await run('grants y.agent', { 'y.agent': changed })).toMatchObject({ code: 1, stdout: '' })
  })

  test('a folder may have agents of both kinds', async () => {
    const adl = '{"adl_spec": "0.1.0", "permissions": {"environment": {"allowed_variables": ["A"]}}}'
    const { stdout } = await run('grants all --markdown', {
      'all/b.adl.json': adl,
      'all/c/agent.yaml': 'name: c\nversion: 1.0.0\n',
    })
    expect(stdout).toContain('| effect | domain |')
    expect(stdout).toContain('| what | name |')
  })
})

test('a finding about an archive has no excerpt of its bytes', async () => {
  const { stderr } = await run('agent inspect y.agent', { 'y.agent': sealed.subarray(0, 1000) })
  expect(stderr).toContain('it is another file, or cut off')
  expect(stderr).not.toContain(' 1 |')
})

describe('blazon gate, of an AgentLang agent', () => {
  test('a missing required capability refuses it, and everything else that it gets less of is named [agentlang/permissions-3] [agentlang/permissions-5]', async () => {
    const { code, stdout } = await run('gate scout --host claude-desktop')
    expect(code).toBe(1)
    expect(stdout).toContain('scout/agent.yaml: may not run on claude-desktop\n')
    expect(stdout).toContain("refuses  claude-desktop does not grant 'shell', which is required\n")
    expect(stdout).toContain("denies   claude-desktop does not grant 'background'\n")
    expect(stdout).toContain('lowers   network: user_triggered instead of on_demand\n')
  })

  test('an agent without an optional capability may run, degraded [agentlang/permissions-4]', async () => {
    const host = {
      name: 'mine',
      capabilities: { network: ['on_demand'], storage: ['on_demand'], shell: ['on_demand'], oauth: ['on_demand'] },
    }
    const { code, stdout } = await run('gate scout --host h.json', { 'h.json': JSON.stringify(host) })
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'scout/agent.yaml: may run, degraded on mine'])
  })

  test('names a program that is not on PATH, with the install line of the platform and the help command', async () => {
    const missing = 'missing  ffmpeg for convert_video; the agent says: apt-get install ffmpeg; help: ffmpeg -h\n'
    const runtime = { platform: 'linux x64' }
    const at = (env: Record<string, string>, more = {}) =>
      blazon(['gate', 'scout', '--host', 'desktop'], { files: { ...files, ...more }, env, runtime })
    expect((await at({ PATH: '/home/me/bin:/home/me/other' })).stdout).toContain(missing)
    expect((await at({ PATH: '/home/me/bin:/home/me/other' }, { 'other/ffmpeg': 'x' })).stdout).not.toContain('missing')
  })

  test.each([
    ['/home/me/tools/draw', 'linux x64', 'tools/draw', true],
    ['/home/me/tools/draw', 'linux x64', 'tools/other', false],
    ['./tools/draw', 'linux x64', './tools/draw', false],
    ['draw', 'win32 x64', 'bin/draw.exe', true],
    ['draw', 'linux x64', 'bin/draw.exe', false],
  ])('the program %s is on a %s with %s: %s', async (command, platform, file, isThere) => {
    const agent = `name: d\nversion: 1.0.0\ndescription: D.\ndeveloper: acme\nbash_tools: { draw: { command: ${command} } }\n`
    const { stdout } = await blazon(['gate', 'd', '--host', 'desktop'], {
      files: { 'd/agent.yaml': agent, [file]: 'x' },
      env: { PATH: '/home/me/bin' },
      runtime: { platform },
    })
    expect(stdout.includes(`missing  ${command} for draw; the agent does not say how to install it here\n`)).toBe(
      !isThere,
    )
    expect(stdout).toContain('d/agent.yaml: may run')
  })

  test('a sub-agent that was not read, or an error, refuses it', async () => {
    const alone = await run('gate scout/agent.yaml --host desktop')
    expect([alone.code, alone.stdout]).toEqual([1, expect.stringContaining('this sub-agent was not read')])
    const wrong = await run('gate e --host desktop', { 'e/agent.yaml': 'name: E E\nversion: one\n' })
    expect(wrong.stderr).toContain('\n> 1 | name: E E\n')
    expect(wrong.stderr).toMatch(/^e\/agent\.yaml:1:/)
    expect([wrong.code, wrong.stdout]).toEqual([1, expect.stringContaining('the agent has errors')])
  })

  test('a container needs a known signer, or a trusted source', async () => {
    expect((await run('gate x.agent --host desktop')).stdout).toContain('the signer is not known')
    expect((await run('gate x.agent --host desktop --trusted')).code).toBe(0)
    const trust = { 'trust.json': JSON.stringify({ version: 1, keys: [await exportKey(key.publicKey, 'pem')] }) }
    expect(await run('gate x.agent --host desktop --trust trust.json', trust)).toMatchObject({ code: 0, stderr: '' })
    expect((await run('gate y.agent --host desktop --trusted', { 'y.agent': changed })).code).toBe(1)
  })

  test('needs a host, and refuses options that only definitions have', async () => {
    expect((await run('gate scout')).code).toBe(2)
    const inventory = { 'i.json': '{"agents": []}' }
    expect((await run('gate scout --host desktop --environment test')).code).toBe(2)
    expect((await run('gate scout --host desktop --inventory i.json', inventory)).code).not.toBe(0)
  })

  test('the option names every preset', async () => {
    const { stdout } = await run('gate --help')
    for (const { name } of HOSTS) expect(stdout.replace(/\s+/g, ' ')).toContain(name)
  })
})
