// Values deeper than the target allows (ADL 18.5: 32 levels; for other formats we read 64).
import { expect, test } from 'vitest'
import { type ConvertFormat, convert, FORMATS } from '../../bindings/convert/index.ts'
import { RICH } from './cards.ts'
import { FULL, type Json, OPTIONS, uncovered } from './samples.ts'

const go = (source: unknown, from: ConvertFormat, to: ConvertFormat) =>
  convert(JSON.stringify(source), { ...OPTIONS, carry: 'all', from, to })

const most = (format: ConvertFormat) => (format === 'adl' ? 32 : 64)

function nested(levels: number): unknown {
  let value: unknown = 'x'
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { a: value }
  return value
}

function levelsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(levelsOf))
}

const SOURCES = FORMATS.map((format) => {
  const source = format === 'adl' ? FULL : format === 'card' ? RICH : go(RICH, 'card', format).document?.value
  return [format, (source ?? go(FULL, 'adl', format).document!.value) as Json] as const
})

test.each(SOURCES)('drops and reports values of %s that are too deep for the other format', (from, source) => {
  let dropped = 0
  for (const to of FORMATS.filter((to) => go(source, from, to).document !== undefined)) {
    // The deepest value that fits, and one or two deeper ones.
    for (const levels of [most(from) - 1, most(from) - 4, 26, 30].filter((levels) => levels < most(from))) {
      const deep = { ...source, x_deep: nested(levels) }
      const { document, loss, diagnostics } = go(deep, from, to)
      expect([to, levels, diagnostics.filter(({ severity }) => severity === 'error')]).toEqual([to, levels, []])
      expect(diagnostics.filter(({ code }) => code === 'BADL-197')).toEqual([])
      expect(levelsOf(document!.value)).toBeLessThanOrEqual(most(to))
      expect(uncovered(deep, loss)).toEqual([])
      const row = loss.find(({ pointer }) => pointer === '/x_deep')
      const isThere = JSON.stringify(document!.value)
        .replaceAll('\\', '')
        .includes(JSON.stringify(nested(levels)))
      expect([to, levels, row?.outcome !== 'dropped']).toEqual([to, levels, isThere])
      if (row?.detail.startsWith('deeper than') === true) dropped++
    }
  }
  // A conversion takes only one server of a configuration.
  if (from !== 'adl' && from !== 'mcp-client') expect(dropped).toBeGreaterThan(0)
})

test('refuses a definition whose schema is too deep, instead of dropping the schema', () => {
  const schema = (levels: number) => ({ type: 'object', default: nested(levels - 1) })
  const card = (levels: number) => ({ ...RICH, tools: [{ name: 'x', input_schema: schema(levels) }] })
  expect(go(card(29), 'card', 'adl').document).toBeDefined()
  const { document, diagnostics } = go(card(30), 'card', 'adl')
  expect(document).toBeUndefined()
  expect(diagnostics).toMatchObject([
    { code: 'BADL-193', severity: 'error', detail: 'the result would have 33 levels; at most 32 are allowed' },
  ])
})

test('makes no definition of more than 1 MiB, and drops spaces first', () => {
  const server = (size: number) => ({
    name: 'A',
    version: '1.0.0',
    description: 'B',
    packages: [],
    a: 'd'.repeat(size),
  })
  const { document } = go(server((1 << 20) - 400), 'mcp-server', 'adl')
  expect(document!.bytes.length).toBeLessThanOrEqual(1 << 20)
  expect(go(server(1 << 20), 'mcp-server', 'adl').diagnostics[0]).toMatchObject({ code: 'BADL-193' })
})

test('reads 4 MiB of a format that is not a kind, and no more', () => {
  const source = '{"mcpServers": {}}'
  const text = (bytes: number) => `${source}${' '.repeat(bytes - source.length)}`
  const codes = (bytes: number) =>
    convert(text(bytes), { ...OPTIONS, from: 'mcp-client', to: 'adl' }).diagnostics.map(({ code }) => code)
  expect(codes(4 << 20)).toEqual(codes(source.length))
  expect(codes((4 << 20) + 1)).not.toEqual(codes(source.length))
})
