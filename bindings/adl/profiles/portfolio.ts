// The portfolio profile 1.0, its revision of February 2026, which ADL 0.1 refers to. The revision of March moved
// `inventory` elsewhere and demands `relationships` or `domain`: any of the three is accepted.

import { elements, isText, member, objectMember, textMember } from '../../document/members.ts'
import { quoted } from '../../document/words.ts'
import { isUri } from '../../schema/formats.ts'
import type { ProfileRule } from './profile.ts'
import { profileAdvice, profileRule } from './rules.ts'
import { standardProfile } from './standard.ts'
import { choice, filled, object, rule, text, texts } from './words.ts'

const row = profileRule('Portfolio profile 1.0')
const PLACES = ['inventory', 'relationships', 'domain']

const placed: ProfileRule = {
  ...row(
    'PFL-01',
    'An agent that is part of a portfolio is found by its place in it: a catalog entry, its relations to others or its domain.',
    '{"profiles": ["portfolio"]}',
    '{"profiles": ["portfolio"], "inventory": {"catalog_id": "cs-agent-001"}}',
  ),
  check({ root }, report) {
    if (PLACES.some((name) => member(root.value, name) !== undefined)) return
    report('/inventory', "Portfolio profile requires 'inventory' member, or 'relationships' or 'domain'")
  },
}

const named: ProfileRule = {
  ...profileAdvice('Portfolio profile 1.0')(
    'portfolio-uri',
    'Programs follow relations between agents by their identifiers, which are URIs.',
    '{"relationships": {"peers": ["the billing agent"]}}',
    '{"relationships": {"peers": ["https://acme.example.com/agents/billing"]}}',
  ),
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
  row(
    'PFL-02',
    'The catalog knows the agent by this identifier.',
    '{"inventory": {"catalog_id": ""}}',
    '{"inventory": {"catalog_id": "cs-agent-001"}}',
  ),
  row(
    'PFL-03',
    'Who may see the agent is decided by one of three words; another word would be read as anybody likes.',
    '{"inventory": {"catalog_id": "a", "visibility": "secret"}}',
    '{"inventory": {"catalog_id": "a", "visibility": "private"}}',
  ),
  row(
    'PFL-04',
    'Catalogs search by tags, which are texts.',
    '{"inventory": {"catalog_id": "a", "tags": [1]}}',
    '{"inventory": {"catalog_id": "a", "tags": ["tier-1"]}}',
  ),
  row(
    'PFL-05',
    'Each entry names an agent that this one needs.',
    '{"relationships": {"depends_on": "urn:example:a"}}',
    '{"relationships": {"depends_on": ["urn:example:a"]}}',
  ),
  row(
    'PFL-06',
    'Each entry names an agent that this one is made of.',
    '{"relationships": {"composed_of": [{}]}}',
    '{"relationships": {"composed_of": ["urn:example:a"]}}',
  ),
  row(
    'PFL-07',
    'One agent orchestrates this one: its identifier is a text.',
    '{"relationships": {"orchestrated_by": ["urn:example:a"]}}',
    '{"relationships": {"orchestrated_by": "urn:example:a"}}',
  ),
  row(
    'PFL-08',
    'Each entry names an agent beside this one.',
    '{"relationships": {"peers": [null]}}',
    '{"relationships": {"peers": ["urn:example:a"]}}',
  ),
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
