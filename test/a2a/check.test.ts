// A2A Agent Cards: validity, compared with the official schemas.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { ALL } from '../../bindings/a2a/findings.ts'
import { validate as validateA2aCard } from '../../bindings/a2a/verbs.ts'
import { validate } from '../../bindings/index.ts'
import { at, faults, hasData, type Json, places } from '../convert/samples.ts'
import { processorTime } from '../support/effort.ts'
import { CURRENT, OLDER } from './samples.ts'

interface Row {
  readonly rule: string
  readonly code: string
  readonly severity: string
  readonly pointer: string
  readonly base: '1.0' | '0.3'
  readonly bad: Json
  readonly good: Json
}

const rows: readonly Row[] = parseYaml(readFileSync('fixtures/card/a2a.yaml', 'utf8'))
const BASES = { '1.0': CURRENT, '0.3': OLDER } as const

const withMembers = (base: keyof typeof BASES, members: Json) =>
  Object.fromEntries(Object.entries({ ...BASES[base], ...members }).filter(([, value]) => value !== null))
const told = (card: object) =>
  validate(JSON.stringify(card)).diagnostics.map(({ rule, code, severity, source: { pointer } }) => ({
    rule,
    code,
    severity,
    pointer,
  }))
const codesOf = (card: unknown) => validate(JSON.stringify(card), { as: 'a2a' }).diagnostics.map(({ rule }) => rule)

describe('[card/a2a.5.7-1] [card/a2a.4.4.6-1] [card/a2a.4.5-1] the A2A catalogue', () => {
  test.each(rows)('$code $rule of $base at $pointer', ({ rule, code, severity, pointer, base, bad, good }) => {
    expect(told(withMembers(base, bad))).toEqual([{ rule, code, severity, pointer }])
    expect(told(withMembers(base, good))).toEqual([])
  })

  test('has an entry for every rule', () => {
    expect(new Set(rows.map(({ rule }) => rule))).toEqual(new Set(ALL.map(({ id }) => id)))
  })
})

const ODD = ['', 'x', 0, 1.5, true, false, null, [], {}, [''], ['x'], [{}], { a: null }, { x: 'y' }, { x: ['y'] }]

/** Rules that go beyond the schemas. */
const STRICTER = /^a2a-(empty-value|url|scheme-kind|enum-value)$/

describe.runIf(hasData)('[card/a2a.4.4-1] agrees with the official schemas', () => {
  test.each(Object.entries(BASES))('on odd values at every place of a %s card', (version, base) => {
    const to = `a2a-${version}` as 'a2a-1.0'
    expect(faults(to, base as unknown as Json)).toEqual([])
    const wrong: unknown[] = []
    let valid = 0
    for (const place of places(base as unknown as Json)) {
      for (const odd of [...ODD, undefined]) {
        const card = structuredClone(base) as unknown as Json
        const parent = at(card, place.slice(0, place.lastIndexOf('/'))) as Json
        const name = place.slice(place.lastIndexOf('/') + 1).replaceAll('~1', '/')
        if (odd === undefined && Array.isArray(parent)) continue
        if (odd === undefined) delete parent[name]
        else parent[name] = odd
        // Without interfaces the card counts as 0.3.
        if (version === '1.0' && !('supportedInterfaces' in card)) continue
        const report = validateA2aCard(JSON.stringify(card), { ruleset: 'spec' })
        const errors = report.diagnostics.filter(({ severity }) => severity === 'error')
        const isSound = faults(to, card).length === 0
        if (report.valid) valid++
        const isStricter =
          isSound &&
          errors.every(
            ({ rule, detail }) => STRICTER.test(rule) || (rule === 'a2a-missing-member' && detail.includes("'uri'")),
          )
        if (report.valid !== isSound && !isStricter)
          wrong.push([place, odd, errors.map(({ rule, detail }) => [rule, detail]), faults(to, card)[0]])
      }
    }
    expect(wrong).toEqual([])
    expect(valid).toBeGreaterThan(20)
  })
})

