import { describe, expect, test } from 'vitest'
import * as adl from '../../../bindings/adl/index.ts'
import * as core from '../../../bindings/core/index.ts'
import { runBody } from '../../conformance/body.ts'
import { bodyDisagreements } from '../../conformance/check.ts'
import { readVectors } from '../../conformance/vectors.ts'

const { checkVersion, diff } = adl

const permissions = (domain: string, value: unknown) => ({ permissions: { [domain]: value } })
const tool = (members: object) => ({ tools: [{ name: 'a', description: 'x', ...members }] })
const classified = (members: object) => ({ data_classification: { sensitivity: 'confidential', ...members } })
const lifecycle = (members: object) => ({ lifecycle: members })
const security = (members: object) => ({ security: members })

test('[adl/5.5-3] the vectors that every JavaScript host runs', () => {
  const vectors = readVectors('api').filter(({ call }) => call === 'diff')
  expect(vectors.length).toBeGreaterThan(10)
  expect(bodyDisagreements(vectors, runBody({ ...core, ...adl }, vectors))).toEqual([])
})

/** The changes as lines: kind, bump, document, pointer. */
const lines = (before: object, after: object) =>
  diff(before as never, after as never).changes.map(
    ({ kind, bump, document, pointer }) => `${kind} ${bump} ${document} ${pointer}`,
  )

/** The old document, the new one, and the expected changes. */
type Row = readonly [before: object, after: object, ...changes: string[]]

function table(rows: readonly Row[]): void {
  for (const [before, after, ...changes] of rows) {
    expect({ before, after, changes: lines(before, after).sort() }).toEqual({ before, after, changes: changes.sort() })
    for (const { breaking, bump, kind } of diff(before as never, after as never).changes) {
      expect(breaking).toBe(bump === 'major')
      if (kind === 'widened') expect(breaking).toBe(true)
    }
  }
}

const N = '/permissions/network'
const F = '/permissions/filesystem'
const E = '/permissions/environment'
const X = '/permissions/execution'
const R = '/permissions/resource_limits'
const hosts = (...allowed_hosts: string[]) => permissions('network', { allowed_hosts })
const net = (members: object) => permissions('network', { allowed_hosts: ['a'], ...members })
const path = (path: string, access = 'read') => ({ path, access })
const paths = (allowed: object[], ...denied_paths: string[]) =>
  permissions('filesystem', { allowed_paths: allowed, denied_paths })
const variables = (allowed_variables: string[], denied_variables?: string[]) =>
  permissions('environment', { allowed_variables, ...(denied_variables && { denied_variables }) })

