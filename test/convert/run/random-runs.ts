// Random valid run records, for the properties of conversions.
import fc from 'fast-check'

const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.constantFrom('_OTHER', 'timeout', '[1]', '{"a": 1}', '"x"'),
)
const names = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom('value', 'messages', '__proto__', 'adp.rest', 'a/b~c'),
)
const json = fc.jsonValue({ maxDepth: 2 })
const object = fc.dictionary(names, json, { maxKeys: 3 })
const content = fc.oneof(
  object,
  fc.record({ value: json }),
  fc.record({ messages: fc.array(object, { maxLength: 2 }) }),
  fc.record({ value: text }),
)
const amount = fc.oneof(fc.nat(), fc.double({ min: 0, max: 1e9, noNaN: true }))
const time = fc.oneof(
  fc
    .date({ min: new Date('1971-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc.constantFrom(
    '2026-01-01T00:00:00Z',
    '2026-01-01T01:00:00.5+01:00',
    '2026-01-01T00:00:00.123456789Z',
    '1960-01-01T00:00:00.000Z',
  ),
)
const hex = (digits: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: digits, maxLength: digits })
    .map((list) => list.join(''))
const id = (digits: number) => fc.oneof({ weight: 5, arbitrary: hex(digits) }, fc.constant('0'.repeat(digits)), text)
const error = fc.oneof(
  object,
  fc.record({ code: text, message: text }),
  fc.record({ message: text }),
  fc.constant(null),
)
const optional = <Shape>(shape: { [Name in keyof Shape]: fc.Arbitrary<Shape[Name]> }) =>
  fc.tuple(fc.record(shape, { requiredKeys: [] }), object).map(([known, more]) => ({ ...more, ...known }))

const step = fc.record(
  {
    timestamp: time,
    action: fc.record(
      {
        type: fc.constantFrom('tool_call', 'message', 'plan_update', 'model_inference', 'other'),
        name: fc.oneof(text, fc.constant('')),
        input: content,
      },
      { requiredKeys: ['type'] },
    ),
    observation: fc.record(
      {
        type: fc.constantFrom('tool_result', 'environment', 'user_input', 'error', 'none'),
        output: content,
        error,
      },
      { requiredKeys: ['type'] },
    ),
    reflection: optional({
      thought: text,
      next_action_hint: text,
      uncertainty: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    metadata: optional({
      model: text,
      provider: text,
      prompt_tokens: fc.nat(),
      completion_tokens: fc.nat(),
      cost_usd: amount,
      latency_ms: amount,
      action_subtype: fc.oneof(text, fc.constant('delegate')),
      kind: fc.constantFrom('policy_verdict', 'other'),
      'adp.call_id': text,
    }),
    parent: fc.option(fc.nat(5)),
  },
  { requiredKeys: ['timestamp', 'action', 'observation'] },
)

/** Indices count from 0; a parent is an earlier step. */
const steps = fc.array(step, { maxLength: 5 }).map((list) =>
  list.map(({ parent, ...rest }, index) => {
    const above = parent === undefined ? {} : { parent_step_index: parent !== null && parent < index ? parent : null }
    return { index, ...above, ...rest }
  }),
)

const record = fc.record(
  {
    version: fc.constant('adp-1'),
    run_id: text,
    tenant_id: text,
    trace: optional({ trace_id: id(32), span_id: id(16), parent_span_id: id(16) }),
    agent: fc.record(
      {
        agent_id: text,
        agent_version: text,
        framework: text,
        framework_run_id: text,
        aip: fc.record(
          { cert_fingerprint: text, tenant_id: text, capabilities: fc.array(text, { maxLength: 3 }) },
          { requiredKeys: ['cert_fingerprint'] },
        ),
      },
      { requiredKeys: ['agent_id', 'aip'] },
    ),
    context: optional({
      task_description: text,
      workflow_key: text,
      user_id: text,
      session_id: text,
      labels: fc.array(text, { maxLength: 3 }),
    }),
    steps,
    final_output: optional({ type: text, content: text, format: text }),
    status: fc.constantFrom('succeeded', 'failed', 'cancelled', 'timeout'),
    error,
    cancellation: fc.oneof(object, fc.constant(null)),
    started_at: time,
    completed_at: time,
    metadata: optional({ total_tokens: amount, total_cost_usd: amount, models_used: fc.array(text, { maxLength: 2 }) }),
    'example.own': json,
  },
  {
    requiredKeys: ['version', 'run_id', 'tenant_id', 'agent', 'steps', 'status', 'started_at', 'completed_at'],
  },
)

/** As JSON gives it: without -0, and with plain prototypes. */
export const RUNS = record.map((run) => JSON.parse(JSON.stringify(run)))
