/**
 * What the fuzzer runs each input through: the bindings as users call them. A target gives something that JSON can
 * show, the same for the same bytes in both builds of the core; an oracle that disagrees, a trap or any exception
 * but those that the verbs promise is a failure.
 */

import { createIndex, loadIndex } from '../../bindings/core/index-search.ts'
import { PatternError } from '../../bindings/core/pattern-findings.ts'
import { compilePatterns } from '../../bindings/core/patterns.ts'
import { compileTemplate } from '../../bindings/core/template.ts'
import { DocumentError } from '../../bindings/document/finding.ts'
import { parse } from '../../bindings/document/parse.ts'
import { initSync } from '../../bindings/wasm/instance.ts'
import { canonicalizeBytes, Fault, isCanonicalBytes, readTape, withoutBytes } from '../../bindings/wasm/json.ts'
import { oracle } from '../oracle/json.ts'
import { cardIndex } from '../support/card-index.ts'

let module: WebAssembly.Module
let taking: WebAssembly.Module

/** Uses a build from now on; cards by their bytes go to `baseline`, for only builds without SIMD take them. */
export function use(build: WebAssembly.Module, baseline: WebAssembly.Module): void {
  module = build
  taking = baseline
  initSync(build)
}

const lenient = new TextDecoder()
const NEWLINE = 10

/** The bytes before the first newline, and those behind it. */
function cut(bytes: Uint8Array): [head: Uint8Array, tail: Uint8Array] {
  const at = bytes.indexOf(NEWLINE)
  return at < 0 ? [bytes, new Uint8Array()] : [bytes.subarray(0, at), bytes.subarray(at + 1)]
}

function promised<T>(work: () => T, ...errors: (new (...args: never[]) => Error)[]): T | string {
  try {
    return work()
  } catch (e) {
    if (errors.some((kind) => e instanceof kind)) return String(e)
    throw e
  }
}

function json(bytes: Uint8Array): unknown {
  const canonical = canonicalizeBytes(bytes)
  const tape = readTape(bytes)
  const own = isCanonicalBytes(bytes)
  const wanted = oracle(bytes)
  const came =
    canonical instanceof Fault
      ? { fault: { ...canonical } }
      : { canonical: lenient.decode(canonical), warnings: tape instanceof Fault ? tape : tape.warnings.slice(0, 64) }
  if (
    JSON.stringify(came) !==
    JSON.stringify('warnings' in wanted ? { ...wanted, warnings: wanted.warnings.slice(0, 64) } : wanted)
  ) {
    throw new Error(`the oracle says ${JSON.stringify(wanted)}, the core ${JSON.stringify(came)}`)
  }
  const { document, diagnostics } = parse(bytes)
  for (let i = 0; document !== undefined && i < bytes.length; i += 7) document.source(document.pointerAt(i))
  return [came, own, diagnostics]
}

function without(bytes: Uint8Array): unknown {
  const [head, document] = cut(bytes)
  const outcome = withoutBytes(document, lenient.decode(head).split(' ').slice(0, 33))
  if (outcome instanceof Fault) return { ...outcome }
  return [lenient.decode(outcome.payload), outcome.removed.map((value) => value && lenient.decode(value))]
}

function template(bytes: Uint8Array): unknown {
  const [head, tail] = cut(bytes)
  const value = lenient.decode(head)
  return promised(() => {
    const compiled = compileTemplate(tail)
    const variables = Object.fromEntries(compiled.names.map((name, i) => [name, value.slice(0, i + 1)]))
    const text = compiled.render(variables, { maxBytes: 1 << 16 })
    const rendered = lenient.decode(compiled.renderBytes(variables, { maxBytes: 1 << 16 }))
    if (text !== rendered && !text.includes('\ufffd')) throw new Error('text and bytes differ')
    return text
  }, DocumentError)
}

const KINDS = ['host', 'path', 'env', 'command', 'tag'] as const

function pattern(bytes: Uint8Array): unknown {
  const [head, tail] = cut(bytes.subarray(1))
  const kind = KINDS[(bytes[0] ?? 0) % KINDS.length]!
  const patterns = lenient.decode(head).split(' ')
  const subjects = lenient.decode(tail).split('\n')
  return promised(() => {
    const set = compilePatterns(kind, patterns)
    const all = subjects.map((subject) => set.all(subject))
    for (const [i, pattern] of patterns.entries()) {
      const alone = compilePatterns(kind, [pattern])
      for (const [j, subject] of subjects.entries()) {
        const inSet = all[j]!.includes(i)
        if (alone.test(subject) !== inSet) throw new Error(`${pattern} and ${subject}: the twin says ${!inSet}`)
      }
    }
    return all
  }, PatternError)
}

function card(bytes: Uint8Array): unknown {
  initSync(taking)
  const { index, add } = cardIndex(createIndex)
  initSync(module)
  const added = add(bytes, { reputation: 0.5 })
  const hits = index.query({ tags: ['nlp', 'a/b'], text: 'translate text a', limit: 5 })
  return [added.ok, added.ok ? added.replaced : { ...added.fault }, hits]
}

function snapshot(bytes: Uint8Array): unknown {
  const loaded = loadIndex([bytes])
  if (!loaded.ok) return { ...loaded.fault }
  return loaded.index.query({ tags: ['nlp'], text: 'translate', limit: 5 })
}

/** A small index's own bytes, for the fuzzer to damage. */
export function seedSnapshot(): Uint8Array {
  const index = createIndex()
  for (const id of ['a', 'b', 'c']) {
    const skills = ['nlp/translation', id]
    index.addRecord({ id: `agent://${id}`, tags: skills, text: `${skills.join(' ')} translate text` })
  }
  return [...index.save()][0]!
}

export const targets: Record<string, (bytes: Uint8Array) => unknown> = {
  json,
  without,
  template,
  pattern,
  card,
  snapshot,
}
