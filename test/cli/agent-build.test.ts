// `blazon agent lock`, `build` and `unpack`, and `verify --source`.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { readArchive } from '../../bindings/agentlang/container/archive.ts'
import { writeSecret } from '../../bindings/agentlang/container/secret.ts'
import { canonicalizeValue } from '../../bindings/core/value.ts'
import { exportKey, generateKey } from '../../bindings/keys/index.ts'
import { writeFolder } from '../../cli/file-system.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { hasPrograms } from '../support/programs.ts'
import { blazon, type Setting } from './terminal.ts'

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)

const PROMPT = 'version: 2\nrole: system\nsections:\n  - name: who\n    content: You are kind.\n'
const HELPER = 'version: 2\nrole: system\nsections:\n  - name: who\n    content: You help.\n'
const AGENT = `name: coach
version: 1.0.0
description: Helps people to train.
developer: acme
models:
  claude-sonnet-4: { provider: anthropic }
tools:
  - name: web_search
    version: ^1.2.0
  - name: delegate
`
const SUB_AGENT = 'name: helper\ndescription: Counts.\ntools: [{ name: web_search }]\n'
const AGENT_FILES = {
  'agent.yaml': AGENT,
  'prompt.yaml': PROMPT,
  'specialists/helper.yaml': SUB_AGENT,
  'specialists/helper-prompt.yaml': HELPER,
  'context/plan.md': '# Plan\n',
}
const DEFINITION = { name: 'web_search', description: 'Searches', inputSchema: { type: 'object' } }
const INDEX = {
  tools: { web_search: { '1.2.0': {}, '1.3.0': DEFINITION, '2.0.0-rc.1': {} } },
  models: { 'claude-sonnet-4': { context_window: 200_000, supports_tools: true, price: 3 } },
}
const SECRET = writeSecret(Uint8Array.from({ length: 32 }, (_, i) => i))

const inFolder = (files: Readonly<Record<string, string | Uint8Array>>) =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [`coach/${path}`, content]))

let keys: Readonly<Record<string, string>>
beforeAll(async () => {
  const [key, other, p256] = await Promise.all([generateKey(), generateKey(), generateKey('ES256')])
  keys = {
    'developer.key': await exportKey(key, 'pem'),
    'developer.pub': await exportKey(key.publicKey, 'pem'),
    'other.pub': await exportKey(other.publicKey, 'pem'),
    'p256.key': await exportKey(p256, 'pem'),
    'agent.secret': `${SECRET}\n`,
    'other.secret': writeSecret(new Uint8Array(32)),
    'index.json': JSON.stringify(INDEX),
  }
})

const world = (files: Readonly<Record<string, string | Uint8Array>> = AGENT_FILES, more: Setting['files'] = {}) => ({
  files: { ...keys, ...inFolder(files), ...more },
})
const LOCK = ['agent', 'lock', 'coach', '--index', 'index.json']
const BUILD = ['agent', 'build', 'coach', '--key', 'developer.key', '--secret', 'agent.secret', '--index', 'index.json']
const CONTAINER = 'coach@1.0.0.agent'

async function built(setting: Setting = world(), argv: readonly string[] = BUILD) {
  const ran = await blazon(argv, { env: { SOURCE_DATE_EPOCH: '1700000000' }, ...setting })
  expect([ran.code, ran.stderr.includes('error')], ran.stderr).toEqual([0, false])
  return { ...ran, container: ran.saved.get(CONTAINER)!, lock: ran.saved.get('coach/agent.lock') }
}

const codesOf = (stdout: string) =>
  JSON.parse(stdout).results.flatMap(({ diagnostics }: { diagnostics: { code: string; severity: string }[] }) =>
    diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code),
  )

