import { validate } from '../../bindings/adl/index.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'

/** The date of the draft: all dates are compared with it. */
export const NOW = new Date('2026-02-18T00:00:00Z')

/** A document without findings. */
export const CLEAN = {
  $schema: 'https://adl-spec.org/0.1/schema.json',
  adl_spec: '0.1.0',
  name: 'Invoice Processor',
  description: 'Reads invoices, checks their amounts and sends them to those who approve them.',
  version: '1.0.0',
  data_classification: { sensitivity: 'public' },
}

/** The findings about the clean document with these members added or replaced. */
export function findings(members: object, options?: validate.Options): readonly Diagnostic[] {
  return validate(JSON.stringify({ ...CLEAN, ...members }), { now: NOW, ...options }).diagnostics
}

/** `rule pointer` of each finding. */
export function told(members: object, options?: validate.Options): string[] {
  return findings(members, options).map(({ rule, source }) => `${rule} ${source.pointer}`)
}
