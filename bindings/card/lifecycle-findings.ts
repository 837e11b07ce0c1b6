import type { RuleInfo } from '../frame/rule.ts'

// The findings of changing cards. docs/reference/diagnostics.md has a row for each code.

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

export const notDeterministic: RuleInfo = {
  id: 'card-cbor',
  code: 'CARD-163',
  title: 'Not the CBOR of a card',
  section: 'Agent Card 1.5, RFC 8949 4.2',
  severity: 'error',
  why: 'A card has one form in CBOR, so that nobody can send one card as two, and it holds nothing that JSON has no value for.',
  bad: 'a1 62 69 64 f7: {"id": undefined}',
  good: 'a1 62 69 64 69 61 67 65 6e 74 3a 2f 2f 61: {"id": "agent://a"}',
}

export const CARD_LIFECYCLE_FINDINGS: readonly RuleInfo[] = [usedSeq, noHigherSeq, differentParts, notDeterministic]