describe('convert', () => {
  const ADL = ['--to', 'adl', '--classification', 'internal']

  test('makes one definition from a folder and its container with the secret', async () => {
    const { container } = await built()
    const setting = world(AGENT_FILES, { [CONTAINER]: container })
    const made = await Promise.all(
      [['coach'], [CONTAINER, '--secret', 'agent.secret']].map(async (source) => {
        const { code, stdout, stderr } = await blazon(['convert', ...source, ...ADL], setting)
        expect([code, stderr.includes('dropped  context/plan.md')]).toEqual([0, true])
        return stdout
      }),
    )
    expect(new Set(made).size).toBe(1)
    expect(JSON.parse(made[0]!).system_prompt).toBe('## who\nYou are kind.\n')
  })
  test('drops the prompts of a container without the secret, and converts no changed container', async () => {
    const { container } = await built()
    const sealed = await blazon(['convert', CONTAINER, ...ADL], world({}, { [CONTAINER]: container }))
    expect([sealed.code, JSON.parse(sealed.stdout).system_prompt]).toEqual([0, undefined])
    for (const path of ['prompt.yaml.enc', 'specialists/helper-prompt.yaml.enc'])
      expect(sealed.stderr).toContain(`dropped  ${path}: encrypted`)
    const changed = Uint8Array.from(container)
    changed[changed.length - 200]! ^= 1
    const { code, stdout } = await blazon(['convert', CONTAINER, ...ADL], world({}, { [CONTAINER]: changed }))
    expect([code, stdout]).toEqual([1, ''])
  })
})

