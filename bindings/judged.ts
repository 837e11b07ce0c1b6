import type { Verifying } from './frame/signing.ts'
import type { Kind } from './kinds.ts'

/**
 * What carries no signature of its own, and can be verified all the same, by what it is made of. Loaded when somebody has one:
 * it takes all that discovers. A file of its own, for a bundle keeps what is loaded on demand wherever that stands.
 */
export const JUDGED: Readonly<Partial<Record<Kind, () => Promise<Verifying>>>> = {
  trace: async () => (await import('./discover/trace/verify.ts')).TRACE_VERIFYING,
}
