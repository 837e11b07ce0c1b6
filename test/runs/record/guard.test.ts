// Guards: every answer becomes a verdict in the record, with the rule that decided.

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { canonicalizeValue } from '../../../bindings/core/value.ts'
import { createRecorder, guard, memorySink, validate } from '../../../bindings/runs/index.ts'

const DOCUMENT = {
  adl_spec: '0.1.0',
  name: 'coach',
  description: 'x',
  version: '1.0.0',
  data_classification: { sensitivity: 'public' },
  permissions: { network: { allowed_hosts: ['api.example.com'] }, execution: { denied_commands: ['rm'] } },
  tools: [{ name: 'pay', description: 'Pays', requires_confirmation: true }],
}

async function guarded(options: Partial<guard.Options> = {}) {
  const sink = memorySink()
  const recorder = await createRecorder({ tenant_id: 'local', agent: { agent_id: 'coach' } }, { sink })
  const steps = async () => {
    await recorder.complete()
    const lines = new TextDecoder().decode(sink.read(recorder.runId).stream).split('\n').slice(0, -1)
    const all = lines.map((line) => JSON.parse(line))
    const record = { ...all[0].run, ...all.at(-1).end, steps: all.flatMap(({ step }) => step ?? []) }
    return { report: validate(record), steps: record.steps }
  }
  return { own: guard({ document: JSON.stringify(DOCUMENT), recorder, ...options }), steps }
}

const sha = (value: unknown) => `sha256:${createHash('sha256').update(canonicalizeValue(value)).digest('hex')}`

describe('[runs/5-1] guard', () => {
  test('each decision is a verdict step with the digest and pointer of its rule', async () => {
    const { own, steps } = await guarded()
    expect((await own.decide({ domain: 'network', host: 'api.example.com' })).outcome).toBe('allow')
    expect((await own.decide({ domain: 'execution', command: 'rm' })).outcome).toBe('deny')
    expect((await own.decide({ domain: 'tool', name: 'pay' })).outcome).toBe('escalate')
    const { report, steps: recorded } = await steps()
    expect(report.valid).toBe(true)
    expect(report.conformance?.demands.find(({ title }) => title.startsWith('verdicts'))?.outcome).toBe('met')
    const [pointer, rule] = ['/permissions/execution/denied_commands/0', sha('rm')]
    expect(recorded).toMatchObject([
      { observation: { output: { decision: 'allow' } } },
      {
        action: { input: { draft_output: { domain: 'execution', command: 'rm' } } },
        observation: {
          output: {
            decision: 'deny',
            policy_violations: [pointer],
            metadata: { 'adl.pointer': pointer, 'adl.rule': rule, 'adl.document': sha(DOCUMENT) },
          },
        },
      },
      { observation: { output: { decision: 'escalate', approved: false } } },
    ])
  })

  test('a credential at the place where a reason cuts a command is masked', async () => {
    // 36 characters after the prefix, as GitHub makes them.
    const execution = { allowed_commands: ['*'], denied_commands: ['rm*'], allow_shell: true }
    const { own, steps } = await guarded({ document: JSON.stringify({ ...DOCUMENT, permissions: { execution } }) })
    const line = `rm --header 'Authorization: Bearer ghp_${'aB3dE5gH9jK2mN4pQ6rS8tU1vW0xY7zA5cD3'}'`
    const { reason } = await own.decide({ domain: 'execution', command: line, shell: true })
    expect(reason).toContain("'rm --header")
    expect(JSON.stringify([reason, (await steps()).steps])).not.toContain('ghp_')
  })

  test('the answer of a judge is recorded; one that fails, or answers nonsense, escalates', async () => {
    const answers = [
      () => ({ decision: 'deny', reasoning: 'An SSN', confidence: 0.98, violations: ['No PII'] }) as const,
      () => {
        throw new Error('down')
      },
      () => ({ decision: 'revise' }) as never,
    ]
    const { own, steps } = await guarded({ judge: () => answers.shift()!() })
    for (let i = 0; i < 3; i++) await own.judge('Dear customer')
    const { report, steps: recorded } = await steps()
    expect(report.valid).toBe(true)
    expect(
      recorded.map((step: { observation: { output: { decision: string } } }) => step.observation.output.decision),
    ).toEqual(['deny', 'escalate', 'escalate'])
  })

  test('an unreadable definition permits nothing, and the record says so', async () => {
    const { own, steps } = await guarded({ document: '{"adl_spec": ' })
    expect((await own.decide({ domain: 'tool', name: 'pay' })).outcome).toBe('deny')
    expect((await steps()).report.valid).toBe(true)
  })

  test('an invalid request throws, as decide does', async () => {
    const { own } = await guarded()
    await expect(own.decide({ domain: 'dance' } as never)).rejects.toThrow(RangeError)
  })
})
