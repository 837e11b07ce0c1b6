// The table fixtures/adl/protection.md: each row in both directions.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { diff } from '../../../bindings/adl/index.ts'
import schema from '../../../bindings/adl/schema.json' with { type: 'json' }
import { EXAMPLES } from '../profiles/support.ts'

const page = readFileSync('fixtures/adl/protection.md', 'utf8')
const ROWS = Array.from(page.matchAll(/^\| `([a-z_.0-9]+)` \| (.+?) \| (.+?) \| (major|minor) \|$/gm), (row) =>
  row.slice(1),
)

const BASE = {
  tools: [{ name: 'a', description: 'A', data_classification: { sensitivity: 'internal' } }],
  data_classification: { sensitivity: 'internal' },
  permissions: { resource_limits: {} },
}

/** The definition with one more member, or without it. */
function having(path: string, cell: string): object {
  const root = structuredClone(BASE) as Record<string, unknown>
  const names = path.split('.')
  const last = names.pop()!
  const owner = names.reduce((at, name) => {
    at[name] ??= {}
    return at[name] as Record<string, unknown>
  }, root)
  if (cell !== 'absent') owner[last] = JSON.parse(cell.slice(1, -1))
  return root
}

interface Lost {
  readonly path: string
  readonly left: object
}

/** The document without a member, without each member inside it, and with each true value set to false. */
function losses(whole: object, path: readonly string[]): Lost[] {
  const copy = () => {
    const left = structuredClone(whole) as Record<string, unknown>
    const owner = path.slice(0, -1).reduce((at, name) => at[name] as Record<string, unknown>, left)
    return { left, owner, name: path.at(-1)! }
  }
  const without = copy()
  const value = without.owner[without.name]
  if (Array.isArray(without.owner)) without.owner.splice(Number(without.name), 1)
  else delete without.owner[without.name]
  const lost = [{ path: path.join('.'), left: without.left }]
  if (value === true) {
    const off = copy()
    off.owner[off.name] = false
    lost.push({ path: `${path.join('.')} off`, left: off.left })
  }
  if (typeof value !== 'object' || value === null) return lost
  return [...lost, ...Object.keys(value).flatMap((name) => losses(whole, [...path, name]))]
}

const bumps = (before: object, after: object) => diff(before as never, after as never).changes.map(({ bump }) => bump)

