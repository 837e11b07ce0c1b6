// Keywords about arrays (validation section 6.4, core section 10.3.1).
import { fingerprint } from '../equal.ts'
import { ARRAY, type Check, type Node } from '../node.ts'
import { below } from '../place.ts'
import type { Run } from '../run.ts'
import type { Rule } from './context.ts'

type Items = readonly unknown[]

/** A keyword that limits the number of elements or, with another `size`, of members. */
export function count(
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
      node.add(1 << kind, (value, at, _, run) => {
        const actual = size(value, run)
        return holds(actual, limit) || (at !== undefined && run.fail(at, from, { limit, actual }))
      })
    },
  }
}

export const atMost = (actual: number, limit: number) => actual <= limit
export const atLeast = (actual: number, limit: number) => actual >= limit
const sizeOf = (value: Items) => value.length

const isScalar = (item: unknown) => typeof item !== 'object' || item === null

/** Up to this many scalar elements are compared pairwise. */
const FEW = 16

/** The indices of two equal elements. */
function equalPair(items: Items, run: Run): [first: number, second: number] | undefined {
  run.spend(items.length >> 2)
  for (const item of items) if (typeof item === 'string') run.spend(item.length >> 5)
  if (items.length <= FEW && items.every(isScalar)) {
    for (let i = 0; i < items.length; i++) {
      const second = items.indexOf(items[i], i + 1)
      if (second > 0) return [i, second]
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
    node.add(1 << ARRAY, (value: Items, at, _, run) => {
      const pair = equalPair(value, run)
      return pair === undefined || (at !== undefined && run.fail(at, from, { first: pair[0], second: pair[1] }))
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
  node.add(1 << ARRAY, (value: Items, at, marks, run) => {
    let passed = true
    const checked = rest === undefined ? Math.min(prefix.length, value.length) : value.length
    for (let i = 0; i < checked; i++) {
      const item = i < prefix.length ? prefix[i]! : rest!
      if (item.check(value[i], below(at, i), undefined, run)) continue
      if (at === undefined) return false
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
    node.add(1 << ARRAY, (value: Items, at, marks, run) => {
      let actual = 0
      for (let i = 0; i < value.length; i++) {
        if (!item.check(value[i], undefined, undefined, run)) continue
        actual++
        // In 2019-09 `contains` does not mark elements as evaluated.
        if (draft === 2020) marks?.item(i)
        // A caller that collects marks needs all of them.
        if (marks === undefined && actual >= least && most === Number.POSITIVE_INFINITY) return true
      }
      if (actual < least) return at !== undefined && run.fail(at, tooFew, { limit: least, actual })
      return actual <= most || (at !== undefined && run.fail(at, tooMany, { limit: most, actual }))
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
    const check: Check = (value: Items, at, marks, run) => {
      run.spend(value.length >> 2)
      let passed = true
      for (let i = 0; i < value.length; i++) {
        if (marks!.hasItem(i) || item.check(value[i], below(at, i), undefined, run)) continue
        if (at === undefined) return false
        passed = false
      }
      marks!.items(value.length)
      return passed
    }
    node.add(1 << ARRAY, check)
  },
}

export const ARRAYS: readonly Rule[] = [
  count('maxItems', ARRAY, sizeOf, atMost),
  count('minItems', ARRAY, sizeOf, atLeast),
  uniqueItems,
  items,
  itemsBefore,
  contains,
]

export const UNEVALUATED_ITEMS = unevaluatedItems
