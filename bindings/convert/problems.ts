// What can be wrong with a conversion, besides what can be wrong with reading.
import type { Document } from '../document/document.ts'
import { type RuleInfo, ruleDiagnostic } from '../document/rule.ts'
import type { Diagnostic } from '../document/types.ts'

export const NEEDED: RuleInfo = {
  id: 'convert/needed',
  code: 'BADL-190',
  title: 'The other format needs more',
  section: 'ADL 15',
  severity: 'error',
  why: 'Without it the document that is made would not be one of its kind, and nothing is made up silently.',
  bad: '{"name": "Scout", "version": "1.0.0"}',
  good: '{"name": "Scout", "description": "Finds papers.", "version": "1.0.0"}',
}

export const AUTHENTICATION: RuleInfo = {
  id: 'convert/authentication',
  code: 'BADL-191',
  title: 'Authentication that cannot be said',
  section: 'ADL 15.1',
  severity: 'warning',
  why: 'A client that learns of no authentication calls without, and is refused; or takes the agent for an open one.',
  bad: '{"security": {"authentication": {"type": "oidc"}}}',
  good: '{"security": {"authentication": {"type": "oidc", "issuer": "https://login.example.com"}}}',
}

export const UNKNOWN: RuleInfo = {
  id: 'convert/source',
  code: 'BADL-192',
  title: 'Nothing that can be converted',
  section: 'ADL 15',
  severity: 'error',
  why: 'A document is converted by what its kind means; of one that is taken for another kind nothing would be true.',
  bad: '{"name": "Scout"}',
  good: '{"adl_spec": "0.1.0", "name": "Scout"}',
}

/** Collects what is wrong while a document is made. */
export class Problems {
  readonly #document: Document
  readonly found: Diagnostic[] = []

  constructor(document: Document) {
    this.#document = document
  }

  get fatal(): boolean {
    return this.found.some(({ severity }) => severity === 'error')
  }

  report(rule: RuleInfo, pointer: string, detail: string): void {
    this.found.push(ruleDiagnostic(this.#document, rule, rule.severity, pointer, detail))
  }
}