describe('agent lock', () => {
  test('locks versions and hashes of tools, sub-agents, models and files [agentlang/build-1]', async () => {
    const { code, saved } = await blazon(LOCK, { ...world(), env: { SOURCE_DATE_EPOCH: '1' } })
    expect([code, [...saved.keys()]]).toEqual([0, ['coach/agent.lock']])
    const hashes = Object.fromEntries(
      Object.entries(AGENT_FILES).map(([path, content]) => [path, `sha256:${sha256(content)}`]),
    )
    const own = Object.entries(hashes).filter(([path]) => path.includes('helper'))
    expect(parseYaml(text(saved.get('coach/agent.lock')))).toEqual({
      version: '1',
      resolved_at: '1970-01-01T00:00:01Z',
      tools: { web_search: { version: '1.3.0', hash: `sha256:${sha256(canonicalizeValue(DEFINITION))}` } },
      agents: { helper: { hash: `sha256:${sha256(canonicalizeValue(Object.fromEntries(own)))}` } },
      models: { 'claude-sonnet-4': { context_window: 200_000, supports_tools: true } },
      files: hashes,
    })
  })
  test('leaves a lockfile as it is when nothing changed, also at another time', async () => {
    const { saved } = await blazon(LOCK, world())
    const again = await blazon(LOCK, world({ ...AGENT_FILES, 'agent.lock': saved.get('coach/agent.lock')! }))
    expect([again.code, again.saved.size]).toEqual([0, 0])
    expect(again.stderr).toContain('agent.lock is up to date')
  })
  test('--frozen names what was added, removed and changed, and writes nothing [agentlang/build-2]', async () => {
    const { lock } = await built()
    const { 'context/plan.md': _, ...rest } = AGENT_FILES
    const changed = { ...rest, 'prompt.yaml': `${PROMPT}# more\n`, 'context/new.md': 'x', 'agent.lock': lock! }
    for (const argv of [LOCK, BUILD]) {
      const { code, saved, stdout } = await blazon([...argv, '--frozen', '--format', 'json'], world(changed))
      expect([code, saved.size]).toEqual([1, 0])
      const details = JSON.parse(stdout).results[0].diagnostics.filter((one: { code: string }) => one.code === 'AL-186')
      expect(details.map((one: { detail: string }) => one.detail).sort()).toEqual([
        "files 'context/new.md' was added",
        "files 'context/plan.md' was removed",
        "files 'prompt.yaml' was changed",
      ])
      expect(details[0].source.file).toBe('coach/agent.lock')
    }
  })
  test('--frozen needs a lockfile, and accepts one that is up to date', async () => {
    const { code, stdout } = await blazon([...LOCK, '--frozen', '--format', 'json'], world())
    expect([code, codesOf(stdout)]).toEqual([1, ['AL-186']])
    const { lock } = await built()
    const frozen = await blazon([...LOCK, '--frozen'], world({ ...AGENT_FILES, 'agent.lock': lock! }))
    expect([frozen.code, frozen.saved.size]).toEqual([0, 0])
  })
  test('without an index, reports unknown tools with what to do, and locks models without details', async () => {
    const { code, stdout, stderr, saved } = await blazon(['agent', 'lock', 'coach', '--format', 'json'], world())
    expect([code, stderr, saved.size]).toEqual([1, '', 0])
    expect(codesOf(stdout)).toEqual(['AL-180', 'AL-180'])
    expect(JSON.parse(stdout).results[0].diagnostics[0].fix.hint).toContain('--index')
    const plain = { 'agent.yaml': AGENT.replace('web_search\n    version: ^1.2.0', 'sqlite') }
    const built = await blazon(['agent', 'lock', 'coach/'], world(plain))
    expect(parseYaml(text(built.saved.get('coach/agent.lock')))).toMatchObject({ models: { 'claude-sonnet-4': {} } })
  })
  test.each([
    ['tools.json next to agent.yaml', { ...AGENT_FILES, 'tools.json': JSON.stringify(INDEX) }, {}],
    ['the file of BLAZON_INDEX', { ...AGENT_FILES, 'tools.json': '{}' }, { BLAZON_INDEX: 'index.json' }],
  ])('takes %s as the index', async (_, files, env) => {
    const { code, saved } = await blazon(['agent', 'lock', 'coach'], { ...world(files), env })
    expect(code).toBe(0)
    expect(parseYaml(text(saved.get('coach/agent.lock'))).tools.web_search.version).toBe('1.3.0')
  })
  test('an agent.lock that has the tools is enough without an index', async () => {
    const { lock } = await built()
    const files = { ...AGENT_FILES, 'agent.lock': lock! }
    const argv = ['agent', 'build', 'coach', '--key', 'developer.key', '--secret', 'agent.secret']
    const again = await built(world(files), argv)
    expect([again.code, again.container]).toEqual([0, (await built()).container])
    expect((await built(world(files), [...argv, '--frozen'])).code).toBe(0)
    const other = { ...files, 'agent.yaml': AGENT.replace('^1.2.0', '^2.0.0') }
    const refused = await blazon(['agent', 'lock', 'coach', '--format', 'json'], world(other))
    expect([refused.code, codesOf(refused.stdout)]).toEqual([1, ['AL-181']])
    expect(JSON.parse(refused.stdout).results[0].diagnostics[0].fix.hint).toContain('--index')
  })
  test('keeps the pins of MCP servers that the agent still has', async () => {
    const pins = { tools: { pay: `sha256:${'0'.repeat(64)}` } }
    const lock = { version: '1', resolved_at: '2020-01-01T00:00:00Z', files: {}, mcp: { Stripe: pins, Gone: pins } }
    const agent = `${AGENT}mcp_servers:\n  Stripe: { url: "https://mcp.example" }\n`
    const files = { ...AGENT_FILES, 'agent.yaml': agent, 'agent.lock': JSON.stringify(lock) }
    const { saved } = await blazon(LOCK, world(files))
    expect(parseYaml(text(saved.get('coach/agent.lock'))).mcp).toEqual({ Stripe: pins })
  })
  test.each([
    ['an invalid lockfile', { 'agent.lock': 'version: "2"\n' }],
    ['a lockfile that is not YAML', { 'agent.lock': '{' }],
    ['an agent that is not YAML', { 'agent.yaml': '{' }],
  ])('refuses %s', async (_, files) => {
    const { code, saved } = await blazon(LOCK, world({ ...AGENT_FILES, ...files }))
    expect([code, saved.size]).toEqual([1, 0])
  })
  test.each([
    ['[]', 2],
    ['{', 1],
    ['{"tools": {"web_search": {"1.3.0": "\\ud800"}}, "models": {"claude-sonnet-4": {}}}', 1],
    ['{"tools": {"web_search": {"1.3.0": 1e999}}, "models": {"claude-sonnet-4": {}}}', 1],
    ['{"tools": {"__proto__": {"1.3.0": {}}, "web_search": []}}', 1],
  ])('an index %s does not lock anything', async (index, exit) => {
    const { code, saved } = await blazon(LOCK, world(AGENT_FILES, { 'index.json': index }))
    expect([code, saved.size]).toEqual([exit, 0])
  })
  test('refuses a folder without an agent, and an invalid time', async () => {
    expect((await blazon(['agent', 'lock', 'none'], world())).code).toBe(3)
    for (const time of ['-1', '1.5', 'now', '999999999999'])
      expect((await blazon(LOCK, { ...world(), env: { SOURCE_DATE_EPOCH: time } })).code, time).toBe(2)
  })
})

