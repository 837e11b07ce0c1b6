// Reads the agent of a dropped folder or container for the editor. Loaded when the first one is dropped.
import type { Document } from '../../bindings/document/parse.ts'
import { judge, readSource } from '../agent/room.ts'
import { filesOf } from '../files.ts'
import type { DroppedContent } from '../rooms.ts'
import { decodeText } from './intake.ts'

/** The document of an agent.yaml, with the other files of its folder or container. */
export interface AgentFolder {
  readonly document: Document
  /** The paths of files that are encrypted. */
  readonly encrypted: readonly string[]
}

/** Returns the reason where it is not an agent. */
export async function readFolder(
  dropped: DroppedContent,
): Promise<{ readonly text: string; readonly folder: AgentFolder } | string> {
  try {
    const source = await readSource((await filesOf(dropped)).files)
    if (typeof source === 'string') return source
    const { agent, files, container } = await judge(source, {})
    if (agent === undefined) return 'The agent cannot be read. Open it under Agent to see why.'
    const text = decodeText(new Uint8Array(files.get('agent.yaml')!))
    return { text, folder: { document: agent.document, encrypted: container?.encrypted ?? [] } }
  } catch {
    return 'A file cannot be read: it was deleted, or this browser does not allow it.'
  }
}
