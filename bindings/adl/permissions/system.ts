/** What the system on which the agent runs makes of names. */
export interface System {
  /** Paths and programs as Windows has them. */
  readonly windows: boolean
  /** Paths, variables and commands that differ only in the case of letters are the same. */
  readonly ignoreCase: boolean
}
