// Findings of a directory about requests. docs/reference/diagnostics.md has a row for each code.
import type { RuleInfo } from '../frame/rule.ts'

const severity = 'error'

export const malformedQuery: RuleInfo = {
  id: 'directory-query',
  code: 'CARD-190',
  title: 'Invalid member of a discovery query',
  section: 'Agent Card 4.3',
  severity,
  why: 'A directory that guessed would answer another question than the one that was asked.',
  bad: '{"tags": "nlp", "limit": "all"}',
  good: '{"tags": ["nlp"], "limit": 100}',
}

export const nothingAsked: RuleInfo = {
  id: 'directory-nothing-asked',
  code: 'CARD-191',
  title: 'Query without tags and without text',
  section: 'Agent Card 4.3',
  severity,
  why: 'Every agent would match, and none better than another.',
  bad: '{"limit": 10}',
  good: '{"tags": ["nlp/translation"], "limit": 10}',
}

export const otherSender: RuleInfo = {
  id: 'directory-other-sender',
  code: 'CARD-192',
  title: 'Card of another agent than the one that sends it',
  section: 'Agent Card 4.2',
  severity,
  why: 'Who may advertise the cards of others may speak for them.',
  bad: 'agent://b sends {"id": "agent://a", "name": "A"}',
  good: 'agent://a sends {"id": "agent://a", "name": "A"}',
}

export const notShown: RuleInfo = {
  id: 'directory-not-shown',
  code: 'CARD-193',
  title: 'Nothing shows whose card it is',
  section: 'Agent Card 7.1',
  severity,
  why: 'A directory that passed on cards without knowing whose they are would lend its name to anybody.',
  bad: '{"id": "agent://scout", "name": "Scout"} without a signature',
  good: 'a card signed with a key that the id is, that is pinned for it, or that a resolver names',
}

export const tooMany: RuleInfo = {
  id: 'directory-too-many',
  code: 'CARD-194',
  title: 'More than the directory takes now',
  section: 'Agent Card 4.2',
  severity,
  why: 'One sender could keep the directory from all others.',
  bad: 'a thousand cards a minute from one sender',
  good: 'a card when it has changed, and before it expires',
}

export const malformedDescribe: RuleInfo = {
  id: 'directory-describe',
  code: 'CARD-195',
  title: 'Invalid request for a description',
  section: 'Agent Card 4.1',
  severity,
  why: 'A directory that guessed would give another card than the one that was asked for.',
  bad: '{"id": 7, "fields": "tools"}',
  good: '{"id": "agent://scout", "fields": ["tools"]}',
}

export const unknownMethod: RuleInfo = {
  id: 'directory-method',
  code: 'CARD-196',
  title: 'Method that a directory does not have',
  section: 'Agent Card 4.4',
  severity,
  why: 'A directory has the three methods of the Agent Card, and no others.',
  bad: 'adp.search',
  good: 'adp.discover',
}

export const notPermitted: RuleInfo = {
  id: 'directory-not-permitted',
  code: 'CARD-198',
  title: 'Card that the caller is not shown',
  section: 'Agent Card 4.1',
  severity,
  why: 'The operator of the directory decides who sees what of a card.',
  bad: 'a caller that nobody authenticated asks for agent://scout',
  good: 'a caller asks that the policy shows the card to',
}

export const unknownAgent: RuleInfo = {
  id: 'directory-unknown-agent',
  code: 'CARD-197',
  title: 'Agent that the directory has no card of',
  section: 'Agent Card 4.1',
  severity,
  why: 'Cards that have expired are given to nobody either: what they say may no longer hold.',
  bad: '{"id": "agent://nobody"}',
  good: '{"id": "agent://scout"}, advertised within its ttl',
}

export const noRoom: RuleInfo = {
  id: 'directory-full',
  code: 'CARD-199',
  title: 'Card for which there is no room',
  section: 'Agent Card 4.2',
  severity,
  why: 'What a directory has room for is what its operator pays for; waiting makes no more of it.',
  bad: 'the hundred and first agent that one key signs, in a directory that takes a hundred of each',
  good: 'the hundredth one',
}

export const cutTtl: RuleInfo = {
  id: 'directory-ttl',
  code: 'CARD-176',
  title: 'Longer ttl than the directory keeps a card for',
  section: 'Agent Card 6.3',
  severity: 'info',
  why: 'A card that is never renewed may be long out of date, and takes room for good.',
  bad: '{"metadata": {"ttl": 315360000}}',
  good: '{"metadata": {"ttl": 86400}}, advertised again within a day',
}

export const cutLimit: RuleInfo = {
  id: 'directory-limit',
  code: 'CARD-177',
  title: 'More results than a directory gives at once',
  section: 'Agent Card 4.3',
  severity: 'info',
  why: 'The best are given: who asks for more has an answer, and is told that it was cut.',
  bad: '{"tags": ["nlp"], "limit": 1000}',
  good: '{"tags": ["nlp"], "limit": 100}',
}

export const notWanted: RuleInfo = {
  id: 'directory-not-admitted',
  code: 'CARD-175',
  title: 'Card that the operator of the directory has not let in',
  section: 'Agent Card 4.2',
  severity: 'info',
  why: 'Whoever runs a directory answers for what it shows: a card may be sound, and still not be wanted, or wanted only after a look at it.',
  bad: 'the card of an agent whose id, key or host the operator has blocked',
  good: 'the same card, after the operator has let the agent in',
}

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
  cutLimit,
  notWanted,
]
