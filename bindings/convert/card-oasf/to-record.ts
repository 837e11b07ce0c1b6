// Writes records of OASF 1.1.1, as the directories of AGNTCY store them.

import { isDateTime } from '../../schema/formats.ts'
import { OASF_VERSION } from '../../tables/oasf.ts'
import { elements, isObject, isText, member, objectMember, type PlacedObject } from '../../text/members.ts'
import { checkedNow } from '../../text/moment.ts'
import { openBaggage } from '../baggage.ts'
import { CONVERT_NEEDED, CONVERT_SUPPLIED } from '../findings.ts'
import { type Job, moveNeeded, type Product, textOf } from '../job.ts'
import type { MutableObject } from '../json.ts'
import { isTexts } from '../sides/a2a.ts'
import { keptOf, NO_VERSION, writeText } from '../sides/card.ts'
import { writeModules } from './modules.ts'
import { noteCarrier } from './note.ts'
import { skillOf } from './skills.ts'

/** Makes a record from a card. */
export function cardToRecord(job: Job): Product {
  const { root, ledger, options } = job
  const kept = keptOf(root, 'oasf')
  const record: MutableObject = {}
  moveNeeded(job, root, 'name', record, '/name')
  const name = textOf(root, 'name') ?? ''
  writeText(ledger, root, 'version', record, '', options.version ?? NO_VERSION, 'the card has no version')
  record['schema_version'] = OASF_VERSION
  ledger.added('/schema_version', 'the version of OASF')
  writeText(ledger, root, 'description', record, '', name, 'its name, because the card has no description')
  writeAuthors(job, record, kept, name)
  writeTime(job, record)
  writeSkills(job, record)
  const domains = domainsOf(kept)
  if (domains.length > 0) record['domains'] = domains
  writeLocators(job, record, kept)
  writeModules(job, record, kept)
  const carriers = [['', noteCarrier(record, '')]] as const
  return { document: record, baggage: openBaggage(options, carriers, 'a record has no member for it') }
}

function writeAuthors(
  { problems, ledger }: Job,
  record: MutableObject,
  kept: PlacedObject | undefined,
  name: string,
): void {
  const authors = member(kept?.value, 'authors')
  if (isTexts(authors)) {
    record['authors'] = authors
    ledger.shown(`${kept!.pointer}/authors`, '/authors', 'put back in its place')
    return
  }
  record['authors'] = [name]
  ledger.added('/authors', 'the agent itself, because the card names no author')
  const detail = 'the record names the agent as its author: set extensions["blazon.oasf"].authors in the card'
  problems.report(CONVERT_SUPPLIED, '', detail)
}

function writeTime({ root, options, ledger, problems }: Job, record: MutableObject): void {
  const metadata = objectMember(root, 'metadata')
  const created = textOf(metadata, 'created_at')
  if (created !== undefined && isDateTime(created)) {
    record['created_at'] = created
    // The record alone does not show whether the card had a time.
    ledger.shown(`${metadata!.pointer}/created_at`, '/created_at', 'as it is')
    return
  }
  record['created_at'] = checkedNow(options.now).toISOString()
  ledger.added('/created_at', 'now, because the card does not say when it was made')
  problems.report(
    CONVERT_SUPPLIED,
    metadata?.pointer ?? '',
    'the record is dated now: set metadata.created_at in the card',
  )
}

function writeSkills({ root, ledger, problems }: Job, record: MutableObject): void {
  const skills = new Map<string, MutableObject>()
  for (const tag of elements(root, 'skills', isText)) {
    const skill = skillOf(tag.value)
    if (skill === undefined) continue
    const { name, id, exact } = skill
    skills.set(name, { name, id })
    const [detail, outcome] = exact
      ? (['as OASF calls it', 'renamed'] as const)
      : (['the nearest of OASF', 'changed'] as const)
    ledger.shown(tag.pointer, '/skills', detail, outcome)
  }
  record['skills'] = [...skills.values()]
  if (skills.size > 0) return
  const pointer = member(root.value, 'skills') === undefined ? '' : '/skills'
  problems.report(
    CONVERT_NEEDED,
    pointer,
    'expected a tag that OASF has a skill for, such as nlp/translation or testing',
  )
}

function writeLocators({ root, ledger }: Job, record: MutableObject, kept: PlacedObject | undefined): void {
  const urls = new Set<string>()
  for (const endpoint of elements(root, 'endpoints', isObject)) {
    const uri = textOf(endpoint, 'uri')
    if (uri === undefined || !/^https?:\/\/\S+$/.test(uri)) continue
    urls.add(uri)
    ledger.shown(`${endpoint.pointer}/uri`, '/locators')
  }
  const others = elements(kept, 'locators', isObject).filter(
    ({ value }) => typeof member(value, 'type') === 'string' && isTexts(member(value, 'urls')),
  )
  const locators = [...(urls.size > 0 ? [{ type: 'url', urls: [...urls] }] : []), ...others.map(({ value }) => value)]
  if (locators.length > 0) record['locators'] = locators
}

/** The domains of the record that this card was made from. */
function domainsOf(kept: PlacedObject | undefined): readonly unknown[] {
  const domains = elements(kept, 'domains', isObject).map(({ value }) => value)
  return domains.filter(
    (entry) => typeof member(entry, 'name') === 'string' || Number.isSafeInteger(member(entry, 'id')),
  )
}
