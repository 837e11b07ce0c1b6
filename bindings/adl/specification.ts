// ADL 0.1 in the frame.
import { type FindingKind, namesOf } from '../document/finding.ts'
import { renameMember } from '../document/fixes.ts'
import type { Severity } from '../document/types.ts'
import type { Findings } from '../frame/collect.ts'
import { type Listener, type ObjectPlace, shapeRules, type Words } from '../frame/explain.ts'
import { expectOne, type RuleOptions, type RuleSettings, ruleSettings } from '../frame/rule-settings.ts'
import { shapeOnce } from '../frame/shape.ts'
import type { Specification } from '../frame/specification.ts'
import { type Remarks, type Rule, severityOf } from '../frame/subject.ts'
import { isSemver } from '../schema/formats.ts'
import { escapeToken, objectMember, type PlacedObject, textMember, valueIn } from '../text/members.ts'
import { quoted, snakeCase, suggest } from '../text/words.ts'
import { utf8Length } from '../wasm/instance.ts'
import * as FINDINGS from './findings.ts'
import { LIMIT_ENTRIES, LIMIT_PATTERNS, LIMIT_TEXT, UNDEFINED_MEMBER } from './findings.ts'
import { PATTERN_LISTS } from './places.ts'
import { checkProfiles, type KnownMembers, knownMembers } from './profiles/check.ts'
import { createProfiles, PROFILE_RULES, Profiles } from './profiles/registry.ts'
import { DOCUMENT_RULES, specVersion, TEMPLATE_RULES } from './rules/document.ts'
import { IDENTITY_RULES } from './rules/identifiers.ts'
import { GRANT_RULES, PATTERN_RULES } from './rules/permissions.ts'
import schema from './schema.json' with { type: 'json' }
import { ADL_READING, type Agent, isExtension, isSupportedVersion } from './subject.ts'

export const documentShape = shapeOnce(schema)

const WORDS: Words = {
  name: 'ADL',
  rules: shapeRules(FINDINGS.ALL),
  byFormat: { 'date-time': 'VAL-05', uri: 'VAL-06' },
  grammar: {
    '^\\d+\\.\\d+\\.\\d+$': 'a version MAJOR.MINOR.PATCH such as 1.2.0',
    '^[a-z][a-z0-9_]*$': 'a lowercase letter, then lowercase letters, digits and underscores',
    'date-time': 'an ISO 8601 timestamp with its offset, such as 2026-02-15T14:30:00Z',
    email: 'an email address',
    uri: 'a URI (RFC 3986)',
    'uri-reference': 'a URI reference (RFC 3986)',
  },
  isExtension,
  adviseOn(name) {
    if (!/^x[-_]/i.test(name)) return { hint: "members of one's own begin with x_ and a namespace: x_acme_note" }
    return { hint: 'names of extension members are x_ and then lowercase letters, digits and underscores' }
  },
  mend(shape, value) {
    const name = snakeCase(value)
    if (shape.rule !== 'VAL-13' || !shape.pattern!.test(name)) return undefined
    return { hint: `did you mean '${name}'? Callers of the tool must use that name as well` }
  },
}

/** All rules of ADL except those that the schema and the profiles check. */
const RULES: readonly Rule<Agent>[] = [
  ...DOCUMENT_RULES,
  ...PATTERN_RULES,
  ...IDENTITY_RULES,
  ...GRANT_RULES,
  ...TEMPLATE_RULES,
]

export const ADL: Specification<Agent, Settings> = {
  ...ADL_READING,
  words: WORDS,
  settings: settingsOf,
  bounds({ limits }: CheckOptions) {
    if (limits === undefined) return undefined
    const { documentBytes, depth } = limitsOf(limits)
    return { bytes: documentBytes, depth }
  },
  gate(agent, findings, settings) {
    checkSize(agent, settings.limits, findings)
    if (findings.hasErrors) return false
    if (!isOtherVersion(agent)) return true
    // Another version has other members and rules, so these rules would report false faults.
    const severity = severityOf(specVersion, settings.ruleset, settings.rules)
    specVersion.check(agent, (...finding) => findings.add(specVersion, severity, ...finding), settings)
    return false
  },
  shapes: ({ root }) => [{ shape: documentShape(), value: root.value, pointer: '' }],
  listener: listenerFor,
  check(agent, findings, settings) {
    if (agent.profiles.length === 0) return
    new MemberJudge(agent, findings, settings).judgeProfileMembers()
    const report = (rule: FindingKind, ...finding: Parameters<Parameters<typeof specVersion.check>[1]>) =>
      findings.add(rule, severityOf(rule, settings.ruleset, settings.rules), ...finding)
    checkProfiles(agent, settings.profiles, report, settings)
  },
  rules: RULES,
  names({ profiles }: CheckOptions = {}) {
    const { list } = profiles instanceof Profiles ? profiles : createProfiles()
    return [...FINDINGS.names(), ...namesOf([...PROFILE_RULES, ...list.flatMap(({ rules }) => rules)])]
  },
}

