// Redacting run records, and comparing them.
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { diffRuns, redactRun, SENSITIVE, validate } from '../../bindings/runs/index.ts'
import { valueAt } from '../../bindings/text/members.ts'
import { changed, REVIEW } from './records.ts'

const text = JSON.stringify(REVIEW, null, 2)
const redacted = (source: string, policy = {}) => {
  const result = redactRun(source, policy)
  return { ...result, text: new TextDecoder().decode(result.bytes), value: result.document?.value }
}

/** JSON with sorted members, which is RFC 8785 for these values. */
const canonical = (value: unknown) =>
  JSON.stringify(value, (_, member) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )

describe('[runs/7.2-1] [runs/7.2-4] redaction', () => {
  test('removes what section 7.2 names, and lists it', () => {
    const { value, removed, text: shown } = redacted(text)
    for (const pointer of SENSITIVE)
      for (const step of ['0', '1', '2']) expect(valueAt(value, pointer.replace('*', step))).toBeUndefined()
    expect(removed).toEqual([
      { pointer: '/context/task_description', mode: 'remove', count: 1 },
      { pointer: '/steps/*/action/input', mode: 'remove', count: 3 },
      { pointer: '/steps/*/observation/output', mode: 'remove', count: 3 },
      { pointer: '/final_output/content', mode: 'remove', count: 1 },
    ])
    expect(valueAt(value, '/metadata/adp.redacted')).toEqual(removed)
    expect(shown).not.toMatch(/invoices of November|2025-11\.csv|All 41/)
  })

  test.each(['remove', 'mask', 'digest'] as const)('%s: the result is a valid record', (mode) => {
    const pointers = [
      ...SENSITIVE,
      '/context/user_id',
      '/context/labels',
      '/metadata/total_cost_usd',
      '/steps/*/reflection',
    ]
    const { text: shown, removed } = redacted(text, { mode, pointers })
    expect(removed).toHaveLength(pointers.length)
    expect(validate(shown).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  test('keeps order, big numbers and namespaced keys, byte for byte', () => {
    const source = '{ "z.x": 12345678901234567890123, '.concat(text.slice(1).replace('"rows": 41', '"rows": 1.000e2'))
    const { text: shown } = redacted(source, { pointers: ['/context/user_id'] })
    expect(shown.replace(/,\s*"adp\.redacted": ?\[[^\]]*\]/, '')).toBe(source.replace('\n    "user_id": "u-17",', ''))
  })

  test('a digest can be checked by anyone with the salt, and nobody can guess the value without', () => {
    const salt = new Uint8Array(16).fill(7)
    const { value, salts } = redacted(text, { mode: 'digest', salt: () => salt })
    const digest = (pointer: string) => {
      const committed = ['adp.commit/1', REVIEW.run_id, pointer, salts[pointer], valueAt(REVIEW, pointer)]
      return `sha256:${createHash('sha256').update(canonical(committed)).digest('hex')}`
    }
    expect(valueAt(value, '/steps/0/action/input')).toEqual({ 'adp.commit': digest('/steps/0/action/input') })
    expect(valueAt(value, '/final_output/content')).toBe(`adp.commit:${digest('/final_output/content')}`)
    expect(salts['/steps/0/action/input']).toBe(Buffer.from(salt).toString('base64url'))
    expect(redacted(text, { mode: 'digest' }).salts).not.toEqual(redacted(text, { mode: 'digest' }).salts)
  })

  test('replaces credentials anywhere, unless the policy keeps them', () => {
    const secret = `ghp_${'A1b2C3d4E5'.repeat(4)}`
    const source = JSON.stringify(
      changed(REVIEW, { set: { '/steps/0/reflection/thought': `The token is ${secret}.` } }),
    )
    const { text: shown, removed } = redacted(source, { pointers: [] })
    expect(shown).not.toContain(secret.slice(4, 14))
    expect(removed).toEqual([{ pointer: '', mode: 'secret', count: 1 }])
    expect(redacted(source, { pointers: [], secrets: false }).text).toBe(source)
    expect(redacted(text, { pointers: [] }).text).toBe(text)
  })

  test('a second redaction keeps the list of the first', () => {
    const once = redacted(text, { pointers: ['/context/user_id'] }).text
    const twice = redacted(once, { pointers: ['/context/session_id'] }).value
    expect((valueAt(twice, '/metadata/adp.redacted') as { pointer: string }[]).map(({ pointer }) => pointer)).toEqual([
      '/context/user_id',
      '/context/session_id',
    ])
  })

  test('a redacted verdict step is neither a broken verdict nor one about another draft', () => {
    for (const mode of ['mask', 'digest', 'remove'] as const) {
      const found = validate(redacted(text, { mode }).text).diagnostics
      expect(found.filter(({ severity }) => severity !== 'info').map(({ rule }) => rule)).toEqual([])
    }
  })

  test('refuses what every record needs, and invalid records', () => {
    for (const pointer of ['/run_id', '/steps', '/steps/*', '/steps/0', '/*/agent_id', '/steps/*/action/type', '', 'a'])
      expect(() => redactRun(text, { pointers: [pointer] })).toThrow(RangeError)
    const invalid = redactRun('{"version": "adp-1", "steps": []}')
    expect([invalid.bytes, invalid.diagnostics.at(-1)?.code]).toEqual([undefined, 'RUN-150'])
    expect(invalid.diagnostics.at(-1)?.detail).toBe('The run has no end yet: redact it when it has ended')
    expect(redactRun('{').bytes).toBeUndefined()
  })
})

describe('differences', () => {
  const differs = (change: object) => diffRuns(text, JSON.stringify(changed(REVIEW, change))).difference

  test('times, costs and reflections do not count', () => {
    const set = { '/steps/0/timestamp': '2026-01-01T00:00:00Z', '/steps/1/metadata/latency_ms': 9, '/run_id': 'b' }
    expect(differs({ set, without: ['/steps/2/reflection'] })).toBeUndefined()
  })

  test('names the first step where two runs part', () => {
    const set = { '/steps/1/action/name': 'guess', '/steps/2/action/name': 'x', '/status': 'failed' }
    expect(differs({ set })).toEqual({ step: 1, pointer: '/steps/1/action/name', a: 'compare', b: 'guess' })
    expect(differs({ set: { '/steps': REVIEW.steps.slice(0, 2) } })).toMatchObject({ step: 2, pointer: '/steps/2' })
    expect(differs({ set: { '/status': 'failed' } })).toMatchObject({ step: undefined, pointer: '/status' })
  })
})
