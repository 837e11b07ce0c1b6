import type { Rule } from '../../frame/rule.ts'
import { quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { URI_SCHEME } from '../findings.ts'
import { uris } from '../places.ts'

const ALLOWED = ['https', 'http', 'urn']

/** The scheme of a URI in lower case; undefined for a relative reference or a malformed URI. */
export function schemeOf(uri: string): string | undefined {
  return /^([a-z][a-z0-9+.-]{0,40}):/i.exec(uri)?.[1]?.toLowerCase()
}

export const uriSchemes: Rule<Agent> = {
  ...URI_SCHEME,
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
