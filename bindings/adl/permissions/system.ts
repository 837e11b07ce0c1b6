/** The way in which the system that runs the agent compares names. */
export interface System {
  /** Paths and programs as Windows has them. */
  readonly windows: boolean
  /** Paths, variables and commands that differ only in the case of letters are the same. */
  readonly ignoreCase: boolean
}
