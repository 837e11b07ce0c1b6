import { MOST_FILES } from '../../bindings/agentlang/files.ts'
import { mayBelong } from '../../bindings/agentlang/folder.ts'
import type { Files } from '../../bindings/document/types.ts'
import type { Host } from '../host.ts'
import { Unreadable } from '../outcome.ts'
import { type Bytes, cannotRead } from '../reader.ts'
import { filesIn, filesOfFolder } from './glob.ts'

const NO_BYTES = new Uint8Array(0)

/** The files of an agent's folder by their paths. Those that can't belong to the agent are not read, only named. */
export async function readFolder(
  folder: string,
  host: Pick<Host, 'cwd' | 'list' | 'isWithin'>,
  read: (name: string) => Promise<Bytes & { readonly bytes: Uint8Array }>,
): Promise<Files> {
  const files = new Map<string, Uint8Array>()
  for await (const { name, problem } of filesOfFolder(folder, () => true, filesIn(host))) {
    // One more than the agent may have, which its rules report.
    if (files.size > MOST_FILES) break
    if (problem !== undefined) throw new Unreadable({ file: name, diagnostics: [cannotRead(name, problem)] })
    const path = folder === '.' ? name : name.slice(folder.length + 1)
    files.set(path, mayBelong(path) ? (await read(name)).bytes : NO_BYTES)
  }
  return files
}