describe('[adl/5.5-3] diff', () => {
  test('ignores the order of members', () => {
    expect(diff('{"name":"a","tools":[],"x_n":1.0}', '{"x_n":1,"tools":[],"name":"a"}').changes).toEqual([])
    expect(diff({ version: '1.0.0' }, { version: '2.0.0' }).changes).toEqual([])
  })

  test('[adl/9.1-1] reports every widening of a grant as breaking', () => {
    table([
      [{}, hosts('a'), `widened major new ${N}/allowed_hosts/0`],
      [{}, permissions('network', {})],
      [hosts('a'), {}, `narrowed minor old ${N}/allowed_hosts/0`],
      [hosts('a'), hosts('a', 'b'), `widened major new ${N}/allowed_hosts/1`],
      [hosts('a', 'b'), hosts('a'), `narrowed minor old ${N}/allowed_hosts/1`],
      [hosts('a.x'), hosts('*.x'), `widened major new ${N}/allowed_hosts/0`, `removed patch old ${N}/allowed_hosts/0`],
      [hosts('*.x'), hosts('a.x'), `added patch new ${N}/allowed_hosts/0`, `narrowed minor old ${N}/allowed_hosts/0`],
      [hosts('A.x'), hosts('a.X'), `added patch new ${N}/allowed_hosts/0`, `removed patch old ${N}/allowed_hosts/0`],
      [net({ allowed_ports: [443] }), net({ allowed_ports: [443, 80] }), `widened major new ${N}/allowed_ports`],
      [net({ allowed_ports: [443, 80] }), net({ allowed_ports: [443] }), `narrowed minor new ${N}/allowed_ports`],
      [net({ allowed_ports: [443] }), net({}), `widened major old ${N}/allowed_ports`],
      [net({}), net({ allowed_ports: [443] }), `narrowed minor new ${N}/allowed_ports`],
      [net({ allowed_ports: [] }), net({ allowed_ports: [1] }), `widened major new ${N}/allowed_ports`],
      [
        net({ allowed_ports: [1] }),
        net({ allowed_ports: [2] }),
        `widened major new ${N}/allowed_ports`,
        `narrowed minor new ${N}/allowed_ports`,
      ],
      [net({ allowed_protocols: ['https'] }), net({ allowed_protocols: ['HTTPS'] })],
      [
        net({ allowed_protocols: ['https'] }),
        net({ allowed_protocols: ['https', 'ws'] }),
        `widened major new ${N}/allowed_protocols`,
      ],
      [net({ deny_private: true }), net({ deny_private: false }), `widened major new ${N}/deny_private`],
      [net({ deny_private: true }), net({}), `widened major old ${N}/deny_private`],
      [net({ deny_private: false }), net({})],
      [net({}), net({ deny_private: true }), `narrowed minor new ${N}/deny_private`],
      [net({ allowed_ports: ['x'] }), net({}), `widened major new ${N}/allowed_hosts/0`],
      [net({}), net({ odd: 1 }), `narrowed minor old ${N}/allowed_hosts/0`],
      [paths([path('/a/**')]), paths([path('/a/**', 'read_write')]), `widened major new ${F}/allowed_paths/0/path`],
      [
        paths([path('/a/**', 'read_write')]),
        paths([path('/a/**', 'write')]),
        `narrowed minor old ${F}/allowed_paths/0/path`,
      ],
      [
        paths([path('/a/**', 'read_write')]),
        paths([path('/a/b'), path('/a/**', 'read_write')]),
        `added patch new ${F}/allowed_paths/0/path`,
      ],
      [paths([path('/a')], '/a/x'), paths([path('/a')]), `widened major old ${F}/denied_paths/0`],
      [paths([path('/a')]), paths([path('/a')], '/a/x'), `narrowed minor new ${F}/denied_paths/0`],
      [
        paths([path('/a')], '/a/x'),
        paths([path('/a')], '/a/**'),
        `removed patch old ${F}/denied_paths/0`,
        `narrowed minor new ${F}/denied_paths/0`,
      ],
      [
        variables(['APP_A']),
        variables(['APP_*']),
        `widened major new ${E}/allowed_variables/0`,
        `removed patch old ${E}/allowed_variables/0`,
      ],
      [variables(['*'], ['S']), variables(['*']), `widened major old ${E}/denied_variables/0`],
      [
        permissions('execution', { allowed_commands: ['a'] }),
        permissions('execution', { allowed_commands: ['a'], allow_shell: true }),
        `widened major new ${X}/allow_shell`,
      ],
      [
        permissions('execution', { allowed_commands: ['a'], denied_commands: ['b'] }),
        permissions('execution', { allowed_commands: ['a', 'c'] }),
        `widened major new ${X}/allowed_commands/1`,
        `widened major old ${X}/denied_commands/0`,
      ],
      [{}, permissions('resource_limits', {}), `widened major new ${R}`],
      [permissions('resource_limits', {}), {}, `narrowed minor old ${R}`],
      [
        permissions('resource_limits', { max_memory_mb: 1, max_duration_sec: 9, max_concurrent: 2 }),
        permissions('resource_limits', { max_memory_mb: 2, max_duration_sec: 8, max_cpu_percent: 5 }),
        `widened major new ${R}/max_memory_mb`,
        `narrowed minor new ${R}/max_cpu_percent`,
        `narrowed minor new ${R}/max_duration_sec`,
        `widened major old ${R}/max_concurrent`,
      ],
    ])
  })

  test('does not count a pattern as a widening if another includes it on every system', () => {
    expect(lines(variables(['A*', '*A']), variables(['A*', '*A', 'A*A']))).toEqual([
      `added patch new ${E}/allowed_variables/2`,
    ])
    expect(lines(paths([path('C:\\a\\*')]), paths([path('C:\\a\\b\\c')]))[0]).toContain('widened')
  })

  test('compares tools, resources and prompts', () => {
    const schema = (properties: object, ...required: string[]) => ({ type: 'object', properties, required })
    const text = { type: 'string' }
    const uses = (before: object, after: object, name = 'parameters') =>
      lines(tool({ [name]: before }), tool({ [name]: after }))
    table([
      [{}, tool({}), 'added minor new /tools/0'],
      [tool({}), {}, 'removed major old /tools/0'],
      [{ tools: [{ name: 'a' }, { name: 'b' }] }, { tools: [{ name: 'b' }, { name: 'a' }] }],
      [tool({}), tool({ description: 'y' }), 'changed patch new /tools/0/description'],
      [tool({ requires_confirmation: true }), tool({}), 'widened major new /tools/0'],
      [tool({}), tool({ requires_confirmation: true }), 'narrowed minor new /tools/0'],
      [tool({ requires_confirmation: 1 }), tool({ requires_confirmation: true }), 'widened major new /tools/0'],
      [tool({ requires_confirmation: false }), tool({})],
      [tool({ read_only: true }), tool({}), 'widened major old /tools/0/read_only'],
      [tool({}), tool({ read_only: true }), 'narrowed minor new /tools/0/read_only'],
      [tool({ idempotent: true }), tool({ idempotent: false }), 'changed major new /tools/0/idempotent'],
      [
        tool({ data_classification: { sensitivity: 'restricted' } }),
        tool({ data_classification: { sensitivity: 'internal' } }),
        'widened major new /tools/0/data_classification/sensitivity',
      ],
      [
        { resources: [{ name: 'r', type: 'api', uri: 'https://a' }] },
        { resources: [{ name: 'r', type: 'api', uri: 'https://b' }] },
        'changed major new /resources/0/uri',
      ],
      [
        { prompts: [{ name: 'p', template: 'a' }] },
        { prompts: [{ name: 'p', template: 'b' }] },
        'changed minor new /prompts/0/template',
      ],
      [{ prompts: [{ name: 'p', template: 'a' }] }, {}, 'removed major old /prompts/0'],
    ])
    expect(uses(schema({ a: text }), schema({ a: { ...text, description: 'A' } }))).toEqual([
      'changed patch new /tools/0/parameters',
    ])
    expect(uses(schema({ a: text }), schema({ a: text, b: text }))).toEqual(['changed minor new /tools/0/parameters'])
    expect(uses(schema({ a: text }), schema({ a: text, b: text }, 'b'))).toEqual([
      'changed major new /tools/0/parameters',
    ])
    expect(uses(schema({ a: text }, 'a'), schema({ a: text }))).toEqual(['changed minor new /tools/0/parameters'])
    expect(uses(schema({ a: text }, 'a'), schema({ a: text }), 'returns')).toEqual([
      'changed major new /tools/0/returns',
    ])
    expect(uses(schema({ a: text }), schema({ a: text }, 'a'), 'returns')).toEqual([
      'changed minor new /tools/0/returns',
    ])
    expect(uses(schema({ a: text }), schema({}))).toEqual(['changed major new /tools/0/parameters'])
    expect(uses(schema({ a: text }), schema({ a: { type: 'number' } }))).toEqual([
      'changed major new /tools/0/parameters',
    ])
    expect(uses({ items: text }, { items: { ...text, title: 'T' } })).toEqual(['changed patch new /tools/0/parameters'])
    expect(uses({}, true as never)).toEqual(['changed major new /tools/0/parameters'])
  })

  test('compares classification, lifecycle, identity, security and the other members', () => {
    table([
      [classified({}), classified({ sensitivity: 'internal' }), 'widened major new /data_classification/sensitivity'],
      [
        classified({}),
        classified({ sensitivity: 'restricted' }),
        'narrowed minor new /data_classification/sensitivity',
      ],
      [
        classified({ categories: ['pii', 'phi'] }),
        classified({ categories: ['pii'] }),
        'widened major new /data_classification/categories',
      ],
      [
        classified({ categories: ['pii'] }),
        classified({ categories: ['phi', 'pii'] }),
        'narrowed minor new /data_classification/categories',
      ],
      [
        classified({ handling: { logging_required: true } }),
        classified({ handling: { logging_required: false } }),
        'widened major old /data_classification/handling/logging_required',
      ],
      [classified({}), {}, 'widened major old /data_classification/sensitivity'],
      [lifecycle({ status: 'active' }), lifecycle({ status: 'deprecated' }), 'changed minor new /lifecycle/status'],
      [
        lifecycle({ status: 'active' }),
        lifecycle({ status: 'retired' }),
        'narrowed minor new /lifecycle/status',
        'changed major new /lifecycle/status',
      ],
      [
        lifecycle({ status: 'retired' }),
        lifecycle({ status: 'active' }),
        'widened major old /lifecycle/status',
        'changed minor new /lifecycle/status',
      ],
      [
        lifecycle({ status: 'deprecated', sunset_date: '2026-01-01T00:00:00Z' }),
        lifecycle({ status: 'deprecated', sunset_date: '2027-01-01T00:00:00Z' }),
        'widened major new /lifecycle/sunset_date',
        'changed patch new /lifecycle/sunset_date',
      ],
      [
        { cryptographic_identity: { public_key: { value: 'a' } } },
        { cryptographic_identity: { public_key: { value: 'b' } } },
        'changed major new /cryptographic_identity/public_key',
      ],
      [{}, { cryptographic_identity: { did: 'did:web:a' } }, 'added minor new /cryptographic_identity/did'],
      [
        { provider: { name: 'A' } },
        { provider: { name: 'B', contact: 'c@b' } },
        'changed major new /provider/name',
        'added patch new /provider/contact',
      ],
      [
        security({ attestation: { signature: 1 } }),
        security({ attestation: {} }),
        'removed major old /security/attestation/signature',
      ],
      [
        security({ attestation: { signature: 1 } }),
        security({ attestation: { signature: 2 } }),
        'changed patch new /security/attestation/signature',
      ],
      [
        security({ authentication: { type: 'oauth2', required: true } }),
        security({ authentication: { type: 'none' } }),
        'widened major old /security/authentication/required',
        'widened major new /security/authentication/type',
      ],
      [
        security({ encryption: { in_transit: { required: true } } }),
        security({}),
        'widened major old /security/encryption/in_transit/required',
      ],
      [{ model: { name: 'a' } }, { model: { name: 'b' } }, 'changed minor new /model'],
      [
        { name: 'a', description: 'a', x_n: 1 },
        { name: 'b', description: 'b' },
        'changed patch new /name',
        'changed patch new /description',
        'removed patch old /x_n',
      ],
      [{ id: 'urn:a' }, { id: 'urn:b' }, 'changed major new /id'],
      [{ permissions: { x_n: 1 } }, { permissions: { x_n: 2 } }, 'changed patch new /permissions/x_n'],
      [net({ x_n: 1 }), net({}), `removed patch old ${N}/x_n`],
      [{ permissions: { delegation: {} } }, {}, 'widened major old /permissions/delegation'],
      [{ permissions: 'none' }, { permissions: {} }, 'changed major new /permissions'],
      [tool({ parameters: null }), tool({}), 'removed major old /tools/0/parameters'],
      [{ adl_spec: '0.2.0' }, { adl_spec: '0.1.0' }, 'widened major old /adl_spec', 'changed patch new /adl_spec'],
    ])
  })

  test('never treats unreadable or odd values as equal', () => {
    expect(lines('[' as never, {})).toEqual(['changed major old '])
    expect(lines({}, '{"a":1,"a":1}' as never)).toEqual(['changed major new '])
    expect(lines({ provider: 'a' }, { provider: {} })).toEqual(['changed major new /provider'])
    expect(lines({ ['__proto__']: 1 }, { constructor: 1 })).toContain('added minor new /constructor')
    expect(() => diff(1 as never, {})).toThrow(TypeError)
  })
})

