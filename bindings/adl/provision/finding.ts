/** Something that the gate found: a reason to refuse, or what the host has to do. */
export interface ProvisionFinding {
  /** Stable: `retired`. docs/adl.md lists them. */
  readonly id: string
  /** The section that asks for it. */
  readonly section: string
  /** The value in the document that it is about. */
  readonly pointer: string
  readonly detail: string
  /** The name to pass in `acknowledged` to go on all the same; absent where nobody may. */
  readonly acknowledge?: string
}
