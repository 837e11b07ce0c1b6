// Hides findings that someone has reviewed and gives a reason for. Errors cannot be suppressed: the document stays
// invalid.
import { diagnose, Lines } from '../../bindings/document/diagnose.ts'
import type { FindingKind } from '../../bindings/document/finding.ts'
import { formatOf } from '../../bindings/document/format.ts'
import type { Document } from '../../bindings/document/parse.ts'
import type { Diagnostic, Fix } from '../../bindings/document/types.ts'
import { isObject, member } from '../../bindings/text/members.ts'
import { MALFORMED_SUPPRESSION, SUPPRESSED_ERROR, UNUSED_SUPPRESSION } from '../findings.ts'

/** The findings to hide: those of a rule (id or code), at a pointer and below, or on a line of YAML. */
export interface Suppression {
  readonly rule: string
  readonly reason: string
  readonly pointer?: string
}

/** The place of a suppression in a document. */
interface Place {
  readonly pointer: string
  readonly offset: number
  readonly endOffset: number
}

/** A suppression in the document itself, or the fault of a malformed one. */
interface Own {
  readonly at: Place
  readonly suppression: (Suppression & { readonly line?: number }) | string
}

/** The findings without the suppressed ones, and the faults of the suppressions. */
export async function suppress(
  bytes: Uint8Array,
  document: Document | undefined,
  diagnostics: readonly Diagnostic[],
  configured: readonly Suppression[],
  file: string,
): Promise<Diagnostic[]> {
  const own = [...(formatOf(bytes, { file }) === 'yaml' ? commentsOf(bytes) : []), ...membersOf(document)]
  if (own.length + configured.length === 0) return [...diagnostics]
  const written = own.map(({ suppression }) => suppression).filter((suppression) => typeof suppression !== 'string')
  const all: readonly (Suppression & { readonly line?: number })[] = [...written, ...configured]
  const used = new Set<Suppression>()
  const kept = diagnostics.filter((diagnostic) => {
    const matching = all.filter((suppression) => matches(suppression, diagnostic))
    for (const suppression of matching) used.add(suppression)
    return matching.length === 0 || diagnostic.severity === 'error'
  })
  const lines = new Lines(bytes)
  const report = (finding: FindingKind, at: Place, detail: string, fix?: Fix) => {
    kept.push(diagnose(lines, finding, { ...at, detail, fix }, file))
  }
  for (const { at, suppression } of own) {
    if (typeof suppression === 'string') {
      report(MALFORMED_SUPPRESSION, at, suppression)
      continue
    }
    const { rule } = suppression
    if (diagnostics.some((diagnostic) => diagnostic.severity === 'error' && matches(suppression, diagnostic))) {
      report(SUPPRESSED_ERROR, at, `${rule} is an error here, and errors cannot be suppressed`)
    } else if (!used.has(suppression)) {
      // Most suppressions are used: the names of all rules are loaded on demand.
      const fault = (await import('./parse-configuration.ts')).ruleFault([rule])
      const why = fault === undefined ? '' : `: ${fault.message}`
      report(UNUSED_SUPPRESSION, at, `${rule} finds nothing here${why}`, fault && { hint: fault.hint })
    }
  }
  return kept
}

function matches(
  { rule, pointer, line }: Suppression & { readonly line?: number },
  { code, rule: id, source }: Diagnostic,
): boolean {
  if (rule !== id && rule !== code) return false
  if (line !== undefined) return source.line === line || source.line === line + 1
  return pointer === undefined || source.pointer === pointer || source.pointer.startsWith(`${pointer}/`)
}

const COMMENT = /#[ \t]*blazon-ignore(?:[ \t]+([\w-]+)(?:[ \t]*:[ \t]*(\S.*))?|(?![\w-])).*$/

/** Reads `# blazon-ignore RULE: reason`, on the line of a finding or the one before it. */
function commentsOf(bytes: Uint8Array): Own[] {
  // Most documents have none, and then no line has to be decoded.
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('blazon-ignore')) return []
  const lines = new Lines(bytes)
  const found: Own[] = []
  for (let number = 1; number <= lines.count; number++) {
    const { text, offset } = lines.line(number)
    const match = text.length <= 2000 ? COMMENT.exec(text) : null
    if (match === null) continue
    const start = offset + Buffer.byteLength(text.slice(0, match.index))
    const at = { pointer: '', offset: start, endOffset: start + Buffer.byteLength(match[0]) }
    const [, rule, reason] = match
    const whole = rule !== undefined && reason !== undefined
    found.push({ at, suppression: whole ? { rule, reason, line: number } : 'expected # blazon-ignore RULE: REASON' })
  }
  return found
}

/** Reads the member `x_blazon_suppress` of the document: `[{ rule, reason, pointer? }]`. */
function membersOf(document: Document | undefined): Own[] {
  const value = document?.value
  const list = isObject(value) ? member(value, 'x_blazon_suppress') : undefined
  if (list === undefined) return []
  const at = (pointer: string) => ({ ...document!.source(pointer), pointer })
  if (!Array.isArray(list))
    return [{ at: at('/x_blazon_suppress'), suppression: 'expected an array of { rule, reason, pointer }' }]
  return list.map((entry, i) => ({ at: at(`/x_blazon_suppress/${i}`), suppression: readEntry(entry) }))
}

function readEntry(entry: unknown): Suppression | string {
  if (!isObject(entry)) return 'expected an object { rule, reason, pointer }'
  const [rule, reason, pointer] = ['rule', 'reason', 'pointer'].map((name) => member(entry, name))
  if (typeof rule !== 'string') return "'rule' must be the id or code of a rule"
  if (typeof reason !== 'string' || reason.trim() === '') return "'reason' is missing: say why this is not a fault"
  if (pointer === undefined) return { rule, reason }
  if (typeof pointer !== 'string' || !/^(?:\/|$)/.test(pointer))
    return "'pointer' must be a JSON Pointer such as /tools/0"
  return { rule, reason, pointer }
}
