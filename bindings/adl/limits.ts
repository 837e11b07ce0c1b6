/** The limits that ADL section 18.5 recommends. Documents that exceed them are refused. */
export interface Limits {
  /** Bytes of the document: 1 MiB. */
  readonly documentBytes: number
  /** Nesting depth of containers: 32. */
  readonly depth: number
  /** Entries of each of `tools`, `resources` and `prompts`: 1000. */
  readonly entries: number
  /** UTF-8 bytes of a system prompt, a template or a description: 1 MiB. */
  readonly textBytes: number
  /** Entries of an array of permission patterns: 500. */
  readonly patterns: number
}

export const LIMITS: Limits = {
  documentBytes: 1 << 20,
  depth: 32,
  entries: 1000,
  textBytes: 1 << 20,
  patterns: 500,
}

/** The recommended limits, except those that the caller sets. */
export function limitsOf(own: Partial<Limits> | undefined): Limits {
  if (own === undefined) return LIMITS
  const limits: { -readonly [Name in keyof Limits]: number } = { ...LIMITS }
  for (const name of Object.keys(own) as (keyof Limits)[]) {
    const value = own[name]
    if (value === undefined) continue
    if (!Object.hasOwn(LIMITS, name)) {
      throw new RangeError(`limits: expected ${Object.keys(LIMITS).join(', ')}, got ${JSON.stringify(name)}`)
    }
    if (!Number.isInteger(value) || value < 0 || value > 0xffffffff) {
      throw new RangeError(`limits.${name}: expected an integer from 0 to 4294967295, got ${String(value)}`)
    }
    limits[name] = value
  }
  return limits
}
