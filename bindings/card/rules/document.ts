// The rules about the card as a whole: its kind and its size.
import type { RuleInfo } from '../../frame/rule.ts'

export const ROOT_OBJECT: RuleInfo = {
  id: 'root-object',
  code: 'CARD-101',
  title: 'Card that is no JSON object',
  section: 'Agent Card 3',
  severity: 'error',
  why: 'A card is one JSON object: nothing else has members to read.',
  bad: '[]',
  good: '{"id": "agent://scout", "name": "Scout"}',
}

export const CARD_SIZE: RuleInfo = {
  id: 'card-size',
  code: 'CARD-102',
  title: 'Card larger than a message',
  section: 'Agent Card 7.6',
  severity: 'error',
  why: 'A message of AIP has at most 65,535 octets: a larger card reaches nobody in one piece.',
  bad: 'a card of more than 65,535 octets, counted as JSON with its white space',
  good: 'at most 65,535 octets; the finding names the heaviest members, and blazon fmt --compact takes out white space',
}
