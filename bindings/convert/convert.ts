import { SENSITIVITIES } from '../adl/classification.ts'
import { LIMITS } from '../adl/limits.ts'
import { isAgentUri } from '../card/agent-uri.ts'
import { Document } from '../document/document.ts'
import { isObject } from '../document/members.ts'
import { parse } from '../document/parse.ts'
import { read } from '../document/read.ts'
import { ruleDiagnostic } from '../document/rule.ts'
import { detect } from './detect.ts'
import { routes } from './formats.ts'
import { type Problem, UNKNOWN } from './problems.ts'
import { type Journey, travel } from './steps.ts'
import { type Converted, type ConvertOptions, FORMATS, type Format } from './types.ts'

/** Agent definitions are 32 deep at the most (ADL 18.5), and a few levels deeper where others carry them. */
const DEPTH = 64
/** What is made of the largest definition (ADL 18.5) is larger, and can be converted back. */
const LARGEST = 4 * LIMITS.documentBytes

/**
 * Converts a document that describes an agent into another format, and accounts for every member. Where no single step
 * leads from the one to the other, it goes by way of an Agent Card or of an agent definition, whichever loses less.
 * Options may stand beside `to` or in an object of their own.
 *
 * @example
 * const { document, loss } = convert(definition, { to: 'a2a-1.0', url: 'https://example.com/a2a' })
 * document.value.supportedInterfaces[0].url // 'https://example.com/a2a'
 * loss.filter(({ outcome }) => outcome === 'dropped') // what the card does not say
 *
 * @throws {TypeError} or {RangeError} for wrong arguments; a document that cannot be converted gives diagnostics.
 */
export function convert(
  source: Uint8Array | string | Document,
  target: { readonly to: Format } & ConvertOptions,
  more: ConvertOptions = {},
): Converted {
  const { to, ...rest } = target
  const options: ConvertOptions = { ...rest, ...more }
  checkFormat('to', to)
  if (options.from !== undefined) checkFormat('from', options.from)
  checkDefaults(options)
  const { document, diagnostics } = open(source, options.file)
  if (document === undefined) return { document: undefined, loss: [], diagnostics }
  const { value } = document
  const refuse = (detail: string): Converted => {
    const refusal = ruleDiagnostic(document, UNKNOWN, 'error', '', detail)
    return { document: undefined, loss: [], diagnostics: [...diagnostics, refusal] }
  }
  if (!isObject(value)) return refuse('expected a JSON object')
  const from = options.from ?? detect(document, value)
  if (from === undefined) return refuse(`expected one of ${FORMATS.join(', ')}: the option from says which`)
  if (from === to) return refuse(`it is ${to} already`)
  const best = routes(from, to)
    .map((route) => travel(document, route, options))
    .reduce(better)
  // What prevents it first: a warning of what would have been made is of no use before it.
  const problems = [...best.problems].sort((a, b) => Number(isError(b)) - Number(isError(a)))
  const told = problems.map(({ rule, pointer, detail }) =>
    ruleDiagnostic(document, rule, rule.severity, pointer, detail),
  )
  return { document: best.document, loss: best.loss, diagnostics: [...diagnostics, ...told, ...best.diagnostics] }
}

const isError = ({ rule }: Problem) => rule.severity === 'error'

/** What loses less; of two that lose alike, or cannot be gone, the former. */
function better(a: Journey, b: Journey): Journey {
  if (a.document === undefined || b.document === undefined) return a.document === undefined && b.document ? b : a
  return b.lost < a.lost ? b : a
}

/** A document that was read before may be larger and deeper than what is converted. */
function open(source: Uint8Array | string | Document, file: string | undefined) {
  if (!(source instanceof Document)) {
    return read(source, { ...(file !== undefined && { file }), maxDepth: DEPTH, maxBytes: LARGEST })
  }
  const { document, diagnostics } = parse(source.bytes, {
    ...(source.file !== undefined && { file: source.file }),
    maxDepth: DEPTH,
    maxBytes: LARGEST,
  })
  return document === undefined ? { document, diagnostics } : { document: source, diagnostics: [] }
}

function checkFormat(name: string, format: unknown): void {
  if (FORMATS.includes(format as Format)) return
  throw new RangeError(`${name}: expected one of ${FORMATS.join(', ')}, got ${JSON.stringify(format)}`)
}

/** What is put into definitions must be what they demand (ADL 5.5, 10.4). */
function checkDefaults({ version, classification, id }: ConvertOptions): void {
  if (id !== undefined && !isAgentUri(id)) {
    throw new RangeError(`id: expected an agent:// URI, got ${JSON.stringify(id)}`)
  }
  if (version !== undefined && !/^\d+\.\d+\.\d+$/.test(version)) {
    throw new RangeError(`version: expected MAJOR.MINOR.PATCH, got ${JSON.stringify(version)}`)
  }
  if (classification === undefined || SENSITIVITIES.includes(classification?.sensitivity)) return
  const came = JSON.stringify(classification?.sensitivity)
  throw new RangeError(`classification.sensitivity: expected ${SENSITIVITIES.join(', ')}, got ${came}`)
}
