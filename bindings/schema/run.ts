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

/** How many schemas may be applied within each other: what recursion costs of the stack, a third of it in Node. */
export const MOST_DEPTH = 512

/** Thrown where checking ends before its end. */
export class Halt {
  readonly limit: 'errors' | 'steps' | 'depth'

  constructor(limit: Halt['limit']) {
    this.limit = limit
  }
}

/** One validation: what it may still cost, and what it found. */
export class Run {
  steps: number
  depth = 0
  /** The last place that was looked at. */
  near: Place = ROOT
  /** The resources that were entered, outermost first: the dynamic scope. */
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

  /** Notes what was found; false, as the answer of the check that found it. */
  fail(at: Place, source: Source, params: Readonly<Record<string, unknown>>): false {
    this.findings.push({ at, source, params })
    if (this.findings.length >= this.#maxErrors) throw new Halt('errors')
    return false
  }

  /** What a check finds, apart from all else. */
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

  /** Goes into a resource; gives the one to come back to, nothing when it is the same. */
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

  /** Pays for work beyond the application of a schema. */
  spend(steps: number): void {
    this.steps -= steps
    if (this.steps < 0) throw new Halt('steps')
  }
}
