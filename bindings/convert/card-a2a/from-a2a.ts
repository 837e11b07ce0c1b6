import { elements, isObject, isText, member, type PlacedObject } from '../../text/members.ts'
import { CARD_EXTENSION } from '../baggage.ts'
import { type Job, type Product, textOf } from '../job.ts'
import type { MutableObject } from '../json.ts'
import type { Carrier } from '../ledger.ts'
import { extensionOf, INTERFACES, ITSELF, skipExtension, type Version } from '../sides/a2a.ts'
import { carriedTools, closeCard, makeTools, NO_VERSION, needName, readText, restoreCard } from '../sides/card.ts'
import { readAuth } from './auth.ts'
import { endpointsOfInterfaces } from './endpoints.ts'
import { cardToA2a } from './to-a2a.ts'

/** Makes an Agent Card from an A2A card. Members without a counterpart are kept in the extension blazon.a2a. */
export function cardFromA2a(job: Job, version: Version): Product {
  const { root, ledger } = job
  const { extension, params: carried } = extensionOf(root, CARD_EXTENSION)
  const card: MutableObject = {}
  const name = textOf(root, 'name')
  needName(job, root)
  readText(ledger, root, 'name', card, '', { carried, fallback: '' })
  readText(ledger, root, 'description', card, '', { carried, fallback: name ?? '' })
  readText(ledger, root, 'version', card, '', { carried, fallback: NO_VERSION })
  if (version === '0.3') ledger.implied('/protocolVersion', 'A2A 0.3, which is clear from the format')
  const carriers: [string, Carrier][] = []
  readSkills(job, card, carriers, carried)
  if (extension === undefined || carried === undefined) {
    readTags(job, card)
    const endpoints = endpointsOfInterfaces(job, readAuth(job))
    if (endpoints.length > 0) {
      card['endpoints'] = endpoints
      for (const name of INTERFACES)
        if (member(root.value, name) !== undefined) ledger.shown(`/${name}`, '/endpoints', 'as endpoints')
    }
  } else {
    skipExtension(extension, 'an Agent Card', ledger)
    restoreCard(ledger, carried, card)
  }
  return closeCard(job, card, 'a2a', (remake) => cardToA2a(remake, version), carriers)
}

/** Reads the skills of an A2A card as tools. */
export function readSkills(
  job: Job,
  card: MutableObject,
  carriers: [string, Carrier][],
  carried: PlacedObject | undefined,
): void {
  const { root, ledger } = job
  const carriedOf = carriedTools(carried)
  const skip = (skill: PlacedObject, id: string) => {
    if (id !== ITSELF || member(skill.value, 'name') !== root.value['name']) return false
    ledger.implied(skill.pointer, 'the agent itself, which had no tools')
    return true
  }
  const skills = { of: root, list: 'skills', key: 'id', format: 'a2a', skip } as const
  makeTools(job, card, carriers, skills, (skill, tool, at, id) => {
    readText(ledger, skill, 'description', tool, at, { carried: carriedOf(id), fallback: id })
    if (textOf(skill, 'name') === id) ledger.implied(`${skill.pointer}/name`, 'the same as the id', `${at}/name`)
  })
}

/** Collects the tags of all skills for the agent. */
function readTags({ root, ledger }: Job, card: MutableObject): void {
  const tags = new Set<string>()
  for (const skill of elements(root, 'skills', isObject)) {
    const own = elements(skill, 'tags', isText)
    for (const { value } of own) if (value !== '') tags.add(value)
    if (own.length > 0) ledger.shown(`${skill.pointer}/tags`, '/skills', 'tags of the agent')
  }
  if (tags.size > 0) card['skills'] = [...tags]
}
