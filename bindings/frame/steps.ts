import { diagnose, diagnoseNowhere } from '../document/diagnose.ts'
import type { FindingKind } from '../document/finding.ts'
import type { Document } from '../document/parse.ts'
import type { Diagnostic, Fix } from '../document/types.ts'
import { CHECKED_KINDS, type Kind, rowOf } from '../kinds.ts'
import { oneOf } from '../text/words.ts'
import * as FINDINGS from './findings.ts'
import type { OpenResult } from './open.ts'
import type { Expectation, Proof, Step, StepOutcome, Verdict } from './source.ts'
import { findingAt } from './subject.ts'

/** Every step that a verification can take: its title and the section that requires it. */
export type StepTable<Name extends string> = Readonly<Record<Name, readonly [title: string, spec: string]>>

interface Remark {
  readonly rule: FindingKind
  readonly pointer: string
  /** The remedy, if there is one. */
  readonly fix?: Fix
}

/**
 * Collects the steps of one verification: of a document, or of something that has only a name, such as a domain. Each
 * step returns undefined, so that a check can end with it.
 */
export class Steps<Name extends string> {
  readonly #about: Document | string
  readonly #table: StepTable<Name>
  readonly #steps: Step[] = []
  readonly #onStep: ((step: Step) => void) | undefined
  #conclusions: Pick<Proof, 'shows' | 'doesNotShow'> = {}

  constructor(about: Document | string, table: StepTable<Name>, onStep?: (step: Step) => void) {
    this.#about = about
    this.#table = table
    this.#onStep = onStep
  }

  passed(name: Name, detail: string, data?: Step['data']): undefined {
    this.#add(name, 'passed', detail, undefined, data)
  }

  skipped(name: Name, detail: string): undefined {
    this.#add(name, 'skipped', detail)
  }

  /** Adds a step whose finding is a warning; it does not change the verdict. */
  warning(name: Name, detail: string, remark?: Remark, data?: Step['data']): undefined {
    this.#add(name, 'warning', detail, remark, data)
  }

  /** Adds a step for an existing finding: by default a warning, which does not change the verdict. */
  addFinding(name: Name, diagnostic: Diagnostic, outcome: 'warning' | 'unknown' | 'failed' = 'warning'): void {
    const [title, spec] = this.#table[name]
    this.#take({ name, title, outcome, detail: diagnostic.detail, spec, diagnostic })
  }

  /** Adds a failure, which makes the verdict `failed`. */
  failed(name: Name, detail: string, remark: Remark, data?: Step['data']): undefined {
    this.#add(name, 'failed', detail, remark, data)
  }

  /** Adds an open question, which makes the verdict `unverifiable` at best. */
  unknown(name: Name, detail: string, remark: Remark, data?: Step['data']): undefined {
    this.#add(name, 'unknown', detail, remark, data)
  }

  /** Adds an open question that follows from another step; that step has the finding. */
  open(name: Name, detail: string): undefined {
    this.#add(name, 'unknown', detail)
  }

  /** States what follows from the steps, and what does not. */
  conclude(conclusions: Pick<Proof, 'shows' | 'doesNotShow'>): void {
    this.#conclusions = conclusions
  }

  /** One failure makes the verdict `failed`, one open question `unverifiable`. */
  proof(): Proof {
    const has = (outcome: StepOutcome) => this.#steps.some((step) => step.outcome === outcome)
    const verdict: Verdict = has('failed') ? 'failed' : has('unknown') ? 'unverifiable' : 'verified'
    return { verdict, steps: this.#steps, ...this.#conclusions }
  }

  #add(name: Name, outcome: StepOutcome, detail: string, remark?: Remark, data?: Step['data']): void {
    const [title, spec] = this.#table[name]
    const diagnostic = remark && diagnosticOf(this.#about, remark, detail)
    this.#take({
      name,
      title,
      outcome,
      detail,
      spec,
      ...(diagnostic !== undefined && { diagnostic }),
      ...(data !== undefined && { data }),
    })
  }

  #take(step: Step): void {
    this.#steps.push(step)
    this.#onStep?.(step)
  }
}

