import { SENSITIVITIES } from '../adl/places.ts'
import { isAgentUri } from '../card/agent-uri.ts'
import { read } from '../document/read.ts'
import { detectKind } from '../frame/detect.ts'
import { open } from '../frame/open.ts'
import type { Source } from '../frame/source.ts'
import { ruleDiagnostic } from '../frame/subject.ts'
import { rowOf } from '../kinds.ts'
import { isObject } from '../text/members.ts'
import { carriedBy } from './carried.ts'
import { detect } from './detect.ts'
import { CONVERT_SOURCE } from './findings.ts'
import { type ConvertFormat, FORMATS, MOST, SOURCE_FORMATS } from './formats.ts'
import { routes } from './pairs.ts'
import type { Problem } from './problems.ts'
import { type Journey, travel } from './steps.ts'
import type { ConversionResult, ConvertOptions } from './types.ts'
import { otherVersionIn } from './versions.ts'

/**
 * Converts a document that describes an agent into another format, and accounts for every member. Without a direct
 * converter, it goes through an Agent Card or an agent definition: the one whose members the document carries, or else
 * the one that loses less.
 *
 * @example
 * const { document, loss } = convert(definition, { to: 'a2a-1.0', url: 'https://example.com/a2a' })
 * document.value.supportedInterfaces[0].url // 'https://example.com/a2a'
 * loss.filter(({ outcome }) => outcome === 'dropped') // members that the card cannot express
 *
 * @throws {TypeError} or {RangeError} for wrong arguments; a document that cannot be converted gives diagnostics.
 */
export function convert(
  source: Source,
  { to, ...options }: { readonly to: ConvertFormat } & ConvertOptions,
): ConversionResult {
  checkFormat('to', to, FORMATS)
  if (options.from !== undefined) checkFormat('from', options.from, SOURCE_FORMATS)
  checkDefaults(options)
  const { file } = options
  const {
    document,
    diagnostics: reading,
    kind,
  } = open(read, source, { ...(file !== undefined && { file }), most: MOST })
  if (document === undefined) return { document: undefined, loss: [], asked: [], diagnostics: reading }
  const { value } = document
  const refuse = (detail: string): ConversionResult => {
    const refusal = ruleDiagnostic(document, CONVERT_SOURCE, 'error', '', detail)
    return { document: undefined, loss: [], asked: ['from'], diagnostics: [...reading, refusal] }
  }
  if (!isObject(value)) return refuse('expected a JSON object')
  // An agent.yaml is an agent, whatever its members.
  const from = options.from ?? (kind === 'agentlang' ? kind : detect(document, value))
  if (from === undefined) {
    const known = detectKind(document)
    if (known === undefined) return refuse(`expected one of ${SOURCE_FORMATS.join(', ')}: name it with the option from`)
    const others = 'if it is something else, name its format with the option from'
    return refuse(`${rowOf(known).plural} cannot be converted; ${others}`)
  }
  if (from === to) return refuse(`it is ${to} already`)
  const diagnostics = [...reading, ...otherVersionIn(from, document)]
  const best = routes(from, to, carriedBy(from, value))
    .map((route) => watched(options, (seen) => travel(document, route, seen)))
    .reduce(better)
  // Errors first: a warning about a missing result does not help.
  const problems = [...best.problems].sort((a, b) => Number(isError(b)) - Number(isError(a)))
  const ownDiagnostics = problems.map(({ rule, pointer, detail }) =>
    ruleDiagnostic(document, rule, rule.severity, pointer, detail),
  )
  const { loss, asked } = best
  return { document: best.document, loss, asked, diagnostics: [...diagnostics, ...ownDiagnostics, ...best.diagnostics] }
}

/** Runs a conversion and records which options its converters read. */
function watched(
  options: ConvertOptions,
  go: (options: ConvertOptions) => Journey,
): Journey & Pick<ConversionResult, 'asked'> {
  const asked = new Set<keyof ConvertOptions>(['from'])
  const seen = new Proxy(options, {
    get(given, name: keyof ConvertOptions) {
      asked.add(name)
      return given[name]
    },
  })
  return { ...go(seen), asked: [...asked] }
}

const isError = ({ rule }: Problem) => rule.severity === 'error'

/** The conversion that loses less; the first one if they lose the same or neither can be completed. */
function better<J extends Journey>(a: J, b: J): J {
  if (a.document === undefined || b.document === undefined) return a.document === undefined && b.document ? b : a
  return b.lost < a.lost ? b : a
}

function checkFormat(name: string, format: unknown, formats: readonly unknown[]): void {
  if (formats.includes(format)) return
  throw new RangeError(`${name}: expected one of ${formats.join(', ')}, got ${JSON.stringify(format)}`)
}

/** Default values must be valid in the definitions they are written to (ADL 5.5, 10.4). */
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
