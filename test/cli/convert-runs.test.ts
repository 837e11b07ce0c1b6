// Runs on the command line: conversions and audits.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { canonicalizeValue } from '../../bindings/core/value.ts'
import { split } from '../../bindings/runs/stream/seal.ts'
import { examine } from '../../browser-demo/examine.ts'
import { blazon } from './terminal.ts'

const canonicalizeText = (value: object) => new TextDecoder().decode(canonicalizeValue(value))

const files = {
  'run.json': readFileSync('fixtures/runs/review.json', 'utf8'),
  'rollout.jsonl': readFileSync('fixtures/runs/codex-session.jsonl', 'utf8'),
  'ids.txt': 'a-run\n',
  'agent.json': '{"adl_spec": "0.1.0"}',
}
const run = (line: string, more: Record<string, string> = {}) =>
  blazon(line.split(' '), { files: { ...files, ...more } })

describe('convert', () => {
  test.each(['otlp', 'atif', 'events'])('a record to %s and back is the same', async (format) => {
    const there = await run(`convert run.json --to ${format} --carry all`)
    expect(there.code).toBe(0)
    expect(there.stderr).toMatch(/\d+ kept, \d+ renamed, 0 changed, 0 dropped, \d+ added/)
    const back = await run('convert there.json --to run', { 'there.json': there.stdout })
    expect(JSON.parse(back.stdout)).toEqual(JSON.parse(files['run.json']))
  })

  test('runs show shows events of others [agentlang/events-4]', async () => {
    const think = '{type: agent.think, timestamp: 2026-01-01T00:00:02Z, agent_id: scout, content: a}'
    const call =
      '{type: tool.call, timestamp: 2026-01-01T00:00:03Z, agent_id: scout, tool: search, input: {}, call_id: c}'
    const { code, stdout, stderr } = await run('runs show a.events.yaml', {
      'a.events.yaml': `events:\n  - ${think}\n  - ${call}\n`,
    })
    expect([code, stdout.match(/model_inference|^ +1 .* search$/gm)?.length]).toEqual([0, 2])
    expect(stderr).toContain('scout')
  })

  test('events in lines are validated and shown, by their name and from stdin [agentlang/events-4]', async () => {
    const think = { type: 'agent.think', timestamp: '2026-01-01T00:00:02Z', agent_id: 'scout', content: 'a' }
    const call = {
      type: 'tool.call',
      timestamp: '2026-01-01T00:00:03Z',
      agent_id: 'scout',
      tool: 't',
      input: {},
      call_id: 'c',
    }
    const result = { type: 'tool.result', timestamp: '2026-01-01T00:00:04Z', call_id: 'c', output: 1 }
    const lines = [think, call, result].map((event) => `${JSON.stringify(event)}\n`).join('')
    const bad = `${lines}${JSON.stringify({ ...think, timestamp: 'now' })}\n`
    const shown = await run('runs show 8a.events.jsonl', { '8a.events.jsonl': lines })
    expect([shown.code, shown.stdout.match(/model_inference|^ +1 .* t$/gm)?.length]).toEqual([0, 2])
    expect((await run('validate 8a.events.jsonl', { '8a.events.jsonl': lines })).stderr).toContain('is valid (events)')
    expect(await run('validate 8a.events.jsonl', { '8a.events.jsonl': bad })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('8a.events.jsonl:4:35 error AL-254'),
    })
    const piped = await blazon(['validate', '-'], { stdin: bad })
    expect([piped.code, piped.stderr.includes(':4:35 error AL-254')]).toEqual([1, true])
    // The page and the Worker open sources without a name.
    expect(examine(bad)).toMatchObject({ kind: 'events', isChecked: true, diagnostics: [{ code: 'AL-254' }] })
  })

  test('content is withheld from traces by default, and --strict says so', async () => {
    const { code, stdout, stderr } = await run('convert run.json --to otlp --strict')
    expect(code).toBe(1)
    expect(stdout).not.toContain('gen_ai.tool.call.arguments')
    expect(stderr).toMatch(/dropped {2}\/steps\/\*\/action\/input: content, which carry: all writes, 3 times/)
  })

  test('a session, by its name, from stdin, and on to a trace', async () => {
    const record = JSON.parse((await run('convert rollout.jsonl --to run --tenant acme')).stdout)
    expect(record).toMatchObject({ tenant_id: 'acme', agent: { agent_id: 'codex' } })
    const piped = await blazon(['convert', '-', '--from', 'codex-session', '--to', 'otlp'], {
      stdin: files['rollout.jsonl'],
    })
    expect(JSON.parse(piped.stdout).resourceSpans[0].scopeSpans[0].spans).toHaveLength(record.steps.length + 1)
    expect(piped.stderr).toMatch(/dropped {2}\/\*: world_state/)
  })

  test('several runs are several lines', async () => {
    const spans = ['1', '2'].map((digit) => ({
      traceId: digit.repeat(32),
      spanId: digit.repeat(16),
      startTimeUnixNano: '1767225600000000000',
    }))
    const { stdout } = await run('convert t.json --to run', {
      't.json': JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
    })
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).trace.trace_id),
    ).toEqual(spans.map(({ traceId }) => traceId))
  })

  test('a description of an agent does not convert to a run', async () => {
    expect((await run('convert agent.json --from adl --to otlp')).code).toBe(2)
    expect((await run('convert agent.json --to otlp')).code).toBe(1)
  })

  test('sources are not bound by the 4 MiB of descriptions', async () => {
    const record = JSON.parse(files['run.json'])
    record.context.task_description = 'x'.repeat(6 << 20)
    expect((await run('convert big.json --to atif', { 'big.json': JSON.stringify(record) })).code).toBe(0)
  })
})

