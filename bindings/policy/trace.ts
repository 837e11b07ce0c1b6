import type { PermissionRequest } from './request.ts'

/** One check that was made for a decision. */
export interface DecisionStep {
  readonly outcome: 'passed' | 'failed'
  /** The section that requires the check: `ADL 9.2`. */
  readonly section: string
  /** The result of this step, in one sentence. */
  readonly detail: string
  /** The value in the document that was compared; absent if the document has none. */
  readonly pointer?: string
}

/**
 * A duty of the caller, without which a decision does not hold:
 * - `check-address`: ask again with the address that the name resolved to, before connecting.
 * - `resolve-command`: the program was granted by its name; run it only if that name resolves to the requested path.
 *   For a shell line that can hide a denied program (`$(...)`, `eval`): run it only if a person read it.
 * - `resolve-short-names`: ask with the long form of a path that may contain 8.3 names.
 */
export type Obligation = 'check-address' | 'resolve-command' | 'resolve-short-names'

/** What a step is about: a domain of permissions, or a question that several of them have. */
export type Topic = PermissionRequest['domain'] | 'permissions' | 'cost' | 'classification' | 'confirmation'

/** The sections of a specification that require the steps. */
export type Sections = Readonly<Record<Topic, string>>

/** The reason that a document permits nothing, regardless of its permissions. */
export interface Refusal {
  readonly section: string
  readonly detail: string
  readonly pointer: string
}

/** Records the steps of a decision. `allows` passes no trace, so every call uses `?.`. */
export class Trace {
  readonly #sections: Sections
  readonly steps: DecisionStep[] = []
  readonly obligations: Obligation[] = []
  reason = ''
  decidedBy: string | undefined

  constructor(sections: Sections) {
    this.#sections = sections
  }

  /** Records a check that denies nothing. */
  passed(topic: Topic, detail: string, pointer?: string): void {
    this.#add('passed', this.#sections[topic], detail, pointer)
  }

  /** Records a grant, which decides unless something else denies the request. */
  granted(topic: Topic, detail: string, pointer: string): void {
    this.passed(topic, detail, pointer)
    this.reason = detail
    this.decidedBy = pointer
  }

  /** Records the final denial. */
  denied(topic: Topic, detail: string, pointer?: string): void {
    this.refused({ section: this.#sections[topic], detail, pointer })
  }

  /** Records a denial that does not depend on the permissions. */
  refused({ section, detail, pointer }: Omit<Refusal, 'pointer'> & { readonly pointer: string | undefined }): void {
    this.#add('failed', section, detail, pointer)
    this.reason = detail
    this.decidedBy = pointer
  }

  oblige(obligation: Obligation): void {
    this.obligations.push(obligation)
  }

  #add(outcome: DecisionStep['outcome'], section: string, detail: string, pointer: string | undefined): void {
    this.steps.push({ outcome, section, detail, ...(pointer !== undefined && { pointer }) })
  }
}
