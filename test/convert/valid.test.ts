// Whatever is a valid definition becomes what the makers of the other formats accept: odd values at every place of one.
import { expect, test } from 'vitest'
import { validate } from '../../bindings/adl/index.ts'
import { convert } from '../../bindings/convert/index.ts'
import { parse } from '../../bindings/document/parse.ts'
import { at, FULL, faults, hasData, type Json, places } from './samples.ts'

const TARGETS = ['a2a-1.0', 'a2a-0.3', 'mcp-2025-11-25', 'mcp-2026-07-28', 'mcp-server'] as const
const OPTIONS = { url: 'https://agents.example.com/x', serverName: 'com.example/x', carry: 'all' } as const
const ODD = [
  '',
  'x',
  'a b',
  0,
  7,
  true,
  false,
  null,
  [],
  {},
  [''],
  ['x'],
  ['text/plain'],
  [{}],
  { a: null },
  [{ name: 'x' }],
  { type: 'string' },
]

const EXTENDED: Json = {
  ...FULL,
  x_a2a: {
    supportedInterfaces: [{ url: 'https://a.example', protocolBinding: 'JSONRPC' }],
    iconUrl: 'https://a.example/i',
  },
  x_mcp_server: {
    name: 'com.example/y',
    remotes: [{ type: 'sse', url: 'https://a.example/sse' }],
    packages: [{ registryType: 'npm', identifier: 'x', transport: { type: 'stdio' } }],
  },
  x_mcp_client: { url: 'https://a.example' },
  tools: [
    ...(FULL['tools'] as Json[]),
    {
      name: 'extended',
      description: 'x',
      x_a2a: { name: 'X', tags: ['t'], examples: ['e'], inputModes: ['text/plain'] },
      x_mcp: { title: 'T' },
    },
  ],
}

test.runIf(hasData)('[adl/15.1-1] [adl/15.2-1] a valid definition gives valid documents', () => {
  let valid = 0
  const wrong: unknown[] = []
  for (const [i, place] of places(EXTENDED).entries()) {
    for (const odd of ODD.filter((_, k) => (k + i) % 5 === 0)) {
      const source = structuredClone(EXTENDED)
      const parent = at(source, place.slice(0, place.lastIndexOf('/'))) as Json
      parent[place.slice(place.lastIndexOf('/') + 1)] = odd
      const { document } = parse(JSON.stringify(source))
      if (!validate(document!, { ruleset: 'spec', now: new Date('2026-03-01T00:00:00Z') }).valid) continue
      valid++
      for (const to of TARGETS) {
        const { url, serverName, ...others } = OPTIONS
        for (const options of [OPTIONS, others]) {
          const made = convert(document!, { to, ...options }).document
          if (made === undefined) continue
          const found = faults(to, made.value as Json)
          if (found.length > 0) wrong.push([to, place, odd, found[0]])
        }
      }
    }
  }
  expect(valid).toBeGreaterThan(150)
  expect(wrong).toEqual([])
})
