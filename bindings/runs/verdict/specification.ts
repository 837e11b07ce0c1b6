import type { Document } from '../../document/parse.ts'
import type { Fix } from '../../document/types.ts'
import type { Findings } from '../../frame/collect.ts'
import { type Listener, shapeRules, type Words } from '../../frame/explain.ts'
import { type RuleSettings, ruleSettings } from '../../frame/rule-settings.ts'
import { hasShape, shapeOnce } from '../../frame/shape.ts'
import { type Conformance, conformance, type Demand, type DemandOutcome } from '../../frame/source.ts'
import type { Specification } from '../../frame/specification.ts'
import { objectAtRoot, rule, severityOf } from '../../frame/subject.ts'
import { isObject, isText, member, type PlacedObject } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import * as FINDINGS from './findings.ts'
import { ROOT_OBJECT } from './findings.ts'
import schema from './pvs-1.json' with { type: 'json' }

/** PVS-1 section 3. */
export const DECISIONS = ['allow', 'deny', 'escalate'] as const
export type Decision = (typeof DECISIONS)[number]

/** A policy verdict as rules read it: a document, or the part of a run record. */
export class Verdict {
  readonly document: Document
  readonly root: PlacedObject

  constructor(document: Document, root: PlacedObject) {
    this.document = document
    this.root = root
  }

  get(name: string): unknown {
    return member(this.root.value, name)
  }
}

// PVS-1 verdicts as a specification of the frame.

/** Below it, a verdict should be escalated. */
const LEAST_CONFIDENCE = 0.9

const WORDS: Words = {
  name: 'PVS-1',
  rules: shapeRules(FINDINGS.ALL),
  // Readers ignore members that they do not know.
  isExtension: () => false,
  adviseOn: () => ({ hint: 'members that are not known are ignored' }),
}

const shape = shapeOnce(schema)

const isDecided = (decision: unknown): decision is 'allow' | 'deny' => decision === 'allow' || decision === 'deny'

export const VERDICT: Specification<Verdict> = {
  kind: 'verdict',
  rootObject: ROOT_OBJECT,
  subject: (document) => new Verdict(document, objectAtRoot(document)),
  words: WORDS,
  settings: ruleSettings,
  gate,
  shapes: ({ root }) => [{ shape: shape(), value: root.value, pointer: root.pointer }],
  listener: listenerFor,
  rules: [
    rule(FINDINGS.VERDICT_CONSISTENCY, (verdict, report) => {
      const fault = contradictionIn(verdict.root.value)
      if (fault !== undefined) report(`${verdict.root.pointer}/${fault.name}`, fault.detail)
    }),
    rule(FINDINGS.VERDICT_CONFIDENCE, (verdict, report) => {
      const [score, decision] = [verdict.get('confidence_score'), verdict.get('decision')]
      if (typeof score === 'number' && score >= 0 && score < LEAST_CONFIDENCE && isDecided(decision))
        report(
          `${verdict.root.pointer}/confidence_score`,
          `Expected escalate for a confidence below ${LEAST_CONFIDENCE}, found ${decision}`,
        )
    }),
    rule(FINDINGS.VERDICT_REASONING, (verdict, report) => {
      const text = verdict.get('reasoning')
      if (isText(text) && text.trim() === '') report(`${verdict.root.pointer}/reasoning`, 'The reasoning is empty')
    }),
  ],
  names: FINDINGS.names,
  conformance: (verdict) => (gateFault(verdict) === undefined ? levelsOf(verdict) : undefined),
}

interface GateFault {
  readonly rule: typeof FINDINGS.VERDICT_VERSION
  readonly name: string
  readonly detail: string
  readonly fix?: Fix
}

/** Other rules do not apply to a verdict of another version, or of the first draft. */
function gateFault(verdict: Verdict): GateFault | undefined {
  const version = verdict.get('version')
  if (isText(version) && version !== 'pvs-1') {
    const detail = `Expected pvs-1, found ${quoted(version)}, whose rules Blazon does not know`
    return { rule: FINDINGS.VERDICT_VERSION, name: '/version', detail }
  }
  const decision = legacyDecision(verdict.root.value)
  if (decision === undefined) return undefined
  const detail = `Required member 'decision' is missing: ${decision} follows from the other members`
  return { rule: FINDINGS.VERDICT_LEGACY, name: '', detail, fix: fixLegacy(verdict, decision) }
}

