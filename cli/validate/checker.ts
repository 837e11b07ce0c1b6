import { diagnose } from '../../bindings/document/diagnose.ts'
import type { Document } from '../../bindings/document/parse.ts'
import type { Diagnostic, Files } from '../../bindings/document/types.ts'
import { check } from '../../bindings/frame/check.ts'
import type { OpenOptions, OpenResult } from '../../bindings/frame/open.ts'
import type { RuleSettings } from '../../bindings/frame/rule-settings.ts'
import type { ValidationReport } from '../../bindings/frame/source.ts'
import type { Specification } from '../../bindings/frame/specification.ts'
import { refuseCheck } from '../../bindings/frame/steps.ts'
import { ruleDiagnostic } from '../../bindings/frame/subject.ts'
import { type Kind, rowOf } from '../../bindings/kinds.ts'
import { specificationOf } from '../../bindings/specifications.ts'
import type { validate } from '../../bindings/verbs.ts'
import { compact, type Result } from '../command.ts'
import { ID_ADDRESS, POINTER_NAMES_NOTHING } from '../findings.ts'
import { isCertificate, openPlain } from '../open.ts'
import type { Configuration, Rules } from './configuration.ts'
import { suppress } from './suppress.ts'

/** Findings after which nothing else of a document was checked. */
export const NOT_LOOKED_AT: readonly string[] = ['ADL-1002', 'ADL-2001']

/** The result for a document, and the document if it could be read. */
export interface CheckResult {
  readonly result: Result
  readonly document: Document | undefined
}

interface FileSettings {
  readonly rules: Rules
  readonly options: validate.Options
  /** By specification, filled on demand. */
  readonly settings: Map<Specification, RuleSettings>
}

export interface Place {
  readonly file: string
  /** Reports only findings there and below. */
  readonly pointer?: string | undefined
  /** Its kind, if neither its members nor its name show it. */
  readonly as?: Kind
  /** Reads the other files of the document's folder. */
  readonly around?: (() => Promise<Files>) | undefined
  /** Finds the files that the document mentions. */
  readonly nearby?: ((paths: readonly string[]) => Promise<Files>) | undefined
}

/** Checks documents by options and a configuration. */
export class Checker {
  readonly #options: validate.Options
  readonly #configuration: Configuration
  readonly #bounds: Pick<OpenOptions, 'most'>
  #plan: FileSettings | undefined

  constructor(options: validate.Options, configuration: Configuration, bounds: Pick<OpenOptions, 'most'>) {
    this.#options = options
    this.#configuration = configuration
    this.#bounds = bounds
  }

  async check(bytes: Uint8Array, { file, pointer, as: known, around, nearby }: Place): Promise<CheckResult> {
    const plan = this.#planFor(file)
    const as = known ?? plan.options.as
    if (as === undefined && isCertificate(bytes)) {
      const { checkCertificate } = await import('../runs/certificate.ts')
      return { result: (await checkCertificate(bytes, file)).result, document: undefined }
    }
    const opened = await openPlain(bytes, { file, ...this.#bounds, ...(as !== undefined && { as }) })
    const { document, kind } = opened
    const isOfFolder = document !== undefined && kind !== undefined && rowOf(kind).inFolder !== undefined
    if (isOfFolder && around) document.keepFiles(await around())
    const report = await checkByKind(opened, plan, nearby)
    const adjusted = report.diagnostics.flatMap((diagnostic) => this.#configuration.adjust(diagnostic, file) ?? [])
    // Findings in other files of the folder have lines of their own.
    const isOwn = ({ source }: Diagnostic) => (source.file ?? file) === file
    const others = adjusted.filter((diagnostic) => !isOwn(diagnostic))
    const kept = await suppress(
      bytes,
      document,
      adjusted.filter(isOwn),
      this.#configuration.suppressionsFor(file),
      file,
    )
    const all = [...kept, ...others, ...otherAddress(document, file)]
    const diagnostics = pointer === undefined ? all : ofPart(document, all, pointer, file)
    const valid = !diagnostics.some(({ severity }) => severity === 'error')
    const { conformance } = report
    const result = { file, kind: report.kind ?? null, valid, diagnostics, ...compact({ conformance }) }
    return { result, document }
  }

  /** Reuses the settings of the previous file if they are the same: a thousand files usually share them. */
  #planFor(file: string): FileSettings {
    const rules = this.#configuration.rulesFor(file)
    if (this.#plan?.rules !== rules) {
      const options = { ...this.#options, rules: { ...rules, ...this.#options.rules } }
      this.#plan = { rules, options, settings: new Map() }
    }
    return this.#plan
  }
}

/** Checks by the rules of the kind, which are loaded for its first document. */
async function checkByKind(
  opened: OpenResult,
  { options, settings }: FileSettings,
  nearby: Place['nearby'],
): Promise<ValidationReport> {
  const specification = await specificationOf(opened.kind)?.load.check?.()
  if (specification === undefined) return { valid: false, kind: opened.kind, diagnostics: refuseCheck(opened) }
  let own = settings.get(specification)
  if (own === undefined) {
    own = specification.settings(options)
    settings.set(specification, own)
  }
  const { document } = opened
  const mentioned = document && nearby && specification.mentions?.(document)
  if (mentioned !== undefined) document!.keepFiles(await nearby!(mentioned))
  return check(specification, opened, own)
}

/** The findings in a part of a document. Findings that prevented its checking count anywhere. */
function ofPart(
  document: Document | undefined,
  diagnostics: readonly Diagnostic[],
  pointer: string,
  file: string,
): readonly Diagnostic[] {
  if (document === undefined) return diagnostics
  const found = diagnostics.filter(
    ({ code, source }) =>
      code.startsWith('DOC-') || NOT_LOOKED_AT.includes(code) || `${source.pointer}/`.startsWith(`${pointer}/`),
  )
  if (document.range(pointer) !== undefined) return found
  const detail = `the document has nothing at ${pointer}`
  return [
    ...found,
    diagnose(
      document.lines,
      { ...POINTER_NAMES_NOTHING, severity: 'error' },
      { ...document.source(pointer), pointer, detail },
      file,
    ),
  ]
}

/** Reports a document that claims another address than the one it was fetched from (ADL 6.1). */
function otherAddress(document: Document | undefined, file: string): Diagnostic[] {
  if (document === undefined || !file.startsWith('https:')) return []
  const id = (document.value as { readonly id?: unknown } | null)?.id
  if (typeof id !== 'string' || !id.startsWith('https:') || [id, `${id}/adl.json`].includes(file)) return []
  const detail = `the document's id is ${id}, but it was read from ${file}`
  return [ruleDiagnostic(document, ID_ADDRESS, ID_ADDRESS.severity, '/id', detail)]
}
