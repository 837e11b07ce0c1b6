import { validate } from '../../bindings/card/index.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'

/** The date of the draft's example, used as the current time. */
export const NOW = new Date('2026-03-26T00:00:00Z')

/** A card without findings. The signature is from RFC 8032 section 7.1: only its form matters here. */
export const CLEAN = {
  id: 'agent://translator-zh-en',
  name: 'Translator',
  description: 'Translates between Chinese and English.',
  skills: ['nlp/translation'],
  tools: [{ name: 'translate' }],
  endpoints: [{ protocol: 'aitp', uri: 'agent://translator-zh-en' }],
  metadata: { created_at: '2026-01-15T00:00:00Z' },
  seq: 1,
  signature: '5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVfuIIVkKM7rMYeOXAc-bRr0lv18FlbviRlUUFDjnoQCw',
}

/** The findings about the clean card with these members added or replaced. `undefined` removes a member. */
export function findings(members: object, options?: validate.Options): readonly Diagnostic[] {
  return validate(withMembers(members), { now: NOW, ...options }).diagnostics
}

/** The clean card as JSON with other members. */
export function withMembers(members: object): string {
  return JSON.stringify({ ...CLEAN, ...members })
}

/** `rule pointer` of each finding. */
export function told(members: object, options?: validate.Options): string[] {
  return findings(members, options).map(({ rule, source }) => `${rule} ${source.pointer}`)
}
