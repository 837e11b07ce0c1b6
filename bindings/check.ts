// Documents of any kind, once they are read. Nothing of YAML is loaded for it.
import { checkDocument } from './adl/check.ts'
import { settingsOf } from './adl/options.ts'
import type { ValidateOptions as AdlOptions } from './adl/validate.ts'
import { checkA2aCard } from './card/a2a/check.ts'
import { checkCard } from './card/check.ts'
import { checkDiscovery } from './discover/discovery-document.ts'
import { diagnose, type FindingKind } from './document/diagnose.ts'
import type { Document } from './document/document.ts'
import { kindOf } from './document/kind.ts'
import type { Parsed } from './document/parse.ts'
import type { Kind, ValidationReport } from './document/report.ts'
import type { Diagnostic } from './document/types.ts'

export interface ValidateOptions extends AdlOptions {
  /** What the document is; found out from its members when absent. */
  readonly as?: Kind
}

const KINDS: readonly Kind[] = [
  'adl',
  'adl-discovery',
  'card',
  'wellknown',
  'invite',
  'run',
  'verdict',
  'agentlang',
  'prompt',
  'lock',
  'a2a',
  'mcp-server',
  'ai-catalog',
]

const UNDETECTED: FindingKind = {
  code: 'DOC-187',
  rule: 'kind/undetected',
  title: 'Document of no known kind',
  spec: 'docs/diagnostics.md',
  severity: 'error',
}

const UNSUPPORTED: FindingKind = {
  code: 'DOC-188',
  rule: 'kind/unsupported',
  title: 'Kind that is not checked yet',
  spec: 'docs/diagnostics.md',
  severity: 'error',
}

/** Throws when `as` is no kind. */
export function checkAs(as: Kind | undefined): void {
  if (as === undefined || KINDS.includes(as)) return
  throw new RangeError(`as: expected one of ${KINDS.join(', ')}, got ${String(as)}`)
}

/** Checks what was read, or could not be, by the rules of what it is. */
export function check(parsed: Parsed, options: ValidateOptions): ValidationReport {
  const kind = options.as ?? kindOf(parsed.document, options.file)
  if (kind === 'adl') return checkDocument(parsed, settingsOf(options))
  const { document, diagnostics } = parsed
  if (document === undefined) return { valid: false, kind, diagnostics }
  switch (kind) {
    case 'card':
      return checkCard(document, options, diagnostics)
    case 'a2a':
      return checkA2aCard(document, options, diagnostics)
    case 'adl-discovery':
      return checkList(document, diagnostics)
    default:
      return refuse(document, kind, diagnostics)
  }
}

function checkList(document: Document, before: readonly Diagnostic[]): ValidationReport {
  const diagnostics = [...before, ...checkDiscovery(document).diagnostics]
  return { valid: !diagnostics.some(({ severity }) => severity === 'error'), kind: 'adl-discovery', diagnostics }
}

function refuse(document: Document, kind: Kind | undefined, before: readonly Diagnostic[]): ValidationReport {
  const [of, detail] =
    kind === undefined
      ? [UNDETECTED, `expected one of ${KINDS.join(', ')}, found members of none`]
      : [UNSUPPORTED, `documents of the kind ${kind} cannot be checked yet`]
  const { offset, endOffset } = document.source('')
  const finding = diagnose(document.lines, of, { pointer: '', offset, endOffset, detail }, document.file)
  return { valid: false, kind, diagnostics: [...before, finding] }
}
