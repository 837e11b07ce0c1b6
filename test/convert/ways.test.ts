// From any format to any other: directly, or through a card or a definition, whichever loses less.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ConvertOptions } from '../../bindings/convert/formats.ts'
import { type ConvertFormat, convert, FORMATS } from '../../bindings/convert/index.ts'
import { countLost, join } from '../../bindings/convert/steps.ts'
import { validate } from '../../bindings/verbs.ts'
import { casesOf } from '../support/cases.ts'
import { EXAMPLE, RICH } from './cards.ts'
import { at, FULL, faults, hasData, type Json, places, uncovered } from './samples.ts'

const OPTIONS: ConvertOptions = {
  id: 'agent://x',
  url: 'https://agents.example.com/x',
  serverName: 'com.example/x',
  classification: { sensitivity: 'internal' },
  version: '1.0.0',
  description: 'x',
  now: new Date('2026-03-01T00:00:00Z'),
}

/** ADP/1.1 requires a key, OASF a known tag. */
const DEFINITION = {
  ...FULL,
  cryptographic_identity: { did: EXAMPLE['did'] },
  metadata: { ...(FULL['metadata'] as Json), tags: ['finance', 'testing'] },
}

const made = new Map<ConvertFormat, Json>()
for (const to of FORMATS) {
  const source = to === 'mcp-client' ? DEFINITION : RICH
  if (to !== 'adl' && to !== 'card')
    made.set(to, convert(JSON.stringify(source), { to, ...OPTIONS }).document!.value as Json)
}
made.set('adl', DEFINITION)
made.set('card', RICH)

const sources = FORMATS.filter((format) => format !== 'mcp-client')

describe.each(sources)('from %s', (from) => {
  test('[card/1.3-2] to every other format: valid, and every member accounted for', () => {
    const source = made.get(from)!
    for (const to of FORMATS) {
      if (to === from) continue
      const { document, loss, diagnostics } = convert(JSON.stringify(source), { to, from, ...OPTIONS })
      expect([to, document === undefined ? diagnostics : []]).toEqual([to, []])
      expect([to, uncovered(source, loss)]).toEqual([to, []])
      if (hasData && to !== 'card' && to !== 'adl') expect([to, faults(to, document!.value as Json)]).toEqual([to, []])
      if (to === 'card' || to.startsWith('a2a')) {
        const { diagnostics: found } = validate(document!.bytes, {
          as: to === 'card' ? 'card' : 'a2a',
          now: OPTIONS.now!,
        })
        expect([to, found.filter(({ severity }) => severity === 'error')]).toEqual([to, []])
      }
      // Each row has a value at its target.
      const there = new Set(['', ...places(document!.value)])
      const missing = loss.filter(
        ({ target, outcome }) => target !== undefined && outcome !== 'dropped' && !there.has(target),
      )
      expect([to, missing]).toEqual([to, []])
    }
  })

  test('is detected, unless it is a configuration', () => {
    const { document } = convert(JSON.stringify(made.get(from)), { to: from === 'card' ? 'adl' : 'card', ...OPTIONS })
    expect(document).toBeDefined()
  })
})

