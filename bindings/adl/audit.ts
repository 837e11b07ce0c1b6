import { toHex } from '../text/bytes.ts'
import { textMember } from '../text/members.ts'
import { sha256 } from '../wasm/sha256.ts'
import type { Agent } from './agent.ts'
import { classificationOf, isSensitive } from './classification.ts'

/**
 * Records that a prompt was rendered, for review after an incident (ADL 18.3). Logging the text is left to the caller.
 */
export interface AuditRecord {
  readonly event: 'prompt-rendered'
  /** RFC 3339, in UTC. */
  readonly time: string
  readonly agent: { readonly id?: string; readonly name?: string; readonly version?: string }
  /** The name of the prompt; null for the system prompt. */
  readonly prompt: string | null
  readonly sensitivity: 'confidential' | 'restricted'
  /** Names of the variables that the template uses. Their values are only in the text. */
  readonly variables: readonly string[]
  /** The size of the text in UTF-8, and its SHA-256 in hexadecimal. */
  readonly bytes: number
  readonly sha256: string
}

export interface Rendering {
  readonly prompt: string | undefined
  /** The place of the template. */
  readonly pointer: string
  readonly variables: readonly string[]
  readonly text: string
  readonly now: Date
}

/** The record, if the agent's sensitivity requires one. */
export function auditRecord(
  agent: Agent,
  { prompt, pointer, variables, text, now }: Rendering,
): AuditRecord | undefined {
  const sensitivity = textMember(classificationOf(agent.document, pointer), 'sensitivity')?.value
  if (!isSensitive(sensitivity)) return undefined
  const bytes = new TextEncoder().encode(text)
  const identity = (['id', 'name', 'version'] as const).flatMap((name) => {
    const found = textMember(agent.root, name)
    return found === undefined ? [] : [[name, found.value] as const]
  })
  return {
    event: 'prompt-rendered',
    time: now.toISOString(),
    agent: Object.fromEntries(identity),
    prompt: prompt ?? null,
    sensitivity,
    variables,
    bytes: bytes.length,
    sha256: toHex(sha256(bytes)),
  }
}
