// The objects with streams of runs: one for each run, and one for each tenant, with the tree of its runs.
import type { Page } from '../http/query.ts'
import type { ObjectAnswer } from '../http/relay.ts'

/** A line of a tree. Its text is null once it was removed; its hash stays. */
export interface TreeLine {
  /** Counted from 1. */
  readonly seq: number
  readonly text: string | null
  readonly bytes: number
}

/** The head of a tree, and the hashes of a proof about it. */
export interface TreeProof {
  readonly size: number
  readonly root: Uint8Array
  readonly hashes: readonly Uint8Array[]
}

/** What to prove: that a line is in the tree, or that the tree grew from a size. */
export type Proven = { readonly index?: number; readonly from?: number }

export interface TreeObject {
  /** A page of lines that ends before 4 MiB. */
  lines(page: Page): Promise<readonly TreeLine[]>
  /** Undefined for what the tree does not have. */
  prove(what: Proven): Promise<TreeProof | undefined>
}

/** Whether a run belongs to a certificate of a trusted authority. */
export type Linkage = 'verified' | 'failed' | 'unverifiable'

/** A run as its tenant lists it. */
export interface RunRow {
  readonly seq: number
  readonly id: string
  readonly agent: string
  /** JSON. */
  readonly labels: string
  /** Milliseconds since 1970; null if the run names no time. */
  readonly started: number | null
  readonly status: string
  /** Null until the run is complete. */
  readonly size: number | null
  /** Null when the server did not judge it. */
  readonly linkage: Linkage | null
  readonly bytes: number
}

export type NewRun = Pick<RunRow, 'id' | 'agent' | 'labels' | 'started' | 'linkage'>
export type EndOfRun = Pick<RunRow, 'id' | 'status'> & { readonly size: number; readonly root: string }
export type RunFilter = Partial<Record<'agent' | 'status' | 'label' | 'since' | 'until' | 'linkage', string | number>>

/** The tenant is the holder of the tokens that write the run. */
export interface RunObject extends TreeObject {
  /** Adds lines after the first `at`, unless they are there already; returns the size. Only `isNew` begins a run. */
  append(run: { tenant: string; id: string; isNew?: true }, at: number, body: Uint8Array): Promise<ObjectAnswer<number>>
  /** The steps that have ended, by their index: `seq` is the index plus one. */
  steps(page: Page): Promise<readonly TreeLine[]>
}

export interface TenantObject extends TreeObject {
  /** Returns false when the tenant has too many runs. */
  open(run: NewRun): Promise<boolean>
  close(run: EndOfRun): Promise<void>
  /** Undefined for an unknown run. */
  run(id: string): Promise<RunRow | undefined>
  runs(filter: RunFilter, page: Page): Promise<readonly RunRow[]>
}
