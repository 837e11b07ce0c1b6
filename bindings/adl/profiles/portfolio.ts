// The portfolio profile 1.0 in its revision of February 2026, which ADL 0.1 refers to. The revision of March moved
// `inventory` elsewhere and requires `relationships` or `domain`. Any of the three is accepted.

import { isUri } from '../../schema/formats.ts'
import { elements, isText, member, objectMember, textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import * as FINDINGS from './findings.ts'
import type { ProfileRule } from './profile.ts'
import { standardProfile } from './standard.ts'
import { choice, filled, object, rule, text, texts } from './words.ts'

const PLACES = ['inventory', 'relationships', 'domain']

const placed: ProfileRule = {
  ...FINDINGS.PFL_01,
  check({ root }, report) {
    if (PLACES.some((name) => member(root.value, name) !== undefined)) return
    report('/inventory', "Portfolio profile requires 'inventory' member, or 'relationships' or 'domain'")
  },
}

const named: ProfileRule = {
  ...FINDINGS.PORTFOLIO_URI,
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
  FINDINGS.PFL_02,
  FINDINGS.PFL_03,
  FINDINGS.PFL_04,
  FINDINGS.PFL_05,
  FINDINGS.PFL_06,
  FINDINGS.PFL_07,
  FINDINGS.PFL_08,
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
