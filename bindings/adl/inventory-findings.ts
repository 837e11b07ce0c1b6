// Findings about inventories (ADL 18.10). Separate from their reader, so that checking a definition loads only these.
import type { RuleInfo } from '../frame/rule.ts'

const about = (info: Pick<RuleInfo, 'id' | 'code' | 'title' | 'why'>): RuleInfo => ({
  ...info,
  section: 'ADL 18.10',
  severity: 'error',
  bad: '{"version": 1, "agents": [{"id": "https://acme.example/agents/a", "version": "1.0.0", "digest": "sha256:00", "signer": null, "approved": "2026-02-18T00:00:00Z"}]}',
  good: 'blazon approve agent.json --inventory approved.json',
})

export const MALFORMED = about({
  id: 'inventory-file',
  code: 'BADL-154',
  title: 'Malformed inventory',
  why: 'What cannot be read approves nothing.',
})
export const NOT_APPROVED = about({
  id: 'inventory-not-approved',
  code: 'BADL-155',
  title: 'Agent that was not approved',
  why: 'Nobody has looked at this agent, or at this version of it.',
})
export const CHANGED = about({
  id: 'inventory-digest',
  code: 'BADL-156',
  title: 'Document differs from what was approved',
  why: 'A document that changed without a new version was tampered with, or released carelessly: look before it runs.',
})
export const OTHER_SIGNER = about({
  id: 'inventory-signer',
  code: 'BADL-157',
  title: 'Signer differs from the one that was approved',
  why: 'Another key, or none, stands behind what looks like the same document.',
})

export const INVENTORY_RULES: readonly RuleInfo[] = [MALFORMED, NOT_APPROVED, CHANGED, OTHER_SIGNER]
