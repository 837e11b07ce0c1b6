// What a recorder is given.
import type { KeySource } from '../../keys/read.ts'
import { toHex } from '../../text/bytes.ts'
import type { JsonObject } from '../../text/members.ts'
import type { RedactionPolicy } from '../redaction.ts'
import type { RunSink } from './sink.ts'

export const ACTIONS = ['tool_call', 'message', 'plan_update', 'model_inference', 'other'] as const
export const OBSERVATIONS = ['tool_result', 'environment', 'user_input', 'error', 'none'] as const

/** What a run record says before its first step. */
export interface RunHead {
  /** A UUID. Default: random. */
  readonly run_id?: string
  readonly tenant_id: string
  readonly agent: JsonObject & { readonly agent_id: string }
  /** Default: a new trace. */
  readonly trace?: JsonObject
  readonly context?: JsonObject
}

/** A certificate of the agent in PEM or DER, and its issuers. */
export interface CertificateChain {
  readonly certificate: string | Uint8Array
  readonly chain?: readonly (string | Uint8Array)[]
}

export interface RecorderOptions extends Partial<CertificateChain> {
  readonly sink: RunSink
  /** Signs the checkpoints: an Ed25519 key, or the P-256 key of the certificate. */
  readonly signer?: KeySource
  /** The domain of the recorder, for the name of the checkpoints. */
  readonly domain?: string
  /** Gives the next certificate of the same key, a minute before the current one expires. */
  readonly renew?: () => Promise<CertificateChain>
  /** What to take out before anything is written. Default: texts that look like credentials. False: nothing. */
  readonly redact?: RedactionPolicy | false
  /** Values to commit to; they go to `openings` of the sink. */
  readonly commit?: readonly string[]
  /** A checkpoint after this many lines; default: 100. One at the end as well. */
  readonly checkpointEvery?: number
  /** Bytes that may wait for the sink; default: 8 MiB. What comes beyond is dropped and counted. */
  readonly bufferBytes?: number
  /** Milliseconds that an action waits for its intent to be safe; default: 5,000. */
  readonly patience?: number
  readonly clock?: () => Date
}

/** An action. An input that is not an object is wrapped as `{"value": ...}`. */
export interface ActionDraft {
  readonly type: (typeof ACTIONS)[number]
  readonly name?: string
  readonly input?: unknown
}

export interface ObservationDraft {
  readonly type: (typeof OBSERVATIONS)[number]
  readonly output?: unknown
  readonly error?: unknown
}

export interface StepDetails {
  readonly reflection?: { readonly thought?: string; readonly next_action_hint?: string; readonly uncertainty?: number }
  readonly metadata?: JsonObject
  /** The index of the step that this one belongs to. */
  readonly parent?: number | undefined
}

export interface RunEnd {
  /** The content of the final output: a text, or another value as JSON. */
  readonly output?: unknown
  readonly metadata?: JsonObject
}

export interface RecordedRun {
  readonly runId: string
  /** Lines that the sink has. */
  readonly size: number
  readonly dropped: number
}

export const randomHex = (bytes: number): string => toHex(crypto.getRandomValues(new Uint8Array(bytes)))
