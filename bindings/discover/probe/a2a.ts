import { parse } from '../../document/parse.ts'
import { type FetchOptions, fetchDocument } from '../../net/fetch.ts'
import { elements, isObject, member } from '../../text/members.ts'
import type { Offer } from './mcp.ts'

/** The path of an A2A card since 0.3, and the one before. */
const PATHS = ['/.well-known/agent-card.json', '/.well-known/agent.json']
const DEPTH = 128

/** Asks the server of an endpoint for its A2A card, whose skills are the offered tools (Agent Card A.1). */
export async function askA2a(url: string, options: () => FetchOptions): Promise<Offer> {
  let refusal = ''
  for (const path of PATHS) {
    const outcome = await fetchDocument(new URL(path, url).href, 'application/json', options())
    if (!outcome.ok) {
      refusal = outcome.diagnostic.detail
      continue
    }
    const { bytes, addressChecked } = outcome.fetched
    const value = parse(bytes, { maxDepth: DEPTH }).document?.value
    if (isObject(value) && Array.isArray(member(value, 'skills'))) {
      const ids = elements({ pointer: '', value }, 'skills', isObject).map((skill) => member(skill.value, 'id'))
      return { offered: [...new Set(ids.filter((id) => typeof id === 'string'))], addressChecked }
    }
    refusal = `${path} is not an A2A card`
  }
  return { refusal }
}
