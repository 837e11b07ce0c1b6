import { isLanguage } from '../../tables/index.ts'
import { elements, isObject, isText, member, objectMember, type PlacedObject } from '../../text/members.ts'
import { PROTOCOL } from '../../wellknown/identity.ts'
import { CARD_META, openBaggage } from '../baggage.ts'
import { CONVERT_NEEDED } from '../findings.ts'
import { type Job, type Product, textOf } from '../job.ts'
import { child, type MutableObject } from '../json.ts'
import type { Carrier } from '../ledger.ts'
import { ITSELF } from '../sides/a2a.ts'
import { carriedTools, closeCard, makeTools, readText, restoreCard } from '../sides/card.ts'
import { cardToWellknown, MODES } from './to-wellknown.ts'

/** The accepted versions: ADP/1.0 has the same members, and some that are kept (section 9.4). */
const READ: readonly unknown[] = [PROTOCOL, 'ADP/1.0']

/**
 * Makes a card from ADP/1.0 or 1.1 metadata. Members without a counterpart are kept in the extension blazon.wellknown.
 */
export function cardFromWellknown(job: Job): Product {
  const { root, ledger, options, problems } = job
  const identity = objectMember(root, 'identity')
  const carried = objectMember(objectMember(root, 'meta'), CARD_META)
  const card: MutableObject = {}
  if (!READ.includes(member(root.value, 'protocol')))
    problems.report(CONVERT_NEEDED, '/protocol', `expected ${READ.join(' or ')}`)
  if (identity === undefined || textOf(identity, 'name') === undefined) {
    problems.report(CONVERT_NEEDED, '/identity', 'expected a non-empty name: an Agent Card requires it')
    return { document: card, baggage: openBaggage(options, [], '') }
  }
  readText(ledger, identity, 'name', card, '', { carried, fallback: '' })
  const carriers: [string, Carrier][] = []
  const carriedOf = carriedTools(carried)
  const skip = ({ pointer }: PlacedObject, id: string) => {
    if (id !== ITSELF || carried === undefined) return false
    ledger.implied(pointer, 'the agent itself, which had no tools')
    return true
  }
  const capabilities = { of: root, list: 'capabilities', key: 'id', format: 'wellknown', skip } as const
  makeTools(job, card, carriers, capabilities, (capability, tool, at, id) =>
    readText(ledger, capability, 'description', tool, at, { carried: carriedOf(id), fallback: id }),
  )
  if (carried !== undefined) restoreCard(ledger, carried, card)
  else {
    readEndpoints(job, card)
    readConstraints(job, card)
  }
  return closeCard(job, card, 'wellknown', cardToWellknown, carriers)
}

function readEndpoints({ root, ledger }: Job, card: MutableObject): void {
  const from = objectMember(root, 'endpoints')
  const isBearer = elements(objectMember(root, 'security'), 'authMethods', isText).some(
    ({ value }) => value === 'bearer_token',
  )
  const endpoints = MODES.flatMap(({ member: name, protocol, scheme }): MutableObject[] => {
    const uri = textOf(from, name)
    if (uri === undefined || !scheme.test(uri)) return []
    ledger.shown(`${from!.pointer}/${name}`, '/endpoints', 'the URL; it speaks another protocol', 'changed')
    return [{ protocol, uri, ...(isBearer && { auth: 'bearer' }) }]
  })
  if (endpoints.length > 0) card['endpoints'] = endpoints
}

/** Reads the languages of all capabilities, restricted to those of ISO 639-1. */
function readConstraints({ root, ledger }: Job, card: MutableObject): void {
  const languages = new Set<string>()
  for (const capability of elements(root, 'capabilities', isObject)) {
    const known = elements(capability, 'languages', isText).filter(({ value }) => isLanguage(value))
    for (const { value } of known) languages.add(value)
    if (known.length > 0) ledger.shown(`${capability.pointer}/languages`, '/constraints/supported_languages')
  }
  if (languages.size > 0) child(card, 'constraints')['supported_languages'] = [...languages]
  const limit = objectMember(objectMember(root, 'security'), 'rateLimit')
  const count = member(limit?.value, 'requestsPerMinute')
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 1) return
  child(card, 'constraints')['rate_limit'] = `${count}/min`
  ledger.shown(`${limit!.pointer}/requestsPerMinute`, '/constraints/rate_limit')
}