describe('agent build', () => {
  test('writes a container that verifies with the key and the secret [agentlang/build-3]', async () => {
    const { container, stdout, stderr } = await built()
    expect(stdout).toBe(`${sha256(container)}  ${CONTAINER}\n`)
    expect(stderr).toContain('5 files, 2 encrypted, 0 left out')
    const setting = world(AGENT_FILES, { [CONTAINER]: container })
    const verify = (...more: string[]) => blazon(['verify', CONTAINER, ...more], setting)
    const { code, stdout: proof } = await verify('--key', 'developer.pub', '--secret', 'agent.secret')
    expect([code, proof]).toEqual([0, expect.stringMatching(/verified[\s\S]*The prompts can be decrypted/)])
    expect((await verify('--key', 'other.pub')).code).toBe(4)
    expect((await verify('--key', 'developer.pub', '--secret', 'other.secret')).code).toBe(4)
  })
  test('the lockfile of the container shows no plain digest of a prompt', async () => {
    const { container, lock } = await built()
    const files = readArchive(container) as ReadonlyMap<string, Uint8Array>
    const all = [...files.values()].map(text).join()
    for (const prompt of [PROMPT, HELPER]) {
      expect(all).not.toContain(sha256(prompt))
      expect(text(lock)).toContain(sha256(prompt))
    }
    const [inside, outside] = [parseYaml(text(files.get('agent.lock'))), parseYaml(text(lock))]
    expect(inside.files['prompt.yaml']).toMatch(/^hmac-sha256:[0-9a-f]{64}$/)
    const { 'specialists/helper.yaml': yaml, 'specialists/helper-prompt.yaml': prompt } = inside.files
    const own = { 'specialists/helper.yaml': yaml, 'specialists/helper-prompt.yaml': prompt }
    expect(inside.agents.helper.hash).toBe(`sha256:${sha256(canonicalizeValue(own))}`)
    expect(inside.agents.helper.hash).not.toBe(outside.agents.helper.hash)
  })
  test('the same source gives the same bytes [agentlang/build-4]', async () => {
    const first = await built()
    const reversed = Object.fromEntries(Object.entries(AGENT_FILES).toReversed())
    expect((await built(world(reversed))).container).toEqual(first.container)
    const env = {}
    const locked = world({ ...AGENT_FILES, 'agent.lock': first.lock! })
    const again = await built({ ...locked, env })
    expect([again.container, again.saved.size]).toEqual([first.container, 1])
    expect((await built({ ...locked, env }, [...BUILD, '--frozen'])).container).toEqual(first.container)
  })
  test('takes every file that the agent names, and no other', async () => {
    const agent = `${AGENT}x-protocols:\n  acme: ./protocol.txt\n`
    const files = {
      ...AGENT_FILES,
      'agent.yaml': agent,
      'protocol.txt': 'Say hello.',
      'README.md': 'x',
      'a.env': 'S=1',
    }
    const { container, stderr } = await built(world(files))
    const inside = readArchive(container) as ReadonlyMap<string, Uint8Array>
    expect(text(inside.get('protocol.txt'))).toBe('Say hello.')
    expect([...inside.keys()].filter((path) => /README|env/.test(path))).toEqual([])
    expect(stderr).toMatch(/README\.md/)
  })
  test.each<[string, Record<string, string>, string]>([
    ['an agent with errors', { 'agent.yaml': AGENT.replace('1.0.0', 'one') }, 'AL-106'],
    ['an agent without a developer', { 'agent.yaml': AGENT.replace('developer: acme\n', '') }, 'AL-102'],
    ['a file that a container makes itself', { 'context/prompt.yaml.enc': 'x' }, 'AL-204'],
    ['paths that are one on some systems', { 'context/PLAN.md': 'x' }, 'AL-122'],
    ['a name that no manifest may have', { 'agent.yaml': AGENT.replace('coach', 'coach_') }, 'AL-204'],
  ])('refuses %s', async (_, files, expected) => {
    const { code, saved, stdout } = await blazon([...BUILD, '--format=json'], world({ ...AGENT_FILES, ...files }))
    expect([code, saved.size, codesOf(stdout)]).toEqual([1, 0, [expected]])
  })
  test.each<[string, readonly string[], string]>([
    ['no key', BUILD.filter((word) => !/key/.test(word)), 'blazon keygen'],
    ['no secret', BUILD.filter((word) => !/secret/.test(word)), '--new-secret'],
    ['a key of another algorithm', BUILD.map((word) => (word === 'developer.key' ? 'p256.key' : word)), 'Ed25519'],
    ['a key as the secret', BUILD.map((word) => (word === 'agent.secret' ? 'p256.key' : word)), 'is not a secret'],
    ['two secrets', [...BUILD, '--new-secret', 'new.secret'], 'exclude each other'],
  ])('%s is wrong usage', async (_, argv, words) => {
    const { code, saved, stderr } = await blazon(argv, world())
    expect([code, saved.size]).toEqual([2, 0])
    expect(stderr).toContain(words)
    expect(stderr).not.toContain('PRIVATE')
  })
  test('takes the secret of the environment, and needs none without prompts', async () => {
    const argv = BUILD.filter((word) => !/secret/.test(word))
    const env = { SOURCE_DATE_EPOCH: '1700000000', BLAZON_AGENT_SECRET: SECRET }
    expect((await built({ ...world(), env }, argv)).container).toEqual((await built()).container)
    await built(world({ 'agent.yaml': AGENT }), argv)
  })
  test('--new-secret writes a secret that opens the container', async () => {
    const { container, saved, stdout, stderr } = await built(world(), [
      ...BUILD.filter((word) => !/secret/.test(word)),
      '--new-secret',
      'new.secret',
    ])
    const secret = text(saved.get('new.secret'))
    expect(secret).toMatch(/^agentlang-key-1[\w-]{43}\n$/)
    expect(stdout + stderr).not.toContain(secret.trim())
    const setting = world(AGENT_FILES, { [CONTAINER]: container, 'new.secret': secret })
    const verified = await blazon(['verify', CONTAINER, '--key=developer.pub', '--secret=new.secret'], setting)
    expect(verified.code).toBe(0)
  })
  test('never overwrites a container with other bytes, nor a secret', async () => {
    const { container, lock } = await built()
    const same = await blazon(BUILD, world({ ...AGENT_FILES, 'agent.lock': lock! }, { [CONTAINER]: container }))
    expect([same.code, same.saved.size]).toEqual([0, 0])
    const other = await blazon(BUILD, world(AGENT_FILES, { [CONTAINER]: 'other' }))
    expect([other.code, other.saved.size]).toEqual([2, 0])
    expect(other.stderr).toContain('raise the version')
    const argv = [...BUILD.filter((word) => !/secret/.test(word)), '--new-secret', 'agent.secret']
    const kept = await blazon(argv, world())
    expect([kept.code, kept.saved.size]).toEqual([2, 0])
  })
  test.each([
    ['dist/', {}, `dist/${CONTAINER}`],
    ['dist', { 'dist/x': '' }, `dist/${CONTAINER}`],
    ['x.agent', {}, 'x.agent'],
  ])('--out %s', async (out, more, expected) => {
    const { saved } = await built(world(AGENT_FILES, more), [...BUILD, '--out', out])
    expect([...saved.keys()]).toContain(expected)
  })
  test('--quality refuses prompts by strict rules, and says that no model looked [agentlang/build-5]', async () => {
    const twice = `${PROMPT}  - name: who\n    content: Twice.\n`
    const files = { ...AGENT_FILES, 'prompt.yaml': twice }
    await built(world(files))
    const { code, stdout } = await blazon([...BUILD, '--quality', '--format', 'json'], world(files))
    expect([code, codesOf(stdout)]).toEqual([1, ['AL-132']])
    expect((await built(world(), [...BUILD, '--quality'])).stderr).toContain('no model looked at the prompts')
  })
  const review = (answer: unknown, more: readonly string[] = []) => {
    const turns = [{ text: typeof answer === 'string' ? answer : JSON.stringify(answer) }]
    const argv = [...BUILD, '--quality', '--reviewer', 'script:plan.json', '--format', 'json', ...more]
    return blazon(argv, world(AGENT_FILES, { 'plan.json': JSON.stringify({ turns }) }))
  }
  test.each<[string, unknown, readonly string[]]>([
    ['a score of 0.7', { score: 0.7 }, []],
    [
      'JSON as a block of Markdown',
      '```json\n{"score": 1, "notes": ["Say more in prompt.yaml."]}\n```',
      ['Say more in prompt.yaml.'],
    ],
    [
      'too many and too long notes',
      { score: 0.9, notes: Array(60).fill('x'.repeat(600)) },
      Array(50).fill('x'.repeat(500)),
    ],
  ])('--reviewer builds with %s [agentlang/build-5]', async (_, answer, notes) => {
    const { code, stdout, stderr, saved } = await review(answer)
    expect([code, saved.has(CONTAINER)], stderr).toEqual([0, true])
    expect(JSON.parse(stdout).results[0].review.notes).toEqual(notes)
    expect(stderr).not.toContain('no model looked')
  })
  test.each<[string, unknown, string]>([
    ['a lower score', { score: 0.69, notes: ['Unclear.'] }, 'The score is 0.69, expected at least 0.7'],
    ['the lowest score', { score: 0 }, 'The score is 0, expected at least 0.7'],
    ['a score above 1', { score: 1.5 }, 'no score from 0 to 1'],
    ['a score in words', { score: '1' }, 'no score from 0 to 1'],
    ['an inherited score', '{"__proto__": {"score": 1}}', 'no score from 0 to 1'],
    ['notes that are no texts', { score: 1, notes: [{ text: 'x' }] }, 'not a list of texts'],
    ['prose', 'Looks great, score 1!', 'no score from 0 to 1'],
    ['70 KB', `{"score": 1, "x": "${'x'.repeat(70_000)}"}`, 'no score from 0 to 1'],
    ['two answers', '{"score": 0.1, "score": 1}', 'no score from 0 to 1'],
  ])('--reviewer refuses the build for %s, and nothing is written [agentlang/build-5]', async (_, answer, detail) => {
    const { code, stdout, saved } = await review(answer)
    expect([code, saved.size, codesOf(stdout)]).toEqual([1, 0, ['AL-217']])
    expect(JSON.parse(stdout).results[0].diagnostics[0].detail).toContain(detail)
  })
  test('a reviewer gets the compiled prompts; one that fails or ends refuses the build', async () => {
    const asked: string[] = []
    const server = async (request: Request) => {
      asked.push(await request.text())
      return asked.length === 1
        ? Response.json({ choices: [{ message: { content: '{"score":1}' } }] })
        : new Response('{}', { status: 500 })
    }
    const argv = [...BUILD, '--quality', '--reviewer', 'chat:http://localhost:9/v1', '--format', 'json']
    await built({ ...world(), server }, argv)
    const { messages, model } = JSON.parse(asked[0]!)
    expect(model).toBe('claude-sonnet-4')
    expect(JSON.parse(messages[1].content)).toEqual({
      name: 'coach',
      description: 'Helps people to train.',
      prompts: [
        { file: 'prompt.yaml', role: 'system', text: '## who\nYou are kind.\n' },
        { file: 'specialists/helper-prompt.yaml', role: 'system', text: '## who\nYou help.\n' },
      ],
    })
    const failed = await blazon(argv, { ...world(), server })
    expect([failed.code, failed.saved.size, codesOf(failed.stdout)]).toEqual([1, 0, ['AL-217']])
    const silent = argv.map((word) => (word.startsWith('chat:') ? 'stdio:true' : word))
    expect((await blazon(silent, world())).code).toBe(1)
  })
  test('--reviewer without --quality is wrong usage', async () => {
    const { code, stderr } = await blazon([...BUILD, '--reviewer', 'script:plan.json'], world())
    expect([code, stderr.includes('--quality')]).toEqual([2, true])
  })
})

