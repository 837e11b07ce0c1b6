import { ruleDiagnostic } from '../bindings/frame/subject.ts'
import { isObject } from '../bindings/text/members.ts'
import type { Result } from './command.ts'
import type { ReadResult } from './reader.ts'

/** The finding for a settings file whose root is not an object, which no question can be asked of; undefined for others. */
export async function refusedSettings({
  file,
  document,
}: Pick<ReadResult, 'file' | 'document'>): Promise<Result | undefined> {
  if (document === undefined || isObject(document.value)) return undefined
  const { SETTINGS_READING } = await import('../bindings/claude-settings/subject.ts')
  const finding = ruleDiagnostic(document, SETTINGS_READING.rootObject, 'error', '', 'Expected a JSON object')
  return { file, kind: 'claude-settings', valid: false, diagnostics: [finding] }
}
