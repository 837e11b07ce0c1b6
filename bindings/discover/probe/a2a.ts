import { elements, isObject, member } from '../../document/members.ts'
import { parse } from '../../document/parse.ts'
import { type FetchOptions, fetchDocument } from '../fetch.ts'
import type { Offer } from './mcp.ts'

/** Where A2A has its card since 0.3, and before. */
const PATHS = ['/.well-known/agent-card.json', '/.well-known/agent.json']
const DEPTH = 128

/** Asks the server of an endpoint for its A2A card, whose skills are what it offers (Agent Card A.1). */
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
    refusal = `${path} is no A2A card`
  }
  return { refusal }
}
