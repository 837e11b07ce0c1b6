// The operator's own files: an inventory, a trust list. Each has one fixed schema and is read strictly.
import type { FindingKind } from '../document/finding.ts'
import { parse } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import type { FileOptions } from '../frame/source.ts'
import { ruleDiagnostic } from '../frame/subject.ts'
import { checkFragment, closedObjects, type Fragment } from '../schema/fragment.ts'
import { escapeToken } from '../text/members.ts'
import { quoted, suggest } from '../text/words.ts'

export interface RecordRead<Value> {
  /** Undefined when a diagnostic is an error. */
  readonly value: Value | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads a file whose schema a fragment describes completely. Every missing, wrong or unknown member is an error of the
 * rule.
 */
export function readRecord<Value>(
  source: Uint8Array | string,
  shape: Fragment,
  rule: FindingKind,
  { file }: FileOptions,
): RecordRead<Value> {
  const parsed = parse(source, { ...(file !== undefined && { file }), maxDepth: 8 })
  const { document } = parsed
  if (document === undefined) return { value: undefined, diagnostics: parsed.diagnostics }
  const found: Diagnostic[] = []
  const report = (pointer: string, detail: string, hint?: string) => {
    const remarks = hint === undefined ? {} : { fix: { hint } }
    found.push(ruleDiagnostic(document, rule, 'error', pointer, detail, remarks))
  }
  checkFragment(shape, document.value, '', ({ pointer, detail, missing }) =>
    report(pointer, missing ? `member ${quoted(pointer.slice(pointer.lastIndexOf('/') + 1))} is missing` : detail),
  )
  closedObjects(shape, document.value, '', (pointer, value, names) => {
    for (const name of Object.keys(value)) {
      if (names.includes(name)) continue
      const meant = suggest(name.slice(0, 40), names)
      const hint = meant === undefined ? undefined : `did you mean '${meant}'?`
      report(`${pointer}/${escapeToken(name)}`, `member ${quoted(name)} is not known here`, hint)
    }
  })
  const diagnostics = [...parsed.diagnostics, ...found]
  return { value: found.length === 0 ? (document.value as Value) : undefined, diagnostics }
}

/** @throws {TypeError} that names the part of an argument that does not match the schema. */
export function expectRecord(name: string, value: unknown, shape: Fragment): void {
  checkFragment(shape, value, name, ({ pointer, detail, missing }) => {
    throw new TypeError(`${pointer.replaceAll('/', '.')}: ${missing ? 'expected it to be there' : detail}`)
  })
}
