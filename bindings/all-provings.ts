// Written by scripts/specifications.mjs from bindings/specifications.ts; do not edit.
import type { Proving } from './frame/signing.ts'
import type { Kind } from './kinds.ts'

export const PROVED: Readonly<Partial<Record<Kind, () => Promise<Proving>>>> = {
  "run": async () => (await import('./runs/proving.ts')).RUN_PROVING,
  "stream": async () => (await import('./runs/proving.ts')).STREAM_PROVING,
  "trace": async () => (await import('./discover/trace/verbs.ts')).TRACE_PROVING,
}
