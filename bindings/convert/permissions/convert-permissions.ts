// Converts the permissions of a definition into those of a runner, and back. Nothing is ever granted that the source does
// not grant: what the target cannot say as narrowly is asked for or denied.

import { refuseStatus, refuseVersion } from '../../adl/agent-policy.ts'
import { ADL_READING, type Agent } from '../../adl/subject.ts'
import type { Document } from '../../document/parse.ts'
import { read } from '../../document/read.ts'
import type { Diagnostic } from '../../document/types.ts'
import { detectKind, kindOfName } from '../../frame/detect.ts'
import { open } from '../../frame/open.ts'
import type { Source } from '../../frame/source.ts'
import { ruleDiagnostic } from '../../frame/subject.ts'
import { isSandboxSettings } from '../../policy/sandbox-runtime.ts'
import { isObject, type JsonObject } from '../../text/members.ts'
import { CONVERT_SOURCE } from '../findings.ts'
import { type ConvertOptions, type LossReport, MOST, type RunnerFormat } from '../formats.ts'
import type { MutableObject } from '../json.ts'
import { Ledger } from '../ledger.ts'
import { permissionsFromCodex, toCodex } from './codex.ts'
import { permissionsFromSandbox, permissionsFromSettings } from './from-runner.ts'
import { toSandbox, toSettings } from './to-runner.ts'

export declare namespace convertPermissions {
  interface Options extends Pick<ConvertOptions, 'file' | 'version' | 'description' | 'classification'> {
    readonly to: RunnerFormat | 'adl'
    /** The format of the source; detected by default. */
    readonly from?: RunnerFormat | 'adl'
    /** The folder of the project, which relative paths of settings begin at; without it they grant nothing. */
    readonly project?: string
  }

  interface Result {
    /** Undefined if a diagnostic is an error. */
    readonly document: JsonObject | undefined
    readonly loss: LossReport
    readonly diagnostics: readonly Diagnostic[]
  }
}

/** The format of a document; undefined for others. */
export function runnerFormatOf(document: Document): RunnerFormat | undefined {
  if (detectKind(document) === 'claude-settings') return 'claude-settings'
  if (kindOfName(document.file) === 'codex-config') return 'codex-config'
  return isSandboxSettings(document) ? 'sandbox-runtime' : undefined
}

/**
 * Converts between a definition and the configuration of a runner.
 *
 * @example
 * const definition = '{"permissions": {"filesystem": {"allowed_paths": [{"path": "/data/**", "access": "read"}]}}}'
 * convertPermissions(definition, { to: 'claude-settings' }).document.permissions.allow // ['Read(//data/**)']
 *
 * @throws {TypeError} or {RangeError} for wrong arguments.
 */
export function convertPermissions(
  source: Source,
  { to, from, file, ...options }: convertPermissions.Options,
): convertPermissions.Result {
  const named = { ...(file !== undefined && { file }), ...(from === 'codex-config' && { as: from }) }
  const { document, diagnostics } = open(read, source, { ...named, most: MOST })
  if (document === undefined) return { document, loss: [], diagnostics }
  const { value } = document
  const refuse = (detail: string): convertPermissions.Result => {
    const refusal = ruleDiagnostic(document, CONVERT_SOURCE, 'error', '', detail)
    return { document: undefined, loss: [], diagnostics: [...diagnostics, refusal] }
  }
  if (!isObject(value)) return refuse('expected a JSON object')
  const form = from ?? runnerFormatOf(document) ?? 'adl'
  if (form === to || (form !== 'adl' && to !== 'adl'))
    return refuse(`${form} does not convert to ${to}: only adl and a runner do`)
  const ledger = new Ledger(value)
  const made =
    to === 'adl' ? definitionFrom(document, form as RunnerFormat, options, ledger) : toRunner(document, to, ledger)
  if (typeof made === 'string') return refuse(made)
  const homeless = to === 'adl' ? 'a definition does not say it' : 'the configuration only says what may run'
  const rows = ledger.close({ carriers: new Map(), withheld: [], homeless }, made, MOST.depth)
  return { document: made, loss: rows.map(({ by: _, ...row }) => row), diagnostics }
}

function toRunner(document: Document, to: RunnerFormat, ledger: Ledger): MutableObject | string {
  const agent: Agent = ADL_READING.subject(document)
  const refusal = refuseVersion(agent) ?? refuseStatus(agent)
  if (refusal !== undefined) return `it permits nothing: ${refusal.detail}`
  return { 'claude-settings': toSettings, 'sandbox-runtime': toSandbox, 'codex-config': toCodex }[to](agent, ledger)
}

function definitionFrom(
  { value }: Document,
  form: RunnerFormat,
  { version = '0.1.0', description, classification, project }: Partial<convertPermissions.Options>,
  ledger: Ledger,
): MutableObject {
  const root = { pointer: '', value: value as JsonObject }
  const [name, permissions] =
    form === 'claude-settings'
      ? ['Claude Code', permissionsFromSettings(root, project, ledger)]
      : form === 'codex-config'
        ? ['Codex', permissionsFromCodex(root, project, ledger)]
        : ['Sandbox', permissionsFromSandbox(root, ledger)]
  for (const member of ['adl_spec', 'name', 'description', 'version', 'data_classification'])
    ledger.added(`/${member}`, 'a definition requires it')
  return {
    adl_spec: '0.1.0',
    name,
    description: description ?? `What ${name} may do.`,
    version,
    data_classification: classification ?? { sensitivity: 'confidential' },
    permissions,
  }
}