describe('agent unpack', () => {
  const UNPACK = ['agent', 'unpack', CONTAINER, '--key', 'developer.pub', '--secret', 'agent.secret']
  const unpack = async (argv: readonly string[], container?: Uint8Array, more: Setting['files'] = {}) =>
    blazon(argv, { files: { ...keys, [CONTAINER]: container ?? (await built()).container, ...more } })

  test('restores the folder to the byte, with its lockfile', async () => {
    const { lock, container } = await built()
    const { code, saved } = await unpack([...UNPACK, '--out', 'coach'], container)
    const restored = Object.fromEntries(Array.from(saved, ([path, bytes]) => [path, text(bytes)]))
    expect([code, restored]).toEqual([0, inFolder({ ...AGENT_FILES, 'agent.lock': text(lock) })])
  })
  test('writes to a folder with the name and version by default', async () => {
    const { saved } = await unpack(UNPACK)
    expect([...saved.keys()]).toContain('coach@1.0.0/agent.yaml')
  })
  test('needs a trusted signer, unless --accept signer', async () => {
    const argv = UNPACK.filter((word) => !/developer|--key/.test(word))
    const refused = await unpack(argv)
    expect([refused.code, refused.saved.size]).toEqual([4, 0])
    const accepted = await unpack([...argv, '--accept', 'signer'])
    expect([accepted.code, accepted.saved.size]).toEqual([0, 6])
  })
  test('--accept signer does not take another signer than the expected one', async () => {
    const argv = UNPACK.map((word) => (word === 'developer.pub' ? 'other.pub' : word))
    const { code, saved } = await unpack([...argv, '--accept', 'signer'])
    expect([code, saved.size]).toEqual([4, 0])
  })
  test('writes nothing with another secret, and says what to do without one', async () => {
    const other = await unpack([...UNPACK.slice(0, -1), 'other.secret', '--accept', 'signer'])
    expect([other.code, other.saved.size]).toEqual([4, 0])
    const without = await unpack(UNPACK.slice(0, -2))
    expect([without.code, without.saved.size]).toEqual([2, 0])
    expect(without.stderr).toContain('prompt.yaml.enc is encrypted')
  })
  test('writes nothing of a container that was changed in any byte of a file', async () => {
    const { container } = await built()
    const files = readArchive(container) as ReadonlyMap<string, Uint8Array>
    for (const bytes of nonEmpty(files.values())) {
      const changed = container.slice()
      const at = Buffer.from(container).indexOf(Buffer.from(bytes))
      changed[at + (bytes.length >> 1)]! ^= 1
      const { code, saved } = await unpack([...UNPACK, '--accept', 'signer'], changed)
      expect([code === 0, saved.size]).toEqual([false, 0])
    }
  })
  test('never writes to a folder that exists', async () => {
    const { code, saved } = await unpack([...UNPACK, '--out', 'coach'], undefined, { 'coach/mine.txt': 'x' })
    expect([code, saved.size]).toEqual([2, 0])
  })
  test('takes containers only', async () => {
    const { code } = await blazon(['agent', 'unpack', 'coach/agent.yaml'], world())
    expect(code).toBe(1)
  })
})

