/** `unknown`: the document alone does not show it. */
export type DemandOutcome = 'met' | 'unmet' | 'unknown'

/** What a level of conformance demands, and whether the document meets it. */
export interface Demand {
  readonly level: number
  readonly title: string
  readonly outcome: DemandOutcome
  /** The reason in one line. */
  readonly detail: string
}

/** The level of conformance that a document shows. */
export interface Conformance {
  /** `ADP-1`. */
  readonly specification: string
  /** The highest level whose demands, and those of all levels below, are met. 0 when a demand of level 1 is not met. */
  readonly level: number
  readonly demands: readonly Demand[]
}

export function conformance(specification: string, demands: readonly Demand[]): Conformance {
  const most = Math.max(...demands.map(({ level }) => level))
  const lacking = demands.filter(({ outcome }) => outcome !== 'met').map(({ level }) => level)
  return { specification, level: Math.min(most, ...lacking.map((level) => level - 1)), demands }
}
