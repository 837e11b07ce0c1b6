import type { Diagnostic } from '../document/types.ts'
import { readAs } from '../frame/as.ts'
import type { FileOptions, Source, ValidationReport } from '../frame/source.ts'
import { findingAt } from '../frame/subject.ts'
import { type RuntimePolicy, runtimePolicyOf } from '../policy/runtime-policy.ts'
import { type ToolOptions, type ToolSchemas, toolSchemas } from '../policy/tool-values.ts'
import { isUri } from '../schema/formats.ts'
import { elements, isText } from '../text/members.ts'
import { oneOf, quoted } from '../text/words.ts'
import { MEDIA_TYPE_PROFILE } from './findings.ts'
import { createProfiles, type Profiles } from './profiles/registry.ts'
import { ADL_READING } from './subject.ts'
import titles from './titles.json' with { type: 'json' }

/** The media type of agent definitions (ADL 17.1). */
const ADL_JSON = 'application/adl+json'

/** Bounds the input; no legitimate media type is longer. */
const LONGEST = 16_384

export declare namespace parseMediaType {
  /** A media type in the form of RFC 9110 section 8.3.1. */
  interface Result {
    /** In lower case: `application/adl+json`. */
    readonly type: string
    /** The identifiers in the parameter `profile`, known or not, as they were written. */
    readonly profiles: readonly string[]
    /** The other parameters, with their names in lower case. */
    readonly parameters: readonly (readonly [name: string, value: string])[]
  }
}

export interface MediaTypeOptions extends FileOptions {
  /** The profiles whose names are known; defaults to those of ADL 0.1. */
  readonly profiles?: Profiles
}

