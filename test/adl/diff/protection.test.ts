// The table of docs/permissions.md, each row both ways.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { diff } from '../../../bindings/adl/index.ts'

const page = readFileSync('docs/permissions.md', 'utf8').split('### Less protection')[1]!
const ROWS = Array.from(page.matchAll(/^\| `([a-z_.0-9]+)` \| (.+?) \| (.+?) \| (major|minor) \|$/gm), (row) =>
  row.slice(1),
)

const BASE = {
  tools: [{ name: 'a', description: 'A', data_classification: { sensitivity: 'internal' } }],
  data_classification: { sensitivity: 'internal' },
  permissions: { resource_limits: {} },
}

/** The definition with one member more, or without it. */
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

const bumps = (before: object, after: object) => diff(before as never, after as never).changes.map(({ bump }) => bump)

describe('protection, as docs/permissions.md has it [adl/5.5-3]', () => {
  test('the table is there', () => expect(ROWS.length).toBeGreaterThan(45))

  test.each(ROWS)('%s: %s to %s', (path, strong, weak, back) => {
    const [stronger, weaker] = [having(path!, strong!), having(path!, weak!)]
    expect(bumps(stronger, weaker)).toEqual(['major'])
    expect(bumps(weaker, stronger)).toEqual([back])
    expect(bumps(weaker, weaker)).toEqual([])
  })

  test('that goes with the member around it', () => {
    for (const [path, strong] of ROWS) {
      const [first] = path!.split('.')
      if (first !== 'security' && first !== 'runtime') continue
      const without = having('x_none', 'absent')
      expect([path, bumps(having(path!, strong!), without)]).toEqual([path, ['major']])
    }
  })

  test('another spelling of the same, and another of the same strength, are not less', () => {
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
  ])('names of %s as strong as %s', (member, name, ...others) => {
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
  ])('names of %s that are not known, beside %s', (member, name, ...others) => {
    const of = (value: string) => having(`security.encryption.${member}`, `\`"${value}"\``)
    for (const other of others) {
      expect([other, ...bumps(of(name!), of(other))]).toEqual([other, 'major'])
      expect([other, ...bumps(of(other), of(name!))]).toEqual([other, 'major'])
    }
  })

  test('values of strangers are compared without a fall', () => {
    for (const odd of [null, 0, '', [], {}, [[]], 'x'.repeat(9_999)]) {
      for (const [path, strong] of ROWS) {
        const stranger = having(path!, `\`${JSON.stringify(odd)}\``)
        expect(bumps(having(path!, strong!), stranger).length).toBeGreaterThan(0)
        bumps(stranger, having(path!, strong!))
      }
    }
  })
})
