export interface Certificate {
  readonly key: string
  readonly cert: string
}

interface Issued {
  /** Who signs it: itself when absent. */
  readonly issuer?: Certificate
  /** It may sign others: so may one that signs itself, when absent. */
  readonly isAuthority?: boolean
}

export function certificateFor(names: readonly string[], issued?: Issued): Certificate
