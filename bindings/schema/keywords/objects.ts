// Keywords about arrays (validation section 6.4, core section 10.3.1).

import { compileRegex } from '../regex/regex.ts'
import { ARRAY, type Check, fingerprint, type Node, OBJECT, type Run, type Source } from '../run.ts'
import { areNames, below, type Draft } from '../shapes.ts'
import type { Rule } from './rules.ts'

type Items = readonly unknown[]

/** A keyword that limits the number of elements or, with another `size`, of members. */
function count(
  keyword: string,
  kind: number,
  // biome-ignore lint/suspicious/noExplicitAny: of the kind that is named
  size: (value: any, run: Run) => number,
  holds: (count: number, limit: number) => boolean,
): Rule {
  return {
    keywords: [keyword],
    vocabulary: 'validation',
    compile({ schema, node, source }) {
      const limit = schema[keyword] as number
      const from = source(keyword)
      node.add(1 << kind, (value, tells, _, run) => {
        const actual = size(value, run)
        return holds(actual, limit) || (tells && run.fail(from, { limit, actual }))
      })
    },
  }
}

const atMost = (actual: number, limit: number) => actual <= limit
const atLeast = (actual: number, limit: number) => actual >= limit
const lengthOf = (value: Items) => value.length

const isScalar = (item: unknown) => typeof item !== 'object' || item === null

/** Up to this many scalar elements are compared pairwise. */
const FEW = 16

/** The indices of two equal elements. */
function equalPair(items: Items, run: Run): [first: number, second: number] | undefined {
  run.spend(items.length >> 2)
  let areFew = items.length <= FEW
  for (let i = 0; i < items.length; i++) {
    const item = items[i]
    if (typeof item === 'string') run.spend(item.length >> 5)
    else if (!isScalar(item)) areFew = false
  }
  if (areFew) {
    for (let i = 0; i < items.length; i++) {
      for (let j = i + 1; j < items.length; j++) if (items[i] === items[j]) return [i, j]
    }
    return undefined
  }
  const scalars = new Map<unknown, number>()
  const others = new Map<unknown, number>()
  for (let i = 0; i < items.length; i++) {
    const item = items[i]
    const places = isScalar(item) ? scalars : others
    const key = places === scalars ? item : fingerprint(item, run)
    const first = places.get(key)
    if (first !== undefined) return [first, i]
    places.set(key, i)
  }
  return undefined
}

const uniqueItems: Rule = {
  keywords: ['uniqueItems'],
  vocabulary: 'validation',
  compile({ schema, node, source }) {
    if (schema['uniqueItems'] === false) return
    const from = source('uniqueItems')
    node.add(1 << ARRAY, (value: Items, tells, _, run) => {
      const pair = equalPair(value, run)
      return pair === undefined || (tells && run.fail(from, { first: pair[0], second: pair[1] }))
    })
  },
}

const items: Rule = {
  keywords: ['prefixItems', 'items'],
  vocabulary: 'applicator',
  since: 2020,
  compile({ schema, node, child, has }) {
    const prefix = has('prefixItems')
      ? (schema['prefixItems'] as Items).map((item, i) => child(item, 'prefixItems', i))
      : []
    addItems(node, prefix, has('items') ? child(schema['items'], 'items') : undefined)
  },
}

/** Before 2020-12 `items` may be a list; only then does `additionalItems` apply. */
const itemsBefore: Rule = {
  keywords: ['items'],
  vocabulary: 'applicator',
  until: 2019,
  compile({ schema, node, child, has }) {
    const given: unknown = schema['items']
    if (!Array.isArray(given)) return addItems(node, [], child(given, 'items'))
    const prefix = given.map((item, i) => child(item, 'items', i))
    addItems(node, prefix, has('additionalItems') ? child(schema['additionalItems'], 'additionalItems') : undefined)
  },
}

function addItems(node: Node, prefix: readonly Node[], rest: Node | undefined): void {
  node.add(1 << ARRAY, (value: Items, tells, marks, run) => {
    let passed = true
    const checked = rest === undefined ? Math.min(prefix.length, value.length) : value.length
    for (let i = 0; i < checked; i++) {
      const item = i < prefix.length ? prefix[i]! : rest!
      if (item.checkPart(i, value[i], tells, run)) continue
      if (!tells) return false
      passed = false
    }
    marks?.items(checked)
    return passed
  })
}