function diagnosticOf(about: Document | string, { rule, pointer, fix }: Remark, detail: string): Diagnostic {
  if (typeof about !== 'string') return findingAt(about, rule, pointer, detail, fix && { fix })
  return diagnoseNowhere(rule, { detail, fix }, about)
}

/** The proof for a document that could not be read. */
export function unreadable(diagnostics: readonly Diagnostic[], [title, spec]: StepTable<string>[string]): Proof {
  const diagnostic = diagnostics.find(({ severity }) => severity === 'error')!
  const step: Step = { name: 'document', title, outcome: 'failed', detail: diagnostic.detail, spec, diagnostic }
  return { verdict: 'failed', steps: [step] }
}

const READ: StepTable<string>[string] = ['The document can be read', 'docs/reference/diagnostics.md']
const SIGNED: StepTable<string>[string] = ['The document carries a signature', 'docs/reference/diagnostics.md']

/** The proof for a document in which no signature can be checked: `unverifiable` if it was read, else `failed`. */
export function unjudgedProof(document: Document | undefined, diagnostics: readonly Diagnostic[]): Proof {
  if (document === undefined) return unreadable(diagnostics, READ)
  const steps = new Steps(document, { document: READ, signature: SIGNED })
  for (const diagnostic of diagnostics) {
    if (diagnostic.severity === 'error') steps.addFinding('signature', diagnostic, 'unknown')
    else steps.addFinding('document', diagnostic)
  }
  return steps.proof()
}

const EXPECTED = { name: 'expected', title: 'What the caller expects', spec: 'docs/guide/runs.md' } as const

/** A proof of a kind that cannot show what the caller expects: it is `unverifiable` at best. */
export function withOpenExpectations(proof: Proof, expect: Expectation = {}): Proof {
  const open = Object.entries(expect).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (open.length === 0) return proof
  const step: Step = { ...EXPECTED, outcome: 'unknown', detail: `nothing in it shows the ${open.join(' and the ')}` }
  const verdict = proof.verdict === 'failed' ? 'failed' : 'unverifiable'
  return { ...proof, verdict, steps: [...proof.steps, step], shows: [] }
}

// Findings for documents that a verb cannot process.

/** The findings when a document has no rules to be checked against. */
export function refuseCheck(opened: OpenResult): readonly Diagnostic[] {
  if (opened.kind !== undefined)
    return refusal(opened, FINDINGS.KIND_UNSUPPORTED, `${rowOf(opened.kind).plural} cannot be checked yet`)
  const hint = `name its kind with --as: ${oneOf(CHECKED_KINDS)}`
  return refusal(opened, FINDINGS.KIND_UNDETECTED, 'its members do not show its kind', { hint })
}

/** The findings when a document of a kind without signatures should be signed or verified. */
export function refuseSignature(opened: OpenResult): readonly Diagnostic[] {
  return refusal(opened, FINDINGS.KIND_UNSIGNED, `${rowOf(opened.kind!).plural} carry no signature of their own`)
}

/** The findings when a verb is for documents of other kinds. */
export function refuseOther(opened: OpenResult, kinds: readonly Kind[]): readonly Diagnostic[] {
  const wanted = oneOf(kinds.map((kind) => rowOf(kind).plural))
  return refusal(opened, FINDINGS.KIND_OTHER, `this is for ${wanted}, not for ${rowOf(opened.kind!).plural}`)
}

function refusal(
  { document, diagnostics }: OpenResult,
  finding: FindingKind,
  detail: string,
  fix?: Fix,
): readonly Diagnostic[] {
  if (document === undefined) return diagnostics
  const { offset, endOffset } = document.source('')
  const place = { pointer: '', offset, endOffset, detail, fix }
  return [...diagnostics, diagnose(document.lines, finding, place, document.file)]
}
