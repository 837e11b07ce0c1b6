import { checkDocument } from '../../bindings/adl/check.ts'
import { type Settings, settingsOf } from '../../bindings/adl/options.ts'
import { readingOf } from '../../bindings/adl/reading.ts'
import type { ValidateOptions } from '../../bindings/check.ts'
import { diagnose, type FindingKind } from '../../bindings/document/diagnose.ts'
import type { Document } from '../../bindings/document/document.ts'
import { kindOf } from '../../bindings/document/kind.ts'
import type { Parsed } from '../../bindings/document/parse.ts'
import type { ReadOptions } from '../../bindings/document/read-format.ts'
import type { ValidationReport } from '../../bindings/document/report.ts'
import { ruleDiagnostic } from '../../bindings/document/rule.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import type { Result } from '../context.ts'
import { parseDocument } from '../parse.ts'
import type { Configuration, Rules } from './configuration.ts'
import { OTHER_ADDRESS } from './findings.ts'
import { suppress } from './suppress.ts'

const NO_PART: FindingKind = {
  code: 'DOC-122',
  rule: 'pointer/names-nothing',
  title: 'Pointer that names nothing',
  spec: 'RFC 6901 section 4',
  severity: 'error',
}

/** With these, nothing else of a document was looked at. */
const NOT_LOOKED_AT = ['ADL-1002', 'ADL-2001']

/** What a document came to, and the document if it could be read. */
export interface Checked {
  readonly result: Result
  readonly document: Document | undefined
}

/** How files are checked that the configuration says the same rules of. */
interface Plan {
  readonly rules: Rules
  readonly options: ValidateOptions
  readonly settings: Settings
  readonly reading: ReadOptions
}

/** Checks documents by options and a configuration. */
export class Checker {
  readonly #options: ValidateOptions
  readonly #configuration: Configuration
  #plan: Plan | undefined

  constructor(options: ValidateOptions, configuration: Configuration) {
    this.#options = options
    this.#configuration = configuration
  }

  /** With a pointer, only what is found there and below counts. */
  async check(bytes: Uint8Array, file: string, pointer: string | undefined): Promise<Checked> {
    const plan = this.#planFor(file)
    const parsed = await parseDocument(bytes, { ...plan.reading, file })
    const report = await checkByKind(parsed, file, plan)
    const adjusted = report.diagnostics.flatMap((diagnostic) => this.#configuration.adjust(diagnostic, file) ?? [])
    const kept = suppress(bytes, parsed.document, adjusted, this.#configuration.suppressionsFor(file), file)
    const all = [...kept, ...otherAddress(parsed.document, file)]
    const diagnostics = pointer === undefined ? all : ofPart(parsed.document, all, pointer, file)
    const valid = !diagnostics.some(({ severity }) => severity === 'error')
    return { result: { file, kind: report.kind ?? null, valid, diagnostics }, document: parsed.document }
  }

  /** Mostly that of the file before: what a thousand files have in common is made once. */
  #planFor(file: string): Plan {
    const rules = this.#configuration.rulesFor(file)
    if (this.#plan?.rules !== rules) {
      const options = { ...this.#options, rules: { ...rules, ...this.#options.rules } }
      this.#plan = { rules, options, settings: settingsOf(options), reading: readingOf(options) }
    }
    return this.#plan
  }
}

/** Most documents are agent definitions: the rules of all others are loaded for the first that is none. */
async function checkByKind(parsed: Parsed, file: string, { options, settings }: Plan): Promise<ValidationReport> {
  const kind = options.as ?? kindOf(parsed.document, file)
  if (kind === 'adl') return checkDocument(parsed, settings)
  const { check } = await import('../../bindings/check.ts')
  return check(parsed, { ...options, file })
}

/** What is found in a part of a document. What kept it from being looked at counts, wherever it stands. */
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
  const detail = `there is nothing at ${pointer}`
  return [...found, diagnose(document.lines, NO_PART, { ...document.source(pointer), pointer, detail }, file)]
}

/** A document that was fetched from an address says that it is of this address, when it says so at all (ADL 6.1). */
function otherAddress(document: Document | undefined, file: string): Diagnostic[] {
  if (document === undefined || !file.startsWith('https:')) return []
  const id = (document.value as { readonly id?: unknown } | null)?.id
  if (typeof id !== 'string' || !id.startsWith('https:') || [id, `${id}/adl.json`].includes(file)) return []
  const detail = `the document's id is ${id}, and it was read from ${file}`
  return [ruleDiagnostic(document, OTHER_ADDRESS, OTHER_ADDRESS.severity, '/id', detail)]
}
