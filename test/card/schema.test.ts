// Compares schema.json with Ajv, on cards where every value is replaced by every odd value.

import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import schema from '../../bindings/card/schema.json' with { type: 'json' }
import { AGENT_CARD } from '../../bindings/card/specification.ts'
import { cardShape } from '../../bindings/card/subject.ts'
import { explain } from '../../bindings/frame/explain.ts'
import { hasShape } from '../../bindings/frame/shape.ts'
import { type Document, parse } from '../../bindings/index.ts'
import { isDateTime } from '../../bindings/schema/formats.ts'
import { isObject } from '../../bindings/text/members.ts'
import { ODD_VALUES, placesOf, replaced } from '../adl/profiles/odd-values.ts'
import { CLEAN } from './clean.ts'

const ajv = new Ajv2020({ strict: false, formats: { 'date-time': isDateTime }, logger: false }).compile(schema)

const EXAMPLE: object = JSON.parse(readFileSync('fixtures/card/translator-zh-en.json', 'utf8'))
const CARDS: readonly object[] = [CLEAN, { ...EXAMPLE, seq: 3, extensions: { 'a.b': {}, 'c.d': { e: 1 } } }]

/** Values at the limits of the schema. */
const MORE = ['agent:', 'agent:a', 'agent://', 'x agent://', 'A'.repeat(86), `${'A'.repeat(85)}B`, 2 ** 64, 2 ** 65, -0]

function* mutations(): Generator<unknown> {
  for (const card of CARDS) {
    for (const path of placesOf(card)) {
      for (const odd of [...ODD_VALUES, ...MORE]) yield JSON.parse(replaced(card, path, odd))
    }
  }
}

describe('the schema', () => {
  test('[card/3.1-5] gives the same result as Ajv', () => {
    const differing: unknown[] = []
    let count = 0
    for (const value of mutations()) {
      count++
      if ((isObject(value) && hasShape(cardShape(), value, () => false)) !== ajv(value)) differing.push(value)
    }
    expect(differing.slice(0, 3)).toEqual([])
    expect(count).toBeGreaterThan(2000)
  })

  test('reports a finding exactly for the cards that it refuses', () => {
    const differing: unknown[] = []
    for (const value of mutations()) {
      if (!isObject(value)) continue
      const document = parse(JSON.stringify(value)).document as Document
      let told = 0
      const listener = { fault: () => told++, undefinedMember: () => told++ }
      explain({ document, words: AGENT_CARD.words, listener }, cardShape(), value, '')
      if (hasShape(cardShape(), value, () => false) !== (told === 0)) differing.push(value)
    }
    expect(differing.slice(0, 3)).toEqual([])
  })
})