describe('runs audit', () => {
  test('finds runs without a record in a list of run ids', async () => {
    const { code, stderr, stdout } = await run('runs audit run.json --against ids.txt')
    expect(code).toBe(1)
    expect(stdout + stderr).toContain("The run 'a-run' has no record")
  })

  test('finds nothing in a session against itself', async () => {
    const { code, stderr } = await run('runs audit rollout.jsonl --against rollout.jsonl')
    expect([code, stderr]).toEqual([0, expect.stringContaining('1 record, 3 calls on both sides')])
  })

  test('reads a stream line by line, with steps that did not end, and refuses a broken one', async () => {
    const session = JSON.parse((await run('convert rollout.jsonl --to run')).stdout)
    const record = { ...session, run_id: 'own', context: { session_id: session.run_id } }
    const lines = split(record).lines!.map((line) => new TextDecoder().decode(line))
    const last = lines.findLastIndex((line) => line.includes('"adp.call_id":"call_'))
    const { step, ...line } = JSON.parse(lines[last]!)
    const { observation: _, reflection: __, ...intent } = step
    const open = lines.with(last, canonicalizeText({ ...line, type: 'step_started', intent }))
    const audit = (all: readonly string[]) =>
      run('runs audit run.ndjson --against rollout.jsonl', { 'run.ndjson': `${all.join('\n')}\n` })
    expect(await audit(open)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('1 record, 3 calls on both sides'),
    })
    const without = lines.toSpliced(last, 1).map((text, seq) => canonicalizeText({ ...JSON.parse(text), seq }))
    expect((await audit(without)).stderr).toMatch(/The call 'call_\d' of '\w+' is not in the record/)
    expect(await audit(lines.with(1, 'no JSON'))).toMatchObject({ code: 1, stderr: expect.stringContaining('RUN-201') })
    const leaf = `${'A'.repeat(43)}=`
    const removed = canonicalizeText({ type: 'removed', run_id: record.run_id, seq: 1, leaf })
    expect(await audit(lines.with(1, removed))).toMatchObject({ code: 1, stderr: expect.stringContaining('RUN-217') })
  })

  test('needs another witness that it can read', async () => {
    expect((await run('runs audit run.json')).code).toBe(2)
    expect((await run('runs audit run.json --against agent.json')).code).toBe(1)
    expect((await run('runs audit run.json --against none.json')).code).toBe(3)
  })
})