describe('cards of other versions', () => {
  test('every outdated member is reported in a ClawNet card from before 0.3', () => {
    const card = {
      protocol: 'a2a/0.3.0',
      name: 'clawnet',
      description: 'A node.',
      url: 'http://127.0.0.1:3998',
      version: '1.0.0',
      capabilities: { streaming: false },
      authentication: { schemes: ['none'] },
      skills: [{ id: 'chat', name: 'Chat', description: 'Talks.', tags: ['chat'] }],
    }
    const { kind, valid, diagnostics } = validate(JSON.stringify(card))
    expect([kind, valid]).toEqual(['a2a', false])
    expect(diagnostics.map(({ rule, detail }) => `${rule}: ${detail}`).sort()).toEqual([
      "a2a-missing-member: 'protocol' is not known: did you mean 'protocolVersion'?",
      "a2a-missing-member: Required member 'defaultInputModes' is missing",
      "a2a-missing-member: Required member 'defaultOutputModes' is missing",
      "a2a-older-member: 'authentication' is of A2A before 0.3: 0.3 says it by securitySchemes and security",
      'a2a-older-member: \'protocol\' is of A2A before 0.3: 0.3 says it as protocolVersion: "0.3.0"',
      "a2a-plain-http: Expected https, found 'http://127.0.0.1:3998'",
    ])
  })

  test('1.0 refuses members of 0.3 in a card of both versions, and names their replacements', () => {
    const { diagnostics } = validate(JSON.stringify({ ...OLDER, ...CURRENT }))
    expect(diagnostics.filter(({ rule }) => rule === 'a2a-legacy-member').map(({ source }) => source.pointer)).toEqual([
      '/protocolVersion',
      '/url',
      '/preferredTransport',
      '/additionalInterfaces',
      '/security',
      '/supportsAuthenticatedExtendedCard',
    ])
    for (const { fix } of diagnostics) expect(fix?.hint).toBeTruthy()
  })

  test('a 0.3 security scheme in a 1.0 card is refused', () => {
    const card = {
      ...CURRENT,
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X' } },
      securityRequirements: [],
    }
    expect(codesOf(card)).toContain('a2a-legacy-member')
  })
})

test('offers a fix where possible, except for a signed card', () => {
  const card = { ...CURRENT, capabilities: { streaming: 'true' } }
  const editsOf = (of: object) =>
    validate(JSON.stringify(of)).diagnostics.map(({ fix }) => fix?.edits?.map(({ text }) => text))
  expect(editsOf(card)).toEqual([['true']])
  expect(editsOf({ ...card, signatures: [] })).toEqual([undefined])
})

describe('input of strangers', () => {
  test.each([
    null,
    [],
    'x',
    7,
    {},
    { supportedInterfaces: null },
    { securitySchemes: { constructor: {} } },
    { signatures: [[]] },
  ])('%j', (value) =>
    expect(validate(JSON.stringify(value), { as: 'a2a' })).toMatchObject({ valid: false, kind: 'a2a' }),
  )

  test('reports members with any name', () => {
    const card = `{"supportedInterfaces": [], "__proto__": {"name": "x"}, "securitySchemes": {"__proto__": {"mtlsSecurityScheme": {}}}}`
    const { diagnostics } = validate(card)
    expect(diagnostics.map(({ source }) => source.pointer)).toContain('/__proto__')
    expect(diagnostics.filter(({ rule }) => rule === 'a2a-missing-member')).toHaveLength(7)
  })

  test('reports ten thousand faulty skills in time', () => {
    const skills = Array.from({ length: 10_000 }, () => ({ id: '', zz: 1 }))
    const started = processorTime()
    const { diagnostics } = validate(JSON.stringify({ ...CURRENT, skills }))
    expect(diagnostics.length).toBe(1001)
    expect(processorTime() - started).toBeLessThan(8000)
  })
})
