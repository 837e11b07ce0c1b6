import type { Document } from '../../document/document.ts'
import type { Proof, Step, StepOutcome, Verdict } from '../../document/proof.ts'
import { type RuleInfo, ruleDiagnostic } from '../../document/rule.ts'
import type { Diagnostic } from '../../document/types.ts'

/** Every step that verifying can take: its title and the section that asks for it. */
const STEPS = {
  document: ['The document can be read', 'ADL 4.1'],
  'canonical-form': ['Canonical form without the signature', 'ADL 10.3, RFC 8785'],
  algorithm: ['Algorithm', 'ADL 10.3'],
  digest: ['Digest', 'ADL 10.3'],
  key: ['Where the key comes from', 'ADL 10.3'],
  strength: ['Strength of the key', 'ADL 6.3'],
  signature: ['Signature', 'ADL 18.1'],
  issued: ['Date of issue', 'ADL 10.3'],
  expiry: ['Date of expiry', 'ADL 10.3'],
  attestation: ['Kind of attestation', 'ADL 10.3'],
  id: ['Identifier', 'ADL 17.3'],
  provider: ['Provider', 'ADL 18.11'],
  identity: ['What the key shows', 'ADL 18.11'],
} as const

export type StepName = keyof typeof STEPS

export interface Remark {
  readonly rule: RuleInfo
  readonly pointer: string
}

/** The steps of one verification, as they are taken. */
export class Steps {
  readonly #document: Document
  readonly #steps: Step[] = []

  constructor(document: Document) {
    this.#document = document
  }

  passed(name: StepName, detail: string, data?: Step['data']): void {
    this.#add(name, 'passed', detail, undefined, data)
  }

  skipped(name: StepName, detail: string): void {
    this.#add(name, 'skipped', detail)
  }

  /** With a finding that is a warning whatever the verdict. */
  warning(name: StepName, detail: string, remark?: Remark, data?: Step['data']): void {
    this.#add(name, 'warning', detail, remark, data)
  }

  /** What keeps the verdict from being `verified`. */
  failed(name: StepName, detail: string, remark: Remark, data?: Step['data']): void {
    this.#add(name, 'failed', detail, remark, data)
  }

  /** What cannot be found out: it too keeps the verdict from being `verified`. */
  unknown(name: StepName, detail: string, remark: Remark, data?: Step['data']): void {
    this.#add(name, 'unknown', detail, remark, data)
  }

  /** One failure fails, one open question leaves the verdict open. */
  proof(): Proof {
    const has = (outcome: StepOutcome) => this.#steps.some((step) => step.outcome === outcome)
    const verdict: Verdict = has('failed') ? 'failed' : has('unknown') ? 'unverifiable' : 'verified'
    return { verdict, steps: this.#steps }
  }

  #add(name: StepName, outcome: StepOutcome, detail: string, remark?: Remark, data?: Step['data']): void {
    const [title, spec] = STEPS[name]
    const diagnostic =
      remark && ruleDiagnostic(this.#document, remark.rule, remark.rule.severity, remark.pointer, detail)
    this.#steps.push({
      name,
      title,
      outcome,
      detail,
      spec,
      ...(diagnostic !== undefined && { diagnostic }),
      ...(data !== undefined && { data }),
    })
  }
}

/** The proof of a document that cannot even be read. */
export function unreadable(diagnostics: readonly Diagnostic[]): Proof {
  const [title, spec] = STEPS.document
  const diagnostic = diagnostics.find(({ severity }) => severity === 'error')!
  const step: Step = { name: 'document', title, outcome: 'failed', detail: diagnostic.detail, spec, diagnostic }
  return { verdict: 'failed', steps: [step] }
}
