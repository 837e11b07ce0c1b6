// The portfolio profile 1.0 in its revision of February 2026, which ADL 0.1 refers to. The revision of March moved
// `inventory` elsewhere and requires `relationships` or `domain`. Any of the three is accepted.

import { isUri } from '../../schema/formats.ts'
import { elements, isText, member, objectMember, textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { ProfileRule } from './profile.ts'
import { profileAdvice, profileRule } from './rules.ts'
import { standardProfile } from './standard.ts'
import { choice, filled, object, rule, text, texts } from './words.ts'

const row = profileRule('Portfolio profile 1.0')
const PLACES = ['inventory', 'relationships', 'domain']

const placed: ProfileRule = {
  ...row({
    id: 'PFL-01',
    why: 'An agent that is part of a portfolio is found by its place in it: a catalog entry, its relations to others or its domain.',
    bad: '{"profiles": ["portfolio"]}',
    good: '{"profiles": ["portfolio"], "inventory": {"catalog_id": "cs-agent-001"}}',
  }),
  check({ root }, report) {
    if (PLACES.some((name) => member(root.value, name) !== undefined)) return
    report('/inventory', "Portfolio profile requires 'inventory' member, or 'relationships' or 'domain'")
  },
}

const named: ProfileRule = {
  ...profileAdvice('Portfolio profile 1.0')({
    id: 'portfolio-uri',
    why: 'Programs follow relations between agents by their identifiers, which are URIs.',
    bad: '{"relationships": {"peers": ["the billing agent"]}}',
    good: '{"relationships": {"peers": ["https://acme.example.com/agents/billing"]}}',
  }),
  check({ root }, report) {
    const relationships = objectMember(root, 'relationships')
    const agents = ['depends_on', 'composed_of', 'peers'].flatMap((name) => elements(relationships, name, isText))
    const single = [textMember(relationships, 'orchestrated_by'), textMember(objectMember(root, 'domain'), 'domain_id')]
    for (const place of [...agents, ...single]) {
      if (place !== undefined && !isUri(place.value)) report(place.pointer, `${quoted(place.value)} should be a URI`)
    }
  },
}

const rows = [
  row({
    id: 'PFL-02',
    why: 'The catalog knows the agent by this identifier.',
    bad: '{"inventory": {"catalog_id": ""}}',
    good: '{"inventory": {"catalog_id": "cs-agent-001"}}',
  }),
  row({
    id: 'PFL-03',
    why: 'Who may see the agent is decided by one of three words; another word would be read as anybody likes.',
    bad: '{"inventory": {"catalog_id": "a", "visibility": "secret"}}',
    good: '{"inventory": {"catalog_id": "a", "visibility": "private"}}',
  }),
  row({
    id: 'PFL-04',
    why: 'Catalogs search by tags, which are texts.',
    bad: '{"inventory": {"catalog_id": "a", "tags": [1]}}',
    good: '{"inventory": {"catalog_id": "a", "tags": ["tier-1"]}}',
  }),
  row({
    id: 'PFL-05',
    why: 'Each entry names an agent that this one needs.',
    bad: '{"relationships": {"depends_on": "urn:example:a"}}',
    good: '{"relationships": {"depends_on": ["urn:example:a"]}}',
  }),
  row({
    id: 'PFL-06',
    why: 'Each entry names an agent that this one is made of.',
    bad: '{"relationships": {"composed_of": [{}]}}',
    good: '{"relationships": {"composed_of": ["urn:example:a"]}}',
  }),
  row({
    id: 'PFL-07',
    why: 'One agent orchestrates this one: its identifier is a text.',
    bad: '{"relationships": {"orchestrated_by": ["urn:example:a"]}}',
    good: '{"relationships": {"orchestrated_by": "urn:example:a"}}',
  }),
  row({
    id: 'PFL-08',
    why: 'Each entry names an agent beside this one.',
    bad: '{"relationships": {"peers": [null]}}',
    good: '{"relationships": {"peers": ["urn:example:a"]}}',
  }),
]

const ruledTexts = (id: string) => rule(id, texts)

export const PORTFOLIO = standardProfile('portfolio', 'ADL Portfolio Profile', {
  rules: [placed, ...rows, named],
  members: {
    inventory: rule(
      'PFL-01',
      object({
        'catalog_id*': rule('PFL-02', filled),
        classification: object({ category: text, type: text }),
        tags: ruledTexts('PFL-04'),
        visibility: rule('PFL-03', choice('private', 'internal', 'public')),
      }),
    ),
    relationships: object({
      depends_on: ruledTexts('PFL-05'),
      composed_of: ruledTexts('PFL-06'),
      orchestrated_by: rule('PFL-07', text),
      peers: ruledTexts('PFL-08'),
    }),
    domain: object({ domain_id: text, subdomain: text, bounded_context: text, role: text }),
  },
})
