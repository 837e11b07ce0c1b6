// The portfolio profile 1.0 in its revision of February 2026, which ADL 0.1 refers to. The revision of March moved
// `inventory` elsewhere and requires `relationships` or `domain`. Any of the three is accepted.
import { isUri } from '../../schema/formats.ts'
import { elements, isText, member, objectMember, textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { Checks } from './profile.ts'

const PLACES = ['inventory', 'relationships', 'domain']

export const PORTFOLIO: Checks = {
  'PFL-01': ({ root }, report) => {
    if (PLACES.some((name) => member(root.value, name) !== undefined)) return
    report('/inventory', "Portfolio profile requires 'inventory' member, or 'relationships' or 'domain'")
  },
  'portfolio-uri': ({ root }, report) => {
    const relationships = objectMember(root, 'relationships')
    const agents = ['depends_on', 'composed_of', 'peers'].flatMap((name) => elements(relationships, name, isText))
    const single = [textMember(relationships, 'orchestrated_by'), textMember(objectMember(root, 'domain'), 'domain_id')]
    for (const place of [...agents, ...single]) {
      if (place !== undefined && !isUri(place.value)) report(place.pointer, `${quoted(place.value)} should be a URI`)
    }
  },
}
