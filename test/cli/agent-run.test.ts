// Runs of agents on this machine, from the terminal.
import { execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { sealContainer } from '../../bindings/agentlang/container/seal.ts'
import { writeSecret } from '../../bindings/agentlang/container/secret.ts'
import { EVENTS } from '../../bindings/agentlang/events/specification.ts'
import { validateAs } from '../../bindings/frame/verbs.ts'
import { exportKey, generateKey } from '../../bindings/keys/index.ts'
import { canIsolate } from '../../bindings/node/mcp-process.ts'
import { assemble, validate } from '../../bindings/runs/index.ts'
import { filesOf } from '../agentlang/files.ts'
import { blazon, type Setting } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'agent-run-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let runs = 0

const FILESYSTEM = resolve('test/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js')
const EVERYTHING = resolve('test/node_modules/@modelcontextprotocol/server-everything/dist/index.js')

const SEARCHER =
  'name: searcher\nversion: 1.0.0\ndescription: Searches.\ndeveloper: acme\ntools: [{ name: artifacts }]\n'
const PROMPT = 'version: 2\nrole: system\nsections: [{ name: who, content: Secret words. }]\n'
const save = { tool: 'artifacts', input: { action: 'save', name: 'a.md', content: 'x' } }
const PLAN = { turns: [{ calls: [save] }, { text: 'Done.' }] }

async function run(line: string, files: Record<string, string | Uint8Array>, setting: Setting = {}) {
  const to = join(folder, String(++runs))
  const given = { 'a/agent.yaml': SEARCHER, 'plan.json': JSON.stringify(PLAN), ...files }
  const work = line.includes('--accept command') ? join(folder, 'work') : '/home/me/work'
  const words = [
    ...line.split(' '),
    '--to',
    to,
    ...(line.includes('--work') ? [] : ['--work', work]),
    '--prompt',
    'Go now',
  ]
  const ran = await blazon(['agent', 'run', ...words], { files: given, stdin: '', ...setting })
  const written = existsSync(to) ? readdirSync(to).sort() : []
  const events = written.find((name) => name.endsWith('.events.jsonl'))
  const lines = events === undefined ? [] : readFileSync(join(to, events), 'utf8').trimEnd().split('\n')
  const whole = written.map((name) => readFileSync(join(to, name), 'utf8')).join('\n')
  return { ...ran, whole, written, events: lines.map((text) => JSON.parse(text)) }
}

describe('blazon agent run', () => {
  test('writes the answer, the artifacts, the events and the record', async () => {
    const { code, stdout, stderr, saved, events, whole } = await run('a --model script:plan.json', {})
    expect([code, stdout]).toEqual([0, 'Done.\n'])
    expect(stderr).toContain('completed; $0.00; record: ')
    const [[path, content], ...more] = [...saved] as [[string, Uint8Array]]
    expect(path).toMatch(/\/[0-9a-f-]{36}\.artifacts\/a\.md$/)
    expect([new TextDecoder().decode(content), more]).toEqual(['x', []])
    expect(events.map(({ type }) => type)).toEqual([
      'agent.message',
      'agent.message',
      'tool.call',
      'tool.result',
      'agent.message',
    ])
    expect(whole).toContain('"type":"run_completed"')
  })

  test.each([
    ['a', '--model'],
    ['a --model gpt', 'got gpt'],
    ['a --model chat:x', 'got chat:x'],
    ['a --model openai:gpt-x', 'env:OPENAI_API_KEY'],
    ['a --model script:a/agent.yaml', 'a/agent.yaml: script:'],
    ['a --model stdio:/no/such/program', '/no/such/program'],
    ['a --model script:plan.json --accept everything', '--accept'],
    ['a --model script:plan.json --env NOT_SET', '--env'],
    [`a --model script:plan.json --work ${folder}`, '--to'],
  ])('%s is wrong usage, and names %s', async (line, named) => {
    const { code, stderr, written } = await run(line, {})
    expect([code, written]).toEqual([2, []])
    expect(stderr).toContain(named)
  })

  test('an agent with errors, and one that the host refuses, do not run', async () => {
    const broken = await run('a --model script:plan.json', { 'a/agent.yaml': 'version: 1.0.0\n' })
    expect([broken.code, broken.events]).toEqual([1, []])
    const camera = `${SEARCHER}permissions: { required: [camera], camera: { mode: on_demand } }\n`
    const refused = await run('a --model script:plan.json --host replit', { 'a/agent.yaml': camera })
    expect([refused.code, refused.events]).toEqual([1, []])
    expect(refused.stderr).toContain("refused: replit does not grant 'camera'")
  })

  test('names the tools that nobody provides before the start', async () => {
    const agent = SEARCHER.replace('[{ name: artifacts }]', '[{ name: sqlite }, { name: artifacts }]')
    const { stderr } = await run('a --model script:plan.json', { 'a/agent.yaml': agent })
    expect(stderr).toContain('agent.yaml: nobody provides sqlite')
  })

  test('a chat endpoint gets the prompt, and the token by option only', async () => {
    const asked: Request[] = []
    const server = async (request: Request) => {
      asked.push(request.clone())
      return Response.json({ choices: [{ message: { content: 'Hello.' } }] })
    }
    const line = 'a --model chat:http://localhost:9/v1 --model-key env:KEY'
    const { code, stdout, whole } = await run(line, { 'a/prompt.yaml': PROMPT }, { server, env: { KEY: 'abcdefgh' } })
    expect([code, stdout]).toEqual([0, 'Hello.\n'])
    expect(asked[0]!.headers.get('authorization')).toBe('Bearer abcdefgh')
    expect(await asked[0]!.text()).toContain('Secret words.')
    for (const text of ['abcdefgh', 'Secret words.']) expect(whole).not.toContain(text)
  })

  test.each([
    ['anthropic:claude-x --model-key env:KEY', 'https://api.anthropic.com/v1/chat/completions', 'max_tokens'],
    ['openai:gpt-x --model-key env:KEY', 'https://api.openai.com/v1/chat/completions', 'max_completion_tokens'],
    ['ollama:qwen', 'http://localhost:11434/v1/chat/completions', 'max_tokens'],
  ])('%s is asked at its address', async (model, address, limit) => {
    const asked: Request[] = []
    const server = async (request: Request) => {
      asked.push(request.clone())
      return Response.json({ choices: [{ message: { content: 'Hello.' } }] })
    }
    await run(`a --model ${model}`, {}, { server, env: { KEY: 'abcdefgh' } })
    const body = await asked[0]!.json()
    expect([asked[0]!.url, body.model, limit in body]).toEqual([address, /:(\S+)/.exec(model)![1], true])
    expect(asked[0]!.headers.get('authorization')).toBe(model.includes('env:KEY') ? 'Bearer abcdefgh' : null)
  })

  test('the Python program of the guide is a model', async () => {
    const guide = readFileSync('docs/guide/agentlang.md', 'utf8')
    const program = /```python\n([\s\S]+?)```/.exec(guide)![1]!
    expect(program.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
    writeFileSync(join(folder, 'model.py'), program)
    const words = ['agent', 'run', 'a', '--model', `stdio:python3 ${join(folder, 'model.py')}`, '--prompt', 'Go']
    const to = ['--to', join(folder, 'python'), '--work', '/home/me/work']
    const { code, stdout } = await blazon([...words, ...to], { files: { 'a/agent.yaml': SEARCHER }, stdin: '' })
    expect(code).toBe(0)
    expect(stdout).toContain('searcher (tool): {"error":"validation_error: ')
  })

  test('a definition decides about each call; what it wants confirmed is denied without a terminal', async () => {
    const tool = (name: string, more = {}) => ({ name, description: name, parameters: { type: 'object' }, ...more })
    const adl = (tools: object[]) =>
      JSON.stringify({
        adl_spec: '0.1.0',
        name: 'x',
        description: 'x',
        version: '1.0.0',
        data_classification: { sensitivity: 'public' },
        tools,
      })
    const line = 'a --model script:plan.json --document x.adl.json'
    const denied = await run(line, { 'x.adl.json': adl([tool('other')]) })
    expect(denied.events.find(({ type }) => type === 'tool.result').error).toContain("no tool 'artifacts'")
    const asking = await run(line, { 'x.adl.json': adl([tool('artifacts', { requires_confirmation: true })]) })
    expect(asking.events.find(({ type }) => type === 'tool.result').error).toContain('requires confirmation')
    const allowed = await run(line, { 'x.adl.json': adl([tool('artifacts')]) })
    expect(allowed.events.find(({ type }) => type === 'tool.result').output).toEqual({ saved: 'a.md' })
    expect(allowed.whole).toContain('pvs-1')
  })

  test('a definition decides about the files of a local server and the program of a command', async () => {
    const place = realpathSync(mkdtempSync(join(folder, 'files-')))
    for (const name of ['open', 'closed']) {
      mkdirSync(join(place, name))
      writeFileSync(join(place, name, 'a.txt'), `text of ${name}`)
    }
    symlinkSync(join(place, 'closed/a.txt'), join(place, 'open/link.txt'))
    const named = ['read_text_file', 'say'].map((name) => ({ name, description: name, parameters: { type: 'object' } }))
    const definition = {
      adl_spec: '0.1.0',
      name: 'x',
      description: 'x',
      version: '1.0.0',
      data_classification: { sensitivity: 'public' },
      tools: named,
      permissions: {
        filesystem: { allowed_paths: [{ path: `${place}/open/**`, access: 'read_write' }] },
        execution: { allowed_commands: ['printf'] },
      },
    }
    const server = { command: 'node', args: [FILESYSTEM, place] }
    const tools = `mcp_servers: ${JSON.stringify({ Files: server })}\nbash_tools: { say: { command: echo } }\n`
    const paths = ['open/a.txt', 'closed/a.txt', 'open/link.txt', 'open/../closed/a.txt']
    const calls = paths.map((path) => ({ tool: 'read_text_file', input: { path: join(place, path) } }))
    const turns = [{ calls: [...calls, { tool: 'say', input: { args: ['hi'] } }] }, { text: 'Done.' }]
    const line =
      'a --model script:plan.json --document x.json --accept command:Files --unpinned Files --accept command:say'
    const { events } = await run(line, {
      'a/agent.yaml': SEARCHER + tools,
      'plan.json': JSON.stringify({ turns }),
      'x.json': JSON.stringify(definition),
    })
    const results = new Map(
      events.flatMap(({ type, call_id, ...end }) => (type === 'tool.result' ? [[call_id, end]] : [])),
    )
    expect(results.get('call_1')).toMatchObject({ output: { content: 'text of open' } })
    for (const id of ['call_2', 'call_3', 'call_4'])
      expect(results.get(id)!['error']).toMatch(/^execution_error: refused: no entry of allowed_paths /)
    expect(results.get('call_5')!['error']).toMatch(/no pattern of allowed_commands|has no tool/)
  })
})

test.runIf(await canIsolate())('a command reads the files of its agent', async () => {
  const turns = [{ calls: [{ tool: 'read', input: { args: ['/agent/context/rates.csv'] } }] }, { text: 'Done.' }]
  const { events } = await run('a --model script:plan.json --accept command:read', {
    'a/agent.yaml': `${SEARCHER}bash_tools: { read: { command: cat } }\n`,
    'a/context/rates.csv': 'a,1',
    'plan.json': JSON.stringify({ turns }),
  })
  expect(events.find(({ type }) => type === 'tool.result')).toMatchObject({ output: 'a,1' })
})

test.runIf(await canIsolate())('a command whose paths cannot be held to the disk quota is left out', async () => {
  const turns = [{ text: 'Done.' }]
  const { stderr } = await run('a --model script:plan.json --accept command:read', {
    'a/agent.yaml': `${SEARCHER}bash_tools: { read: { command: cat } }
constraints: { sandbox: { allowed_paths: [./data], disk_quota: 5 } }\n`,
    'plan.json': JSON.stringify({ turns }),
  })
  expect(stderr).toContain('disk_quota; accept that with --accept unenforced:read')
})

test.runIf(await canIsolate())('a definition decides about all arguments of a command', async () => {
  const definition = {
    ...{ adl_spec: '0.1.0', name: 'x', description: 'x', version: '1.0.0' },
    data_classification: { sensitivity: 'public' },
    tools: ['env', 'nice', 'xargs', 'printf'].map((name) => ({
      name,
      description: name,
      parameters: { type: 'object' },
    })),
    permissions: {
      execution: { allowed_commands: ['env', 'nice', 'xargs', 'printf'], denied_commands: ['rm'] },
    },
  }
  const calls = [
    { tool: 'env', input: { args: ['sh', '-c', 'echo ran'] } },
    { tool: 'nice', input: { args: ['rm', 'x'] } },
    { tool: 'xargs', input: { args: ['cat'] } },
    { tool: 'printf', input: { args: ['a;b'] } },
  ]
  const commands = Object.fromEntries(definition.tools.map(({ name }) => [name, { command: name }]))
  const accepts = definition.tools.map(({ name }) => `--accept command:${name}`).join(' ')
  const { events, whole } = await run(`a --model script:plan.json --document x.json ${accepts}`, {
    'a/agent.yaml': `${SEARCHER}bash_tools: ${JSON.stringify(commands)}\n`,
    'plan.json': JSON.stringify({ turns: [{ calls }, { text: 'Done.' }] }),
    'x.json': JSON.stringify(definition),
  })
  const ends = events.flatMap(({ type, error, output }) => (type === 'tool.result' ? [error ?? output] : [])).sort()
  expect(ends).toEqual([
    'a;b',
    expect.stringMatching(/^execution_error: refused: .*sh .* takes a shell/),
    expect.stringMatching(/^execution_error: refused: 'rm' matches/),
    expect.stringMatching(/^execution_error: refused: no pattern of allowed_commands/),
  ])
  expect(whole).toContain('sh -c echo ran')
})

describe('granted values', () => {
  const KEY = 'hunter2-hunter2'
  const base64 = Buffer.from(`a${KEY}b`).toString('base64')
  const adl = {
    ...{ adl_spec: '0.1.0', name: 'x', description: 'x', version: '1.0.0' },
    data_classification: { sensitivity: 'public' },
    tools: [{ name: 'look', description: 'x', parameters: { type: 'object' } }],
    permissions: { network: { allowed_hosts: [`${KEY}.example.com`], allowed_protocols: ['https'] } },
  }
  const look = { endpoint: `https://${KEY}.example.com/{q}`, params: { q: { type: 'string' } } }
  const files = {
    'a/agent.yaml': `${SEARCHER}http_tools: ${JSON.stringify({ look })}\n`,
    'plan.json': JSON.stringify({
      turns: [
        { calls: [{ tool: 'look', input: { q: KEY } }, { tool: `no ${KEY}`, input: {} }, save] },
        { text: `It is ${KEY}, ${base64}, ${encodeURIComponent(base64)}.` },
      ],
    }),
    'x.json': JSON.stringify(adl),
  }
  const fetch = async () => Response.json({ value: [KEY, base64] })
  const setting = { env: { KEY, SHORT: 'abc' }, fetch: Object.assign(fetch, { checksAddresses: true }) }

  test.each(['pretty', 'json'])('are in no output, event, record, verdict and message as %s', async (format) => {
    const line = `a --model script:plan.json --env KEY --document x.json --format ${format}`
    const { code, stdout, stderr, whole } = await run(line, files, setting)
    expect(code, stderr).toBe(0)
    expect(stdout).toContain('[KEY]')
    expect(whole).toContain('pvs-1')
    for (const text of [stdout + stderr, whole]) {
      expect(text).not.toContain(KEY)
      expect(text).not.toContain(base64.slice(2, -4))
    }
  })

  test('are in no error', async () => {
    const { code, stderr } = await run(`a --env KEY --model stdio:/no/${KEY}`, files, setting)
    expect([code, stderr.includes(KEY)]).toEqual([2, false])
  })

  test('that are too short to be hidden are refused', async () => {
    const { code, stderr } = await run('a --model script:plan.json --env SHORT', files, setting)
    expect(code).toBe(2)
    expect(stderr).toContain('--env: SHORT has under 4 characters')
  })
})

describe('the program', () => {
  const program = resolve('dist/cli/blazon.js')
  const hasBuild = existsSync(program)
  if (!hasBuild) console.warn('NOT RUN: Ctrl-C during a run: dist/cli/blazon.js is not built')

  test.runIf(hasBuild)('Ctrl-C ends a run with a complete record, and leaves no server', async () => {
    const place = mkdtempSync(join(folder, 'p-'))
    const server = { command: process.execPath, args: [EVERYTHING, 'stdio', `mark-${process.pid}`] }
    mkdirSync(join(place, 'a'))
    writeFileSync(join(place, 'a/agent.yaml'), `${SEARCHER}mcp_servers: ${JSON.stringify({ Every: server })}\n`)
    const long = { tool: 'trigger-long-running-operation', input: { duration: 600, steps: 1 } }
    writeFileSync(join(place, 'plan.json'), JSON.stringify({ turns: [{ text: 'I wait.', calls: [long, save] }] }))
    const words =
      'agent run a --model script:plan.json --prompt Go --accept command:Every --unpinned Every --to runs --work w'.split(
        ' ',
      )
    const child = spawn(process.execPath, [program, ...words], { cwd: place, stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = new Promise<number | null>((done) => child.on('exit', done))
    const written = (ending: string) => {
      const runs = join(place, 'runs')
      const name = existsSync(runs) ? readdirSync(runs).find((one) => one.endsWith(ending)) : undefined
      return name === undefined ? '' : readFileSync(join(runs, name), 'utf8')
    }
    // The call of `artifacts` has its result, the other one has not.
    await expect.poll(() => written('.events.jsonl'), { timeout: 60_000 }).toContain('"tool.result"')
    child.kill('SIGINT')
    expect(await ended).toBe(1)
    const events = written('.events.jsonl').trimEnd().split('\n')
    const log = JSON.stringify({ events: events.map((line) => JSON.parse(line)) })
    expect(validateAs(EVENTS, log, {}).diagnostics).toEqual([])
    expect(events.filter((line) => line.includes('"tool.result"'))).toHaveLength(2)
    expect(events.at(-1)).toContain('the call was cancelled')
    const lines = written('.ndjson').trimEnd().split('\n')
    const record = assemble(lines.map((line) => new TextEncoder().encode(line)))
    expect(validate(record).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(JSON.parse(new TextDecoder().decode(record))).toMatchObject({ status: 'cancelled' })
    expect(execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' })).not.toContain(`mark-${process.pid}`)
  })
})

describe('temporary folders', () => {
  const program = resolve('dist/cli/blazon.js')
  test.runIf(existsSync(program))('a closed terminal ends a run, and none is left', async () => {
    const place = mkdtempSync(join(folder, 't-'))
    const temporary = join(place, 'tmp')
    mkdirSync(join(place, 'a'))
    mkdirSync(temporary)
    writeFileSync(join(place, 'a/agent.yaml'), `${SEARCHER}bash_tools: { say: { command: echo } }\n`)
    // A model that never answers.
    const words = ['agent', 'run', 'a', '--model', 'stdio:sleep 600', '--prompt', 'Go', '--accept', 'command:say']
    const env = { ...process.env, TMPDIR: temporary }
    const child = spawn(process.execPath, [program, ...words], { cwd: place, env, stdio: 'ignore' })
    const ended = new Promise<number | null>((done) => child.on('exit', done))
    const events = () =>
      existsSync(join(place, 'runs')) && readdirSync(join(place, 'runs')).some((name) => name.endsWith('.events.jsonl'))
    await expect.poll(events, { timeout: 60_000 }).toBe(true)
    expect(readdirSync(temporary).length).toBeGreaterThan(0)
    child.kill('SIGHUP')
    expect(await ended).toBe(1)
    expect(readdirSync(temporary).filter((name) => name.startsWith('blazon-'))).toEqual([])
    const record = readdirSync(join(place, 'runs')).find((name) => name.endsWith('.ndjson'))
    expect(readFileSync(join(place, 'runs', record!), 'utf8')).toContain('cancelled')
  })
})

describe('containers', async () => {
  const [key, other] = [await generateKey('Ed25519'), await generateKey('Ed25519')]
  const secret = new Uint8Array(32).fill(7)
  const about = { name: 'searcher', version: '1.0.0', developer: 'acme', key, secret }
  const sealed = await sealContainer({ ...about, files: filesOf({ 'agent.yaml': SEARCHER, 'prompt.yaml': PROMPT }) })
  const files = {
    'x.agent': sealed,
    'key.pem': await exportKey(key, 'pem'),
    'other.pem': await exportKey(other, 'pem'),
    secret: writeSecret(secret),
  }
  test.each([
    ['[agentlang/container-5] a known signer', '--key key.pem --secret secret', 0],
    ['an unknown signer', '--secret secret', 4],
    ['an unknown signer that is accepted', '--accept signer --secret secret', 0],
    ['another signer', '--key other.pem --accept signer --secret secret', 4],
    ['[agentlang/container-6] encrypted prompts without the secret', '--key key.pem', 2],
  ])('%s: exit code of %s is %i', async (_, line, expected) => {
    const { code, stdout } = await run(`x.agent --model script:plan.json ${line}`, files)
    expect([code, stdout]).toEqual([expected, expected === 0 ? 'Done.\n' : ''])
  })
})

describe('MCP servers', () => {
  const server = (more: object = {}) =>
    `${SEARCHER}mcp_servers: ${JSON.stringify({ Every: { command: 'node', args: [EVERYTHING], tools: ['echo'], ...more } })}\n`
  const plan = JSON.stringify({ turns: [{ calls: [{ tool: 'echo', input: { message: 'hi' } }] }, { text: 'Done.' }] })
  const result = (events: { type: string }[]) => events.find(({ type }) => type === 'tool.result')

  test('a command is not started without a grant', async () => {
    const { stderr, events } = await run('a --model script:plan.json', { 'a/agent.yaml': server(), 'plan.json': plan })
    expect(stderr).toContain('--accept command:Every')
    expect(result(events)).toMatchObject({ error: expect.stringContaining("no tool 'echo'") })
  })

  test('[agentlang/mcp-2] a granted server without pins is not started', async () => {
    for (const more of ['', ' --unpinned Other', ' --accept command:Other']) {
      const line = `a --model script:plan.json --accept command:Every${more}`
      const marked = join(folder, `marked-${runs}`)
      const command = { command: 'node', args: ['-e', `require("fs").writeFileSync(${JSON.stringify(marked)}, "")`] }
      const { stderr, events, code } = await run(line, { 'a/agent.yaml': server(command), 'plan.json': plan })
      expect(code).toBe(0)
      expect(stderr).toContain('agent.lock does not pin its tools')
      expect(stderr).toContain('--unpinned Every')
      expect(result(events)).toMatchObject({ error: expect.stringContaining("no tool 'echo'") })
      expect(existsSync(marked)).toBe(false)
    }
  })

  test('[agentlang/mcp-2] --unpinned uses it, and the missing pins are reported', async () => {
    const line = `a --model script:plan.json --accept command:Every --unpinned Every`
    const { stderr, events, code } = await run(line, { 'a/agent.yaml': server(), 'plan.json': plan }, {})
    expect(code).toBe(0)
    expect(stderr).toContain('Every: agent.lock does not pin its tools')
    expect(result(events)).toMatchObject({ output: 'Echo: hi' })
  })

  test('limits that cannot be enforced are said before the start, and accepted by name', async () => {
    const limited = `${server()}constraints: { sandbox: { allowed_paths: [./data] } }\n`
    const files = { 'a/agent.yaml': limited, 'plan.json': plan }
    const { stderr } = await run('a --model script:plan.json --accept command:Every', files)
    expect(stderr).toContain('allowed_paths; accept that with --accept unenforced:Every')
  })

  describe('headers of a URL', () => {
    const remote = (headers: object) =>
      `${SEARCHER}mcp_servers: ${JSON.stringify({ Far: { url: 'https://mcp.example.com/', headers } })}\n`
    async function asked(headers: object, line = '') {
      const seen: Headers[] = []
      const fetch = async (_: string, init: RequestInit = {}) => {
        seen.push(new Headers(init.headers))
        // A server that repeats what it gets.
        return Response.json({ jsonrpc: '2.0', id: 1, error: { code: 1, message: [...seen.at(-1)!].join() } })
      }
      const setting = { fetch, env: { KEY: 'tok-123456', BAD: 'tok-123456\nx: y' } }
      return {
        seen,
        ...(await run(
          `a --model script:plan.json --unpinned Far${line}`,
          { 'a/agent.yaml': remote(headers) },
          setting,
        )),
      }
    }

    test('are sent with granted variables, which no output has', async () => {
      const headers = { Authorization: 'Bearer {{.env.KEY}}', 'X-Team': 'a', Accept: 'text/plain' }
      const { seen, stderr, stdout, whole } = await asked(headers, ' --env KEY')
      expect(seen.length).toBeGreaterThan(0)
      for (const one of seen) {
        expect([one.get('authorization'), one.get('x-team')]).toEqual(['Bearer tok-123456', 'a'])
        expect(one.get('accept')).toContain('application/json')
      }
      expect(stdout + stderr + whole).not.toContain('tok-123456')
    })

    test.each([
      ['a variable that was not granted', { Authorization: '{{.env.KEY}}' }, '', 2],
      ['a value with a line break', { Authorization: '{{.env.BAD}}' }, ' --env BAD', 0],
      ['the host', { Host: 'internal' }, '', 0],
      ['the length of the body', { 'content-LENGTH': '0' }, '', 0],
      ['the session', { 'Mcp-Session-Id': 'x' }, '', 0],
      ['no name', { 'a b': 'x' }, '', 0],
    ])('with %s send nothing', async (_, headers, line, code) => {
      const ran = await asked(headers, line)
      expect([ran.code, ran.seen.length], ran.stderr).toEqual([code, 0])
      expect(ran.stderr).toContain('Far')
      expect(ran.stderr + ran.whole).not.toContain('tok-123456')
    })
  })

  test('a variable that was not granted is named, and its server is not started', async () => {
    const files = { 'a/agent.yaml': server({ env: { KEY: '{{.env.STRIPE_KEY}}' } }), 'plan.json': plan }
    const setting = { env: { STRIPE_KEY: 'sk_live_x' } }
    const { code, stderr } = await run(
      'a --model script:plan.json --accept command:Every --unpinned Every',
      files,
      setting,
    )
    expect(code).toBe(2)
    expect(stderr).toContain('STRIPE_KEY')
    expect(stderr).not.toContain('sk_live_x')
  })
})