describe('diff', () => {
  const diff = async (lock: string, argv: readonly string[], container: Uint8Array) => {
    const { code, stdout } = await blazon(
      ['diff', ...argv],
      world({ ...AGENT_FILES, 'agent.lock': lock }, { [CONTAINER]: container }),
    )
    return [code, stdout]
  }
  test('finds no change between a container and its folder, except for what the lockfile pins', async () => {
    const { container, lock } = await built()
    const own = text(lock)
    expect(await diff(own, ['coach', CONTAINER], container)).toEqual([0, ''])
    expect(await diff(own, [CONTAINER, 'coach'], container)).toEqual([0, ''])
    const other = own.replace('supports_tools: true', 'supports_tools: false')
    expect(await diff(other, ['coach', CONTAINER], container)).toEqual([0, "changed, file: 'agent.lock'\n"])
  })
})

describe('verify --source', () => {
  const VERIFY = ['verify', CONTAINER, '--key', 'developer.pub', '--secret', 'agent.secret', '--source', 'coach']
  const verify = async (files: Readonly<Record<string, string>>, argv = [...VERIFY, '--index', 'index.json']) => {
    const { container, lock } = await built()
    const setting = world({ 'agent.lock': lock!, ...files }, { [CONTAINER]: container })
    const { code, stdout, stderr } = await blazon([...argv, '--format', 'json'], setting)
    const details = stdout === '' ? [] : JSON.parse(stdout).results[0].diagnostics
    return { code, stderr, details: details.map(({ code, detail }: Record<string, string>) => `${code} ${detail}`) }
  }
  test('accepts the source, also when it was locked at another time [agentlang/build-4]', async () => {
    expect(await verify(AGENT_FILES)).toEqual({ code: 0, stderr: '', details: [] })
    const { saved } = await blazon(LOCK, world())
    const other = { ...AGENT_FILES, 'agent.lock': text(saved.get('coach/agent.lock')) }
    expect((await verify(other)).code).toBe(0)
  })
  test('names every entry that differs', async () => {
    const { 'context/plan.md': _, ...rest } = AGENT_FILES
    const files = {
      ...rest,
      'prompt.yaml': `${PROMPT}#\n`,
      'context/new.md': '',
      'agent.yaml': `${AGENT}title: Coach\n`,
    }
    const { code, details } = await verify(files)
    expect([code, details.sort()]).toEqual([
      4,
      [
        "AL-216 'agent.lock' is not what the source gives",
        "AL-216 'agent.yaml' is not what the source gives",
        "AL-216 'context/new.md' is only in the source",
        "AL-216 'context/plan.md' is only in the container",
        "AL-216 'prompt.yaml.enc' is not what the source gives",
      ],
    ])
  })
  test('reports errors of the source, and another version', async () => {
    expect((await verify({ ...AGENT_FILES, 'agent.yaml': '{' })).code).toBe(4)
    const { details } = await verify({ ...AGENT_FILES, 'agent.yaml': AGENT.replace('1.0.0', '1.0.1') })
    expect(details).toContain("AL-216 'manifest.json' has another version than the source")
  })
  test('needs the secret of the prompts', async () => {
    const { code, stderr } = await verify(AGENT_FILES, VERIFY.toSpliced(4, 2))
    expect([code, JSON.parse(stderr).code]).toEqual([2, 'missing-secret'])
  })
  test('is for containers only', async () => {
    const { stderr } = await blazon(['verify', 'a.json', '--source', 'coach'], {
      files: { 'a.json': '{"adl_spec": "0.1.0"}' },
    })
    expect(stderr).toContain('--source is for containers of agents')
  })
})

