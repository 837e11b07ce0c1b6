// docs/guide/permissions.md defines the meaning of absent and empty members. Every row is tested.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { decide } from '../../../bindings/adl/policy.ts'
import type { PermissionRequest } from '../../../bindings/policy/request.ts'

const [, page = ''] =
  /^## Absent and empty members\n(.*?)^## /ms.exec(readFileSync('docs/guide/permissions.md', 'utf8')) ?? []
const rows = [...page.matchAll(/^\| `((?:permissions|tools)[\w.]*)` \| (.*) \|$/gm)].map(([, member, cells]) => ({
  member: member!,
  cells: cells!.split(' | ').map((cell) => cell.trim()),
}))

const REQUESTS: Record<string, PermissionRequest> = {
  network: { domain: 'network', host: 'a.example', port: 443, protocol: 'https' },
  filesystem: { domain: 'filesystem', path: '/a', access: 'read_write' },
  environment: { domain: 'environment', variable: 'A' },
  execution: { domain: 'execution', command: 'a' },
  resource_limits: { domain: 'resource', memoryMb: 1, cpuPercent: 1, durationSec: 1, concurrent: 1 },
  tools: { domain: 'tool', name: 'a' },
}

function granting() {
  return {
    permissions: {
      network: { allowed_hosts: ['*'], allowed_ports: [443], allowed_protocols: ['https'] },
      filesystem: { allowed_paths: [{ path: '*', access: 'read_write' }], denied_paths: ['/z'] },
      environment: { allowed_variables: ['*'], denied_variables: ['Z'] },
      execution: { allowed_commands: ['*'], denied_commands: ['z'] },
      resource_limits: { max_memory_mb: 1, max_cpu_percent: 1, max_duration_sec: 1, max_concurrent: 1 },
    },
    tools: [{ name: 'a', description: 'A' }],
  }
}

/** The document with one member removed or replaced. */
function withMember(path: string, value: unknown) {
  const document = granting()
  const names = path.split('.')
  // biome-ignore lint/suspicious/noExplicitAny: a path into it
  const holder = names.slice(0, -1).reduce((part: any, name) => part[name], document)
  if (value === undefined) delete holder[names.at(-1)!]
  else holder[names.at(-1)!] = value
  return document
}

function allowed(path: string, value: unknown, request?: object): boolean {
  const [first, domain] = path.split('.')
  const asked = REQUESTS[first === 'tools' ? 'tools' : (domain ?? 'network')]!
  return decide(withMember(path, value), { ...asked, ...request }).allowed
}

const empty = (path: string) => (/allowed_|denied_|^tools$/.test(path) ? [] : {})

describe('docs/guide/permissions.md', () => {
  test('[adl/9.1-5] [adl/9.1-6] [adl/9.1-7] [adl/9.6-1] defines absent and empty members', () => {
    const table = rows.filter(({ cells }) => cells.length === 2)
    expect(table.length).toBe(20)
    const outcome = (granted: boolean) => (granted ? 'does not restrict' : 'denied')
    for (const { member, cells } of table) {
      expect([member, cells[0]]).toEqual([member, outcome(allowed(member, undefined))])
      if (cells[1] !== '(numbers)')
        expect([member, cells[1]]).toEqual([member, outcome(allowed(member, empty(member)))])
    }
    // Without permissions every domain denies.
    for (const [name, request] of Object.entries(REQUESTS)) {
      expect([name, decide(withMember('permissions', undefined), request).allowed]).toEqual([name, name === 'tools'])
      expect([name, decide(granting(), request).allowed]).toEqual([name, true])
    }
  })

  test('[adl/9.2-1] [adl/9.5-1] [adl/18.12-2] defines flags', () => {
    const flags = rows.filter(({ cells }) => cells.length === 3)
    expect(flags.map(({ member }) => member.split('.').at(-1))).toEqual([
      'deny_private',
      'allow_shell',
      'requires_confirmation',
    ])
    const trials: [object, string, string][] = [
      [{ host: '10.0.0.1' }, 'private hosts as others', 'private hosts denied'],
      [{ command: 'sh' }, 'shells as other commands', 'shells denied'],
      [{}, 'callable', 'callable when confirmed'],
    ]
    for (const [i, { member, cells }] of flags.entries()) {
      const [request, yes, no] = trials[i]!
      const outcomes = [undefined, false, true].map((value) => (allowed(member, value, request) ? yes : no))
      expect([member, ...cells]).toEqual([member, ...outcomes])
    }
    expect(allowed('tools.0.requires_confirmation', true, { confirmed: true })).toBe(true)
  })
})
