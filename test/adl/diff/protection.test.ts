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
