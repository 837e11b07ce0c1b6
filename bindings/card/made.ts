import type { Document } from '../document/document.ts'
import type { Diagnostic } from '../document/types.ts'
import { Findings } from '../frame/collect.ts'
import type { SignResult } from '../frame/signed.ts'
import { checkOctets } from './size.ts'

/** The result of making a card, with its warnings. Refuses a card that is larger than a message (section 7.6). */
export function made(document: Document, before: readonly Diagnostic[]): SignResult {
  const findings = new Findings(1)
  checkOctets(document, findings)
  if (!findings.hasErrors) return { document, bytes: document.bytes, diagnostics: before }
  return { document: undefined, bytes: undefined, diagnostics: findings.diagnostics(document, before) }
}
