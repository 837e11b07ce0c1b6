/** `limited`: features that need it are refused or skipped here. `problem`: something is wrong. */
export interface Check {
  /** Stable: `signature-Ed448`. */
  readonly name: string
  readonly title: string
  readonly outcome: 'ok' | 'limited' | 'problem'
  readonly detail: string
  /** What to do about it. */
  readonly hint?: string
}
