// The agents in containers, as sources of conversions.
import type { LossReport } from '../../bindings/convert/formats.ts'
import type { Document } from '../../bindings/document/parse.ts'
import type { Tools } from '../command.ts'
import { Unreadable } from '../outcome.ts'
import type { Readable } from '../reader.ts'
import { readAgent } from './agent.ts'
import { readAgentSecret } from './options.ts'

interface AgentSource {
  readonly document: Document
  /** The prompts that stay encrypted. */
  readonly loss: LossReport
}

/** Opens a container that nobody changed. Its prompts need the secret of --secret. */
export async function openAgent(read: Readable, secret: string | undefined, tools: Tools): Promise<AgentSource> {
  const { file, agent, container, diagnostics } = await readAgent(read, [], await readAgentSecret(secret, tools))
  if (agent === undefined) throw new Unreadable({ file, diagnostics })
  const lost = (path: string) => ({ file: path, outcome: 'dropped', detail: 'encrypted: --secret opens it' }) as const
  return { document: agent.document, loss: (container?.encrypted ?? []).map(lost) }
}