describe('agent passes other verbs on', () => {
  test.each(['validate', 'verify', 'convert', 'diff', 'render', 'explain', 'gate', 'grants'])('%s', async (verb) => {
    const [own, passed] = await Promise.all([blazon([verb, '--help']), blazon(['agent', verb, '--help'])])
    expect([passed.code, passed.stdout]).toEqual([0, own.stdout])
    expect(own.stdout).toContain(`Usage: blazon ${verb}`)
  })
  test('but not verbs that take no agents', async () => {
    expect((await blazon(['agent', 'keygen'])).stderr).toContain('agent: expected')
  })
  test('with their arguments', async () => {
    expect((await blazon(['agent', 'validate', 'coach', '-q'], world())).code).toBe(0)
  })
})

describe('in a real file system', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'blazon-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const bytes = (content: string) => new TextEncoder().encode(content)

  test('a folder that cannot be written whole leaves nothing', async () => {
    const place = mkdtempSync(join(folder, 'a-'))
    const files = new Map([
      ['a', bytes('1')],
      ['a/b', bytes('2')],
    ])
    await expect(writeFolder(join(place, 'new'), files)).rejects.toThrow()
    expect(readdirSync(place)).toEqual([])
    symlinkSync('nowhere', join(place, 'link'))
    await expect(writeFolder(join(place, 'link'), files)).rejects.toMatchObject({ code: 'EEXIST' })
    expect(readdirSync(place)).toEqual(['link'])
    await writeFolder(join(place, 'new'), new Map([['x/y', bytes('1')]]))
    expect(readFileSync(join(place, 'new/x/y'), 'utf8')).toBe('1')
  })

  const program = resolve('dist/cli/blazon.js')
  const hasBuild = existsSync(program)
  if (!hasBuild) console.warn('NOT RUN: builds of agents by the program: dist/cli/blazon.js is not built')
  const hasFaketime = hasPrograms('builds at another time', ['faketime'])
  test.runIf(hasBuild)('the bytes depend on nothing but the files', () => {
    const places: Readonly<Record<string, string>>[] = [
      { TZ: 'UTC', LC_ALL: 'C' },
      { TZ: 'Asia/Tokyo', LC_ALL: 'C.UTF-8', umask: '077' },
      { TZ: 'America/Los_Angeles', LC_ALL: 'tr_TR.UTF-8', umask: '002' },
      ...(hasFaketime ? [{ at: '1999-12-31 23:59:59' }, { at: '2030-01-01 00:00:01' }] : []),
    ]
    const digests = places.map(({ umask = '022', at, ...variables }, i) => {
      const place = mkdtempSync(join(folder, 'b-'))
      const all = Object.entries({ ...keys, ...inFolder(AGENT_FILES) })
      const before = process.umask(umask)
      for (const [path, content] of i === 1 ? all.toReversed() : all) {
        mkdirSync(dirname(join(place, path)), { recursive: true })
        writeFileSync(join(place, path), content)
      }
      process.umask(before)
      const env = { ...process.env, ...variables, SOURCE_DATE_EPOCH: '1' }
      const command = [...(at === undefined ? [] : ['faketime', at]), process.execPath, program, ...BUILD]
      const shell = ['-c', `umask ${umask}; exec "$@"`, 'sh', ...command]
      return execFileSync('sh', shell, { cwd: place, env, stdio: 'pipe' }).toString()
    })
    expect(new Set(digests).size).toBe(1)
  })
})
