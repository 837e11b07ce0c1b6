export interface Certificate {
  readonly key: string
  readonly cert: string
}

interface Issued {
  /** The issuer that signs it; self-signed when absent. */
  readonly issuer?: Certificate
  /** Whether it may sign other certificates; by default, self-signed ones may. */
  readonly isAuthority?: boolean
}

export function certificateFor(names: readonly string[], issued?: Issued): Certificate
