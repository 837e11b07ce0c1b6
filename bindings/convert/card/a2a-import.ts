import { elements, isObject, isText, member, objectMember, type PlacedObject } from '../../document/members.ts'
import { ITSELF, type Version } from '../a2a/card.ts'
import { CARD_EXTENSION, openBaggage } from '../baggage.ts'
import { type Job, type Product, textOf } from '../job.ts'
import type { Made } from '../json.ts'
import type { Carrier } from '../ledger.ts'
import { NEEDED } from '../problems.ts'
import { cardToA2a } from './a2a-export.ts'
import { readAuth } from './auth.ts'
import { cardKeeper, carriedTools, finishCard, makeTools, NO_VERSION, readText, restoreCard } from './card.ts'
import { skipRemade } from './derived.ts'
import { endpointsOfInterfaces } from './endpoints.ts'

/** An Agent Card of one of A2A. What that says beyond it is kept in the extension blazon.a2a. */
export function cardFromA2a(job: Job, version: Version): Product {
  const { root, ledger, options, problems } = job
  const capabilities = objectMember(root, 'capabilities')
  const extension = elements(capabilities, 'extensions', isObject).find(
    ({ value }) => member(value, 'uri') === CARD_EXTENSION,
  )
  const carried = objectMember(extension, 'params')
  const card: Made = {}
  const name = textOf(root, 'name')
  if (name === undefined) problems.report(NEEDED, '', 'expected a non-empty name: an Agent Card has to have it')
  readText(ledger, root, 'name', card, '', { carried, fallback: '' })
  readText(ledger, root, 'description', card, '', { carried, fallback: name ?? '' })
  readText(ledger, root, 'version', card, '', { carried, fallback: NO_VERSION })
  if (version === '0.3') ledger.implied('/protocolVersion', 'A2A 0.3, as is known')
  const carriers: [string, Carrier][] = []
  readSkills(job, card, carriers, carried)
  if (extension === undefined || carried === undefined) {
    readTags(job, card)
    const endpoints = endpointsOfInterfaces(job, readAuth(job))
    if (endpoints.length > 0) {
      card['endpoints'] = endpoints
      const at = version === '1.0' ? '/supportedInterfaces' : '/url'
      ledger.told(at, '/endpoints', 'as endpoints; the binding is kept beside')
    }
  } else {
    for (const name of Object.keys(extension.value)) {
      if (name !== 'params')
        ledger.implied(`${extension.pointer}/${name}`, 'says that the params are members of an Agent Card')
    }
    restoreCard(ledger, carried, card)
  }
  skipRemade(job, card, (remake) => cardToA2a(remake, version))
  finishCard(job, card)
  carriers.push(['', cardKeeper(card, 'a2a')])
  return { document: card, baggage: openBaggage(options, carriers, 'an Agent Card has no member for it') }
}

/** Tools of the skills of an A2A card. */
export function readSkills(
  job: Job,
  card: Made,
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
    if (textOf(skill, 'name') === id) ledger.implied(`${skill.pointer}/name`, 'the same as the id')
  })
}

/** A card has tags of the agent: those of all its skills. */
function readTags({ root, ledger }: Job, card: Made): void {
  const tags = new Set<string>()
  for (const skill of elements(root, 'skills', isObject)) {
    const own = elements(skill, 'tags', isText)
    for (const { value } of own) if (value !== '') tags.add(value)
    if (own.length > 0) ledger.told(`${skill.pointer}/tags`, '/skills', 'tags of the agent')
  }
  if (tags.size > 0) card['skills'] = [...tags]
}
