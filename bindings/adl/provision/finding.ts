/** A result of the check: a reason to refuse, or a duty of the host. */
export interface ProvisionFinding {
  /** Stable: `retired`. docs/guide/adl.md lists them. */
  readonly id: string
  /** The section that requires it. */
  readonly section: string
  /** The value in the document that it is about. */
  readonly pointer: string
  readonly detail: string
  /** The name to pass in `acknowledged` to accept the finding; absent if it cannot be accepted. */
  readonly acknowledge?: string
}
