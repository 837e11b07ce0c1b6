// Findings that somebody has looked at: left out where a reason says so. Errors cannot be: a document does not become valid.
import { diagnose, type FindingKind } from '../../bindings/document/diagnose.ts'
import type { Document } from '../../bindings/document/document.ts'
import { Lines } from '../../bindings/document/lines.ts'
import { isObject, member } from '../../bindings/document/members.ts'
import { formatOf } from '../../bindings/document/read-format.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'

/** What is left out: findings of a rule (its id or code), at a pointer and below, or on a line of YAML. */
export interface Suppression {
  readonly rule: string
  readonly reason: string
  readonly pointer?: string
  readonly line?: number
  /** Where it stands, as findings about it show it. */
  readonly at?: { readonly offset: number; readonly endOffset: number }
}

const UNUSED: FindingKind = {
  code: 'BADL-165',
  rule: 'unused-suppression',
  title: 'Suppression of nothing',
  spec: 'docs/cli.md',
  severity: 'warning',
}

const OF_ERROR: FindingKind = {
  code: 'BADL-166',
  rule: 'suppressed-error',
  title: 'Error that cannot be suppressed',
  spec: 'docs/cli.md',
  severity: 'warning',
}

/** The findings without those that are suppressed, and what is wrong with the suppressions. */
export function suppress(
  bytes: Uint8Array,
  document: Document | undefined,
  diagnostics: readonly Diagnostic[],
  configured: readonly Suppression[],
  file: string,
): Diagnostic[] {
  const own = formatOf(bytes, { file }) === 'yaml' ? commentsOf(bytes) : membersOf(document)
  const all = [...own, ...configured]
  if (all.length === 0) return [...diagnostics]
  const used = new Set<Suppression>()
  const kept = diagnostics.filter((diagnostic) => {
    const matching = all.filter((suppression) => matches(suppression, diagnostic))
    for (const suppression of matching) used.add(suppression)
    return matching.length === 0 || diagnostic.severity === 'error'
  })
  const lines = new Lines(bytes)
  for (const suppression of own) {
    const { rule, at = { offset: 0, endOffset: 0 } } = suppression
    const hit = diagnostics.find((diagnostic) => diagnostic.severity === 'error' && matches(suppression, diagnostic))
    if (hit !== undefined) {
      const detail = `${rule} is an error here, which no suppression takes away`
      kept.push(diagnose(lines, OF_ERROR, { pointer: '', ...at, detail }, file))
    } else if (!used.has(suppression)) {
      kept.push(diagnose(lines, UNUSED, { pointer: '', ...at, detail: `nothing here is found by ${rule}` }, file))
    }
  }
  return kept
}

function matches({ rule, pointer, line }: Suppression, { code, rule: id, source }: Diagnostic): boolean {
  if (rule !== id && rule !== code) return false
  if (line !== undefined) return source.line === line || source.line === line + 1
  return pointer === undefined || source.pointer === pointer || source.pointer.startsWith(`${pointer}/`)
}

const COMMENT = /#[ \t]*blazon-ignore[ \t]+([\w-]+)[ \t]*:[ \t]*(\S.*)$/

/** `# blazon-ignore RULE: reason`, on the line of a finding or the one before it. */
function commentsOf(bytes: Uint8Array): Suppression[] {
  const lines = new Lines(bytes)
  const found: Suppression[] = []
  for (let number = 1; number <= lines.count; number++) {
    const { text, offset } = lines.line(number)
    const match = text.length <= 2000 ? COMMENT.exec(text) : null
    if (match === null) continue
    const before = Buffer.byteLength(text.slice(0, match.index))
    const at = { offset: offset + before, endOffset: offset + before + Buffer.byteLength(match[0]) }
    found.push({ rule: match[1]!, reason: match[2]!, line: number, at })
  }
  return found
}

/** The member `x_blazon_suppress` of the document: `[{ rule, reason, pointer? }]`. */
function membersOf(document: Document | undefined): Suppression[] {
  const value = document?.value
  const list = isObject(value) ? member(value, 'x_blazon_suppress') : undefined
  if (!Array.isArray(list)) return []
  const { keyStart, keyEnd } = document!.range('/x_blazon_suppress')!
  const at = { offset: keyStart!, endOffset: keyEnd! }
  return list.filter(isSuppression).map((entry) => ({ ...entry, at }))
}

function isSuppression(value: unknown): value is Suppression {
  if (typeof value !== 'object' || value === null) return false
  const { rule, reason, pointer } = value as Record<string, unknown>
  return (
    typeof rule === 'string' &&
    typeof reason === 'string' &&
    reason !== '' &&
    (pointer === undefined || typeof pointer === 'string')
  )
}
