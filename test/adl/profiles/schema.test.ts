import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { knownMembers } from '../../../bindings/adl/profiles/check.ts'
import type { ProfileTemplate } from '../../../bindings/adl/profiles/profile.ts'
import { registerProfile } from '../../../bindings/adl/profiles/registry.ts'
import { random } from '../../support/random.ts'
import { agentOf, findings } from './support.ts'

const TEMPLATE = {
  identifier: 'https://example.com/profiles/any',
  name: 'Any Profile',
  version: '1.0.0',
  specification: 'none',
  compatibility: '0.1.x',
  contact: { name: 'A', email: 'a@example.com' },
  status: 'active',
} as const

/** Schemas and values with few names and values, so that they often match. */
function draw(seed: number) {
  const next = random(seed)
  const below = (n: number) => Math.floor(next() * n)
  const pick = <Item>(list: readonly Item[]): Item => list[below(list.length)]!
  const names = ['a', 'b', 'type', 'items']
  const scalar = () => pick([null, true, 0, 1, 2.5, 'a', 'ab', '']) as unknown
  const value = (depth: number): unknown => {
    if (depth === 0 || next() < 0.4) return scalar()
    if (next() < 0.3) return Array.from({ length: below(3) }, () => value(depth - 1))
    return Object.fromEntries(names.slice(0, below(4)).map((name) => [name, value(depth - 1)]))
  }
  const members = (depth: number) =>
    Object.fromEntries(names.slice(below(2), 1 + below(3)).map((name) => [name, schema(depth - 1)]))
  const KEYWORDS: readonly ((depth: number) => object)[] = [
    () => ({ type: pick(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']) }),
    () => ({ type: ['object', pick(['string', 'array', 'integer'])] }),
    () => ({ enum: [scalar(), 'a', 1] }),
    () => ({ enum: [value(1), 'a'] }),
    () => ({ const: value(1) }),
    () => ({ minimum: below(3), exclusiveMaximum: 2 }),
    () => ({ maximum: 1, exclusiveMinimum: 0 }),
    () => ({ minLength: below(3), maxLength: 1 + below(2) }),
    () => ({ pattern: pick(['^a', 'b$', '^$']) }),
    () => ({ minItems: below(2), maxItems: 1 + below(2) }),
    () => ({ minProperties: below(3) }),
    () => ({ required: [pick(names)] }),
    (depth) => ({ items: schema(depth - 1) }),
    (depth) => ({ properties: members(depth) }),
    (depth) => ({ properties: members(depth), additionalProperties: pick([true, false, schema(depth - 1)]) }),
    (depth) => ({ anyOf: [schema(depth - 1), schema(depth - 1)] }),
    (depth) => ({ not: schema(depth - 1) }),
    (depth) => ({ allOf: [schema(depth - 1)] }),
    (depth) => ({ patternProperties: { '^a': schema(depth - 1) } }),
  ]
  const schema = (depth: number): unknown => {
    if (depth === 0 || next() < 0.1) return pick<unknown>([true, true, false, {}])
    return Object.assign({}, ...Array.from({ length: 1 + below(3) }, () => pick(KEYWORDS)(depth)))
  }
  return { schema: () => ({ ...(schema(3) as object) }), value: () => value(3) }
}

it('[adl/13-6] schemas of members have the same meaning as in Ajv', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const next = draw(29)
  const differing: unknown[] = []
  let valid = 0
  for (let i = 0; i < 300; i++) {
    const schema = next.schema()
    const profiles = registerProfile({ ...TEMPLATE, members: { m: schema } } as ProfileTemplate)
    const validate = ajv.compile(schema)
    for (let j = 0; j < 8; j++) {
      const value = next.value()
      const agent = agentOf({ profiles: [TEMPLATE.name], m: value })
      const found = findings(agent, profiles)
      // Unknown members are reported elsewhere. If the schema leaves them open, Ajv can't be compared.
      const unknown = knownMembers(agent, profiles).objects.some(({ object, names }) =>
        Object.keys(object.value).some((name) => !names.has(name)),
      )
      const wanted = validate(value)
      if (wanted) valid++
      const agrees = unknown ? found.length === 0 || !wanted : wanted === (found.length === 0)
      if (!agrees) differing.push({ schema: JSON.stringify(schema), value, wanted, found })
    }
  }
  expect(differing.slice(0, 3)).toEqual([])
  expect(valid).toBeGreaterThan(300)
})