const contains: Rule = {
  keywords: ['contains'],
  vocabulary: 'applicator',
  compile({ schema, node, draft, child, source, has }) {
    const item = child(schema['contains'], 'contains')
    const least = has('minContains') ? (schema['minContains'] as number) : 1
    const most = has('maxContains') ? (schema['maxContains'] as number) : Number.POSITIVE_INFINITY
    const tooFew = source(has('minContains') ? 'minContains' : 'contains')
    const tooMany = source('maxContains')
    node.add(1 << ARRAY, (value: Items, tells, marks, run) => {
      let actual = 0
      for (let i = 0; i < value.length; i++) {
        if (!item.check(value[i], false, undefined, run)) continue
        actual++
        // In 2019-09 `contains` does not mark elements as evaluated.
        if (draft === 2020) marks?.item(i)
        // A caller that collects marks needs all of them.
        if (marks === undefined && actual >= least && most === Number.POSITIVE_INFINITY) return true
      }
      if (actual < least) return tells && run.fail(tooFew, { limit: least, actual })
      return actual <= most || (tells && run.fail(tooMany, { limit: most, actual }))
    })
  },
}

const unevaluatedItems: Rule = {
  keywords: ['unevaluatedItems'],
  vocabulary: 'unevaluated',
  since: 2019,
  compile({ schema, node, child }) {
    const item = child(schema['unevaluatedItems'], 'unevaluatedItems')
    node.tracks = true
    const check: Check = (value: Items, tells, marks, run) => {
      run.spend(value.length >> 2)
      let passed = true
      for (let i = 0; i < value.length; i++) {
        if (marks!.hasItem(i) || item.checkPart(i, value[i], tells, run)) continue
        if (!tells) return false
        passed = false
      }
      marks!.items(value.length)
      return passed
    }
    node.add(1 << ARRAY, check)
  },
}

export const ARRAYS: readonly Rule[] = [
  count('maxItems', ARRAY, lengthOf, atMost),
  count('minItems', ARRAY, lengthOf, atLeast),
  uniqueItems,
  items,
  itemsBefore,
  contains,
]

export const UNEVALUATED_ITEMS = unevaluatedItems

// Keywords about objects (validation section 6.5, core section 10.3.2).

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
    node.add(1 << OBJECT, (value: Members, tells, _, run) => {
      let passed = true
      for (let i = 0; i < names.length; i++) {
        if (Object.hasOwn(value, names[i]!)) continue
        if (!tells) return false
        passed = run.fail(from, { name: names[i] })
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
  node.add(1 << OBJECT, (value: Members, tells, _, run) => {
    let passed = true
    for (const [because, names] of entries) {
      if (!Object.hasOwn(value, because)) continue
      for (const name of names) {
        if (Object.hasOwn(value, name)) continue
        if (!tells) return false
        passed = run.fail(from, { name, because })
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
      node.add(1 << OBJECT, (value: Members, tells, marks, run) => {
        let passed = true
        for (let i = 0; i < entries.length; i++) {
          const [name, property] = entries[i]!
          if (!Object.hasOwn(value, name)) continue
          marks?.name(name)
          if (property.checkPart(name, value[name], tells, run)) continue
          if (!tells) return false
          passed = false
        }
        return passed
      })
      return
    }

    const [order, nodes] = [[...named.keys()], [...named.values()]]
    node.add(1 << OBJECT, (value: Members, tells, marks, run) => {
      let passed = true
      let left = namesOf(value, run).length
      let next = 0
      // In such a loop V8 reads members by their index. Inherited names come last.
      for (const name in value) {
        if (left-- === 0) break
        const part = value[name]
        const property = order[next] === name ? nodes[next++] : named.get(name)
        let known = property !== undefined
        let fits = property === undefined || property.checkPart(name, part, tells, run)
        for (let i = 0; i < patterns.length; i++) {
          const { regex, property } = patterns[i]!
          if (!regex.test(name, run)) continue
          known = true
          fits = property.checkPart(name, part, tells, run) && fits
        }
        if (!known && rest !== undefined) {
          known = true
          fits = rest.checkPart(name, part, tells, run)
        }
        if (known) marks?.name(name)
        if (fits) continue
        if (!tells) return false
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
    node.add(1 << OBJECT, (value: Members, tells, _, run) => {
      let passed = true
      for (const key of namesOf(value, run)) {
        if (name.check(key, false, undefined, run)) continue
        if (!tells) return false
        passed = run.fail(from, { name: key }, below(run.place(), key))
      }
      return passed
    })
  },
}

function addSchemas(node: Node, entries: Dependencies['schemas']): void {
  node.weight += entries.length >> 2
  node.add(1 << OBJECT, (value: Members, tells, marks, run) => {
    let passed = true
    for (const [name, dependent] of entries) {
      if (!Object.hasOwn(value, name) || dependent.check(value, tells, marks, run)) continue
      if (!tells) return false
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
    node.add(1 << OBJECT, (value: Members, tells, marks, run) => {
      let passed = true
      for (const name of namesOf(value, run)) {
        if (marks!.hasName(name) || property.checkPart(name, value[name], tells, run)) continue
        if (!tells) return false
        passed = false
      }
      marks!.allNames()
      return passed
    })
  },
}
