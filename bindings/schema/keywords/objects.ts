// Keywords about objects (validation section 6.5, core section 10.3.2).
import type { Draft } from '../dialect.ts'
import type { Node } from '../node.ts'
import { OBJECT } from '../node.ts'
import { below } from '../place.ts'
import { compileRegex } from '../regex/regex.ts'
import type { Run, Source } from '../run.ts'
import { areNames } from '../shapes.ts'
import { atLeast, atMost, count } from './arrays.ts'
import type { Rule } from './context.ts'

type Members = Readonly<Record<string, unknown>>

/** The names of a value, which the engine collects each time. */
function namesOf(value: Members, run: Run): readonly string[] {
  const names = Object.keys(value)
  run.spend(names.length)
  return names
}

const sizeOf = (value: Members, run: Run) => namesOf(value, run).length

const required: Rule = {
  keywords: ['required'],
  vocabulary: 'validation',
  compile({ schema, node, source }) {
    const names = schema['required'] as readonly string[]
    const from = source('required')
    node.weight += names.length >> 2
    node.add(1 << OBJECT, (value: Members, at, _, run) => {
      let passed = true
      for (let i = 0; i < names.length; i++) {
        if (Object.hasOwn(value, names[i]!)) continue
        if (at === undefined) return false
        passed = run.fail(at, from, { name: names[i] })
      }
      return passed
    })
  },
}

/** For each member: the names that it requires, and the schemas that it makes apply. */
interface Dependencies {
  readonly names: [because: string, needed: readonly string[]][]
  readonly schemas: [because: string, applied: Node][]
}

/** A keyword that makes demands when a member is present; in draft-07 one keyword has both forms. */
const dependencies = (keyword: string, vocabulary: string, since: Draft, until: Draft): Rule => ({
  keywords: [keyword],
  vocabulary,
  since,
  until,
  compile({ schema, node, source, inPlace }) {
    const found: Dependencies = { names: [], schemas: [] }
    for (const [name, needed] of Object.entries(schema[keyword] as Members)) {
      if (areNames(needed)) found.names.push([name, needed])
      else found.schemas.push([name, inPlace(needed, keyword, name)])
    }
    if (found.names.length > 0) addNames(node, found.names, source(keyword))
    if (found.schemas.length > 0) addSchemas(node, found.schemas)
  },
})

function addNames(node: Node, entries: Dependencies['names'], from: Source): void {
  node.weight += entries.reduce((sum, [, names]) => sum + names.length, entries.length) >> 2
  node.add(1 << OBJECT, (value: Members, at, _, run) => {
    let passed = true
    for (const [because, names] of entries) {
      if (!Object.hasOwn(value, because)) continue
      for (const name of names) {
        if (Object.hasOwn(value, name)) continue
        if (at === undefined) return false
        passed = run.fail(at, from, { name, because })
      }
    }
    return passed
  })
}

/**
 * With `properties` alone, looks up the names of the schema in the value. A schema with patterns or
 * `additionalProperties` has to go through the value's members instead.
 */
const members: Rule = {
  keywords: ['properties', 'patternProperties', 'additionalProperties'],
  vocabulary: 'applicator',
  compile({ schema, node, child, has }) {
    const named = new Map<string, Node>()
    for (const [name, property] of Object.entries((has('properties') ? schema['properties'] : {}) as Members)) {
      named.set(name, child(property, 'properties', name))
    }
    const patterns = Object.entries((has('patternProperties') ? schema['patternProperties'] : {}) as Members).map(
      ([source, property]) => ({
        regex: compileRegex(source),
        property: child(property, 'patternProperties', source),
      }),
    )
    const rest = has('additionalProperties') ? child(schema['additionalProperties'], 'additionalProperties') : undefined

    if (patterns.length === 0 && rest === undefined) {
      const entries = [...named]
      node.weight += entries.length >> 2
      node.add(1 << OBJECT, (value: Members, at, marks, run) => {
        let passed = true
        for (let i = 0; i < entries.length; i++) {
          const [name, property] = entries[i]!
          if (!Object.hasOwn(value, name)) continue
          marks?.name(name)
          if (property.check(value[name], below(at, name), undefined, run)) continue
          if (at === undefined) return false
          passed = false
        }
        return passed
      })
      return
    }

    node.add(1 << OBJECT, (value: Members, at, marks, run) => {
      let passed = true
      const names = namesOf(value, run)
      for (let i = 0; i < names.length; i++) {
        const name = names[i]!
        const place = below(at, name)
        const property = named.get(name)
        let known = property !== undefined
        let fits = property === undefined || property.check(value[name], place, undefined, run)
        for (const pattern of patterns) {
          if (!pattern.regex.test(name, run)) continue
          known = true
          fits = pattern.property.check(value[name], place, undefined, run) && fits
        }
        if (!known && rest !== undefined) {
          known = true
          fits = rest.check(value[name], place, undefined, run)
        }
        if (known) marks?.name(name)
        if (fits) continue
        if (at === undefined) return false
        passed = false
      }
      return passed
    })
  },
}

const propertyNames: Rule = {
  keywords: ['propertyNames'],
  vocabulary: 'applicator',
  compile({ schema, node, child, source }) {
    const name = child(schema['propertyNames'], 'propertyNames')
    const from = source('propertyNames')
    node.add(1 << OBJECT, (value: Members, at, _, run) => {
      let passed = true
      for (const key of namesOf(value, run)) {
        if (name.check(key, undefined, undefined, run)) continue
        if (at === undefined) return false
        passed = run.fail(below(at, key)!, from, { name: key })
      }
      return passed
    })
  },
}

function addSchemas(node: Node, entries: Dependencies['schemas']): void {
  node.weight += entries.length >> 2
  node.add(1 << OBJECT, (value: Members, at, marks, run) => {
    let passed = true
    for (const [name, dependent] of entries) {
      if (!Object.hasOwn(value, name) || dependent.check(value, at, marks, run)) continue
      if (at === undefined) return false
      passed = false
    }
    return passed
  })
}

export const OBJECTS: readonly Rule[] = [
  required,
  count('maxProperties', OBJECT, sizeOf, atMost),
  count('minProperties', OBJECT, sizeOf, atLeast),
  dependencies('dependentRequired', 'validation', 2019, 2020),
  members,
  propertyNames,
  dependencies('dependentSchemas', 'applicator', 2019, 2020),
  dependencies('dependencies', 'applicator', 7, 7),
]

export const UNEVALUATED_PROPERTIES: Rule = {
  keywords: ['unevaluatedProperties'],
  vocabulary: 'unevaluated',
  since: 2019,
  compile({ schema, node, child }) {
    const property = child(schema['unevaluatedProperties'], 'unevaluatedProperties')
    node.tracks = true
    node.add(1 << OBJECT, (value: Members, at, marks, run) => {
      let passed = true
      for (const name of namesOf(value, run)) {
        if (marks!.hasName(name) || property.check(value[name], below(at, name), undefined, run)) continue
        if (at === undefined) return false
        passed = false
      }
      marks!.allNames()
      return passed
    })
  },
}
