// Searches a directory on the network. It ranks the cards; their origin is verified here (sections 3.2, 7.1).

import type { AgentCard } from '../bindings/card/subject.ts'
import { verify } from '../bindings/card/verbs.ts'
import type { Correction, FactorShare, SearchQuery } from '../bindings/directory/types.ts'
import { membersOf } from '../bindings/document/parse.ts'
import type { Key } from '../bindings/keys/key.ts'
import { isObject, isText, type JsonObject, member } from '../bindings/text/members.ts'
import type { Hit, SearchOutcome } from './commands/search.ts'
import type { Host } from './host.ts'
import { counted, phrase } from './report/report.ts'
import { type Answer, ask, noAnswer } from './server.ts'

interface Options {
  readonly keys: readonly Key[]
  /** True to show cards that cannot be verified. */
  readonly unverified: boolean
}

/** Why a card is not among the hits. */
type DropReason = 'failed' | 'unverifiable' | 'malformed'

/** Queries a directory. Cards that fail verification are always dropped; unverifiable ones unless requested. */
export async function searchDirectory(
  origin: string,
  query: SearchQuery,
  host: Host,
  options: Options,
): Promise<SearchOutcome> {
  const answer = await post(host, `${origin}/adp/discover`, { ...query, explain: true })
  const members = 'problem' in answer ? {} : membersOf(answer.bytes)
  const results = member(members, 'results')
  if ('problem' in answer || answer.status !== 200 || !Array.isArray(results))
    return { hits: [], corrections: [], problems: [noAnswer(origin, answer).result], notes: [] }
  const judged = await Promise.all(results.map((result) => judge(result, origin, host, options)))
  const dropped = (why: DropReason) => judged.filter((hit) => hit === why).length
  const [failed, unverifiable, malformed] = [dropped('failed'), dropped('unverifiable'), dropped('malformed')]
  return {
    hits: judged.filter((hit) => typeof hit !== 'string'),
    corrections: elementsOf(members, 'corrections').flatMap(readCorrection),
    problems: [],
    notes: [
      phrase([
        `${counted(results.length, 'card')} from ${origin}`,
        failed > 0 && `${failed} dropped: the signature is not valid`,
        unverifiable > 0 && `${unverifiable} dropped: they cannot be verified (--unverified shows them)`,
        malformed > 0 && `${malformed} dropped: not an Agent Card`,
        member(members, 'cut') === true && 'the answer of the directory was full',
      ]),
    ],
  }
}

async function judge(result: unknown, origin: string, host: Host, options: Options): Promise<Hit | DropReason> {
  if (!isObject(result)) return 'malformed'
  const given = member(result, 'agent_card')
  if (!isCard(given)) return 'malformed'
  const card = member(result, 'partial') === true ? await wholeCard(given, origin, host) : given
  if (card === undefined) return 'unverifiable'
  const keys = options.keys.map(({ publicKey }) => publicKey)
  const expect = { id: given.id, ...(keys.length > 0 && { keys }) }
  const { verdict } = await verify(JSON.stringify(card), { expect })
  if (verdict === 'failed' || (verdict === 'unverifiable' && !options.unverified)) return verdict
  const score = member(result, 'score')
  const equivocations = member(result, 'equivocations')
  const seq = member(result, 'seq')
  return {
    file: null,
    agent_card: card,
    score: typeof score === 'number' ? score : 0,
    matched_tags: elementsOf(result, 'matched_tags').filter(isText),
    standing: verdict === 'verified' ? (keys.length > 0 ? 'pinned' : 'signature') : 'none',
    verified: verdict === 'verified',
    equivocations: typeof equivocations === 'number' ? equivocations : 0,
    ...(isText(seq) && /^\d{1,20}$/.test(seq) && { seq }),
    why: elementsOf(result, 'why').flatMap(readShare),
  }
}

/** Fetches a whole card that the directory sent only in part, because it did not fit the answer. */
async function wholeCard({ id }: AgentCard, origin: string, host: Host): Promise<AgentCard | undefined> {
  const answer = await post(host, `${origin}/adp/describe`, { id })
  if ('problem' in answer || answer.status !== 200) return undefined
  const card = membersOf(answer.bytes)
  return isCard(card) ? card : undefined
}

function post(host: Host, url: string, body: object): Promise<Answer> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  return ask(host, url, { method: 'POST', headers, body: JSON.stringify(body) })
}

function readShare(value: unknown): FactorShare[] {
  if (!isObject(value)) return []
  const { factor, reason, ...numbers } = value
  const [share, weight, contribution] = ['value', 'weight', 'contribution'].map((name) => member(numbers, name))
  if (typeof share !== 'number' || typeof weight !== 'number' || typeof contribution !== 'number') return []
  if (typeof factor !== 'string' || typeof reason !== 'string') return []
  return [{ factor: factor as FactorShare['factor'], value: share, weight, contribution, reason }]
}

function readCorrection(value: unknown): Correction[] {
  const word = isObject(value) ? member(value, 'word') : undefined
  return isObject(value) && isText(word) ? [{ word, instead: elementsOf(value, 'instead').filter(isText) }] : []
}

function elementsOf(of: JsonObject, name: string): readonly unknown[] {
  const value = member(of, name)
  return Array.isArray(value) ? value : []
}

const isCard = (value: unknown): value is AgentCard =>
  isObject(value) && isText(member(value, 'id')) && isText(member(value, 'name'))
