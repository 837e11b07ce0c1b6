import { AGENT_RUNNERS } from './agents.ts'
import { CARD_RUNNERS } from './cards.ts'
import { type Content, contentBytes, type Vector } from './content.ts'
import { DEFINITION_RUNNERS } from './definitions.ts'
import { DIRECTORY_RUNNERS } from './directory.ts'
import { SIGNATURE_RUNNERS } from './signatures.ts'
import { type ApiStep, take, tell } from './story.ts'
import { reviveValue } from './values.ts'

/** What a case may call: `blazon` and its subpaths together. */
// biome-ignore lint/suspicious/noExplicitAny: each case knows what it calls
export type Api = Record<string, any>

/** A case as `call` reads it, and its outcome in a form that JSON holds exactly. */
type Runner = (api: Api, vector: Vector) => unknown

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const text = (bytes: Uint8Array) => strict.decode(bytes)
const options = (vector: Vector) => ('depth' in vector ? [{ maxDepth: vector['depth'] }] : [])

function compile(api: Api, { kind, patterns, ignoreCase = false }: Vector) {
  return api['compilePatterns'](kind, patterns, { ignoreCase })
}

/** A request and what the decision has to be, as far as that is said. */
interface DecisionCase {
  readonly request: unknown
  readonly [member: string]: unknown
}

/** The decisions that are not those wanted, and those in which the two ways to ask do not agree. */
function wrongDecisions(api: Api, { document, cases, options }: Vector): unknown[] {
  const { now, ...others } = (options ?? {}) as { now?: string }
  const policy = api['compile'](document, { ...others, ...(now !== undefined && { now: new Date(now) }) })
  return (cases as DecisionCase[]).flatMap(({ request, ...wanted }) => {
    const decision = policy.decide(request)
    const got: Record<string, unknown> = { ...decision, decidedBy: decision.decidedBy ?? null }
    const named = Object.fromEntries(Object.keys(wanted).map((name) => [name, got[name]]))
    const agree = policy.allows(request) === decision.allowed
    return agree && JSON.stringify(named) === JSON.stringify(wanted) ? [] : [{ request, wanted, got: named, agree }]
  })
}

interface Found {
  readonly instancePointer: string
  readonly keyword: string
}

/** For each value the places and keywords of its errors. */
function schemaErrors(api: Api, { schema, values }: Vector): string[][] {
  const compiled = api['compileSchema'](schema)
  return (values as unknown[]).map((value) =>
    compiled
      .validate(reviveValue(value))
      .map(({ instancePointer, keyword }: Found) => `${instancePointer.slice(0, 40)} ${keyword}`),
  )
}

/** What the gate says, in ids and pointers. */
function provision(api: Api, { document, options }: Vector): object {
  const { now, ...others } = options as { now: string }
  const { reasons, obligations: _, ...answer } = api['mayProvision'](document, { ...others, now: new Date(now) })
  return { ...answer, reasons: reasons.map(({ id, pointer }: Record<string, string>) => [id, pointer]) }
}

/** The findings of profiles, in the order of rules. */
function profileFindings(api: Api, { document }: Vector): unknown[] {
  const { diagnostics } = api['validate'](JSON.stringify(document)) as {
    diagnostics: { code: string; rule: string; source: { pointer: string } }[]
  }
  const ours = diagnostics.filter(({ code }) => code.startsWith('ADL-3'))
  const found = ours.map(({ rule, source }) => [rule, source.pointer] as const)
  return found.sort(([a, at], [b, bt]) => (at + a < bt + b ? -1 : 1))
}

/** A document's canonical form and where some of it stands, or why it is refused and where. */
function parse(api: Api, { text: source, file, pointers }: Vector): object {
  const { document, diagnostics } = api['parse'](source, { file })
  if (document === undefined) {
    const { code, source } = diagnostics[0]
    return { code, pointer: source.pointer, at: [source.offset, source.endOffset] }
  }
  const places = (pointers as string[]).map((pointer) => {
    const { offset, endOffset, line, column } = document.source(pointer)
    return [offset, endOffset, line, column]
  })
  return { canonical: text(document.canonical), places }
}

const cell = new DataView(new ArrayBuffer(8))
function doubleOf(bits: string): number {
  cell.setBigUint64(0, BigInt(`0x${bits}`))
  return cell.getFloat64(0)
}
function bitsOf(double: number): string {
  cell.setFloat64(0, Number.isNaN(double) ? Number.NaN : double)
  return cell.getBigUint64(0).toString(16).padStart(16, '0')
}