describe('two steps', () => {
  const card = convert(JSON.stringify(EXAMPLE), { to: 'a2a-1.0', binding: 'HTTP+JSON' }).document!.value as Json

  test('an intermediate document needs no id and no classification', () => {
    const { document, diagnostics } = convert(JSON.stringify(card), { to: 'a2a-0.3', binding: 'HTTP+JSON' })
    expect(diagnostics).toEqual([])
    expect(document!.value).toMatchObject({ name: card['name'], url: 'https://api.example.com/translate/v1' })
    expect(JSON.stringify(document!.value)).not.toContain('data_classification')
  })

  test('takes the route that loses less', () => {
    const lost = (...route: ConvertFormat[]) => {
      let source: unknown = card
      let total: number | undefined
      for (const to of route) {
        const step = convert(JSON.stringify(source), { to, ...OPTIONS })
        total = Math.max(total ?? 0, countLost(source, step.loss))
        source = step.document!.value
      }
      return total!
    }
    const { loss } = convert(JSON.stringify(card), { to: 'mcp-server', ...OPTIONS })
    expect(countLost(card, loss)).toBeLessThanOrEqual(lost('adl', 'mcp-server') + lost('card', 'mcp-server'))
  })

  test('reports problems of the second step with pointers into the source', () => {
    const untagged = { ...card, skills: [{ id: 'knit', name: 'knit', description: 'Knits.', tags: ['knitting'] }] }
    const { capabilities: _, ...foreign } = untagged as Json
    const { document, diagnostics } = convert(JSON.stringify({ ...foreign, capabilities: {} }), {
      to: 'oasf-record',
      ...OPTIONS,
    })
    expect(document).toBeUndefined()
    const refusal = diagnostics.find(({ code }) => code === 'BADL-190')!
    expect([refusal.detail, refusal.source.pointer]).toEqual([
      'expected a tag that OASF has a skill for, such as nlp/translation or testing',
      '/skills/0/tags',
    ])
  })
})

describe('the joined report', () => {
  const row = (pointer: string | undefined, target: string | undefined, outcome: string) => ({
    ...(pointer !== undefined && { pointer }),
    ...(target !== undefined && { target }),
    outcome: outcome as 'kept',
    detail: outcome,
  })
  const brief = (rows: ReturnType<typeof join>) =>
    rows.map(({ pointer, target, outcome }) => [outcome, pointer, target])

  test('follows a value from place to place', () => {
    const rows = join({ a: 1 }, [row('/a', '/b', 'renamed')], { b: 1 }, [row('/b', '/c', 'kept')], { c: 1 })
    expect(brief(rows)).toEqual([['renamed', '/a', '/c']])
  })

  test('drops what the second step drops', () => {
    const first = [row('/a', '/a', 'kept'), row('/b', undefined, 'dropped')]
    const rows = join({ a: 1, b: 2 }, first, { a: 1 }, [row('/a', undefined, 'dropped')], {})
    expect(brief(rows)).toEqual([
      ['dropped', '/a', undefined],
      ['dropped', '/b', undefined],
    ])
  })

  test('reports an unchanged part member by member', () => {
    const value = { x: 1, y: 2 }
    const second = [row('/b/x', '/x', 'kept'), row('/b/y', undefined, 'dropped')]
    const rows = join({ a: value }, [row('/a', '/b', 'renamed')], { b: value }, second, { x: 1 })
    expect(brief(rows)).toEqual([
      ['renamed', '/a/x', '/x'],
      ['dropped', '/a/y', undefined],
    ])
  })

  test('reports the worst outcome of a rewritten part', () => {
    const second = [row('/b/x', '/x', 'kept'), row('/b/y', undefined, 'dropped')]
    const rows = join({ a: ['x'] }, [row('/a', '/b', 'renamed')], { b: { x: 1, y: 2 } }, second, { x: 1 })
    expect(brief(rows)).toEqual([['dropped', '/a', undefined]])
  })

  test('places a part of a kept value where the whole is', () => {
    const second = [row('/b', '/d', 'renamed')]
    const rows = join({ a: 1 }, [row('/a', '/b/c', 'renamed')], { b: { c: 1 } }, second, { d: { c: 1 } })
    expect(brief(rows)).toEqual([['renamed', '/a', '/d/c']])
  })

  test('reports additions at their final place, or not at all', () => {
    const first = [row(undefined, '/a', 'added'), row(undefined, '/b', 'added')]
    const second = [row('/a', '/c', 'renamed'), row('/b', undefined, 'dropped'), row(undefined, '/d', 'added')]
    const rows = join({}, first, { a: 1, b: 2 }, second, { c: 1, d: 1 })
    expect(brief(rows)).toEqual([
      ['added', undefined, '/c'],
      ['added', undefined, '/d'],
    ])
  })
})

