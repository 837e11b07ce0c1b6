// `blazon runs hook`: events of Claude Code and Codex become runs, and calls that a definition denies do not go on.
import { createHash, randomUUID } from 'node:crypto'
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { sign } from '../../bindings/adl/index.ts'
import { exportKey, generateKey } from '../../bindings/keys/index.ts'
import { assemble, validate, verifyStream } from '../../bindings/runs/index.ts'
import type { JsonObject } from '../../bindings/text/members.ts'
import { sharedData } from '../runs/records.ts'
import { blazon, type Setting } from './terminal.ts'

const root = mkdtempSync(join(tmpdir(), 'hook-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const SESSION = '01a2055e-fb1c-73f3-82d3-6a1449625853'
const DOCUMENT = JSON.stringify({
  adl_spec: '0.1.0',
  name: 'coder',
  description: 'Writes code',
  version: '1.0.0',
  data_classification: { sensitivity: 'public' },
  permissions: {
    execution: { allowed_commands: ['*'], denied_commands: ['cat', 'rm'], allow_shell: true },
    filesystem: {
      allowed_paths: [{ path: '/project/**', access: 'read_write' }],
      denied_paths: ['/project/secret/**'],
    },
    network: { allowed_hosts: ['docs.example.com'], allowed_ports: [443] },
  },
  tools: [
    { name: 'mcp__db__query', description: 'Queries' },
    { name: 'mcp__db__drop', description: 'Drops', requires_confirmation: true },
  ],
})

function made(files: Setting['files'] = { 'agent.json': DOCUMENT }) {
  const folder = realpathSync(mkdtempSync(join(root, 'blazon-hook-')))
  const runs = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.ndjson'))
      .map((name) => {
        const text = readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1)
        return { name, text, lines: text.map((line) => JSON.parse(line)) }
      })
  const event = (name: string, more: object = {}) => ({
    hook_event_name: name,
    session_id: SESSION,
    transcript_path: '/home/user/.claude/projects/x.jsonl',
    cwd: '/project',
    ...more,
  })
  const hook = async (stdin: object | string, args = '') => {
    const line = ['runs', 'hook', '--to', folder, ...args.split(' ').filter((word) => word !== '')]
    const text = typeof stdin === 'string' ? stdin : JSON.stringify(stdin)
    const { code, stdout, stderr } = await blazon(line, { stdin: text, files })
    const output = stdout === '' ? undefined : JSON.parse(stdout).hookSpecificOutput
    return { code, stderr, decision: output?.permissionDecision, reason: output?.permissionDecisionReason }
  }
  const call = (tool: string, input: object, args = '--document agent.json', more: object = {}) =>
    hook(event('PreToolUse', { tool_name: tool, tool_input: input, tool_use_id: 'toolu_1', ...more }), args)
  return { folder, runs, event, hook, call }
}

const encode = (text: string) => new TextEncoder().encode(text)
const recordOf = (text: readonly string[]) => JSON.parse(new TextDecoder().decode(assemble(text.map(encode))))

describe('recording', () => {
  // The members of each event: https://geminicli.com/docs/hooks/reference
  test('the events of Gemini CLI make one valid run; its calls have no identifiers', async () => {
    const { runs, folder } = made()
    const hook = async (hook_event_name: string, more: object) => {
      const transcript_path = '/home/me/.gemini/tmp/x/chats/session.json'
      const event = { session_id: SESSION, transcript_path, cwd: '/project', hook_event_name, ...more }
      const stdin = JSON.stringify({ ...event, timestamp: '2026-02-01T00:00:00.000Z' })
      const line = ['runs', 'hook', '--to', folder, '--document', 'agent.json']
      const { code, stdout } = await blazon(line, { stdin, files: { 'agent.json': DOCUMENT } })
      expect(code).toBe(0)
      return stdout === '' ? undefined : JSON.parse(stdout)
    }
    const call = (command: string) => ({ tool_name: 'run_shell_command', tool_input: { command } })
    const result = (llmContent: string, error?: object) => ({ tool_response: { llmContent, ...(error && { error }) } })
    await hook('SessionStart', { source: 'startup' })
    await hook('BeforeAgent', { prompt: 'Look around' })
    for (const command of ['ls a', 'ls b']) expect(await hook('BeforeTool', call(command))).toBeUndefined()
    await hook('AfterTool', { ...call('ls b'), ...result('b.ts') })
    await hook('AfterTool', { ...call('ls a'), ...result('', { message: 'no such folder' }) })
    expect(await hook('BeforeTool', call('rm x'))).toEqual({ decision: 'deny', reason: expect.stringContaining('rm') })
    await hook('AfterAgent', { prompt: 'Look around', prompt_response: 'There is b.', stop_hook_active: false })
    const [{ text }] = runs() as [ReturnType<typeof runs>[0]]
    const record = recordOf(text)
    expect([validate(record).valid, record.status, record.final_output.content]).toEqual([
      true,
      'succeeded',
      'There is b.',
    ])
    expect(record.agent).toMatchObject({ agent_id: 'gemini-cli', framework: 'gemini-cli' })
    type Step = { action: { type: string; input: { command: string } }; observation: JsonObject }
    const steps = record.steps.filter(
      ({ action, metadata }: Step & { metadata: JsonObject }) =>
        action.type === 'tool_call' && metadata['kind'] !== 'policy_verdict',
    )
    expect(steps.map(({ action, observation }: Step) => [action.input.command, observation['type']])).toEqual([
      ['ls a', 'error'],
      ['ls b', 'tool_result'],
      ['rm x', 'error'],
    ])
    expect(steps[0].observation.error.message).toBe('no such folder')
  })

  test('the events that Codex gave make one valid run, with the denied call and its verdict', async () => {
    const events = sharedData('codex/hook-events.jsonl')?.trim().split('\n')
    if (events === undefined) return
    const { runs, hook } = made()
    const decisions = []
    for (const event of events) decisions.push((await hook(event, '--document agent.json')).decision)
    expect(decisions).toEqual([undefined, undefined, undefined, 'deny', undefined, undefined, undefined])
    const [{ text }] = runs() as [ReturnType<typeof runs>[0]]
    const record = recordOf(text)
    const report = validate(record)
    expect([report.valid, report.conformance?.level]).toEqual([true, 1])
    expect(record).toMatchObject({
      status: 'succeeded',
      final_output: { content: 'done' },
      agent: { agent_id: 'codex' },
    })
    const calls = record.steps.filter((step: { action: { name: string } }) => step.action.name === 'Bash')
    expect(calls.map((step: { observation: { type: string } }) => step.observation.type)).toEqual([
      'tool_result',
      'error',
      'tool_result',
    ])
    const verdicts = record.steps.filter(
      (step: { metadata: { kind?: string } }) => step.metadata.kind === 'policy_verdict',
    )
    expect(
      verdicts.map((step: { observation: { output: { decision: string } } }) => step.observation.output.decision),
    ).toEqual(['allow', 'deny', 'allow'])
    expect(verdicts[1]).toMatchObject({
      parent_step_index: calls[1].index,
      observation: { output: { policy_violations: ['/permissions/execution/denied_commands/0'] } },
    })
    expect(record.metadata['adp.not_seen']).toContain('exit codes and failures of tools')
  })

  test('a turn of Claude Code is a run: prompt, call, failure, answer; then the next turn is another', async () => {
    const { runs, event, hook } = made()
    await hook(event('SessionStart', { source: 'startup' }))
    await hook(event('UserPromptSubmit', { prompt: 'Make a file' }))
    await hook(event('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'a' }))
    await hook(event('PreToolUse', { tool_name: 'Read', tool_input: { file_path: '/x' }, tool_use_id: 'b' }))
    await hook(
      event('PostToolUse', {
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
        tool_use_id: 'a',
        tool_response: { stdout: 'x' },
      }),
    )
    await hook(
      event('PostToolUseFailure', { tool_name: 'Read', tool_input: {}, tool_use_id: 'b', error: 'no such file' }),
    )
    await hook(event('Notification', { message: 'hello' }))
    await hook(event('Stop', { last_assistant_message: 'Done' }))
    await hook(event('SessionEnd', { reason: 'exit' }))
    await hook(event('UserPromptSubmit', { prompt: 'Again' }))
    await hook(event('UserPromptSubmit', { prompt: 'And again: the last turn was interrupted' }))
    expect(runs()).toHaveLength(3)
    const whole = runs().find(({ lines }) => lines.length > 5)!
    const record = recordOf(whole.text)
    expect(validate(record).valid).toBe(true)
    expect(record.steps.map((step: { action: { name: string } }) => step.action.name)).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'Bash',
      'Read',
      'Notification',
    ])
    expect(record.steps[3]).toMatchObject({ observation: { type: 'error', error: { message: 'no such file' } } })
    expect(runs().filter(({ lines }) => lines.at(-1).type !== 'run_completed')).toHaveLength(2)
  })

  test('a sub-agent is a run of its own, in the trace of its parent', async () => {
    const { runs, event, hook } = made()
    await hook(event('UserPromptSubmit', { prompt: 'Search' }))
    const agent = { agent_id: 'a1', agent_type: 'Explore' }
    await hook(event('SubagentStart', agent))
    await hook(event('PreToolUse', { ...agent, tool_name: 'Grep', tool_input: { pattern: 'x' }, tool_use_id: 'c' }))
    await hook(event('SubagentStop', { ...agent, last_assistant_message: 'Found' }))
    await hook(event('Stop', {}))
    const [parent, child] = ['claude-code', 'Explore'].map(
      (id) => runs().find(({ lines }) => lines[0].run.agent.agent_id === id)!,
    )
    expect(child!.lines[0].run.trace).toMatchObject({
      trace_id: parent!.lines[0].run.trace.trace_id,
      parent_span_id: parent!.lines[0].run.trace.span_id,
    })
    expect([child!.lines.at(-1).end.final_output.content, parent!.lines.at(-1).type]).toEqual([
      'Found',
      'run_completed',
    ])
  })

  test('with a signer, the stream of a turn is verified', async () => {
    const key = await generateKey('Ed25519')
    const { folder, runs, event, hook } = made({ 'recorder.key': await exportKey(key, 'pem') })
    for (let i = 0; i < 6; i++) {
      await hook(
        event('PreToolUse', { tool_name: 'Bash', tool_input: { i }, tool_use_id: `t${i}` }),
        '--signer recorder.key',
      )
      await hook(event('PostToolUse', { tool_use_id: `t${i}`, tool_response: 'x' }), '--signer recorder.key')
    }
    await hook(event('Stop', {}), '--signer recorder.key')
    const [{ name, text }] = runs() as [ReturnType<typeof runs>[0]]
    const checkpoints = readFileSync(join(folder, name.replace('.ndjson', '.checkpoints')))
    const { verdict } = await verifyStream(encode(`${text.join('\n')}\n`), { checkpoints, keys: [key.publicKey] })
    expect([verdict, checkpoints.toString().match(/^blazon/gm)?.length]).toEqual(['verified', 1])
  })

  test('a server that refuses the lines is named with its reason, and the event is recorded here', async () => {
    const server = createServer((_, response) => {
      response.writeHead(400, { 'content-type': 'application/problem+json' })
      response.end('{"detail": "tenant_id: expected \\"acme\\", the holder of the token.", "status": 400}')
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', () => ready()))
    const { port } = server.address() as AddressInfo
    const { event } = made()
    const line = ['runs', 'hook', '--to', `http://127.0.0.1:${port}`]
    const home = process.env['HOME']
    process.env['HOME'] = root
    const answered = await blazon(line, {
      stdin: JSON.stringify(event('Stop', { session_id: randomUUID() })),
      files: {},
    })
    process.env['HOME'] = home
    server.close()
    expect([answered.code, answered.stderr]).toEqual([0, expect.stringContaining('expected "acme", the holder')])
  })

  test('a process that died before it signed the end is made up for, and the next event begins a run', async () => {
    const key = await generateKey('Ed25519')
    const { folder, runs, event, hook } = made({ 'recorder.key': await exportKey(key, 'pem') })
    await hook(event('UserPromptSubmit', { prompt: 'x' }), '--signer recorder.key')
    const state = join(folder, 'sessions', createHash('sha256').update(SESSION).digest('hex'))
    const before = readFileSync(state)
    await hook(event('Stop', {}), '--signer recorder.key')
    const [{ name, text }] = runs() as [ReturnType<typeof runs>[0]]
    const file = join(folder, name.replace('.ndjson', '.checkpoints'))
    writeFileSync(state, before)
    rmSync(file)
    await hook(event('UserPromptSubmit', { prompt: 'y' }), '--signer recorder.key')
    const options = { checkpoints: readFileSync(file), keys: [key.publicKey] }
    expect((await verifyStream(encode(`${text.join('\n')}\n`), options)).verdict).toBe('verified')
    expect(runs()).toHaveLength(2)
  })

  test('a process that died after writing is continued, and a dead one leaves its intent', async () => {
    const { folder, runs, event, hook } = made()
    await hook(event('UserPromptSubmit', { prompt: 'x' }))
    const state = join(folder, 'sessions', createHash('sha256').update(SESSION).digest('hex'))
    const before = readFileSync(state)
    await hook(event('PreToolUse', { tool_name: 'Bash', tool_input: {}, tool_use_id: 'a' }))
    writeFileSync(state, before)
    await hook(event('PostToolUse', { tool_use_id: 'a', tool_response: 'late' }))
    const [{ lines }] = runs() as [ReturnType<typeof runs>[0]]
    expect(lines.map(({ type, seq }) => [type, seq])).toEqual([
      ['run_started', 0],
      ['step', 1],
      ['step_started', 2],
      ['step', 3],
    ])
    expect(lines[3].step).toMatchObject({ index: 1, action: { name: 'Bash' } })
  })
})

describe('deciding', () => {
  const { call } = made()
  const long = 'x'.repeat(10)
  test.each([
    ['Bash', { command: 'ls -la' }, undefined],
    ['Bash', { command: 'ls; cat /etc/passwd' }, 'deny'],
    ['Bash', { command: 'echo $(rm -rf /)' }, 'deny'],
    ['Bash', {}, 'deny'],
    ['Read', { file_path: '/project/a.ts' }, undefined],
    ['Read', { file_path: '/project/../etc/passwd' }, 'deny'],
    ['Write', { file_path: 'src/a.ts', content: long }, undefined],
    ['Edit', { file_path: '/project/secret/key' }, 'deny'],
    ['Grep', { pattern: 'x' }, 'deny'],
    ['apply_patch', { command: `*** Begin Patch\n*** Update File: a.ts\n*** Move to: /etc/a\n*** End Patch` }, 'deny'],
    ['apply_patch', { command: '*** Begin Patch\n*** Add File: a.ts\n+x\n*** End Patch' }, undefined],
    ['apply_patch', { command: 'nonsense' }, 'deny'],
    ['WebFetch', { url: 'https://docs.example.com/a' }, undefined],
    ['WebFetch', { url: 'http://docs.example.com/a' }, 'deny'],
    ['WebFetch', { url: 'file:///etc/passwd' }, 'deny'],
    ['mcp__db__query', {}, undefined],
    ['mcp__db__drop', {}, 'ask'],
    ['mcp__other__query', {}, 'deny'],
    ['Task', { prompt: 'x' }, undefined],
    ['WebSearch', { query: 'x' }, 'deny'],
    ['__proto__', {}, 'deny'],
  ])('%s %j: %s', async (tool, input, decision) => {
    expect((await call(tool, input)).decision).toBe(decision)
  })

  test('a denial names the rule, and says it to the runner and in the record', async () => {
    const { call, runs } = made()
    const { reason, code } = await call('Bash', { command: 'cat x' })
    expect([code, reason]).toEqual([0, expect.stringContaining('(/permissions/execution/denied_commands/0)')])
    // The error of the call does not quote its input, which a redaction takes out.
    expect(runs()[0]!.text.join()).toContain('{"message":"Denied by /permissions/execution/denied_commands/0"}')
  })

  test('Codex has no question, so an escalation is a denial there', async () => {
    const { call } = made()
    expect((await call('mcp__db__drop', {}, '--document agent.json --runner codex')).decision).toBe('deny')
    expect((await call('mcp__db__drop', {}, '--document agent.json', { transcript_path: null })).decision).toBe('deny')
  })

  test('what a definition cannot judge goes on with --unjudged allow', async () => {
    const { call } = made()
    expect((await call('TodoWrite', {}, '--document agent.json --unjudged allow')).decision).toBeUndefined()
  })

  test('a definition that is unreadable, changed or badly signed permits nothing', async () => {
    const key = await generateKey('Ed25519')
    const other = await generateKey('Ed25519')
    const { bytes } = await sign(DOCUMENT, key)
    const files = {
      'broken.json': '{"adl_spec":',
      'agent.json': DOCUMENT,
      'signed.json': bytes!,
      'own.pub': await exportKey(key.publicKey, 'pem'),
      'other.pub': await exportKey(other.publicKey, 'pem'),
    }
    const { call } = made(files)
    const pin = createHash('sha256').update(DOCUMENT).digest('hex')
    const decisions = [
      ['--document broken.json', 'deny'],
      ['--document missing.json', 'deny'],
      [`--document agent.json --pin ${pin}`, undefined],
      [`--document agent.json --pin ${'0'.repeat(64)}`, 'deny'],
      ['--document signed.json --key own.pub', undefined],
      ['--document signed.json --key other.pub', 'deny'],
      ['--document agent.json --key own.pub', 'deny'],
    ] as const
    for (const [args, decision] of decisions)
      expect([args, (await call('Bash', { command: 'ls' }, args)).decision]).toEqual([args, decision])
  })
})

describe('attacks', () => {
  test('file tools never reach the streams, the keys, the definition and the settings', async () => {
    const work = realpathSync(mkdtempSync(join(root, 'blazon-agent-')))
    const secret = join(work, 'keys', 'recorder.key')
    mkdirSync(join(work, 'keys'))
    const pem = await exportKey(await generateKey(), 'pem')
    writeFileSync(secret, pem)
    const { folder, call } = made({ [secret]: pem })
    writeFileSync(join(folder, 'victim.ndjson'), 'x')
    symlinkSync(folder, join(work, 'link'))
    linkSync(secret, join(work, 'hard'))
    const args = `--signer ${secret}`
    for (const [tool, path] of [
      ['Write', join(folder, 'victim.ndjson')],
      ['Read', join(folder, 'sessions')],
      ['Edit', join(work, 'link', 'new.ndjson')],
      ['Write', 'x/../link/victim.ndjson'],
      ['Read', secret],
      ['Read', join(work, 'hard')],
      ['Write', '.claude/settings.json'],
      ['Edit', join(work, '.codex', 'hooks.json')],
    ] as const)
      expect([path, (await call(tool, { file_path: path }, args, { cwd: work })).decision]).toEqual([path, 'deny'])
    expect((await call('Grep', { path: work }, args, { cwd: work })).decision).toBe('deny')
    expect((await call('Write', { file_path: 'fine.ts' }, args, { cwd: work })).decision).toBeUndefined()
  })

  test('a session id is never a path', async () => {
    const { folder, event, hook, runs } = made()
    for (const id of ['../../escape', '/etc/passwd', 'a\u0000b', 'x'.repeat(10_000)])
      expect((await hook(event('UserPromptSubmit', { session_id: id, prompt: 'x' }))).code).toBe(0)
    expect(runs()).toHaveLength(4)
    expect(readdirSync(join(folder, 'sessions')).every((name) => /^[0-9a-f]{64}$/.test(name))).toBe(true)
  })

  test('an event that forges lines stays one line', async () => {
    const { event, hook, runs } = made()
    const forged = '\n{"run":{},"run_id":"x","seq":0,"type":"run_started"}\n'
    await hook(event('UserPromptSubmit', { prompt: forged }))
    await hook(event('PreToolUse', { tool_name: forged, tool_input: { [forged]: forged }, tool_use_id: forged }))
    await hook(event('PostToolUse', { tool_use_id: forged, tool_response: forged }))
    await hook(event(forged, {}))
    expect(runs()[0]!.lines.map(({ type }) => type)).toEqual(['run_started', 'step', 'step_started', 'step', 'step'])
  })

  test.each([
    ['nothing', ''],
    ['no JSON', '{"hook_event_name":'],
    ['a list', '[]'],
    ['doubled members', '{"hook_event_name":"Stop","hook_event_name":"PreToolUse","session_id":"x"}'],
    ['no session', '{"hook_event_name":"PreToolUse"}'],
    ['33 MB', `{"hook_event_name":"Stop","session_id":"x","y":"${'x'.repeat(33 << 20)}"}`],
    ['a depth of 100,000', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ])('%s is not recorded: the call goes on, or is denied with --require', async (_, text) => {
    const { hook } = made()
    const open = await hook(text)
    expect([open.code, open.stderr.trim().split('\n').length]).toEqual([1, 1])
    expect((await hook(text, '--require')).code).toBe(2)
  })

  test('events that were not recorded are counted in the next run that ends', async () => {
    const { event, hook, runs } = made()
    await hook(event('UserPromptSubmit', { prompt: 'x' }))
    for (let i = 0; i < 3; i++) await hook('nonsense')
    await hook(event('Stop'))
    expect(runs()[0]!.lines.at(-1).end.metadata['adp.unrecorded']).toBe(3)
  })

  test('a folder that cannot be written leaves the call unrecorded, or denied with --require', async () => {
    const { folder, event, call, hook } = made()
    writeFileSync(join(folder, 'sessions'), 'a file, where a folder should be')
    expect((await hook(event('Stop'))).code).toBe(1)
    // Nothing is left to deny when a turn ends.
    expect((await hook(event('Stop'), '--require')).code).toBe(1)
    expect((await call('Bash', { command: 'ls' }, '')).code).toBe(1)
    expect((await call('Bash', { command: 'ls' }, '--require')).code).toBe(2)
    expect((await call('Bash', { command: 'ls' })).code).toBe(2)
  })

  test('a stream that the agent changed is not continued', async () => {
    const { folder, event, hook, runs } = made()
    await hook(event('UserPromptSubmit', { prompt: 'x' }))
    await hook(event('PreToolUse', { tool_name: 'Bash', tool_input: {}, tool_use_id: 'a' }))
    const [{ name, text }] = runs() as [ReturnType<typeof runs>[0]]
    writeFileSync(join(folder, name), `${text[0]}\n`)
    const next = await hook(event('PreToolUse', { tool_name: 'Bash', tool_input: {}, tool_use_id: 'b' }), '--require')
    expect(next.code).toBe(2)
  })
})

describe('--install', () => {
  const install = async (runner: string, args: string, files: Setting['files'] = {}) =>
    blazon(['runs', 'hook', '--install', runner, ...args.split(' ')], { files: { 'agent.json': DOCUMENT, ...files } })

  test.each([
    ['{"hooks": {"Stop": {"hooks": []}}}', '/hooks/Stop is not a list'],
    ['{"hooks": {"Pre/Tool": "say done"}}', '/hooks/Pre~1Tool is not a list'],
    ['{"hooks": []}', '/hooks is not an object'],
    ['{"hooks": null}', '/hooks is not an object'],
  ])('settings whose hooks cannot be kept are refused with their place: %s', async (text, place) => {
    for (const verb of ['--install', '--uninstall']) {
      const { code, saved, stderr } = await blazon(['runs', 'hook', verb, 'claude', '--yes'], {
        files: { '.claude/settings.local.json': text },
      })
      expect([code, saved.size, stderr]).toEqual([2, 0, expect.stringContaining(place)])
    }
  })

  test('the settings are shown, and written with --yes; what was there stays', async () => {
    const before = '{"model": "opus", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}'
    const files = { '.claude/settings.local.json': before }
    const shown = await install('claude', '--document agent.json --require', files)
    expect([shown.code, shown.saved.size, shown.stderr]).toEqual([0, 0, expect.stringContaining('--yes')])
    const { saved, stdout, stderr } = await install('claude', '--document agent.json --require --yes', files)
    const text = new TextDecoder().decode(saved.get('.claude/settings.local.json'))
    expect([shown.stdout, stdout, stderr]).toEqual([text, '', expect.stringContaining('blazon runs show latest')])
    const { model, hooks } = JSON.parse(text)
    const [
      {
        hooks: [own],
      },
    ] = hooks.PreToolUse
    const pin = createHash('sha256').update(DOCUMENT).digest('hex')
    expect([model, hooks.Stop.length, own.type]).toEqual(['opus', 2, 'command'])
    expect(own.command).toContain(`--runner claude --document /home/me/agent.json --pin ${pin}`)
    expect(own.command).toMatch(/--require$/)
    const again = await install('claude', '--document agent.json --yes', { '.claude/settings.local.json': text })
    expect(
      JSON.parse(new TextDecoder().decode(again.saved.get('.claude/settings.local.json'))).hooks.Stop,
    ).toHaveLength(2)
  })

  test('the hook runs the blazon of PATH, or else this program by its path', async () => {
    const commandFor = async (PATH: string) => {
      const files = { 'bin/blazon': '' }
      const { stdout } = await blazon(['runs', 'hook', '--install', 'codex'], { files, env: { PATH } })
      return JSON.parse(stdout).hooks.Stop[0].hooks[0].command
    }
    expect(await commandFor('/nowhere:/home/me/bin')).toMatch(/^blazon runs hook --runner codex /)
    for (const other of ['', '/nowhere']) expect(await commandFor(other)).toContain(`${process.argv[1]} runs hook `)
  })

  test('Codex gets its own file, without events that it lacks', async () => {
    const { saved, stderr } = await install('codex', '--yes')
    const { hooks } = JSON.parse(new TextDecoder().decode(saved.get('.codex/hooks.json')))
    expect([Object.keys(hooks).includes('PostToolUseFailure'), stderr]).toEqual([
      false,
      expect.stringContaining('/hooks'),
    ])
  })

  test('Gemini CLI gets its own events, and milliseconds', async () => {
    const { saved } = await install('gemini', '--yes', { '.gemini/settings.json': '{"theme":"dark"}' })
    const settings = JSON.parse(new TextDecoder().decode(saved.get('.gemini/settings.json')))
    expect([settings.theme, settings.hooks.BeforeTool[0].hooks[0]]).toEqual([
      'dark',
      { type: 'command', command: expect.stringContaining('runs hook --runner gemini --to '), timeout: 30_000 },
    ])
    expect(Object.keys(settings.hooks)).not.toContain('PreToolUse')
  })

  test('a second line keeps what it does not name, and shows what changes; --uninstall removes only our lines', async () => {
    const first = await install(
      'claude',
      '--document agent.json --signer a.key --key a.pub --to https://x.example --yes',
    )
    const text = new TextDecoder().decode(first.saved.get('.claude/settings.local.json'))
    const mixed = JSON.parse(text)
    mixed.hooks.Stop[0].hooks.push({ type: 'command', command: 'say done' })
    const files = { '.claude/settings.json': JSON.stringify(mixed) }
    const second = await install('claude', '--require --yes', files)
    const local = JSON.parse(new TextDecoder().decode(second.saved.get('.claude/settings.local.json')))
    const { command } = local.hooks.PreToolUse[0].hooks[0]
    for (const kept of ['--document /home/me/agent.json --pin ', '--signer /home/me/a.key', '--key /home/me/a.pub'])
      expect(command).toContain(kept)
    expect(command).toContain('--to https://x.example')
    expect([local.hooks.PreToolUse, local.hooks.Stop].map(([one]) => one.hooks[0].onFailure)).toEqual([
      'block',
      undefined,
    ])
    expect(second.stderr).toMatch(/^- .*\n\+ .*--require$/m)
    const shared = JSON.parse(new TextDecoder().decode(second.saved.get('.claude/settings.json')))
    const rest = { Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }] }
    expect(shared.hooks).toEqual(rest)
    const gone = await blazon(['runs', 'hook', '--uninstall', 'claude', '--yes'], { files })
    expect(JSON.parse(new TextDecoder().decode(gone.saved.get('.claude/settings.json'))).hooks).toEqual(rest)
  })

  test('settings that are not JSON stay as they are', async () => {
    expect((await install('claude', '--yes', { '.claude/settings.json': '// mine' })).code).toBe(2)
  })
})
