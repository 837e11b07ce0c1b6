// The objects with streams of runs: one for each run, and one for each tenant, with the tree of its runs.
import type { Page } from '../http/query.ts'
import type { ObjectAnswer } from '../http/relay.ts'

/** A line of a tree: its number from 1, and its text, which is null once it was removed. */
export type TreeLine = { readonly seq: number; readonly text: string | null; readonly bytes: number }

/** What to prove: that a line is in the tree, or that the tree grew from a size. */
export type Proven = { readonly index?: number; readonly from?: number }

export interface TreeProof {
  readonly size: number
  readonly root: Uint8Array
  readonly hashes: readonly Uint8Array[]
}

export interface TreeObject {
  /** A page of lines that ends before 4 MiB. */
  lines(page: Page): Promise<readonly TreeLine[]>
  /** Undefined for what the tree does not have. */
  prove(what: Proven): Promise<TreeProof | undefined>
}

/** The members by which runs are listed; `labels` is JSON. */
export interface NewRun {
  readonly run_id: string
  readonly agent_id: string
  readonly labels: string
  readonly started_at: string
  /** The verdict of `link`; null when this server does not judge it. */
  readonly linkage: string | null
}

/** A run as it is listed. Its size is null until it is complete. */
export type RunRow = NewRun & { seq: number; status: string; size: number | null; bytes: number }

/** Tenants are the holders of tokens. */
export type RunPlace = { readonly tenant: string; readonly id: string; readonly isNew?: true }

export interface RunObject extends TreeObject {
  /** Adds lines after the first `at`, unless they are there already; returns the size. Only `isNew` begins a run. */
  append(place: RunPlace, at: number, body: Uint8Array): Promise<ObjectAnswer<number>>
  /** The steps that have ended, by their index: `seq` is the index plus one. */
  steps(page: Page): Promise<readonly TreeLine[]>
}

/** A span of a trace that may go on. */
export type CollectedSpan = { readonly trace: string; readonly isRoot: boolean; readonly text: string }

export type WaitingSpan = { readonly seq: number; readonly text: string; readonly bytes: number }

export interface TenantObject extends TreeObject {
  /** Returns false when the tenant has too many runs. */
  open(run: NewRun): Promise<boolean>
  close(id: string, status: string, size: number, root: string): Promise<void>
  run(id: string): Promise<RunRow | undefined>
  /** @param filter values by the names in `RUN_FILTER`. */
  runs(filter: readonly (readonly [name: string, value: string])[], page: Page): Promise<readonly RunRow[]>
  /** Keeps spans; returns the traces whose roots are among them. */
  collect(spans: readonly CollectedSpan[]): Promise<readonly string[]>
  /** A page of the spans of a trace, the earliest first. */
  waiting(trace: string, page: Page): Promise<readonly WaitingSpan[]>
  forget(trace: string): Promise<void>
}
