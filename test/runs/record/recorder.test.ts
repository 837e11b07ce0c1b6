// Recorders: what an agent does becomes lines before and after it happens, whatever the agent passes.
import { beforeAll, describe, expect, test } from 'vitest'
import { generateKey, type PrivateKey } from '../../../bindings/keys/index.ts'
import { createAuthority, issueCertificate } from '../../../bindings/runs/identity/certificates.ts'
import {
  assemble,
  createRecorder,
  createVerdict,
  link,
  memorySink,
  type Recorder,
  type RecorderOptions,
  type RunSink,
  recordTool,
  urlSink,
  validate,
  verifyStream,
} from '../../../bindings/runs/index.ts'

const HEAD = { tenant_id: 'local', agent: { agent_id: 'coach' } }
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

/** A clock that goes on by a second with every look. */
function clock(start = '2026-11-27T21:00:00Z') {
  let now = Date.parse(start)
  return () => {
    now += 1000
    return new Date(now)
  }
}

async function recording(options: Partial<RecorderOptions> = {}) {
  const sink = memorySink()
  const recorder = await createRecorder(HEAD, { sink, clock: clock(), ...options })
  const lines = () =>
    decode(sink.read(recorder.runId).stream)
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  const record = () => {
    const { stream } = sink.read(recorder.runId)
    const bytes = decode(stream).split('\n').slice(0, -1)
    return JSON.parse(decode(assemble(bytes.map((line) => new TextEncoder().encode(line)))))
  }
  return { sink, recorder, lines, record }
}

let key: PrivateKey
beforeAll(async () => {
  key = await generateKey('Ed25519')
})

async function proofOf(sink: ReturnType<typeof memorySink>, { runId }: Recorder, openings = false) {
  const held = sink.read(runId)
  const own = { checkpoints: held.checkpoints, keys: [key.publicKey], ...(openings && { openings: held.openings }) }
  return verifyStream(held.stream, own)
}

