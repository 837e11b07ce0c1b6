// ADL 0.1 in the frame.

import { type FindingKind, namesOf } from '../document/finding.ts'
import type { Findings } from '../frame/check.ts'
import { type Listener, shapeRules, type Words } from '../frame/explain.ts'
import { shapeOnce } from '../frame/shape.ts'
import type { Specification } from '../frame/specification.ts'
import { type Remarks, type Rule, severityOf } from '../frame/subject.ts'
import { isSemver } from '../schema/formats.ts'
import { textMember } from '../text/members.ts'
import { snakeCase } from '../text/words.ts'
import * as FINDINGS from './findings.ts'
import { checkSize, limitsOf } from './limits.ts'
import { type CheckOptions, type Settings, settingsOf } from './options.ts'
import { checkProfiles } from './profiles/check.ts'
import { createProfiles, PROFILE_RULES, Profiles } from './profiles/registry.ts'
import { attestationExpiry, successorMissing, successorTooEarly, sunsetPast, sunsetSoon } from './rules/dates.ts'
import {
  emptyPermissions,
  license,
  mediaTypes,
  placeholder,
  schemaMember,
  specVersion,
  tags,
  thinDescription,
  uniquePrompts,
  uniqueResources,
  uniqueTools,
} from './rules/document.ts'
import {
  adlUrns,
  didSyntax,
  digestFields,
  floatSigned,
  identityKey,
  keyAlgorithm,
  keyEncoding,
  signatureValues,
  uriSchemes,
  urnPrimary,
  weakKey,
} from './rules/identifiers.ts'
import {
  allowShell,
  bareWildcard,
  commandPatterns,
  hostPatterns,
  midWildcard,
  pathPatterns,
  patternCharacters,
  shellCommand,
  unmatchedPath,
  variablePatterns,
} from './rules/permissions.ts'
import { highWaterMark, personalContact, privateHosts, retention, secrets } from './rules/privacy.ts'
import { jsonSchemas, schemaReferences, toolExamples } from './rules/schemas.ts'
import { promptArgument, templateSyntax, templateUndefined, unusedVariable } from './rules/templates.ts'
import schema from './schema.json' with { type: 'json' }
import { ADL_READING, type Agent, isExtension } from './subject.ts'
import { MemberJudge } from './undefined-members.ts'
import { isSupportedVersion } from './version.ts'

export const documentShape = shapeOnce(schema)

const WORDS: Words = {
  name: 'ADL',
  rules: shapeRules([
    FINDINGS.VAL_01,
    FINDINGS.VAL_05,
    FINDINGS.VAL_06,
    FINDINGS.VAL_09,
    FINDINGS.VAL_10,
    FINDINGS.VAL_11,
    FINDINGS.VAL_12,
    FINDINGS.VAL_13,
    FINDINGS.VAL_14,
    FINDINGS.VAL_15,
    FINDINGS.VAL_16,
    FINDINGS.VAL_17,
    FINDINGS.VAL_18,
    FINDINGS.VAL_19,
    FINDINGS.VAL_20,
    FINDINGS.VAL_25,
    FINDINGS.VAL_26,
    FINDINGS.MISSING_MEMBER,
    FINDINGS.MEMBER_TYPE,
    FINDINGS.ENUM_VALUE,
    FINDINGS.VALUE_PATTERN,
    FINDINGS.NUMBER_RANGE,
    FINDINGS.EMPTY_VALUE,
  ]),
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
    return { hint: `did you mean '${name}'? Whoever calls the tool must call it so, too` }
  },
}

/** All rules of ADL except those that the schema and the profiles check. */
const RULES: readonly Rule<Agent>[] = [
  specVersion,
  uniqueTools,
  uniqueResources,
  uniquePrompts,
  jsonSchemas,
  schemaReferences,
  toolExamples,
  hostPatterns,
  pathPatterns,
  variablePatterns,
  commandPatterns,
  digestFields,
  signatureValues,
  retention,
  highWaterMark,
  weakKey,
  attestationExpiry,
  successorTooEarly,
  sunsetPast,
  bareWildcard,
  midWildcard,
  patternCharacters,
  mediaTypes,
  license,
  tags,
  schemaMember,
  thinDescription,
  secrets,
  privateHosts,
  uriSchemes,
  floatSigned,
  shellCommand,
  allowShell,
  personalContact,
  identityKey,
  successorMissing,
  sunsetSoon,
  adlUrns,
  urnPrimary,
  didSyntax,
  templateSyntax,
  templateUndefined,
  promptArgument,
  unusedVariable,
  keyEncoding,
  keyAlgorithm,
  unmatchedPath,
  emptyPermissions,
  placeholder,
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
