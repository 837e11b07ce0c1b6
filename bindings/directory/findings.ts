// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../document/finding.ts'

export type Code = 'CARD-175' | 'CARD-176' | 'CARD-177' | 'CARD-190' | 'CARD-191' | 'CARD-192' | 'CARD-193' | 'CARD-194' | 'CARD-195' | 'CARD-196' | 'CARD-197' | 'CARD-198' | 'CARD-199'

const T0 = 'info'
const T1 = 'Agent Card 4.3'
const T2 = 'Agent Card 4.2'
const T3 = 'Agent Card 4.1'
export const DIRECTORY_NOT_ADMITTED = /* @__PURE__ */ finding('directory-not-admitted', 'CARD-175', 'Card that the operator of the directory has not let in', T2, T0)
export const DIRECTORY_TTL = /* @__PURE__ */ finding('directory-ttl', 'CARD-176', 'Longer ttl than the directory keeps a card for', 'Agent Card 6.3', T0)
export const DIRECTORY_LIMIT = /* @__PURE__ */ finding('directory-limit', 'CARD-177', 'More results than a directory gives at once', T1, T0)
export const DIRECTORY_QUERY = /* @__PURE__ */ finding('directory-query', 'CARD-190', 'Invalid member of a discovery query', T1)
export const DIRECTORY_NOTHING_ASKED = /* @__PURE__ */ finding('directory-nothing-asked', 'CARD-191', 'Query without tags and without text', T1)
export const DIRECTORY_OTHER_SENDER = /* @__PURE__ */ finding('directory-other-sender', 'CARD-192', 'Card of another agent than the one that sends it', T2)
export const DIRECTORY_NOT_SHOWN = /* @__PURE__ */ finding('directory-not-shown', 'CARD-193', 'Nothing shows whose card it is', 'Agent Card 7.1')
export const DIRECTORY_TOO_MANY = /* @__PURE__ */ finding('directory-too-many', 'CARD-194', 'More than the directory takes now', T2)
export const DIRECTORY_DESCRIBE = /* @__PURE__ */ finding('directory-describe', 'CARD-195', 'Invalid request for a description', T3)
export const DIRECTORY_METHOD = /* @__PURE__ */ finding('directory-method', 'CARD-196', 'Method that a directory does not have', 'Agent Card 4.4')
export const DIRECTORY_UNKNOWN_AGENT = /* @__PURE__ */ finding('directory-unknown-agent', 'CARD-197', 'Agent that the directory has no card of', T3)
export const DIRECTORY_NOT_PERMITTED = /* @__PURE__ */ finding('directory-not-permitted', 'CARD-198', 'Card that the caller is not shown', T3)
export const DIRECTORY_FULL = /* @__PURE__ */ finding('directory-full', 'CARD-199', 'Card for which there is no room', T2)

export const ALL: readonly FindingKind[] = [DIRECTORY_NOT_ADMITTED, DIRECTORY_TTL, DIRECTORY_LIMIT, DIRECTORY_QUERY, DIRECTORY_NOTHING_ASKED, DIRECTORY_OTHER_SENDER, DIRECTORY_NOT_SHOWN, DIRECTORY_TOO_MANY, DIRECTORY_DESCRIBE, DIRECTORY_METHOD, DIRECTORY_UNKNOWN_AGENT, DIRECTORY_NOT_PERMITTED, DIRECTORY_FULL]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...DIRECTORY_NOT_ADMITTED, why: 'Whoever runs a directory answers for what it shows: a card may be sound, and still not be wanted, or wanted only after a look at it.', bad: 'the card of an agent whose id, key or host the operator has blocked', good: 'the same card, after the operator has let the agent in' },
  { ...DIRECTORY_TTL, why: 'A card that is never renewed may be long out of date, and takes room for good.', bad: '{"metadata": {"ttl": 315360000}}', good: '{"metadata": {"ttl": 86400}}, advertised again within a day' },
  { ...DIRECTORY_LIMIT, why: 'The best are given: who asks for more has an answer, and is told that it was cut.', bad: '{"tags": ["nlp"], "limit": 1000}', good: '{"tags": ["nlp"], "limit": 100}' },
  { ...DIRECTORY_QUERY, why: 'A directory that guessed would answer another question than the one that was asked.', bad: '{"tags": "nlp", "limit": "all"}', good: '{"tags": ["nlp"], "limit": 100}' },
  { ...DIRECTORY_NOTHING_ASKED, why: 'Every agent would match, and none better than another.', bad: '{"limit": 10}', good: '{"tags": ["nlp/translation"], "limit": 10}' },
  { ...DIRECTORY_OTHER_SENDER, why: 'Who may advertise the cards of others may speak for them.', bad: 'agent://b sends {"id": "agent://a", "name": "A"}', good: 'agent://a sends {"id": "agent://a", "name": "A"}' },
  { ...DIRECTORY_NOT_SHOWN, why: 'A directory that passed on cards without knowing whose they are would lend its name to anybody.', bad: '{"id": "agent://scout", "name": "Scout"} without a signature', good: 'a card signed with a key that the id is, that is pinned for it, or that a resolver names' },
  { ...DIRECTORY_TOO_MANY, why: 'One sender could keep the directory from all others.', bad: 'a thousand cards a minute from one sender', good: 'a card when it has changed, and before it expires' },
  { ...DIRECTORY_DESCRIBE, why: 'A directory that guessed would give another card than the one that was asked for.', bad: '{"id": 7, "fields": "tools"}', good: '{"id": "agent://scout", "fields": ["tools"]}' },
  { ...DIRECTORY_METHOD, why: 'A directory has the three methods of the Agent Card, and no others.', bad: 'adp.search', good: 'adp.discover' },
  { ...DIRECTORY_UNKNOWN_AGENT, why: 'Cards that have expired are given to nobody either: what they say may no longer hold.', bad: '{"id": "agent://nobody"}', good: '{"id": "agent://scout"}, advertised within its ttl' },
  { ...DIRECTORY_NOT_PERMITTED, why: 'The operator of the directory decides who sees what of a card.', bad: 'a caller that nobody authenticated asks for agent://scout', good: 'a caller asks that the policy shows the card to' },
  { ...DIRECTORY_FULL, why: 'What a directory has room for is what its operator pays for; waiting makes no more of it.', bad: 'the hundred and first agent that one key signs, in a directory that takes a hundred of each', good: 'the hundredth one' },
]
