import type { RuleInfo } from '../document/rule.ts'

// What changing cards finds: docs/card.md has a section for each code.

export const usedSeq: RuleInfo = {
  id: 'card-used-seq',
  code: 'CARD-160',
  title: 'Other content under a used sequence number',
  section: 'Agent Card 3.1',
  severity: 'error',
  why: 'Whoever has the first card keeps it, and takes two signed cards of one seq for equivocation.',
  bad: '{"id": "agent://scout", "name": "Scout", "description": "changed", "seq": 1, "signature": "of what it was"}',
  good: '{"id": "agent://scout", "name": "Scout", "description": "changed", "seq": 2}',
}

/** For those who explain codes. */
export const CARD_LIFECYCLE_FINDINGS: readonly RuleInfo[] = [usedSeq]
