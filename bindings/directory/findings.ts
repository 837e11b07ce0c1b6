// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../document/finding.ts'

export type Code = 'CARD-175' | 'CARD-176' | 'CARD-177' | 'CARD-190' | 'CARD-191' | 'CARD-192' | 'CARD-193' | 'CARD-194' | 'CARD-195' | 'CARD-196' | 'CARD-197' | 'CARD-198' | 'CARD-199'

const T0 = 'info'
const T1 = 'Agent Card 4.3'
const T2 = 'Agent Card 4.2'
const T3 = 'Agent Card 4.1'
export const DIRECTORY_NOT_ADMITTED = /* @__PURE__ */ finding('directory-not-admitted', 'CARD-175', 'Card that the directory\'s operator has not admitted', T2, T0)
export const DIRECTORY_TTL = /* @__PURE__ */ finding('directory-ttl', 'CARD-176', 'Longer ttl than the directory keeps a card', 'Agent Card 6.3', T0)
export const DIRECTORY_LIMIT = /* @__PURE__ */ finding('directory-limit', 'CARD-177', 'More results than a directory returns at once', T1, T0)
export const DIRECTORY_QUERY = /* @__PURE__ */ finding('directory-query', 'CARD-190', 'Invalid member of a discovery query', T1)
export const DIRECTORY_NOTHING_ASKED = /* @__PURE__ */ finding('directory-nothing-asked', 'CARD-191', 'Query without tags and without text', T1)
export const DIRECTORY_OTHER_SENDER = /* @__PURE__ */ finding('directory-other-sender', 'CARD-192', 'Card that its agent did not send', T2)
export const DIRECTORY_NOT_SHOWN = /* @__PURE__ */ finding('directory-not-shown', 'CARD-193', 'Card without proof of its agent', 'Agent Card 7.1')
export const DIRECTORY_TOO_MANY = /* @__PURE__ */ finding('directory-too-many', 'CARD-194', 'More than the directory accepts now', T2)
export const DIRECTORY_DESCRIBE = /* @__PURE__ */ finding('directory-describe', 'CARD-195', 'Invalid request for a description', T3)
export const DIRECTORY_METHOD = /* @__PURE__ */ finding('directory-method', 'CARD-196', 'Method that a directory does not have', 'Agent Card 4.4')
export const DIRECTORY_UNKNOWN_AGENT = /* @__PURE__ */ finding('directory-unknown-agent', 'CARD-197', 'Agent without a card in the directory', T3)
export const DIRECTORY_NOT_PERMITTED = /* @__PURE__ */ finding('directory-not-permitted', 'CARD-198', 'Card that the caller may not see', T3)
export const DIRECTORY_FULL = /* @__PURE__ */ finding('directory-full', 'CARD-199', 'No room for the card', T2)

export const ALL: readonly FindingKind[] = [DIRECTORY_NOT_ADMITTED, DIRECTORY_TTL, DIRECTORY_LIMIT, DIRECTORY_QUERY, DIRECTORY_NOTHING_ASKED, DIRECTORY_OTHER_SENDER, DIRECTORY_NOT_SHOWN, DIRECTORY_TOO_MANY, DIRECTORY_DESCRIBE, DIRECTORY_METHOD, DIRECTORY_UNKNOWN_AGENT, DIRECTORY_NOT_PERMITTED, DIRECTORY_FULL]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...DIRECTORY_NOT_ADMITTED, why: 'The operator of a directory decides what it shows. A valid card may still be unwanted, or wait for a review.', bad: 'the card of an agent whose id, key or host the operator has blocked', good: 'the same card, after the operator has admitted the agent' },
  { ...DIRECTORY_TTL, why: 'A card that is never renewed may be out of date, and takes space forever.', bad: '{"metadata": {"ttl": 315360000}}', good: '{"metadata": {"ttl": 86400}}, advertised again within a day' },
  { ...DIRECTORY_LIMIT, why: 'The best results are returned, with a note that the list was cut.', bad: '{"tags": ["nlp"], "limit": 1000}', good: '{"tags": ["nlp"], "limit": 100}' },
  { ...DIRECTORY_QUERY, why: 'A directory that guessed would answer another query than the caller\'s.', bad: '{"tags": "nlp", "limit": "all"}', good: '{"tags": ["nlp"], "limit": 100}' },
  { ...DIRECTORY_NOTHING_ASKED, why: 'Every agent would match equally well.', bad: '{"limit": 10}', good: '{"tags": ["nlp/translation"], "limit": 10}' },
  { ...DIRECTORY_OTHER_SENDER, why: 'Anyone who may advertise cards of other agents could speak for them.', bad: 'agent://b sends {"id": "agent://a", "name": "A"}', good: 'agent://a sends {"id": "agent://a", "name": "A"}' },
  { ...DIRECTORY_NOT_SHOWN, why: 'A directory that passed on cards without proof would lend its reputation to anyone.', bad: '{"id": "agent://scout", "name": "Scout"} without a signature', good: 'a card signed with a key that is its id, that is pinned for it, or that a resolver names' },
  { ...DIRECTORY_TOO_MANY, why: 'One sender could block the directory for all others.', bad: 'a thousand cards a minute from one sender', good: 'a card when it has changed, and before it expires' },
  { ...DIRECTORY_DESCRIBE, why: 'A directory that guessed would return another card than the caller asked for.', bad: '{"id": 7, "fields": "tools"}', good: '{"id": "agent://scout", "fields": ["tools"]}' },
  { ...DIRECTORY_METHOD, why: 'A directory has only the three methods of the Agent Card draft.', bad: 'adp.search', good: 'adp.discover' },
  { ...DIRECTORY_UNKNOWN_AGENT, why: 'Expired cards are not returned either, because they may be out of date.', bad: '{"id": "agent://nobody"}', good: '{"id": "agent://scout"}, advertised within its ttl' },
  { ...DIRECTORY_NOT_PERMITTED, why: 'The directory\'s operator decides who sees which part of a card.', bad: 'a caller without authentication asks for agent://scout', good: 'a caller asks whom the policy permits to see the card' },
  { ...DIRECTORY_FULL, why: 'The operator pays for a limited amount of space, and waiting does not add any.', bad: 'agent 101 that one key signs, in a directory that accepts 100 for each key', good: 'agent 100' },
]