function gate(verdict: Verdict, findings: Findings, { ruleset, rules }: RuleSettings): boolean {
  const fault = gateFault(verdict)
  if (fault === undefined) return true
  const { rule, name, detail, fix } = fault
  findings.add(rule, severityOf(rule, ruleset, rules), verdict.root.pointer + name, detail, fix && { fix })
  return false
}

/** The decision of a verdict that has none; undefined for all other verdicts. */
export function legacyDecision(verdict: object): 'allow' | 'deny' | 'escalate' | undefined {
  if (!isObject(verdict) || Object.hasOwn(verdict, 'decision')) return undefined
  const approved = member(verdict, 'approved')
  if (typeof approved !== 'boolean') return undefined
  if (approved) return 'allow'
  const violations = member(verdict, 'policy_violations')
  // The text does not say what a refusal without violations means, so a human decides.
  return Array.isArray(violations) && violations.length > 0 ? 'deny' : 'escalate'
}

function fixLegacy({ document, root }: Verdict, decision: string): Fix {
  const hint = `add "decision": "${decision}"`
  const { keyStart } = document.range(`${root.pointer}/approved`)!
  if (document.format !== 'json' || keyStart === undefined) return { hint }
  return { hint, edits: [{ offset: keyStart, endOffset: keyStart, text: `"decision": "${decision}", ` }] }
}

function listenerFor(verdict: Verdict, findings: Findings, { ruleset, rules }: RuleSettings): Partial<Listener> {
  return {
    fault(rule, pointer, detail, remarks) {
      const isRevise = rule === FINDINGS.ENUM_VALUE && verdict.get('decision') === 'revise'
      const named = isRevise ? FINDINGS.VERDICT_REVISE : rule
      findings.add(named, severityOf(named, ruleset, rules), pointer, detail, isRevise ? undefined : remarks)
    },
  }
}

/** Why a verdict says two things: only one that allows is approved, and it has no violations. */
export function contradictionIn(verdict: object): { readonly name: string; readonly detail: string } | undefined {
  const { decision, approved, policy_violations: violations } = verdict as Readonly<Record<string, unknown>>
  if (!isDecided(decision) && decision !== 'escalate') return undefined
  const isAllowed = decision === 'allow'
  if (typeof approved === 'boolean' && approved !== isAllowed)
    return { name: 'approved', detail: `Expected ${isAllowed} for the decision ${decision}, found ${approved}` }
  if (!isAllowed || !Array.isArray(violations) || violations.length === 0) return undefined
  return { name: 'policy_violations', detail: 'Expected an empty array for the decision allow' }
}

const isFilled = (text: unknown) => isText(text) && text.trim() !== ''

/** True when a verdict meets the schema and does not contradict itself. */
export const isConsistent = ({ root: { value } }: Verdict): boolean =>
  hasShape(shape(), value, WORDS.isExtension) && contradictionIn(value) === undefined

function levelsOf(verdict: Verdict): Conformance {
  const { value } = verdict.root
  const metadata = verdict.get('metadata')
  const own = isObject(metadata) ? metadata : undefined
  const demand = (level: number, title: string, outcome: DemandOutcome): Demand => ({
    level,
    title,
    outcome,
    detail: `the verdict ${{ met: 'has', unmet: 'lacks', unknown: 'does not show' }[outcome]} it`,
  })
  const has = (level: number, title: string, isMet: boolean) => demand(level, title, isMet ? 'met' : 'unmet')
  return conformance('PVS-1', [
    has(1, 'all members of the schema', hasShape(shape(), value, WORDS.isExtension)),
    has(1, 'decision, approval and violations agree', contradictionIn(value) === undefined),
    has(2, 'policy_set', Array.isArray(verdict.get('policy_set'))),
    has(2, 'metadata.engine', isFilled(member(own, 'engine'))),
    // Only a reader can judge what the text means.
    has(2, 'a reasoning', isFilled(verdict.get('reasoning'))),
    has(3, 'metadata.latency_ms', typeof member(own, 'latency_ms') === 'number'),
    demand(3, 'support of signatures', 'unknown'),
    demand(3, 'embedding in run records', 'unknown'),
  ])
}
