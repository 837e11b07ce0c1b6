import type { Rule } from '../../frame/rule.ts'
import { quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { uris } from '../places.ts'

const ALLOWED = ['https', 'http', 'urn']

/** The scheme of a URI in lower case; undefined for a relative reference or a malformed URI. */
export function schemeOf(uri: string): string | undefined {
  return /^([a-z][a-z0-9+.-]{0,40}):/i.exec(uri)?.[1]?.toLowerCase()
}

export const uriSchemes: Rule<Agent> = {
  id: 'uri-scheme',
  code: 'BADL-116',
  title: 'URI with another scheme than https, http and urn',
  section: 'ADL 18.7',
  severity: 'warning',
  rulesets: { strict: 'error', security: 'error' },
  why: 'Programs that follow a URI of a scheme that nobody expects read local files, or run what they should only show.',
  bad: '{"resources": [{"name": "papers", "type": "file", "uri": "file:///data/papers"}]}',
  good: '{"resources": [{"name": "papers", "type": "file", "uri": "https://store.acme.example.com/papers"}]}',
  check(agent, report, { allowSchemes = [] }) {
    for (const { pointer, value, isIdentity } of uris(agent)) {
      if (value.startsWith('https://')) continue
      const scheme = schemeOf(value)
      if (scheme === undefined || ALLOWED.includes(scheme) || (scheme === 'did' && isIdentity)) continue
      if (allowSchemes.includes(scheme)) continue
      report(pointer, `Scheme ${quoted(scheme)} is not one of https, http and urn`)
    }
  },
}
