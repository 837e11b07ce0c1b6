// What a directory finds wrong with requests: docs/directory.md has a section for each code.
import type { RuleInfo } from '../document/rule.ts'

const rule = (number: number, id: string, title: string, section: string, why: string, bad: string, good: string) =>
  ({ id, code: `CARD-${number}`, title, section: `Agent Card ${section}`, severity: 'error', why, bad, good }) as const

export const malformedQuery: RuleInfo = rule(
  190,
  'directory-query',
  'Member of a discovery query that is none',
  '4.3',
  'A directory that guessed would answer another question than the one that was asked.',
  '{"tags": "nlp", "limit": 1000}',
  '{"tags": ["nlp"], "limit": 100}',
)

export const nothingAsked: RuleInfo = rule(
  191,
  'directory-nothing-asked',
  'Query without tags and without text',
  '4.3',
  'Every agent would match, and none better than another.',
  '{"limit": 10}',
  '{"tags": ["nlp/translation"], "limit": 10}',
)

export const otherSender: RuleInfo = rule(
  192,
  'directory-other-sender',
  'Card of another agent than the one that sends it',
  '4.2',
  'Who may advertise the cards of others may speak for them.',
  'agent://b sends {"id": "agent://a", "name": "A"}',
  'agent://a sends {"id": "agent://a", "name": "A"}',
)

export const notShown: RuleInfo = rule(
  193,
  'directory-not-shown',
  'Nothing shows whose card it is',
  '7.1',
  'A directory that passed on cards without knowing whose they are would lend its name to anybody.',
  '{"id": "agent://scout", "name": "Scout"} without a signature',
  'a card signed with a key that the id is, that is pinned for it, or that a resolver names',
)

export const tooMany: RuleInfo = rule(
  194,
  'directory-too-many',
  'More than the directory takes now',
  '4.2',
  'One sender could keep the directory from all others.',
  'a thousand cards a minute from one sender',
  'a card when it has changed, and before it expires',
)

export const malformedDescribe: RuleInfo = rule(
  195,
  'directory-describe',
  'Request for a description that is none',
  '4.1',
  'A directory that guessed would give another card than the one that was asked for.',
  '{"id": 7, "fields": "tools"}',
  '{"id": "agent://scout", "fields": ["tools"]}',
)

export const unknownMethod: RuleInfo = rule(
  196,
  'directory-method',
  'Method that a directory does not have',
  '4.4',
  'A directory has the three methods of the Agent Card, and no others.',
  'adp.search',
  'adp.discover',
)

export const notPermitted: RuleInfo = rule(
  198,
  'directory-not-permitted',
  'Card that the caller is not shown',
  '4.1',
  'The operator of the directory decides who sees what of a card.',
  'a caller that nobody authenticated asks for agent://scout',
  'a caller asks that the policy shows the card to',
)

export const unknownAgent: RuleInfo = rule(
  197,
  'directory-unknown-agent',
  'Agent that the directory has no card of',
  '4.1',
  'Cards that have expired are given to nobody either: what they say may no longer hold.',
  '{"id": "agent://nobody"}',
  '{"id": "agent://scout"}, advertised within its ttl',
)

export const noRoom: RuleInfo = rule(
  199,
  'directory-full',
  'Card for which there is no room',
  '4.2',
  'What a directory has room for is what its operator pays for; waiting makes no more of it.',
  'the hundred and first agent that one key signs, in a directory that takes a hundred of each',
  'the hundredth one',
)

export const cutTtl: RuleInfo = {
  ...rule(
    176,
    'directory-ttl',
    'Longer ttl than the directory keeps a card for',
    '6.3',
    'A card that nobody renews may say what has long ceased to be so, and takes room for good.',
    '{"metadata": {"ttl": 315360000}}',
    '{"metadata": {"ttl": 86400}}, advertised again within a day',
  ),
  severity: 'info',
}

/** For those who explain codes. */
export const DIRECTORY_FINDINGS: readonly RuleInfo[] = [
  malformedQuery,
  nothingAsked,
  otherSender,
  notShown,
  tooMany,
  malformedDescribe,
  unknownMethod,
  notPermitted,
  unknownAgent,
  noRoom,
  cutTtl,
]