describe('recording', () => {
  test('a recorded run is a valid record, and its stream is verified', async () => {
    const { sink, recorder, lines, record } = await recording({ signer: key, checkpointEvery: 3 })
    const outer = await recorder.begin({ type: 'tool_call', name: 'search', input: { q: 'ADP-1' } })
    expect(lines().at(-1)).toMatchObject({ type: 'step_started', intent: { index: 0, action: { name: 'search' } } })
    const inner = await recorder.begin({ type: 'model_inference' }, { parent: outer })
    await recorder.end(
      inner,
      { type: 'environment', output: { text: 'x' } },
      { metadata: { model: 'm-1', prompt_tokens: 7, completion_tokens: 5 } },
    )
    await recorder.end(
      outer,
      { type: 'tool_result', output: { hits: 1 } },
      { reflection: { thought: 'Found it', uncertainty: 0.1 } },
    )
    await recorder.plan({ next: ['write'] })
    expect(await recorder.complete({ output: 'Done' })).toEqual({ runId: recorder.runId, size: 7, dropped: 0 })
    const report = validate(record())
    expect(report.diagnostics.filter(({ severity }) => severity !== 'info').map(({ code }) => code)).toEqual([
      'RUN-123',
    ])
    expect(record()).toMatchObject({
      status: 'succeeded',
      final_output: { type: 'message', content: 'Done' },
      steps: [
        { index: 0, reflection: { uncertainty: 0.1 } },
        { index: 1, parent_step_index: 0 },
        { index: 2, action: { type: 'plan_update' } },
      ],
      metadata: { total_tokens: 12, models_used: ['m-1'] },
    })
    expect((await proofOf(sink, recorder)).verdict).toBe('verified')
    expect(decode(sink.read(recorder.runId).checkpoints).match(/^blazon\.invalid\/adp\//gm)).toHaveLength(3)
  })

  test.each([
    ['fail', 'failed', { error: { name: 'TypeError', message: 'no' } }, new TypeError('no')],
    ['cancel', 'cancelled', { cancellation: { reason: 'enough' } }, 'enough'],
    ['timeOut', 'timeout', { error: { message: 'late' } }, 'late'],
  ] as const)('%s ends the run with its reason', async (method, status, end, reason) => {
    const { recorder, record } = await recording()
    await recorder[method](reason as never)
    expect(record()).toMatchObject({ status, ...end })
    expect(validate(record()).valid).toBe(true)
  })

  test('steps that did not end are closed, and say so', async () => {
    const { recorder, record } = await recording()
    await recorder.begin({ type: 'tool_call', name: 'a' })
    await recorder.complete()
    expect(record().steps).toMatchObject([{ observation: { type: 'none' }, metadata: { 'adp.unfinished': true } }])
  })

  test('after the end, calls are counted and nothing is written', async () => {
    const { recorder, lines } = await recording()
    await recorder.complete()
    expect(await recorder.step({ action: { type: 'message' } })).toBeUndefined()
    expect((await recorder.complete()).dropped).toBe(2)
    expect(lines()).toHaveLength(2)
  })

  test('calls at the same time get indices and lines of their own', async () => {
    const { sink, recorder, record } = await recording({ signer: key })
    const tool = recordTool(recorder, 'wait', async (n: number) => n + 1)
    const results = await Promise.all(Array.from({ length: 50 }, (_, i) => tool(i)))
    expect(results).toEqual(Array.from({ length: 50 }, (_, i) => i + 1))
    await recorder.complete()
    expect(record().steps.map(({ index }: { index: number }) => index)).toEqual(results.map((n) => n - 1))
    expect((await proofOf(sink, recorder)).verdict).toBe('verified')
  })

  test('a tool that throws is recorded, and the agent gets its error', async () => {
    const { recorder, lines } = await recording()
    const tool = recordTool(recorder, 'break', (_: object) => Promise.reject(new RangeError('too far')))
    await expect(tool({ a: 1 })).rejects.toThrow(RangeError)
    expect(lines().at(-1).step.observation).toEqual({
      type: 'error',
      error: { name: 'RangeError', message: 'too far' },
    })
  })

  test('a child run is in the trace of its parent', async () => {
    const { sink, recorder, record } = await recording()
    const child = await recorder.child({ tenant_id: 'local', agent: { agent_id: 'helper' } })
    await Promise.all([child.complete(), recorder.complete()])
    const start = JSON.parse(decode(sink.read(child.runId).stream).split('\n')[0]!)
    const { trace, steps } = record()
    expect(start.run.trace).toMatchObject({ trace_id: trace.trace_id, parent_span_id: trace.span_id })
    expect(steps).toMatchObject([{ action: { type: 'other', input: { run_id: child.runId } } }])
  })
})

describe('[runs/5-1] verdicts', () => {
  const verdict = createVerdict({ decision: 'deny', reasoning: 'An SSN', confidence: 1, violations: ['No PII'] })

  test('a verdict is bound to the draft that the record has', async () => {
    for (const redact of [
      false,
      { pointers: [] },
      { pointers: ['/steps/*/action/input/draft_output'], mode: 'mask' },
    ] as const) {
      const { recorder, record } = await recording({ redact })
      await recorder.verdict(
        verdict,
        { text: 'token ghp_0123456789abcdefghijABCDEFGHIJ012345' },
        { policies: ['No PII'] },
      )
      await recorder.complete()
      const codes = validate(record()).diagnostics.map(({ code }) => code)
      expect(codes).not.toContain('RUN-118')
      expect(validate(record()).valid).toBe(true)
    }
  })
})

describe('certificates', () => {
  test('[runs/7.3-1] a run links to the certificate of its recorder, and a renewed one is listed', async () => {
    const at = new Date('2026-11-27T21:00:00Z')
    const [authorityKey, own] = await Promise.all([generateKey('ES256'), generateKey('ES256')])
    const authority = await createAuthority({ key: authorityKey, name: 'Harbour authority', now: at })
    const tenant = '7b0f5f5e-0b7f-4d2c-9a57-3f2f2f3a9f10'
    const issue = (now: Date) =>
      issueCertificate({
        authority,
        authorityKey,
        publicKey: own.publicKey,
        agent: 'coach',
        tenant,
        capabilities: ['perm:files:read'],
        now,
      })
    const certificate = await issue(at)
    let now = at.getTime() + 1000
    const sink = memorySink()
    const head = { tenant_id: tenant, agent: { agent_id: 'coach' } }
    const recorder = await createRecorder(head, {
      sink,
      signer: own,
      certificate,
      chain: [authority],
      renew: async () => ({ certificate: await issue(new Date(now)) }),
      clock: () => new Date(now),
    })
    await recorder.step({ action: { type: 'message' } })
    now += 14 * 60_000
    await recorder.step({ action: { type: 'message' } })
    await recorder.complete()
    const { stream, checkpoints } = sink.read(recorder.runId)
    const lines = decode(stream).split('\n').slice(0, -1)
    expect(lines.map((line) => JSON.parse(line).type)).toEqual([
      'run_started',
      'step',
      'certificate',
      'step',
      'run_completed',
    ])
    const record = assemble(lines.map((line) => new TextEncoder().encode(line)))
    expect(JSON.parse(decode(record)).metadata['aip.rotated_fingerprints']).toHaveLength(1)
    expect((await link(record, { certificate, anchors: [authority] })).verdict).toBe('verified')
    expect((await verifyStream(stream, { checkpoints, keys: [own.publicKey] })).verdict).toBe('verified')
  })
})

describe('redacting while recording', () => {
  test('[runs/7.2-3] credentials never reach the sink, and the record lists what went', async () => {
    const { sink, recorder, record } = await recording()
    const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
    const step = await recorder.begin(
      { type: 'tool_call', input: { env: secret } },
      { metadata: { 'adp.call_id': 'toolu_01A09q90qwXlq917835lQ9' } },
    )
    await recorder.end(
      step,
      { type: 'error', output: [secret], error: new Error(secret) },
      { reflection: { thought: secret } },
    )
    await recorder.complete({ output: secret })
    expect(decode(sink.read(recorder.runId).stream)).not.toContain(secret)
    expect(record().metadata['adp.redacted']).toEqual([{ pointer: '', mode: 'secret', count: 5 }])
    expect(record().steps[0].metadata['adp.call_id']).toBe('toolu_01A09q90qwXlq917835lQ9')
  })

  test('values are committed to, and shown later', async () => {
    const commit = [
      '/steps/*/action/input',
      '/steps/*/observation/output',
      '/final_output/content',
      '/context/task_description',
    ]
    const { sink, recorder } = await recording({ commit, signer: key })
    for (const text of ['harbour', 'lighthouse']) await recordTool(recorder, 'look', () => `${text} seen`)()
    await recorder.complete({ output: 'all harbours' })
    const { stream, openings } = sink.read(recorder.runId)
    expect(decode(stream)).not.toMatch(/harbour|lighthouse/)
    expect(decode(openings).trim().split('\n')).toHaveLength(5)
    const proof = await proofOf(sink, recorder, true)
    expect([proof.verdict, proof.doesNotShow?.join()]).toEqual(['verified', expect.not.stringContaining('commits')])
  })

  test('committing needs a sink that keeps the values', async () => {
    const sink: RunSink = { append: async () => undefined }
    await expect(createRecorder(HEAD, { sink, commit: ['/final_output/content'] })).rejects.toThrow(RangeError)
  })
})

/** Values near each limit of the short way, and of every kind that JSON changes. */
function oddValues(): readonly unknown[] {
  const nested = (depth: number, inside: unknown) => {
    let value = inside
    for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { value }
    return value
  }
  const hole = Object.assign(Array.from({ length: 3 }), [1])
  delete hole[1]
  const named = Object.assign(new Array(2), { 1: 1, name: 2 })
  return [
    ...[
      -0,
      1e21,
      5e-324,
      2 ** 53 + 2,
      0.1 + 0.2,
      Number.NaN,
      -1 / 0,
      true,
      null,
      '',
      '\u0000\u007f\u2028"\\',
      '😀\ud83d',
      7n,
    ],
    ...[[], {}, hole, named, [undefined], [-0], { a: undefined, b: -0 }, { f: () => 1, s: Symbol('s') }],
    ...[
      [new Date(0)],
      [Object.assign([1], { toJSON: () => 'made' })],
      new Map([[1, 2]]),
      Object(1),
      Object('x'),
      Object.create(null),
      Object.create({ inherited: 1 }),
      /x/,
    ],
    ...[
      JSON.parse('{"__proto__": {"a": 1}, "z": 1, "10": 2, "9": 3}'),
      { '\ud800': 1 },
      { toJSON: 1 },
      new Proxy([1, 2], {}),
    ],
    { key: 'ghp_0123456789abcdefghijABCDEFGHIJ012345', list: ['https://user:pass@example.org', { k: 'plain' }] },
    ...[6, 7, 8, 9, 50, 51, 52, 53, 54, 55, 56, 57].flatMap((depth) => [nested(depth, 1), nested(depth, [])]),
    ...[8189, 8190, 8191, 8192, 8193, 299_998, 299_999].flatMap((n) => ['x'.repeat(n), { ['n'.repeat(n)]: '\u0000' }]),
    ...[4095, 4096, 8191, 8192].map((n) => Array.from({ length: n }, (_, i) => -1.2345678901234e-300 * i)),
    ...['\u0000'.repeat(8191), Array.from({ length: 4090 }, () => '\u001f')],
  ]
}

describe('the short ways of small values and of values without credentials', () => {
  const head = { ...HEAD, run_id: crypto.randomUUID(), trace: { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) } }
  const differences = (lines: readonly string[], others: readonly string[]) =>
    lines.flatMap((line, i) => (line === others[i] ? [] : [[line.slice(0, 500), others[i]?.slice(0, 500)]]))
  async function linesOf(wrap = (value: unknown): unknown => value, options: Partial<RecorderOptions> = {}) {
    const sink = memorySink()
    const recorder = await createRecorder(head, { sink, clock: clock(), ...options })
    for (const value of oddValues()) {
      const step = await recorder.begin({ type: 'tool_call', name: 'x', input: wrap(value) })
      const metadata = { value: wrap(value) }
      await recorder.end(step, { type: 'tool_result', output: wrap(value) }, { metadata })
    }
    expect((await recorder.complete()).dropped).toBe(0)
    const lines = decode(sink.read(recorder.runId).stream).split('\n')
    expect(lines).toHaveLength(2 * oddValues().length + 3)
    return lines
  }

  test('record the bytes that JSON.stringify and the strict reader give', async () => {
    // Whatever has toJSON is written and read.
    expect(differences(await linesOf(), await linesOf((value) => ({ toJSON: () => value })))).toEqual([])
  })

  test('record the bytes that an edit of each part gives', async () => {
    // With a pointer, each part is walked, although nothing is at this place.
    const redact = { pointers: ['/context/user_id'] }
    expect(differences(await linesOf(), await linesOf((value) => value, { redact }))).toEqual([])
  })
})

describe('hostile values', () => {
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  let deep: unknown = 1
  for (let i = 0; i < 5000; i++) deep = [deep]
  test.each([
    ['a cycle', circle],
    [
      'a getter that throws',
      Object.defineProperty({}, 'x', {
        enumerable: true,
        get: () => {
          throw new Error('no')
        },
      }),
    ],
    ['a value that is too deep', deep],
    ['a value of 5 MB', { text: 'x'.repeat(5_000_000) }],
    ['a lone surrogate', { text: '\ud800' }],
    ['a lone surrogate as a name', { '\ud800': 1 }],
    ['a big integer', 2n ** 70n],
    ['not a number', Number.NaN],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    ['a line feed and a second start', '\n{"type":"run_started","run_id":"x","seq":0}\n'],
    ['a line of a stream', { type: 'run_completed', seq: 1, end: { status: 'succeeded' } }],
    ['__proto__', JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}')],
    ['terminal codes', '\u001b[2J\u009b31m'],
    ['nothing', undefined],
  ])('%s is recorded, or a mark stands for it', async (_, value) => {
    const { sink, recorder, record, lines } = await recording({ signer: key })
    const step = await recorder.begin({ type: 'tool_call', name: value as string, input: value })
    await recorder.end(
      step,
      { type: 'tool_result', output: value, error: value },
      { metadata: { value }, reflection: { thought: value as string } },
    )
    await recorder.verdict(createVerdict({ decision: 'allow', reasoning: '', confidence: 1 }), value)
    const { dropped } = await recorder.complete({ output: value })
    expect([dropped, lines().length]).toEqual([0, 5])
    expect(record().steps).toHaveLength(2)
    const { verdict, steps } = await proofOf(sink, recorder)
    expect([verdict, steps.filter(({ outcome }) => outcome === 'failed')]).toEqual(['verified', []])
  })

  test('members of the wrong type are set apart', async () => {
    const { sink, recorder, record } = await recording({ signer: key })
    const metadata = { model: 7, prompt_tokens: 'many', 'adp.call_id': 'call_1' } as object
    await recorder.step({
      action: { type: 'message' },
      reflection: { uncertainty: 'high' as unknown as number },
      metadata: { ...metadata },
    })
    await recorder.complete({ metadata: { total_tokens: -1.5, models_used: 'm' } })
    expect(record().steps[0].metadata).toMatchObject({ 'adp.call_id': 'call_1', 'adp.malformed': { reflection: {} } })
    expect((await proofOf(sink, recorder)).verdict).toBe('verified')
  })

  test('unknown types become other, and keep their name', async () => {
    const { recorder, record } = await recording()
    await recorder.step({ action: { type: 'dance' as 'other' }, observation: { type: 'joy' as 'none' } })
    await recorder.complete()
    expect(record().steps).toMatchObject([
      { action: { type: 'other' }, observation: { type: 'environment' }, metadata: { action_subtype: 'dance' } },
    ])
  })
})

describe('sinks that fail', () => {
  test('a full disk delays lines, and loses none', async () => {
    const sink = memorySink()
    let isFull = false
    const recorder = await createRecorder(HEAD, {
      sink: {
        ...sink,
        async append(...args) {
          if (isFull) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
          return sink.append(...args)
        },
      },
      signer: key,
      checkpointEvery: 2,
    })
    isFull = true
    for (let i = 0; i < 5; i++) await recordTool(recorder, 'a', () => i)()
    isFull = false
    expect(await recorder.complete()).toMatchObject({ size: 12, dropped: 0 })
    expect((await proofOf(sink, recorder)).verdict).toBe('verified')
  })

  test('a checkpoint that the sink refused is signed again, so that one covers the end', async () => {
    for (const refused of [1, 2, 3]) {
      const sink = memorySink()
      let count = 0
      const checkpoint: typeof sink.checkpoint = async (...args) => {
        if (++count <= refused) throw new Error('ENOSPC')
        await sink.checkpoint(...args)
      }
      const recorder = await createRecorder(HEAD, { sink: { ...sink, checkpoint }, signer: key, checkpointEvery: 4 })
      for (let i = 0; i < 2; i++) await recordTool(recorder, 'a', () => i)()
      await recorder.complete()
      expect([refused, (await proofOf(sink, recorder)).verdict]).toEqual([refused, 'verified'])
    }
  })

  test('a sink that hangs stops nobody for long, and the rest is counted', async () => {
    const sink: RunSink = { append: () => new Promise(() => undefined) }
    const recorder = await createRecorder(HEAD, { sink, patience: 50, bufferBytes: 2000 })
    const tool = recordTool(recorder, 'a', (n: number) => n)
    for (let i = 0; i < 50; i++) expect(await tool(i)).toBe(i)
    const { size, dropped } = await recorder.complete()
    expect([size, dropped]).toEqual([0, expect.any(Number)])
    expect(dropped).toBeGreaterThan(60)
  })

  test('what was dropped is counted in the record', async () => {
    const sink = memorySink()
    let open: (() => void) | undefined
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const recorder = await createRecorder(HEAD, {
      sink: {
        ...sink,
        append: async (...args) => {
          await gate
          return sink.append(...args)
        },
      },
      patience: 10,
      bufferBytes: 1500,
    })
    for (let i = 0; i < 20; i++) await recordTool(recorder, 'a', () => i)()
    open!()
    await new Promise((resolve) => setTimeout(resolve, 20))
    await recorder.complete()
    const { dropped } = recorder
    expect(decode(sink.read(recorder.runId).stream)).toContain(`"adp.dropped":${dropped}`)
  })

  test.each([[{ ...HEAD, run_id: '../../etc/passwd' }], [{ ...HEAD, tenant_id: '' }], [{ tenant_id: 'x', agent: {} }]])(
    '%j is a wrong argument',
    async (head) => {
      await expect(createRecorder(head as typeof HEAD, { sink: memorySink() })).rejects.toThrow(TypeError)
    },
  )
})

describe('a server as the sink', () => {
  /** The server of the contract, with answers that get lost. */
  function server({ loses = () => false }: { readonly loses?: (request: number) => boolean } = {}) {
    const lines: string[] = []
    const requests: string[] = []
    const send = async (url: string | URL | Request, init?: RequestInit) => {
      const headers = new Headers(init?.headers)
      const body = decode(new Uint8Array(init?.body as ArrayBuffer))
        .split('\n')
        .slice(0, -1)
      const { pathname } = new URL(String(url))
      requests.push(`${headers.get('authorization')} ${init?.method} ${pathname} ${headers.get('blazon-size')}`)
      const answer = (status: number) => {
        if (loses(requests.length)) throw new TypeError('fetch failed')
        return Response.json({ run_id: 'x', size: lines.length }, { status })
      }
      if (pathname === '/base/runs') {
        if (lines.length === 0) lines.push(...body)
        return answer(201)
      }
      const size = Number(headers.get('blazon-size'))
      if (size !== lines.length && !body.every((line, i) => lines[size + i] === line)) return answer(409)
      lines.push(...body.slice(lines.length - size))
      return answer(200)
    }
    return { lines, requests, send: send as typeof fetch }
  }
  const at = 'https://runs.example/base'

  test('the first line opens the run, the others follow at their size', async () => {
    const { lines, requests, send } = server()
    const recorder = await createRecorder(HEAD, { sink: urlSink(at, { token: 'secret', fetch: send }) })
    await recorder.step({ action: { type: 'message' } })
    expect(await recorder.complete()).toMatchObject({ size: 3, dropped: 0 })
    expect(requests).toEqual([
      'Bearer secret POST /base/runs null',
      `Bearer secret POST /base/runs/${recorder.runId}/records 1`,
      `Bearer secret POST /base/runs/${recorder.runId}/records 2`,
    ])
    expect(lines.map((line) => JSON.parse(line).seq)).toEqual([0, 1, 2])
  })

  test('each line is there once when every third answer is lost', async () => {
    const { lines, send } = server({ loses: (request) => request % 3 === 0 })
    const recorder = await createRecorder(HEAD, { sink: urlSink(at, { fetch: send }) })
    for (let i = 0; i < 30; i++) await recordTool(recorder, 'a', () => i)()
    await recorder.complete()
    expect(lines.map((line) => JSON.parse(line).seq)).toEqual(Array.from({ length: 62 }, (_, i) => i))
  })

  test.each(['http://runs.example', 'ftp://runs.example', 'runs'])('%s is refused', (url) => {
    expect(() => urlSink(url)).toThrow(TypeError)
  })
})
