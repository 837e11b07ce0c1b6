import { readAs } from '../bindings/frame/as.ts'
import type { Result } from './command.ts'
import type { ReadResult } from './reader.ts'

/** The finding for a settings file whose root is not an object, which no question can be asked of; undefined for others. */
export async function refusedSettings({
  file,
  document,
}: Pick<ReadResult, 'file' | 'document'>): Promise<Result | undefined> {
  if (document === undefined) return undefined
  const { SETTINGS_READING } = await import('../bindings/claude-settings/subject.ts')
  const { subject, diagnostics } = readAs(SETTINGS_READING, document)
  return subject === undefined ? { file, kind: 'claude-settings', valid: false, diagnostics } : undefined
}
