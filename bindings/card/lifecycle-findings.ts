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

export const noHigherSeq: RuleInfo = {
  id: 'card-no-higher-seq',
  code: 'CARD-161',
  title: 'Sequence number that cannot be raised',
  section: 'Agent Card 3.1',
  severity: 'error',
  why: 'An update has a higher seq, which its signature has to cover: integers beyond 2^53 - 1 have no signature.',
  bad: '{"seq": 9007199254740991}',
  good: '{"seq": 9007199254740990}',
}

export const differentParts: RuleInfo = {
  id: 'card-different-parts',
  code: 'CARD-162',
  title: 'Parts of different cards',
  section: 'Agent Card 7.6',
  severity: 'error',
  why: 'The card was changed between two calls: put together, the parts would be a card that never was.',
  bad: 'a part with seq 4, then one with seq 5',
  good: 'all parts with seq 5: describeAll begins anew',
}

/** For those who explain codes. */
export const CARD_LIFECYCLE_FINDINGS: readonly RuleInfo[] = [usedSeq, noHigherSeq, differentParts]
