import type { Document } from '../bindings/document/parse.ts'
import { ruleDiagnostic } from '../bindings/frame/subject.ts'
import type { Granting } from '../bindings/policy/matrix.ts'
import type { Places } from '../bindings/policy/path.ts'
import type { RunnerChange, SandboxGranting } from '../bindings/policy/sandbox.ts'
import { isObject } from '../bindings/text/members.ts'
import type { Result } from './command.ts'
import type { Host } from './host.ts'
import { projectFolder } from './inputs.ts'
import type { Readable, ReadResult, Requirements } from './reader.ts'

/** A runner whose settings say what an agent may do. */
export interface Runner {
  granting(document: Document, places: Places): Promise<Granting>
  diff(old: Document, now: Document, places: Places): Promise<readonly RunnerChange<string>[]>
}

/** Each module is loaded for its runner only. */
const RUNNERS: Readonly<Record<string, Runner>> = {
  'claude-settings': {
    granting: async (document, places) =>
      (await import('../bindings/claude-settings/granting.ts')).settingsGranting(document, places),
    diff: async (old, now) => (await import('../bindings/claude-settings/diff.ts')).diffSettings(old, now),
  },
  'codex-config': sandboxed(async () => (await import('../bindings/codex-config/sandbox.ts')).codexGranting),
  'sandbox-runtime': sandboxed(
    async () => (await import('../bindings/policy/sandbox-runtime.ts')).sandboxRuntimeGranting,
  ),
}

function sandboxed(load: () => Promise<(document: Document, places: Places) => SandboxGranting>): Runner {
  return {
    granting: async (document, places) => (await load())(document, places),
    diff: async (old, now, places) => {
      const granting = await load()
      const { diffSandboxes } = await import('../bindings/policy/sandbox.ts')
      return diffSandboxes(granting(old, places), granting(now, places))
    },
  }
}

/** Definitions, and settings of runners. */
export const GRANTING: Requirements = { only: ['adl', 'claude-settings', 'codex-config'], toml: 'codex-config' }

/** The runner of a settings file; undefined for a definition, and for an unknown document. */
export async function runnerOf({ kind, document }: Pick<ReadResult, 'kind' | 'document'>): Promise<Runner | undefined> {
  if (kind !== undefined || document === undefined) return RUNNERS[kind ?? '']
  const { isSandboxSettings } = await import('../bindings/policy/sandbox-runtime.ts')
  return isSandboxSettings(document) ? RUNNERS['sandbox-runtime'] : undefined
}

/** The folders that paths of settings begin at. */
export function placesOf(file: string, project: string | undefined, host: Host): Places {
  return { root: projectFolder(file, project, host), home: host.env['HOME'] ?? '/' }
}

/** The finding for a settings file whose root is not an object, which no question can be asked of; undefined for others. */
export async function refusedSettings({
  file,
  document,
}: Pick<Readable, 'file' | 'document'>): Promise<Result | undefined> {
  if (isObject(document.value)) return undefined
  const { SETTINGS_READING } = await import('../bindings/claude-settings/subject.ts')
  const finding = ruleDiagnostic(document, SETTINGS_READING.rootObject, 'error', '', 'Expected a JSON object')
  return { file, kind: 'claude-settings', valid: false, diagnostics: [finding] }
}
