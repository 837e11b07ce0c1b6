import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { grants } from '../../../bindings/adl/policy.ts'

const { vectors } = JSON.parse(readFileSync('fixtures/vectors/api/decisions.json', 'utf8'))
const complete = vectors.find(({ id }: { id: string }) => id === 'complete').document

/** Each row as one line: the domain, the effect, the subject and the detail. */
const lines = (document: object, options?: object) =>
  grants(document as never, options).rows.map(
    ({ domain, effect, subject, detail }) => `${domain} ${effect} ${subject}: ${detail}`,
  )
const notesOf = (document: object, subject: string) =>
  grants(document as never).rows.find((grant) => grant.subject === subject)?.notes

describe('grants', () => {
  test('[adl/9.1-2] the complete permissions object of 9.6', () => {
    expect(lines(complete)).toEqual([
      'network allow api.acme.example.com: port 443, protocol https',
      'network allow *.storage.example.com: port 443, protocol https',
      'network deny private hosts: addresses and names that are not public',
      'filesystem allow /data/invoices/**: read',
      'filesystem allow /tmp/processing/**: read and write',
      'filesystem deny /tmp/processing/**/secrets: read and write',
      'environment allow APP_*: read',
      'environment allow INVOICE_*: read',
      'environment deny APP_SECRET_*: read',
      'execution allow python3: run',
      'execution allow jq: run',
      'execution deny shells: allow_shell is not true',
      'resource_limits limit max_memory_mb: at most 512',
      'resource_limits limit max_cpu_percent: at most 25',
      'resource_limits limit max_duration_sec: at most 300',
      'resource_limits allow max_concurrent: no limit',
      'tool deny everything: the agent has no tools',
    ])
    const pointers = grants(complete).rows.flatMap(({ pointer }) => pointer ?? [])
    expect(pointers).toContain('/permissions/filesystem/allowed_paths/1/path')
    expect(new Set(pointers).size).toBe(pointers.length)
  })

  test('[adl/9.1-5] [adl/9.1-6] lists what is denied by omission', () => {
    const absent = lines({})
    expect(absent).toHaveLength(6)
    for (const line of absent) expect(line).toContain(' deny everything: ')
    expect(lines({ permissions: { network: {}, execution: { allowed_commands: [] } } })).toEqual([
      'network deny everything: there is no allowed_hosts',
      'filesystem deny everything: permissions has no filesystem',
      'environment deny everything: permissions has no environment',
      'execution deny everything: allowed_commands is empty',
      'execution deny shells: allow_shell is not true',
      'resource_limits deny everything: permissions has no resource_limits',
      'tool deny everything: the agent has no tools',
    ])
  })

  test('grants nothing for malformed parts, and lists a refusal of the document first', () => {
    const document = { lifecycle: { status: 'retired' }, permissions: { network: { allowed_hosts: ['**'] } } }
    expect(grants(document).rows.slice(0, 2)).toMatchObject([
      { domain: 'document', effect: 'deny', pointer: '/lifecycle/status' },
      { domain: 'network', effect: 'deny', subject: 'everything', pointer: '/permissions/network/allowed_hosts/0' },
    ])
    const sunset = { lifecycle: { status: 'deprecated', sunset_date: '2026-08-01T00:00:00Z' } }
    expect(lines(sunset, { now: new Date('2026-08-02') })[0]).toContain('document deny everything')
    expect(lines(sunset, { now: new Date('2026-07-31') })[0]).toContain('network deny')
    expect(grants('[').rows).toMatchObject([{ domain: 'document', effect: 'deny' }])
    expect(() => grants({}, { now: 1 as never })).toThrow(TypeError)
  })

  test('lists tools', () => {
    const tools = [
      { name: 'search', description: 'x', data_classification: { sensitivity: 'restricted' } },
      { name: 'pay', description: 'x', requires_confirmation: true },
      { name: 'odd', description: 'x', requires_confirmation: 1 },
    ]
    expect(grants({ tools }).rows.filter(({ domain }) => domain === 'tool')).toEqual([
      {
        domain: 'tool',
        effect: 'allow',
        subject: 'search',
        detail: 'call',
        pointer: '/tools/0',
        notes: ["handles 'restricted' data"],
      },
      {
        domain: 'tool',
        effect: 'allow',
        subject: 'pay',
        detail: 'call, when somebody has confirmed it',
        pointer: '/tools/1',
        notes: [],
      },
      {
        domain: 'tool',
        effect: 'deny',
        subject: 'odd',
        detail: 'requires_confirmation is neither true nor false',
        pointer: '/tools/2',
        notes: [],
      },
    ])
  })

  test('[adl/18-3] has notes about effects that a reader may not expect', () => {
    const document = {
      permissions: {
        network: { allowed_hosts: ['*', 'localhost', 'https://a.example'], allowed_ports: [], deny_private: true },
        filesystem: {
          allowed_paths: ['/a/b/../c', 'data', '/srv/x', '/ok/**'].map((path) => ({ path, access: 'read' })),
          denied_paths: ['/srv/**', '/ok/secret'],
        },
        environment: { allowed_variables: ['A', 'B_C'], denied_variables: ['B_*'] },
        execution: { allowed_commands: ['bash', 'jq'] },
      },
    }
    const has = (subject: string, words: string[]) => {
      const notes = notesOf(document, subject)!
      expect([subject, notes.length]).toEqual([subject, words.length])
      for (const [i, word] of words.entries()) expect(notes[i]).toContain(word)
    }
    has('*', ['matches every host', 'an empty list'])
    has('localhost', ['a name for what is inside', 'an empty list'])
    has('https://a.example', ['without scheme', 'an empty list'])
    has('/a/b/../c', ['resolved before'])
    has('data', ['absolute'])
    has('/srv/x', ["'/srv/**' includes it"])
    has('/ok/**', [])
    has('/srv/**', [])
    has('/ok/secret', ['below it'])
    has('A', [])
    has('B_C', ["'B_*' includes it"])
    has('bash', ['takes a shell'])
    has('jq', [])
  })
})