const RUNNERS: Record<string, Runner> = {
  abiVersion: (api) => ({ version: api['abiVersion']() }),
  canonicalize: (api, vector) => ({
    text: text(api['canonicalize'](contentBytes(vector as Content), ...options(vector))),
  }),
  canonicalizeValue(api, vector) {
    try {
      return { text: text(api['canonicalizeValue'](reviveValue(vector['value']), ...options(vector))) }
    } catch (error) {
      if (!(error instanceof api['DocumentError'])) throw error
      const { code, source } = (error as { diagnostics: [{ code: string; source: { pointer: string } }] })
        .diagnostics[0]
      return { code, pointer: source.pointer }
    }
  },
  isCanonical: (api, vector) => ({
    canonical: api['isCanonical'](contentBytes(vector as Content), ...options(vector)),
  }),
  canonicalizeWithout(api, vector) {
    const { payload, removed } = api['canonicalizeWithout'](contentBytes(vector as Content), vector['pointers'])
    return { text: text(payload), removed: removed.map((part: Uint8Array | undefined) => (part ? text(part) : null)) }
  },
  patternCheck: (api, vector) => ({ findings: api['checkPattern'](vector['kind'], vector['pattern']) }),
  patternCompile: (api, vector) => ({ compiled: compile(api, vector).size > 0 }),
  patternTest: (api, vector) => ({ matches: compile(api, vector).test((vector['subjects'] as string[])[0]) }),
  patternMatchFirst: (api, vector) => ({ first: [...compile(api, vector).firstOf(vector['subjects'])] }),
  patternMatchAll(api, vector) {
    const subjects = vector['subjects'] as string[]
    const set = compile(api, vector)
    const { offsets, patterns } = set.allOf(subjects)
    const matches = subjects.map((_, i) => [...patterns.subarray(offsets[i], offsets[i + 1])])
    // One subject at a time may go another way than many: the JavaScript twin of the matcher.
    return { matches, singly: subjects.map((subject) => set.all(subject)) }
  },
  templateCompile: (api, vector) => ({
    compiled: api['compileTemplate'](contentBytes(vector as Content)) !== undefined,
  }),
  templateRender(api, vector) {
    const template = api['compileTemplate'](contentBytes(vector as Content))
    const options = 'limit' in vector ? [{ maxBytes: vector['limit'] }] : []
    const bytes = template.renderBytes(vector['variables'], ...options)
    return { text: template.render(vector['variables'], ...options), bytes: text(bytes) }
  },
  sha256(api, vector) {
    const digest = api['sha256'](contentBytes(vector as Content)) as Uint8Array
    return { digest: Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('') }
  },
  formatNumber: (api, vector) => ({ text: api['formatNumber'](doubleOf(vector['bits'] as string)) }),
  readNumber: (api, vector) => ({ bits: bitsOf(api['readNumber'](vector['text'])) }),
  indexQuery(api, vector) {
    const hits = tell(api, vector)['query'](vector['query']) as { id: string; score: number }[]
    return { hits: hits.map(({ id, score }) => [id, score]) }
  },
  indexStatistics(api, vector) {
    const { documents, length, frequencies } = tell(api, vector)['statistics'](vector['query'])
    return { cards: documents, words: length, frequencies }
  },
  indexAdd: (api, vector) => take(api, tell(api, vector), vector['last'] as ApiStep).outcome,
  parse,
  decide: (api, vector) => ({ wrong: wrongDecisions(api, vector) }),
  diff(api, { before, after }) {
    const { changes } = api['diff'](before, after) as { changes: Record<string, unknown>[] }
    const rows = changes.map(({ kind, bump, document, pointer }) => [kind, bump, document, pointer])
    // In the order of the vectors, which is that of texts.
    return { changes: rows.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) }
  },
  schemaValidate: (api, vector) => ({ errors: schemaErrors(api, vector) }),
  schemaCheck: (api, { schema }) => ({
    problems: api['checkSchema'](schema).map(({ pointer, reason }: Record<string, string>) => [pointer, reason]),
  }),
  format: (api, { format, texts }) => ({ yes: (texts as string[]).filter((text) => api[format as string](text)) }),
  mayProvision: provision,
  runtimePolicy: (api, { document }) => ({ delays: api['runtimePolicy'](document).delays() }),
  stripHtml: (api, { texts }) => ({ texts: (texts as string[]).map((text) => api['stripHtml'](text)) }),
  mediaType: (api, { texts }) => ({
    read: (texts as string[]).map((text) => {
      const read = api['parseMediaType'](text)
      return read === undefined ? null : [read.type, read.profiles]
    }),
  }),
  profileRules: (api, vector) => ({ found: profileFindings(api, vector) }),
  ...SIGNATURE_RUNNERS,
  ...CARD_RUNNERS,
  ...AGENT_RUNNERS,
  ...DEFINITION_RUNNERS,
  ...DIRECTORY_RUNNERS,
}

/** Whether the public API has what the vector calls. */
export function hasRunner(vector: Vector): boolean {
  return vector.call in RUNNERS
}

/**
 * Runs cases on the public API of this host. One outcome a case: what came back; the diagnostics, when the document
 * was refused; or the kind of error, when the arguments were. Those of keys and signatures are promises.
 */
export function runBody(api: Api, cases: readonly Vector[]): unknown[] {
  return cases.map((vector) => {
    const run = RUNNERS[vector.call]
    if (run === undefined) throw new TypeError(`${vector.id}: no runner for ${vector.call}`)
    try {
      return run(api, vector)
    } catch (error) {
      if (error instanceof api['DocumentError']) return { refused: (error as { diagnostics?: unknown }).diagnostics }
      if (error instanceof api['PatternError']) return { refused: (error as { findings?: unknown }).findings }
      if (error instanceof TypeError || error instanceof RangeError) return { threw: error.name }
      throw error
    }
  })
}
