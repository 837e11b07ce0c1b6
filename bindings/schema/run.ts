import { type Place, ROOT } from './place.ts'
import type { Resource } from './resource.ts'

/** A keyword at its place in a schema. */
export interface Source {
  readonly keyword: string
  readonly place: Place
  readonly document: string
}

export interface Finding {
  readonly at: Place
  readonly source: Source
  readonly params: Readonly<Record<string, unknown>>
}

/** The nesting limit of schemas applied within each other; reaching it takes a third of the stack in Node. */
export const MOST_DEPTH = 512

/** Thrown when checking stops early at a limit. */
export class Halt {
  readonly limit: 'errors' | 'steps' | 'depth'

  constructor(limit: Halt['limit']) {
    this.limit = limit
  }
}

/** One validation: its remaining budget and its findings. */
export class Run {
  steps: number
  depth = 0
  /** The place visited last. */
  near: Place = ROOT
  /** The entered resources, outermost first: the dynamic scope. */
  readonly scope: Resource[]
  #resource: Resource
  findings: Finding[] = []
  readonly #maxErrors: number

  constructor(resource: Resource, maxSteps: number, maxErrors: number) {
    this.scope = [resource]
    this.#resource = resource
    this.steps = maxSteps
    this.#maxErrors = maxErrors
  }

  /** Records a finding; returns false, so that a failed check can return the result. */
  fail(at: Place, source: Source, params: Readonly<Record<string, unknown>>): false {
    this.findings.push({ at, source, params })
    if (this.findings.length >= this.#maxErrors) throw new Halt('errors')
    return false
  }

  /** Runs a check and returns its findings without adding them to the others. */
  trial(check: () => boolean): readonly Finding[] {
    const { findings, depth } = this
    const entered = this.scope.length
    const resource = this.#resource
    this.findings = []
    try {
      check()
      return this.findings
    } catch (error) {
      if (!(error instanceof Halt && error.limit === 'errors')) throw error
      this.depth = depth
      this.scope.length = entered
      this.#resource = resource
      return this.findings
    } finally {
      this.findings = findings
    }
  }

  /** Enters a resource; returns the previous one, or undefined when it is the same. */
  enter(resource: Resource): Resource | undefined {
    const outer = this.#resource
    if (outer === resource) return undefined
    this.scope.push(resource)
    this.#resource = resource
    return outer
  }

  leave(outer: Resource): void {
    this.scope.pop()
    this.#resource = outer
  }

  /** Charges work beyond the application of a schema to the budget. */
  spend(steps: number): void {
    this.steps -= steps
    if (this.steps < 0) throw new Halt('steps')
  }
}
