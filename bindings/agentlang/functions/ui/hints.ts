import { type JsonObject, member, objectOf } from '../../../text/members.ts'

const MOST_HINTS = 100

/** The suggestions and integrations of ux.yaml; leaves out what is malformed, and links that are not web addresses. */
export function hintsOf(ux: JsonObject) {
  const texts = (list: unknown): readonly string[] => {
    return (Array.isArray(list) ? list : []).filter((text) => typeof text === 'string').slice(0, MOST_HINTS)
  }
  const tools = Object.entries(objectOf(member(ux, 'tools')))
  const integrations = member(ux, 'integrations')
  return {
    suggestions: texts(member(ux, 'suggestions')),
    toolSuggestions: Object.fromEntries(tools.map(([name, hints]) => [name, texts(objectOf(hints)['suggestions'])])),
    integrations: (Array.isArray(integrations) ? integrations : []).slice(0, MOST_HINTS).flatMap((integration) => {
      const { name, website } = objectOf(integration)
      const isWeb = typeof website === 'string' && URL.canParse(website) && /^https?:/.test(new URL(website).protocol)
      return typeof name === 'string' ? [{ name, ...(isWeb ? { website } : {}) }] : []
    }),
  }
}
