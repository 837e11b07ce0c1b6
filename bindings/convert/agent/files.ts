import { AGENT_FILE, type Agent, folderOf, LOCK_FILE } from '../../agentlang/folder.ts'
import type { Ledger } from '../ledger.ts'

/** Reports the other files of an agent, which the result does not have. */
export function dropFiles(agent: Agent, ledger: Ledger, why: string, used: readonly string[] = []): void {
  const folder = folderOf(agent)
  if (folder === undefined) return
  const lock = folder.lock === undefined ? [] : [LOCK_FILE]
  for (const path of [...folder.paths, ...lock]) if (path !== AGENT_FILE && !used.includes(path)) ledger.file(path, why)
}