describe('protection, by the table fixtures/adl/protection.md [adl/5.5-3]', () => {
  test('the table has its rows', () => expect(ROWS.length).toBeGreaterThan(45))

  test.each(ROWS)('%s: %s to %s', (path, strong, weak, back) => {
    const [stronger, weaker] = [having(path!, strong!), having(path!, weak!)]
    expect(bumps(stronger, weaker)).toEqual(['major'])
    expect(bumps(weaker, stronger)).toEqual([back])
    expect(bumps(weaker, weaker)).toEqual([])
  })

  test('is lost with the object around it', () => {
    for (const [path, strong] of ROWS) {
      const [first] = path!.split('.')
      if (first === 'permissions' || first === 'tools' || first === 'data_classification') continue
      const without = having('x_none', 'absent')
      expect([path, bumps(having(path!, strong!), without)]).toEqual([path, ['major']])
    }
  })

  test('treats other names and another order of the same profiles as equal', () => {
    const of = (...profiles: string[]) => ({ ...BASE, profiles })
    const urn = 'urn:adl:profile:governance:1.0'
    expect(bumps(of('governance', 'healthcare'), of('healthcare', urn))).toEqual(['patch'])
    expect(bumps(of(urn), of('urn:adl:profile:governance:0.9'))).toEqual(['major', 'minor'])
  })

  test('treats extensions inside members of profiles as extensions', () => {
    const of = (members: object) => ({ governance: { audit_trail: members } })
    expect(bumps(of({ x_room: 'a' }), of({ x_room: 'b' }))).toEqual(['patch'])
  })

  test('compares members of profiles at any depth', () => {
    const nested = (depth: number, leaf: unknown): object =>
      Array.from({ length: depth }).reduce<object>((within) => ({ a: within }), { leaf })
    for (const depth of [1, 2, 30]) {
      expect(bumps(nested(depth, 'a'), nested(depth, 'b'))).toEqual(['major'])
      expect(bumps(nested(depth, 'a'), nested(depth, 'a'))).toEqual([])
    }
  })

  test.each(EXAMPLES)('reports any loss in the members of profiles in $file as breaking', ({ text }) => {
    const whole = JSON.parse(text) as Record<string, unknown>
    const lost: Lost[] = []
    for (const name of Object.keys(whole))
      if (!Object.hasOwn(schema.properties, name)) lost.push(...losses(whole, [name]))
    expect(lost.length).toBeGreaterThan(10)
    for (const { path, left } of lost) expect([path, ...bumps(whole, left)]).toEqual([path, 'major'])
  })

  test('does not report other spellings or names of equal strength as weaker', () => {
    const of = (member: string, cell: string) => having(`security.encryption.${member}`, `\`"${cell}"\``)
    expect(bumps(of('in_transit.min_version', 'TLS1.2'), of('in_transit.min_version', 'TLSv1.2'))).toEqual(['minor'])
    expect(bumps(of('at_rest.algorithm', 'AES-256-GCM'), of('at_rest.algorithm', 'ChaCha20-Poly1305'))).toEqual([
      'minor',
    ])
  })

  test.each([
    [
      'at_rest.algorithm',
      'AES-256-CBC',
      'aes256cbc',
      'AES_256/CBC/PKCS5Padding',
      'A256CTR',
      'camellia-256-ofb',
      'AES-256',
    ],
    [
      'at_rest.algorithm',
      'AES-256-GCM',
      'A256GCM',
      'aes-256-gcm-siv',
      'A256CBC-HS512',
      'XChaCha20-Poly1305',
      'ARIA-256-CCM',
    ],
    ['at_rest.algorithm', '3DES', 'DES-EDE3-CBC', 'TripleDES', 'tdea-cbc'],
    ['in_transit.min_version', 'TLS1.2', 'TLSv1.2', 'TLS 1.2', 'tls_1_2', '1.2', 'v1.2', ' TLS-1.2 '],
    ['in_transit.min_version', 'TLS1.0', 'TLSv1', '1.0', 'TLS1'],
    ['in_transit.min_version', 'SSL3.0', 'SSLv3', 'SSL 3', 'ssl_3_0'],
  ])('accepts names of %s that are as strong as %s', (member, name, ...others) => {
    const of = (value: string) => having(`security.encryption.${member}`, `\`"${value}"\``)
    for (const other of others) expect([other, ...bumps(of(name!), of(other))]).toEqual([other, 'minor'])
  })

  test.each([
    [
      'at_rest.algorithm',
      'AES-256-CBC',
      'aes-256-ecb (pkcs7)',
      'AES-256-CBC, DES',
      'AES-256-none',
      'AES-512',
      'XAES-256',
    ],
    ['at_rest.algorithm', 'none', 'none needed', 'none of your business', 'RC4-none', 'plain AES-256'],
    [
      'in_transit.min_version',
      'SSL 2.0',
      'SSL 9.9',
      'SSL 1.0',
      '3',
      '1',
      '3.0',
      'TLS 1.4',
      'DTLS 1.2',
      'TLS 1.2 or none',
    ],
  ])('reports unknown names of %s as weaker than %s', (member, name, ...others) => {
    const of = (value: string) => having(`security.encryption.${member}`, `\`"${value}"\``)
    for (const other of others) {
      expect([other, ...bumps(of(name!), of(other))]).toEqual([other, 'major'])
      expect([other, ...bumps(of(other), of(name!))]).toEqual([other, 'major'])
    }
  })

  test('compares unknown values without throwing', () => {
    for (const odd of [null, 0, '', [], {}, [[]], 'x'.repeat(9_999)]) {
      for (const [path, strong] of ROWS) {
        const stranger = having(path!, `\`${JSON.stringify(odd)}\``)
        expect(bumps(having(path!, strong!), stranger).length).toBeGreaterThan(0)
        bumps(stranger, having(path!, strong!))
      }
    }
  })
})