describe('a value without a place in the joined report', () => {
  const implied = (by: string) => [{ pointer: '/a', outcome: 'kept' as const, detail: 'the same', by }]
  const fate = (by: string, outcome: 'kept' | 'dropped', made: unknown) =>
    join({ a: 'x' }, implied(by), { b: { c: 'x' } }, [{ pointer: '/b/c', outcome, detail: '' }], made)[0]!.outcome

  test.each(['/b/c', '/b'])('is kept as long as %s is, which implies it', (by) => {
    expect(fate(by, 'kept', {})).toBe('kept')
    expect(fate(by, 'dropped', {})).toBe('dropped')
  })

  test('is kept if nothing of the rest is lost, or if it can be read there', () => {
    expect(fate('', 'kept', {})).toBe('kept')
    expect(fate('', 'dropped', { d: 'x' })).toBe('kept')
    expect(fate('', 'dropped', { d: 'y' })).toBe('dropped')
  })

  test('drops skill names and authentication of a foreign A2A card in a configuration', () => {
    const foreign = {
      name: 'A',
      description: 'B',
      version: '1.0.0',
      supportedInterfaces: [{ url: 'https://a.example', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      capabilities: {},
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      securitySchemes: { login: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
      securityRequirements: [{ schemes: { login: { list: [] } } }],
      skills: [{ id: 'find', name: 'find', description: 'Finds.', tags: ['search'] }],
    }
    for (const to of ['mcp-client', 'mcp-server'] as const) {
      const { loss } = convert(JSON.stringify(foreign), { to, ...OPTIONS, carry: 'nothing' })
      const gone = ['/skills/0/name', '/securitySchemes', '/securityRequirements', '/defaultInputModes']
      const kept = loss.filter(({ pointer, outcome }) => gone.includes(pointer ?? '') && outcome !== 'dropped')
      expect([to, kept]).toEqual([to, []])
    }
  })
})

describe('hostile input', () => {
  const ODD = [null, 0, '', 'x', [], {}, [null], [[]], [{}], ['', 'x'], { name: 7 }, [{ name: 'x' }]]

  test.each(sources.filter((from) => from !== 'adl'))(
    '%s: any value in any place becomes a card or not, and is accounted for',
    (from) => {
      const whole = made.get(from)!
      for (const [i, place] of places(whole).entries()) {
        const odd = ODD[i % ODD.length]
        const source = structuredClone(whole)
        const parent = at(source, place.slice(0, place.lastIndexOf('/'))) as Json
        parent[
          place
            .slice(place.lastIndexOf('/') + 1)
            .replaceAll('~1', '/')
            .replaceAll('~0', '~')
        ] = odd
        const targets =
          from === 'card' ? FORMATS.filter((to) => to !== 'card' && (to.length + i) % 3 === 0) : (['card'] as const)
        for (const to of targets) {
          const { document, loss, diagnostics } = convert(JSON.stringify(source), {
            to,
            from,
            ...OPTIONS,
            carry: 'all',
          })
          if (document === undefined) expect(diagnostics.length).toBeGreaterThan(0)
          else expect([place, odd, to, uncovered(source, loss)]).toEqual([place, odd, to, []])
        }
      }
    },
  )

  test('makes no huge document from tags and languages that every tool gets', () => {
    const long = Array.from({ length: 20 }, (_, i) => `${i}`.repeat(20_000))
    const tools = Array.from({ length: 5000 }, (_, i) => ({ name: `t${i}` }))
    const source = { ...EXAMPLE, tools, skills: ['testing', ...long], constraints: { supported_languages: long } }
    for (const to of ['a2a-1.0', 'wellknown', 'oasf-record'] as const) {
      const { document } = convert(JSON.stringify(source), { to, ...OPTIONS, carry: 'nothing' })
      expect(document!.bytes.length).toBeLessThan(6_000_000)
    }
  })

  test('handles arbitrary JSON from any kind to any other', () => {
    const property = fc.property(
      fc.jsonValue(),
      fc.constantFrom(...FORMATS),
      fc.constantFrom(...FORMATS),
      (value, from, to) => {
        convert(JSON.stringify(value), { from, to, ...OPTIONS })
      },
    )
    fc.assert(property, { numRuns: casesOf(1000) })
  })
})