/** True when a document declares another release of ADL. */
function isOtherVersion({ root }: Agent): boolean {
  const version = textMember(root, 'adl_spec')
  return version !== undefined && isSemver(version.value) && !isSupportedVersion(version.value)
}

const CATEGORY = 'VAL-26'

/** Members and categories that are not in the schema may belong to a profile. */
function listenerFor(agent: Agent, findings: Findings, settings: Settings): Listener {
  const judge = new MemberJudge(agent, findings, settings)
  return {
    fault(rule, pointer, detail, remarks) {
      const severity = severityOf(rule, settings.ruleset, settings.rules)
      if (pointer === '/adl_spec') findings.add(rule, severity, pointer, detail, supportedOnly(remarks))
      else if (rule.id === CATEGORY) judge.judgeCategory(rule, severity, pointer, detail, remarks)
      else findings.add(rule, severity, pointer, detail, remarks)
    },
    undefinedMember: (pointer, name, place, remarks) => judge.judge(pointer, name, place, remarks),
    accepts: ({ rule }, category) => rule === CATEGORY && judge.known.categories.has(category),
  }
}

/** Drops a fix of `adl_spec` that would set the version of another release: it would not help. */
function supportedOnly({ fix, ...others }: Remarks = {}): Remarks {
  const found = typeof fix === 'function' ? fix() : fix
  const isMended = found?.edits?.every(({ text }) => isSupportedVersion(text.replaceAll('"', ''))) === true
  return isMended ? { ...others, fix: found } : others
}

// The limits of ADL section 18.5. Reading checks two of them. If a document exceeds one, nothing else is checked.

/** The limits that ADL section 18.5 recommends. Documents that exceed them are refused. */
export interface Limits {
  /** Bytes of the document: 1 MiB. */
  readonly documentBytes: number
  /** Nesting depth of containers: 32. */
  readonly depth: number
  /** Entries of each of `tools`, `resources` and `prompts`: 1000. */
  readonly entries: number
  /** UTF-8 bytes of a system prompt, a template or a description: 1 MiB. */
  readonly textBytes: number
  /** Entries of an array of permission patterns: 500. */
  readonly patterns: number
}

export const LIMITS = {
  documentBytes: 1 << 20,
  depth: 32,
  entries: 1000,
  textBytes: 1 << 20,
  patterns: 500,
} as const satisfies Limits

/** The recommended limits, except those that the caller sets. */
export function limitsOf(own: Partial<Limits> | undefined): Limits {
  if (own === undefined) return LIMITS
  const limits: { -readonly [Name in keyof Limits]: number } = { ...LIMITS }
  for (const name of Object.keys(own) as (keyof Limits)[]) {
    const value = own[name]
    if (value === undefined) continue
    if (!Object.hasOwn(LIMITS, name)) {
      throw new RangeError(`limits: expected ${Object.keys(LIMITS).join(', ')}, got ${JSON.stringify(name)}`)
    }
    if (!Number.isInteger(value) || value < 0 || value > 0xffffffff) {
      throw new RangeError(`limits.${name}: expected an integer from 0 to 4294967295, got ${String(value)}`)
    }
    limits[name] = value
  }
  return limits
}

/** Reports the limits that a document exceeds. */
export function checkSize(agent: Agent, limits: Limits, findings: Findings): void {
  for (const name of ['tools', 'resources', 'prompts'] as const) {
    const list = valueIn(agent.root, name)
    if (Array.isArray(list) && list.length > limits.entries) {
      findings.add(
        LIMIT_ENTRIES,
        'error',
        `/${name}`,
        `expected at most ${limits.entries} entries, found ${list.length}`,
      )
    }
  }
  for (const [, domain, name] of PATTERN_LISTS) {
    const place = objectMember(agent.permissions, domain)
    const list = valueIn(place, name)
    if (Array.isArray(list) && list.length > limits.patterns) {
      const detail = `expected at most ${limits.patterns} patterns, found ${list.length}`
      findings.add(LIMIT_PATTERNS, 'error', `${place!.pointer}/${name}`, detail)
    }
  }
  const check = (of: PlacedObject | undefined, name: string) => {
    const text = valueIn(of, name)
    // A UTF-16 unit has at most three bytes, so most texts need no counting.
    if (typeof text !== 'string' || text.length * 3 <= limits.textBytes || utf8Length(text) <= limits.textBytes) return
    findings.add(LIMIT_TEXT, 'error', `${of!.pointer}/${name}`, `expected at most ${limits.textBytes} bytes`)
  }
  check(agent.root, 'description')
  check(agent.root, 'system_prompt')
  check(objectMember(agent.root, 'system_prompt'), 'template')
  for (const list of [agent.tools, agent.resources, agent.prompts])
    for (const entry of list) check(entry, 'description')
  for (const prompt of agent.prompts) check(prompt, 'template')
}

