/** How the system that runs the agent compares names. */
export interface System {
  /** Paths and programs have the Windows form. */
  readonly windows: boolean
  /** Paths, variables and commands that differ only in case are equal. */
  readonly ignoreCase: boolean
}