describe('[adl/5.5-3] checkVersion', () => {
  const minor = [{ model: 'a' }, { model: 'b' }] as const
  const major = [{ id: 'a' }, { id: 'b' }] as const
  const patch = [{ name: 'a' }, { name: 'b' }] as const
  test.each([
    ['1.0.0', '1.0.1', patch, 'patch', 'patch', true],
    ['1.0.0', '1.0.0', patch, undefined, 'patch', false],
    ['1.0.0', '1.0.0', [{}, {}], undefined, undefined, true],
    ['1.0.0', '1.0.1', minor, 'patch', 'minor', false],
    ['1.0.9', '1.1.0', minor, 'minor', 'minor', true],
    ['1.9.0', '1.10.0', minor, 'minor', 'minor', true],
    ['1.0.0', '1.1.0', major, 'minor', 'major', false],
    ['1.9.9', '2.0.0', major, 'major', 'major', true],
    ['2.0.0', '1.9.9', patch, undefined, 'patch', false],
    ['0.1.0', '0.2.0', major, 'minor', 'minor', true],
    ['0.1.0', '0.1.1', major, 'patch', 'minor', false],
    ['1.0', '2.0.0', patch, undefined, 'patch', false],
    ['1.0.0', undefined, patch, undefined, 'patch', false],
  ] as const)('%s to %s', (from, to, [before, after], moved, needed, enough) => {
    const outcome = { from, to, moved, needed, enough }
    expect(checkVersion({ version: from, ...before }, { version: to, ...after })).toEqual({
      ...outcome,
      diagnostics: [],
    })
  })
})
