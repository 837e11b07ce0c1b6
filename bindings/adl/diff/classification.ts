import { isText, type Placed } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { SENSITIVITIES } from '../classification.ts'
import type { Changes } from './change.ts'
import { type Comparison, type Members, type Pair, report, within } from './members.ts'
import { bound, protection, trusted } from './protections.ts'

const LEVELS: readonly unknown[] = SENSITIVITIES

/** Lowered, or no longer known: less is protected than before. */
function compareSensitivity({ before, after }: Pair, changes: Changes): void {
  const level = (of: Placed<unknown> | undefined) => LEVELS.indexOf(of?.value)
  const words = `sensitivity: ${shown(before)} before, ${shown(after)} now`
  if (after === undefined) changes.inOld('widened', 'major', before!.pointer, words)
  else if (level(after) < level(before)) changes.inNew('widened', 'major', after.pointer, words)
  else changes.inNew('narrowed', 'minor', after.pointer, words)
}

const shown = (of: Placed<unknown> | undefined) => (isText(of?.value) ? quoted(of.value) : 'none')

/** There are six, and those of profiles. */
const MOST_SHOWN = 20

/** A category of a stranger, which may be anything. */
const toldAs = (category: unknown) => (isText(category) ? quoted(category) : 'what is no text')

/** Categories bring obligations with them: one less is less protection. */
function compareCategories(pair: Pair, changes: Changes): void {
  const [old, now] = [listed(pair.before), listed(pair.after)]
  const lost = [...old].filter((category) => !now.has(category))
  const won = [...now].filter((category) => !old.has(category))
  const words = (list: unknown[]) =>
    list
      .slice(0, MOST_SHOWN)
      .map((category) => toldAs(category))
      .join(', ')
  const place = pair.after ?? pair.before!
  const side = pair.after === undefined ? 'inOld' : 'inNew'
  if (lost.length > 0) changes[side]('widened', 'major', place.pointer, `is no longer classified as ${words(lost)}`)
  if (won.length > 0) changes[side]('narrowed', 'minor', place.pointer, `is classified as ${words(won)}`)
  if (lost.length + won.length === 0) report(pair, 'patch', 'categories', changes)
}

function listed(of: Placed<unknown> | undefined): ReadonlySet<unknown> {
  return new Set(Array.isArray(of?.value) ? of.value : [])
}

const HANDLING: Members = Object.fromEntries(
  ['encryption_required', 'anonymization_required', 'cross_border_restricted', 'logging_required'].map((name) => [
    name,
    protection(name),
  ]),
)

const RETENTION: Members = {
  min_days: bound('min_days', 'least'),
  max_days: bound('max_days', 'most'),
  policy_uri: trusted('policy_uri'),
}

/** The members that describe data, the agent's or a tool's. */
const MEMBERS: Members = {
  sensitivity: compareSensitivity,
  categories: compareCategories,
  retention: within('retention', RETENTION, 'minor'),
  handling: within('handling', HANDLING, 'minor'),
}

export const compareClassification: Comparison = (pair, changes) =>
  within('data_classification', MEMBERS, 'minor')(pair, changes.area('classification'))
