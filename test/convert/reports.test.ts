// Compares loss reports with the result: each target exists, and kept values can be found in it.
import { expect, test } from 'vitest'
import type { ConvertOptions } from '../../bindings/convert/formats.ts'
import { type ConvertFormat, convert, FORMATS } from '../../bindings/convert/index.ts'
import { equal } from '../../bindings/convert/json.ts'
import { EXAMPLE, MINIMAL, RICH } from './cards.ts'
import { at, FULL, hasData, type Json, places, published } from './samples.ts'

const OPTIONS: ConvertOptions = {
  id: 'agent://x',
  url: 'https://agents.example.com/x',
  serverName: 'com.example/x',
  apiKey: { in: 'header', name: 'X-Key' },
  classification: { sensitivity: 'internal' },
  version: '1.0.0',
  description: 'x',
  now: new Date('2026-03-01T00:00:00Z'),
}
const CARRIES = ['nothing', 'public', 'all'] as const
const DEFINITION: Json = {
  ...FULL,
  cryptographic_identity: { did: EXAMPLE['did'] },
  metadata: { ...(FULL['metadata'] as Json), tags: ['finance', 'testing'] },
}
const ODD = ['', 'a b', 7, true, null, [], {}, ['x'], [{ name: 'x' }], { type: 'string' }]

/** Members that have another name in the other format (docs/guide/convert.md). */
const OTHER_NAMES = ['parameters', 'returns']

/** All leaves of a value, and names of members. */
function leaves(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [value]
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(Array.isArray(value) || OTHER_NAMES.includes(name) ? [] : [name]),
    ...leaves(inner),
  ])
}

/** Reversible forms: media types and words of ADL, lists and texts, arguments and schemas (docs/guide/convert.md). */
const FORMS: readonly ((value: unknown) => unknown)[] = [
  (value) => (Array.isArray(value) && value.length === 1 ? FORMATS_OF[String(value[0])] : undefined),
  (value) => (typeof value === 'string' ? value.split(',') : undefined),
  (value) => {
    const { properties = {}, required = [] } = (value ?? {}) as { properties?: Json; required?: string[] }
    return Object.entries(properties).map(([name, property]) => {
      const { description } = property as Json
      const told = typeof description === 'string' ? { description } : {}
      return { name, ...told, ...(required.includes(name) && { required: true }) }
    })
  },
]
const FORMATS_OF: Readonly<Record<string, string>> = {
  'text/plain': 'text',
  'application/json': 'json',
  'text/markdown': 'markdown',
  'text/html': 'html',
}

/** Details for members that are the same in every document of the format, or mark carried members. */
const OF_THE_FORMAT =
  /clear from the format|required by the protocol|is empty|the params are members|schema of server|agent itself|replacement for a missing text|time of the record/

/** The faults of a report: `pointer: why`. */
function wrongs(source: Json, to: ConvertFormat, options: ConvertOptions & { readonly from: ConvertFormat }): string[] {
  const { document, loss } = convert(JSON.stringify(source), { to, ...options })
  if (document === undefined) return []
  const wrong: string[] = []
  let back: unknown[] | undefined
  /** The results of converting back, by each route, with the reported URL and another one. */
  const again = () => {
    const { url: _, ...without } = options
    const go = (bytes: Uint8Array, from: ConvertFormat, next: ConvertFormat, given: ConvertOptions) =>
      from === next ? undefined : convert(bytes, { ...given, carry: 'all', from, to: next }).document
    back ??= [options, without]
      .flatMap((given) => {
        const card = go(document.bytes, to, 'card', given)
        return [go(document.bytes, to, options.from, given), card && go(card.bytes, 'card', options.from, given)]
      })
      .map((made) => made?.value ?? null)
    return back
  }
  for (const { pointer, target, outcome, detail } of loss) {
    const say = (why: string) =>
      wrong.push(`${to} ${options.carry}: ${outcome} ${pointer} -> ${target} (${detail}): ${why}`)
    if (target === undefined) {
      if (outcome !== 'kept' || OF_THE_FORMAT.test(detail)) continue
      const value = at(source, pointer!)
      if (!isFound(value, document.value) && !isFound(value, again())) say(`${JSON.stringify(value)} is gone`)
      continue
    }
    const there = at(document.value, target)
    if (there === undefined) say('no such place')
    else if (outcome === 'kept' || outcome === 'renamed') {
      if (pointer === undefined) continue
      const value = at(source, pointer)
      const isName = target.endsWith(`/${value}`)
      if (
        isName ||
        isFound(value, there) ||
        isFound(parsed(value), there) ||
        FORMS.some((form) => equal(form(value), there))
      )
        continue
      say(`${JSON.stringify(value)} is not in ${JSON.stringify(there)}`.slice(0, 300))
    }
  }
  return wrong
}

/** The value of a string that contains JSON, as OASF annotations do. */
function parsed(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : value
}

/** True if the value, or every part of it, is in the text of the result: forms differ, words do not. */
function isFound(value: unknown, there: unknown): boolean {
  const text = JSON.stringify(there)
  return leaves(value).every((leaf) => {
    const written = JSON.stringify(leaf)
    return text.includes(written) || text.includes(JSON.stringify(written).slice(1, -1)) || text.includes(String(leaf))
  })
}

const sources: [name: string, source: Json, from: ConvertFormat][] = [
  ['FULL', DEFINITION, 'adl'],
  ['RICH', RICH, 'card'],
  ['EXAMPLE', EXAMPLE, 'card'],
  ['MINIMAL', MINIMAL, 'card'],
  ...published().map(([name, source]) => [name, source, 'adl'] as [string, Json, ConvertFormat]),
]
for (const to of FORMATS) {
  const { document } = convert(JSON.stringify(to === 'mcp-client' ? DEFINITION : RICH), { to, ...OPTIONS })
  if (document !== undefined) sources.push([to, document.value as Json, to])
}

test.runIf(hasData).each(sources)('[card/1.3-2] %s: the report matches the result', (_, source, from) => {
  const wrong = CARRIES.flatMap((carry) => FORMATS.flatMap((to) => wrongs(source, to, { ...OPTIONS, carry, from })))
  expect([...new Set(wrong)]).toEqual([])
})

test.each([
  ['definition', DEFINITION, 'adl'],
  ['card', RICH, 'card'],
] as const)('[card/1.3-2] odd values in a %s: the report matches the result', (_, whole, from) => {
  const wrong: string[] = []
  for (const [i, place] of places(whole).entries()) {
    const source = structuredClone(whole) as Json
    const parent = at(source, place.slice(0, place.lastIndexOf('/'))) as Json
    parent[place.slice(place.lastIndexOf('/') + 1).replaceAll('~1', '/')] = ODD[i % ODD.length]
    const to = FORMATS.filter((format) => format !== from)[i % (FORMATS.length - 1)]!
    wrong.push(...wrongs(source, to, { ...OPTIONS, carry: CARRIES[i % 3]!, from }))
  }
  expect(wrong).toEqual([])
})