const TYPE = /^[ \t]*([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)[ \t]*(?:$|(?=;))/
const PARAMETER = /;[ \t]*(?:([\w!#$%&'*+.^`|~-]+)=(?:([\w!#$%&'*+.^`|~-]+)|"((?:[^"\\]|\\.)*)")[ \t]*)?(?:$|(?=;))/sy

/**
 * Reads a media type with its parameters, such as a `Content-Type`; undefined for any other text.
 *
 * @example
 * parseMediaType('application/adl+json; profile="urn:adl:profile:governance:1.0"')
 * // { type: 'application/adl+json', profiles: ['urn:adl:profile:governance:1.0'], parameters: [] }
 *
 * @throws {TypeError} when the argument is not a string.
 */
export function parseMediaType(text: string): parseMediaType.Result | undefined {
  if (typeof text !== 'string') throw new TypeError(`text: expected a string, got ${typeof text}`)
  const begin = text.length > LONGEST ? null : TYPE.exec(text)
  if (begin === null) return undefined
  const parameters: [string, string][] = []
  for (let at = begin[0].length; at < text.length; at = PARAMETER.lastIndex) {
    PARAMETER.lastIndex = at
    const [matched, name, token, quotation] = PARAMETER.exec(text) ?? []
    if (matched === undefined) return undefined
    if (name === undefined) continue
    const value = token ?? quotation!.replace(/\\(.)/gs, '$1')
    if (parameters.some(([other]) => other === name.toLowerCase())) return undefined
    parameters.push([name.toLowerCase(), value])
  }
  const profile = parameters.find(([name]) => name === 'profile')?.[1] ?? ''
  return {
    type: begin[1]!.toLowerCase(),
    profiles: profile
      .split(',')
      .map((identifier) => identifier.trim())
      .filter((identifier) => identifier !== ''),
    parameters: parameters.filter(([name]) => name !== 'profile'),
  }
}

/**
 * The media type of a document that declares these profiles. Registered names become the URIs that the parameter
 * requires; a name that is neither registered nor a URI is left out.
 *
 * @example
 * formatMediaType(['governance']) // 'application/adl+json; profile="urn:adl:profile:governance:1.0"'
 * formatMediaType([]) // 'application/adl+json'
 */
export function formatMediaType(
  declared: readonly string[],
  { profiles = createProfiles() }: MediaTypeOptions = {},
): string {
  const identifiers = identifiersOf(declared, profiles)
  return identifiers.size === 0 ? ADL_JSON : `${ADL_JSON}; profile="${[...identifiers].join(', ')}"`
}

/** URIs without duplicates. A comma inside a URI would split it, so it is escaped. */
function identifiersOf(declared: readonly string[], profiles: Profiles): ReadonlySet<string> {
  const resolved = declared.map((name) => profiles.find(name)?.identifier ?? name)
  return new Set(resolved.filter(isUri).map((identifier) => identifier.replaceAll(',', '%2C')))
}

/**
 * Warns when a document does not declare the profiles that its media type names. A media type without the parameter is
 * always accepted. An unreadable document gives its errors.
 *
 * @example
 * checkMediaType('{}', 'application/adl+json; profile="urn:adl:profile:portfolio:1.0"')[0].code // 'BADL-153'
 */
export function checkMediaType(
  source: Source,
  contentType: string,
  { profiles = createProfiles(), file }: MediaTypeOptions = {},
): readonly Diagnostic[] {
  const given = parseMediaType(contentType)
  const { subject: agent, diagnostics } = readAs(ADL_READING, source, file)
  if (agent === undefined) return diagnostics
  if (given === undefined || given.type !== ADL_JSON || given.profiles.length === 0) return []
  const declared = elements(agent.root, 'profiles', isText).map(({ value }) => value)
  const named = identifiersOf(given.profiles, profiles)
  const there = identifiersOf(declared, profiles)
  const onlyNamed = [...named].filter((identifier) => !there.has(identifier))
  const onlyThere = [...there].filter((identifier) => !named.has(identifier))
  if (onlyNamed.length + onlyThere.length === 0) return []
  const parts = [
    ...(onlyNamed.length > 0 ? [`the media type alone names ${list(onlyNamed)}`] : []),
    ...(onlyThere.length > 0 ? [`the document alone declares ${list(onlyThere)}`] : []),
  ]
  return [findingAt(agent.document, MEDIA_TYPE_PROFILE, '/profiles', parts.join('; '))]
}

const list = (identifiers: readonly string[]) => oneOf(identifiers.slice(0, 3).map(quoted)).replace(' or ', ' and ')

export declare namespace formatErrors {
  /** An error in the format of ADL section 16.1. */
  interface AdlError {
    readonly code: string
    readonly title: string
    readonly detail: string
    readonly source: { readonly pointer: string; readonly line: number; readonly column: number }
  }
}

/** The codes of ADL section 16.2 with their descriptions. Our own codes keep their titles. */
export const ADL_TITLES: Readonly<Record<string, string>> = titles

/**
 * The errors of a report in the format of ADL section 16.1. The format has no warnings, so they are left out.
 *
 * @example
 * formatErrors(validate('[]')).errors[0]
 * // { code: 'ADL-1002', title: 'Document is not a JSON object', detail: 'Expected a JSON object', source: { pointer: '', line: 1, column: 1 } }
 */
export function formatErrors({ diagnostics }: ValidationReport): { readonly errors: readonly formatErrors.AdlError[] } {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  return {
    errors: errors.map(({ code, title, detail, source: { pointer, line, column } }) => ({
      code,
      title: ADL_TITLES[code] ?? title,
      detail,
      source: { pointer, line, column },
    })),
  }
}

// What a runtime asks of an agent definition: the values of its tools, and how to handle texts and failures.

export declare namespace compileTools {
  type Options = ToolOptions
  type Result = ToolSchemas
}

/**
 * Compiles the `parameters` and `returns` of all tools, to check the values that are passed to them and returned from
 * them (ADL 18.12). A value is checked in its JSON form. A tool without `parameters` accepts any object; one without
 * `returns` may return anything or nothing. Values that cannot be checked do not pass.
 *
 * @example
 * const tools = compileTools('{"tools": [{"name": "add", "parameters": {"properties": {"a": {"type": "number"}}}}]}')
 * tools.checkInput('add', { a: 1 }).valid // true
 * tools.checkInput('add', { a: '1' }).findings[0]
 * // { pointer: '/a', keyword: 'type', message: 'expected number, found string',
 * //   decidedBy: '/tools/0/parameters/properties/a/type' }
 *
 * @throws {TypeError} or {RangeError} for invalid arguments. Documents and values never throw: they give findings.
 */
export function compileTools(source: Source, options: ToolOptions = {}): ToolSchemas {
  const { subject: agent, diagnostics } = readAs(ADL_READING, source, options.file)
  return toolSchemas(agent?.tools, diagnostics, options)
}

export declare namespace runtimePolicy {
  type Result = RuntimePolicy
}

/**
 * Reads what the `runtime` of an agent definition requires of its host. A limit that is not a number allows nothing; an
 * absent limit restricts nothing.
 *
 * @example
 * const policy = runtimePolicy('{"runtime": {"tool_invocation": {"retry_policy":
 *   {"max_retries": 3, "backoff_strategy": "exponential", "initial_delay_ms": 500, "max_delay_ms": 1500}}}}')
 * policy.delays() // [500, 1000, 1500]
 * policy.afterFailure(4) // { action: 'abort' }
 *
 * @throws {TypeError} for invalid arguments. An unreadable document does not throw: it accepts nothing, and
 * `diagnostics` has the reason.
 */
export function runtimePolicy(source: Source, { file }: FileOptions = {}): RuntimePolicy {
  const { subject: agent, diagnostics } = readAs(ADL_READING, source, file)
  return runtimePolicyOf(agent, diagnostics)
}
