// The spans of a trace, and the order in which they become steps.
import { isObject, isText, type JsonObject } from '../../text/members.ts'
import type { Account } from './account.ts'
import names from './otlp-names.json' with { type: 'json' }
import { type AnyValue, attributesOf, listIn, nanosOf } from './otlp-values.ts'
import { SPANS } from './to-otlp.ts'

export interface Span {
  readonly value: JsonObject
  /** Its position in the request. */
  readonly order: number
  readonly trace: string
  readonly id: string
  readonly parent: string | undefined
  readonly start: bigint
  readonly end: bigint
  /** Attributes without a place so far. */
  readonly attributes: Map<string, AnyValue>
  readonly resource: ReadonlyMap<string, AnyValue>
  readonly scope: unknown
  readonly children: Span[]
}

/** The spans of a request, each with those directly below it. */
export function spansIn(request: unknown, account: Account): readonly Span[] {
  const found = new Map<string, Span>()
  for (const group of listIn(request, 'resourceSpans')) {
    const resource = attributesOf(isObject(group) ? group['resource'] : undefined)
    for (const of of listIn(group, 'scopeSpans')) {
      const scope = isObject(of) && isObject(of['scope']) ? of['scope']['name'] : undefined
      for (const value of listIn(of, 'spans')) {
        const span = readSpan(value, found.size, { resource, scope }, account)
        const key = span && `${span.trace} ${span.id}`
        if (key === undefined || found.has(key))
          account.note('dropped', SPANS, 'has no ids, or those of an earlier span')
        else found.set(key, span!)
      }
    }
  }
  for (const span of found.values()) found.get(`${span.trace} ${span.parent}`)?.children.push(span)
  return [...found.values()]
}

function readSpan(
  value: unknown,
  order: number,
  around: Pick<Span, 'resource' | 'scope'>,
  account: Account,
): Span | undefined {
  if (!isObject(value) || !isText(value['traceId']) || !isText(value['spanId'])) return undefined
  const { traceId, spanId, parentSpanId, startTimeUnixNano, endTimeUnixNano } = value
  const start = nanosOf(startTimeUnixNano) ?? nanosOf(endTimeUnixNano) ?? 0n
  const end = nanosOf(endTimeUnixNano) ?? start
  if (end < start) account.note('changed', `${SPANS}/endTimeUnixNano`, 'is before the start')
  for (const name of Object.keys(value)) {
    const target = (names.members as Readonly<Record<string, string>>)[name]
    if (target !== undefined) account.note('renamed', `${SPANS}/${name}`, 'in another form', target)
    else if (name !== 'attributes') account.note('dropped', `${SPANS}/${name}`, 'has no member')
  }
  const parent = isText(parentSpanId) && !/^0*$/.test(parentSpanId) ? parentSpanId.toLowerCase() : undefined
  const ids = { trace: traceId.toLowerCase(), id: spanId.toLowerCase(), parent }
  const attributes = attributesOf(value)
  return { value, order, ...around, ...ids, start, end: end < start ? start : end, attributes, children: [] }
}

/**
 * The trees of spans, parents first: one for each span without a parent, and one for each circle of spans that are each
 * other's parents.
 */
export function treesOf(spans: readonly Span[]): readonly (readonly Span[])[] {
  const below = new Set(spans.flatMap(({ children }) => children))
  const seen = new Set<Span>()
  const tree = (root: Span): readonly Span[] => {
    if (seen.has(root)) return []
    const found = new Set([root])
    // A set yields what is added while it is read.
    for (const span of found) for (const inner of span.children) if (!seen.has(inner)) found.add(inner)
    for (const span of found) seen.add(span)
    return [...found]
  }
  const roots = spans.filter((span) => !below.has(span))
  return [...roots, ...spans].map(tree).filter(({ length }) => length > 0)
}

/** The order of steps: that of the record they came from, or by time, but never before their parents. */
export function inOrder(tree: readonly Span[]): readonly Span[] {
  if (tree.slice(1).every(({ attributes }) => attributes.has('adp.step.index')))
    return [...tree].sort((a, b) => a.order - b.order)
  const times = new Map<Span, bigint>()
  for (const span of tree) {
    const own = times.get(span) ?? span.start
    times.set(span, own)
    for (const inner of span.children) times.set(inner, inner.start > own ? inner.start : own)
  }
  return [...tree].sort((a, b) => Number(times.get(a)! - times.get(b)!))
}