export interface CheckOptions extends RuleOptions {
  /** The known profiles; defaults to those of ADL 0.1. `registerProfile` adds your own. */
  readonly profiles?: Profiles
  readonly limits?: Partial<Limits>
  /** URI schemes that are allowed in addition to https, http and urn: `['s3']` (ADL 18.7). */
  readonly allowSchemes?: readonly string[]
  /** The severity of unknown members; default `error` (ADL 4.2). */
  readonly undefinedMembers?: 'error' | 'warning'
}

/** The checked options, with defaults for absent ones. */
export interface Settings extends RuleSettings {
  readonly profiles: Profiles
  readonly limits: Limits
  readonly allowSchemes: readonly string[]
  readonly undefinedMembers: 'error' | 'warning'
}

let standard: Profiles | undefined

/** @throws {TypeError} or {RangeError} that names the invalid option. */
export function settingsOf(options: CheckOptions): Settings {
  const { undefinedMembers = 'error', allowSchemes = [] } = options
  if (!Array.isArray(allowSchemes) || !allowSchemes.every((scheme) => typeof scheme === 'string')) {
    throw new TypeError('allowSchemes: expected an array of strings')
  }
  if (options.profiles !== undefined && !(options.profiles instanceof Profiles)) {
    throw new TypeError('profiles: expected what createProfiles or registerProfile gives')
  }
  expectOne('undefinedMembers', ['error', 'warning'], undefinedMembers)
  standard ??= createProfiles()
  const { now, ruleset, rules, maxDiagnostics } = ruleSettings(options)
  // Named one by one: in V8, spreading one object into another and adding to it takes 4 us, as long as reading 2 KB.
  return {
    now,
    ruleset,
    rules,
    maxDiagnostics,
    profiles: options.profiles ?? standard,
    limits: limitsOf(options.limits),
    allowSchemes: allowSchemes.map((scheme) => scheme.toLowerCase()),
    undefinedMembers,
  }
}

// Undefined members. They are checked once, against the specification and all profiles that the document declares.

/** Judges the members that the specification does not define. */
export class MemberJudge {
  readonly #agent: Agent
  readonly #findings: Findings
  readonly #severity: Severity | 'off'
  readonly #doubt: string
  readonly #settings: Settings
  readonly known: KnownMembers

  constructor(agent: Agent, findings: Findings, settings: Settings) {
    const { profiles, ruleset, rules, undefinedMembers } = settings
    this.#settings = settings
    this.#agent = agent
    this.#findings = findings
    this.known = knownMembers(agent, profiles)
    // ADL 14.3: an unknown profile may define them.
    const judged = this.known.complete || ruleset === 'strict'
    this.#severity =
      rules[UNDEFINED_MEMBER.id] ?? rules[UNDEFINED_MEMBER.code] ?? (judged ? undefinedMembers : 'warning')
    this.#doubt = this.known.complete ? '' : ': not judged, for an unknown profile may define it'
  }

  /** Judges a member that the specification does not define in an object. */
  judge(pointer: string, name: string, place: ObjectPlace, remarks: Remarks): void {
    const { root, classification } = this.known
    if ((place === 'root' && root.has(name)) || (place === 'classification' && classification.has(name))) return
    const detail = `Member ${quoted(name)} is not defined by ADL 0.1 or a declared profile${this.#doubt}`
    this.#findings.add(UNDEFINED_MEMBER, this.#severity, pointer, detail, remarks)
  }

  /** Judges a data category that neither the specification nor a known profile defines (ADL 10.4). */
  judgeCategory(
    rule: FindingKind,
    severity: Severity | 'off',
    pointer: string,
    detail: string,
    remarks?: Remarks,
  ): void {
    const { ruleset, rules } = this.#settings
    const judged = this.known.complete || ruleset === 'strict' || severity === 'off'
    const own = rules[rule.id] ?? rules[rule.code] ?? (judged ? severity : 'warning')
    this.#findings.add(rule, own, pointer, `${detail}${this.#doubt}`, remarks)
  }

  /** Reports unknown members of the objects that profiles add. */
  judgeProfileMembers(): void {
    for (const { object, names } of this.known.objects) {
      const free = new Set([...names].filter((name) => !Object.hasOwn(object.value, name)))
      for (const name of Object.keys(object.value)) {
        if (names.has(name) || isExtension(name)) continue
        const pointer = `${object.pointer}/${escapeToken(name)}`
        const meant = name.length > 40 ? undefined : suggest(snakeCase(name), [...free])
        if (meant !== undefined) free.delete(meant)
        const fix = meant && (() => renameMember(this.#agent.document, pointer, meant))
        this.judge(pointer, name, 'other', { atName: true, ...(fix && { fix }) })
      }
    }
  }
}
