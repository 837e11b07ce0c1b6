import { beforeAll, describe, expect, test } from 'vitest'
import { compileTemplate, type Template, type Variables } from '../../bindings/core/template.ts'
import { DocumentError } from '../../bindings/document/finding.ts'
import { BUILDS } from '../support/builds.ts'
import { casesOf } from '../support/cases.ts'
import { random } from '../support/random.ts'
import { Malformed, namesOf, type Part, partsOf, renderParts } from './reference.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Pieces that make nearly valid templates, and often valid ones. */
const PIECES = [
  '{',
  '{{',
  '}}',
  '}',
  '\\',
  '\\{{',
  '{{a}}',
  '{{b}}',
  '{{a1_}}',
  '{{ab}}',
  'a',
  'Z',
  '_',
  '0',
  ' ',
  '\n',
  '\0',
  'é',
  '日',
  '😀',
  'plain text that goes on for a while',
]

const VALUES: Variables[string][] = [
  '',
  'x',
  '{{a}}',
  '\0',
  'é',
  '日本',
  '😀😀',
  '\\{{',
  'longer than sixteen bytes',
  'x'.repeat(100),
  0,
  -1.5,
  1e21,
  true,
  false,
]

/** The parts of a template, or the offset at which it is malformed. */
function attempt<T>(parse: () => T): T | number {
  try {
    return parse()
  } catch (error) {
    if (error instanceof Malformed) return error.offset
    if (error instanceof DocumentError) return error.diagnostics[0]!.source.offset
    throw error
  }
}

function check(text: string, next: () => number): 'malformed' | 'rendered' {
  const parts: Part[] | number = attempt(() => partsOf(text))
  const template: Template | number = attempt(() => compileTemplate(text))
  if (typeof parts === 'number' || typeof template === 'number') {
    if (parts !== template) throw new Error(`${JSON.stringify(text)}: at ${String(template)}, not ${String(parts)}`)
    return 'malformed'
  }
  const names = namesOf(parts)
  if (names.join() !== template.names.join()) throw new Error(`${JSON.stringify(text)}: names ${template.names}`)
  const variables = Object.fromEntries(names.map((name) => [name, VALUES[Math.floor(next() * VALUES.length)]!]))
  const wanted = renderParts(parts, variables)
  for (const got of [template.render(variables), decoder.decode(template.renderView(variables))]) {
    if (got !== wanted) throw new Error(`${JSON.stringify(text)} with ${JSON.stringify(variables)}: ${got}`)
  }
  return 'rendered'
}

describe.each(BUILDS)('templates against the reference, $name', ({ use }) => {
  beforeAll(use)

  test('random templates agree with a literal implementation of the specification', () => {
    const next = random(20_000)
    const seen = { malformed: 0, rendered: 0 }
    for (let i = 0; i < casesOf(20_000); i++) {
      // Sometimes uses few pieces or only valid ones: otherwise all long templates would be malformed.
      const pieces = i % 4 === 0 ? PIECES.filter((piece) => !piece.endsWith('{') && piece !== '\\') : PIECES
      const count = Math.floor(next() * (i % 4 === 0 ? 60 : 8))
      const text = Array.from({ length: count }, () => pieces[Math.floor(next() * pieces.length)]).join('')
      seen[check(text, next)]++
    }
    expect(seen.malformed).toBeGreaterThan(casesOf(2_000))
    expect(seen.rendered).toBeGreaterThan(casesOf(6_000))
  })

  test('finds special characters at every distance from the start and from the end', () => {
    const next = random(1)
    for (const special of ['{{a}}', '\\{{', '{', '\\', 'é', '{{', '{{a', '{{a}']) {
      for (let before = 0; before < 40; before++) {
        for (const after of [0, 1, 2, 15, 16, 17]) check('x'.repeat(before) + special + 'y'.repeat(after), next)
      }
    }
  })

  test('copies pieces of every length completely', () => {
    const next = random(2)
    for (let length = 0; length < 140; length++) {
      const text = 'abcdefghij'.repeat(14).slice(0, length)
      check(`{{a}}${text}{{b}}${text}${text}{{a}}`, next)
      const variables = { a: text, b: `é${text}` }
      const template = compileTemplate('<{{a}}|{{b}}{{a}}>')
      expect(decoder.decode(template.renderView(variables))).toBe(`<${text}|é${text}${text}>`)
      expect(template.render(variables)).toBe(`<${text}|é${text}${text}>`)
    }
  })

  test('distinguishes 5,000 names that are alike in every way', () => {
    const next = random(5_000)
    const alphabet = 'aAbB01_zZ'
    const names = new Set<string>()
    while (names.size < 5_000) {
      // Half of them extend an earlier name.
      const older = names.size > 0 && next() < 0.5 ? [...names][Math.floor(next() * names.size)]! : 'n'
      names.add(older + Array.from({ length: 1 + next() * 3 }, () => alphabet[Math.floor(next() * 9)]).join(''))
    }
    const all = [...names]
    const used = Array.from({ length: 20_000 }, () => all[Math.floor(next() * all.length)]!)
    const template = compileTemplate(used.map((name) => `{{${name}}}`).join(' '))
    expect(template.names).toEqual([...new Set(used)])
    const variables = Object.fromEntries(all.map((name) => [name, name]))
    expect(template.render(variables)).toBe(used.join(' '))
    expect(decoder.decode(template.renderView(variables))).toBe(used.join(' '))
  })
})
